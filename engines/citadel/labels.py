"""What players of citadel read: things by name, effects and moves in words."""

from collections.abc import Mapping
from typing import Any

from machiavel.engines.citadel.house import COLOURS, House
from machiavel.engines.citadel.lists import EFFECTS, TIMED, Effect, EffectList, grouped
from machiavel.engines.hints import quoted
from machiavel.engines.phrases import Span, Wording, capitalized, joined, load_phrases, of_name, plain, typeset

__all__ = ["HOURS", "ability_words", "about", "behind", "label", "list_words", "named", "said", "wording"]

HOURS = ("XII", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI")
# What stands in the holes of a label, and for which effects a card, bonus or power is used on a thing of some kind.
HOLES = {
    "go": ["room"],
    "enter": ["room"],
    "unlock": ["colour"],
    "activate": ["character"],
    "reroll": ["dice"],
    "choose": ["dice"],
}
HOLES |= {"card": ["card"], "with_card": ["card"], "unlock_door": ["door"]}
USES = {
    "colour": {"lure": {"lure"}, "more_time": {"marker_on"}},
    "room": {"go": {"step", "leap", "shadow"}, "disarm_in": {"disarm_near", "disarm_anywhere"}},
    "trap": {"disarm_type": {"disarm_type"}},
}

# ---- Things ----


def said(house: House, key: str, language: str, **parts: Any) -> str:
    """A text of `words/`, each hole named for the kind of thing that fills it; a second one of the kind ends in 2."""

    def part(name: str, value: Any) -> Any:
        is_ready = value in (None, []) or (isinstance(value, int) and name not in {"clock", "hour"})
        return value if is_ready else lambda form: named(house, name.removesuffix("2"), value, (language, form))

    return load_phrases(__package__)(key, language, **{name: part(name, value) for name, value in parts.items()})


def wording(house: House, key: str, **parts: Any) -> Wording:
    """The text in every language."""
    return Wording({language: said(house, key, language, **parts) for language in ("en", "fr")})


def named(house: House, kind: str, value: Any, how: tuple[str, str]) -> str:
    """A thing as a player reads it, from its id; `how` is the language and a form, or nothing.

    Rooms, traps and treasures have their article, unless `bare`. Characters have their `first` name, or all of it. Whose
    something is stands in `of`, a name between quotation marks in `quoted`, the colour of a door in `feminine`. What is of none
    of the game's kinds is text already.
    """
    language, form = how
    if isinstance(value, list):
        return plain(joined([Span(named(house, kind.removesuffix("s"), one, how)) for one in value], language))
    match kind:
        case "room" | "trap" | "treasure" | "card" | "character":
            return by_name(house, kind, value, language, form)
        case "door":
            room, colour = value.split(":")
            return said(house, "things.door", language, room=room, room2=behind(house, room, colour))
        case "colour":
            return said(house, f"{form or 'colours'}.{value}", language)
        case "dice":
            return plain(joined([Span(said(house, f"dice.{die}", language)) for die in value.split("+")], language))
        case "professor":
            return said(house, f"faces.{value}", language)
        case "clock":
            return f"+{value}"
        case "hour":
            return HOURS[value // 5]
        case "ability":
            return ability_words(house, house.characters.index(value), language)
    return str(value)


def by_name(house: House, kind: str, value: str, language: str, form: str) -> str:
    ids, names = {
        "room": (house.rooms, house.room_names),
        "trap": (house.types, house.type_names),
        "treasure": (house.treasures, house.treasure_names),
        "card": (house.cards, house.card_names),
        "character": (house.characters, house.character_names),
    }[kind]
    name, article = names[language][ids.index(value)], ""
    if kind in house.articles and form != "bare":
        article = house.articles[kind][language][ids.index(value)]
    name = typeset(f"{article}{name}" if article.endswith(("'", "’")) else f"{article} {name}".lstrip(), language)
    if form == "quoted":
        return quoted(name, language)
    return of_name(name, language) if form == "of" else name.partition(" ")[0] if form == "first" else name


def behind(house: House, room: str, colour: str) -> str:
    """Where an exit leads."""
    return house.rooms[house.exits[house.rooms.index(room)][COLOURS.index(colour)]]


# ---- Effects ----


def effect_words(house: House, effect: Effect, count: int, language: str) -> str:
    kind, amount = EFFECTS[effect[0]], effect[1] * (5 if EFFECTS[effect[0]] in TIMED else 1)
    parts = {"n": count, "several": count if count > 1 else 0, "amount": amount, "more": amount if amount > 1 else 0}
    return said(house, f"effects.{kind}", language, **parts)


def list_words(house: House, effects: EffectList, language: str) -> str:
    """A card or a bonus, effect by effect."""
    first, *others = (effect_words(house, effect, count, language) for effect, count in grouped(effects))
    for other in others:
        first = said(house, "powers.list", language, first=first, then=other)
    return first


def ability_words(house: House, character: int, language: str) -> str:
    effect, cost = house.abilities[character]
    key = "by_itself" if EFFECTS[effect[0]] in {"reroll", "choose"} else "for_actions" if cost else "free"
    return said(house, f"powers.{key}", language, what=effect_words(house, effect, 1, language), cost=cost)


def about(house: House, kind: str, text: str, language: str) -> str:
    """What a card, a character's power, a treasure, a trap, a window or a door is for; empty for what speaks for itself."""

    def told(key: str, **parts: Any) -> str:
        return plain(capitalized([Span(said(house, f"about.{key}", language, **parts))]))

    match kind:
        case "card":
            return told(kind, what=list_words(house, house.lists[house.cards.index(text)], language))
        case "character":
            bonus = list_words(house, house.lists[len(house.cards) + house.characters.index(text)], language)
            return told(kind, ability=text, bonus=bonus)
        case "treasure":
            minutes, types = house.tiles[house.treasures.index(text)]
            return told(kind, traps=[house.types[one] for one in types], n=len(types), minutes=minutes)
        case "room" if house.rooms.index(text) in house.windows:
            return told("window")
        case "trap":
            return told(kind)
        case "door":
            (room, colour), (other, colour2) = (side.split(":") for side in (text, house.door_names[text]))
            return told(kind, room=room, room2=other, colour=colour, colour2=colour2)
    return ""


# ---- Moves ----


def label(house: House, move: str, language: str, seen: Mapping[str, Any] | None = None) -> str:
    """A move as a player reads it; where the mover's view is known, it says more than the notation does."""
    verb, *rest = move.split(":")
    place = None if seen is None else seen["places"][seen["active"]]
    match verb:
        case "go" if seen is not None and place is None:
            return act_label(house, language, "enter", *rest)
        case "unlock":
            return act_label(house, language, verb, *rest, room=behind(house, place, rest[0]) if place else None)
        case "choose":
            return act_label(house, language, verb, rest[0], face=named(house, rest[0], rest[1], (language, "")))
        case "card" | "bonus" | "power":
            source, *choice = rest if verb == "card" else [verb, *rest]
            if not choice:
                return act_label(house, language, verb, source)
            what = choice_label(house, language, kinds_of(house, source, seen), *choice)
            if seen is None or not seen["under_way"]:
                return act_label(house, language, f"with_{verb}", source, what=what)
            return what
    return act_label(house, language, verb, *rest)


def act_label(house: House, language: str, key: str, *rest: str, **more: Any) -> str:
    parts = dict(zip(HOLES.get(key.partition("_other")[0], ()), rest, strict=False))
    return said(house, f"moves.{key}", language, **parts, **more)


def kinds_of(house: House, source: str, seen: Mapping[str, Any] | None) -> set[str]:
    """The effects that a choice may be for: of a card, the bonus or the power, as far as is known whose."""
    owners = range(len(house.characters)) if seen is None else [house.characters.index(seen["characters"][seen["active"]])]
    if source == "power":
        return {EFFECTS[house.abilities[owner][0][0]] for owner in owners}
    numbers = [len(house.cards) + owner for owner in owners] if source == "bonus" else [house.cards.index(source)]
    at = None if seen is None or seen["under_way"] is None else seen["under_way"]["effect"]
    lists = [house.lists[number] if at is None else house.lists[number][at : at + 1] for number in numbers]
    return {EFFECTS[kind] for effects in lists for kind, _ in effects}


def choice_label(house: House, language: str, kinds: set[str], name: str, *rest: str) -> str:
    """What a card, bonus or power is used on; nothing but its name where effects of two kinds could be meant."""
    if name == "enough":
        return act_label(house, language, name)
    if name in house.characters and rest:
        return act_label(house, language, f"{rest[0]}_other", *rest[1:], character=name)
    if rest:
        return act_label(house, language, "unlock_door", f"{name}:{rest[0]}")
    kind = "colour" if name in COLOURS else "room" if name in house.rooms else "trap"
    fitting = [key for key, effects in USES[kind].items() if kinds & effects]
    if len(fitting) == 1:
        return said(house, f"moves.{fitting[0]}", language, **{kind: name})
    return named(house, kind, name, (language, "bare" if kind != "colour" else ""))
