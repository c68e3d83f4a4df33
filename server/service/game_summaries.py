"""What a game is, in a few words and a picture, for whoever chooses one; no rules need be made for that."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from machiavel import v1
from machiavel.engines import LANGUAGES, Engine, Game
from machiavel.engines.fields import Each, Kind, PairOf, RecordOf, Type
from machiavel.engines.kit.game_fields import KIT_PHRASES
from machiavel.engines.looks import suit_looks
from machiavel.engines.rules_texts import rules_summary
from machiavel.server.service.game_schemas import SUIT_WORDS, phrases_of
from machiavel.server.service.wire import text_message

__all__ = ["game_summary", "summary_things"]

MOST = 3  # things in a picture
DIE_FACES = "256"
LONGEST_TEXT = 3


@lru_cache(maxsize=256)
def game_summary(game: Game) -> v1.GameSummary:
    """Nobody changes it."""
    rules = game.plugin.rules_texts()
    texts = {language: rules_summary(rules.get(language, "")) for language in LANGUAGES}
    return v1.GameSummary(text=text_message(texts), things=list(summary_things(game.plugin)))


def summary_things(plugin: Engine) -> Iterator[v1.SummaryThing]:
    """Rooms where it has a map, cards or dice: as far as the fields of its views say how things look."""
    drawn = [] if plugin.views is None else [one.type for one in plugin.views.fields if one.zone]
    types = [inner for one in drawn for inner in types_in(one)]
    known = [getattr(one, "kind", None) for one in types]
    kinds = {kind.name: kind for kind in known if isinstance(kind, Kind)}
    cards = [kind for kind in kinds.values() if kind.look.shape == "card"]
    suited = next((kind for kind in cards if len(kind.suits) > 1), None)
    places = [kind for kind in kinds.values() if kind.look.shape == "place"]
    if places:
        yield from (v1.SummaryThing(look=v1.ThingLook.THING_LOOK_PLACE, kind=places[0].name) for _ in range(MOST))
    elif suited is not None:
        yield from suits_of(plugin, suited)
    elif not cards and any(getattr(one, "is_die", False) for one in types):
        yield from (v1.SummaryThing(look=v1.ThingLook.THING_LOOK_DIE, text=face) for face in DIE_FACES)
    elif len(cards) >= MOST:
        yield from (v1.SummaryThing(look=v1.ThingLook.THING_LOOK_CARD, kind=kind.name) for kind in cards[:MOST])
    elif cards:
        one = cards[0]
        yield from (v1.SummaryThing(look=v1.ThingLook.THING_LOOK_CARD, kind=one.name, text=text) for text in texts_of(one))


def types_in(kind: Type) -> Iterator[Type]:
    """A type, and those of what is in it."""
    shape = kind if isinstance(kind, Each) else kind.shape()
    yield shape
    inner: list[object] = [getattr(shape, "of", None)]
    if isinstance(shape, RecordOf):
        inner += shape.fields.values()
    if isinstance(shape, PairOf):
        inner += [shape.first, shape.second]
    for one in inner:
        if isinstance(one, Type):
            yield from types_in(one)


def suits_of(plugin: Engine, kind: Kind) -> Iterator[v1.SummaryThing]:
    names = suit_names(plugin, kind)
    looks = suit_looks(kind.suits, kind.look.suits, names)
    for suit in kind.suits[:MOST]:
        symbol, colour = looks[suit]
        shown = v1.Suit(text=suit, symbol=symbol, colour=colour)
        yield v1.SummaryThing(look=v1.ThingLook.THING_LOOK_CARD, kind=kind.name, suit=shown)


def suit_names(plugin: Engine, kind: Kind) -> Mapping[str, str]:
    """What they are called in English, as far as the game or the kit has words for them."""
    known = [phrases for phrases in (phrases_of(plugin), KIT_PHRASES) if phrases is not None]
    keys = {suit: [f"{table}.{suit}" for table in SUIT_WORDS] for suit in kind.suits}
    found = {
        suit: [phrases.template(key, LANGUAGES[0]) for phrases in known for key in texts if key in phrases]
        for suit, texts in keys.items()
    }
    return {suit: texts[0] for suit, texts in found.items() if texts}


def texts_of(kind: Kind) -> list[str]:
    """What stands on the last of them, where that is short and needs no rules to be known."""
    try:
        texts = [str(text) for text in kind.numbers(None)][-MOST:]  # type: ignore[arg-type]
    except (AttributeError, TypeError):
        return []
    return texts if all(len(text) <= LONGEST_TEXT for text in texts) else []
