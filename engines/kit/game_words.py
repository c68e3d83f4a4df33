"""What players read of a game of the kit: its author's `words`, and where they say nothing, texts made of its declarations."""

import re
from collections.abc import Iterator, Mapping
from string import Template
from typing import Any

from machiavel.engines.kit.card_sets import Bag, Deck
from machiavel.engines.kit.declarations import ActionPart
from machiavel.engines.kit.file_refusals import refused
from machiavel.engines.kit.game_description import DescribedAction, GameDescription
from machiavel.engines.kit.game_fields import COUNTS, KIT_PHRASES, GameFields
from machiavel.engines.phrases import Phrases
from machiavel.engines.plugin import LANGUAGES

__all__ = ["HIDDEN", "WON", "actor", "game_phrases", "label_of_field", "tells_won", "told_fields", "usual", "won_fields"]

WON = "won"  # the event of who has won, told at the end where an author has words for it
HIDDEN = "_hidden"  # behind the name of an action: a move of it as those see it who may not know what it was
HOLE = re.compile(r"(?<!\\)\{(\w+)")
# What an author names in English by declaring it, so that a name in another language is of no use there.
NAMED_IN_ENGLISH = re.compile(r"fields\..+\.label|(cards|parts)\..+")
CARD_WORDS = ("articles", "ranks", "suits")
NOT_TEXTS = ("hints",)  # parts of `words` that are read otherwise
Texts = Iterator[tuple[str, str]]


def game_phrases(game: GameDescription, fields: GameFields) -> Phrases:
    """All texts of a game in every language; raises BadGameFile where its author's do not go together."""
    given = {language: dict(flat_texts(game, language)) for language in LANGUAGES}
    tables = {}
    for language in LANGUAGES:
        others = {key: text for other in LANGUAGES for key, text in given[other].items()}
        if language == LANGUAGES[0]:
            others = dict(in_english(others))
        said = others | given[language]
        tables[language] = dict(usual_texts(game, fields, language, said)) | said
    try:
        phrases = Phrases(tables)
    except ValueError as error:
        raise refused("bad_words", game.path, game.line, why=str(error)) from None
    check_texts(game, phrases)
    return phrases


def in_english(others: Mapping[str, str]) -> Texts:
    """Of what an author says in another language alone, what English takes over: not where it has words of its own."""
    for key, text in others.items():
        if key in KIT_PHRASES and key.partition(".")[0] in CARD_WORDS:
            yield key, KIT_PHRASES.template(key, LANGUAGES[0])
        elif not NAMED_IN_ENGLISH.fullmatch(key):
            yield key, text


def check_texts(game: GameDescription, phrases: Phrases) -> None:
    """Refuse texts of moves and events that there are not, and holes that nothing fills."""
    parts: dict[str, list[str]] = {}
    for action in game.actions.values():
        names = [part.name for part in action.action.parts]
        hidden = action.action.hidden
        parts |= dict.fromkeys(action.names, names)
        if hidden is not None:
            parts[action.name + HIDDEN] = [name for name in names if f"{{{name}}}" in hidden]
    actors = {name: actor(one) for one in game.actions.values() for name in (*one.names, one.name + HIDDEN)}
    of_fields = {name: ["seat", "by", "now"] for name in told_fields(game)}
    of_fields |= {name: ["seat", "cards", "now"] for name, how in told_fields(game).items() if how == "gains"}
    of_tricks = {name: ["who", "cards"] for name in game.tricks}
    of_tallies = {name: tally.parts() for name, tally in game.tallies.items()}
    of_end = {WON: won_parts(game)} if tells_won(game) else {}
    known: dict[str, Mapping[str, list[str]]] = {
        "labels": parts,
        "phrases": parts,
        "events": {name: [*names, actors[name]] for name, names in parts.items()} | of_fields | of_tricks | of_tallies | of_end,
    }
    check_about(game, phrases)
    for key in phrases.keys():  # noqa: SIM118 - they are no mapping
        table, _, rest = key.partition(".")
        if table not in known:
            continue
        name = rest.partition(".")[0]
        if name not in known[table]:
            raise refused("words_of_what", game.path, game.line, key=key, name=name, known=", ".join(known[table]))
        for hole in HOLE.findall(phrases.template(key, LANGUAGES[0])):
            if hole not in known[table][name]:
                holes = ", ".join(f"{{{one}}}" for one in known[table][name])
                raise refused("words_of_holes", game.path, game.line, key=key, hole=f"{{{hole}}}", known=holes)


def check_about(game: GameDescription, phrases: Phrases) -> None:
    """Refuse texts about cards and suits that there are not, and holes in them."""
    suits = [suit for deck in game.decks if isinstance(deck, Deck) for suit in deck.suits]
    known = [*suits, *(text for deck in game.decks for text in deck.texts)]
    for key in phrases.keys():  # noqa: SIM118 - they are no mapping
        table, _, name = key.partition(".")
        if table == "about":
            if name not in known:
                raise refused("words_of_what", game.path, game.line, key=key, name=name, known=", ".join(known))
            for hole in HOLE.findall(phrases.template(key, LANGUAGES[0])):
                raise refused("words_of_holes", game.path, game.line, key=key, hole=f"{{{hole}}}", known="")


def flat_texts(game: GameDescription, language: str) -> Texts:
    """The author's texts in that language, by key."""
    words = game.words.get(language, {})
    if not isinstance(words, Mapping) or not set(game.words) <= set(LANGUAGES):
        raise refused("words_of_languages", game.path, game.line, known=", ".join(LANGUAGES))
    yield from flat({key: value for key, value in words.items() if key not in NOT_TEXTS})


def flat(table: Mapping[str, Any], path: str = "") -> Texts:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", str(value)


def usual(key: str, language: str, **parts: object) -> str:
    """A text of the kit itself, with what a game fills in."""
    return Template(KIT_PHRASES.template(key, language)).substitute({name: str(part) for name, part in parts.items()})


def usual_texts(game: GameDescription, fields: GameFields, language: str, said: Mapping[str, str]) -> Texts:
    """All texts a game needs, as far as they follow from its declarations; `said` is what its author says."""
    yield "title", game.titles.get(language, game.titles.get(LANGUAGES[0], game.name))
    for name, option in game.options.items():
        key = "options.flag" if option.is_flag else "options.number"
        yield f"options.{name}.expected", usual(key, language, least=option.least, most=option.most)
        yield f"options.{name}.help", option.help[language]
    for deck in game.decks:
        yield from card_texts(deck, language, said)
    for action in game.actions.values():
        for name in action.names:
            label = said.get(f"labels.{name}", label_of(action) if name == action.name else label_as(name, action))
            yield from name_texts(action, name, label, language, said)
        yield from action_texts(action, language, said)
    yield from field_texts(game, fields, language, said)
    yield from tale_texts(game, language, said)


# ---- Cards ----


def card_texts(deck: Deck | Bag, language: str, said: Mapping[str, str]) -> Texts:
    """Each card as it is named, and with its article."""
    ranks = set(KIT_PHRASES.under("ranks", language)) | {key.removeprefix("ranks.") for key in said if key.startswith("ranks.")}
    suits = set(KIT_PHRASES.under("suits", language)) | {key.removeprefix("suits.") for key in said if key.startswith("suits.")}

    def word(key: str) -> str:
        return said[key] if key in said else KIT_PHRASES.template(key, language)

    def with_article(rank: str, name: str) -> str:
        key = f"articles.{rank}"
        return word(key).replace("{card}", name) if key in said or key in KIT_PHRASES else name

    for number, text in enumerate(deck.texts):
        name, article = text, text
        if isinstance(deck, Deck) and deck.suits and set(deck.suits) <= suits and set(deck.ranks) <= ranks:
            suit, rank = deck.suits[deck.suit_of(number)], deck.ranks[deck.rank_of(number)]
            name = word("card.suited").replace("{rank}", word(f"ranks.{rank}")).replace("{suit}", word(f"suits.{suit}"))
            article = with_article(rank, name)
        elif set(deck.texts) <= ranks:
            name = word(f"ranks.{text}")
            article = with_article(text, name)
        own = said.get(f"cards.{text}")
        yield f"cards.{text}", escaped(name) if own is None else own
        yield f"the.{text}", escaped(article) if own is None else own


def escaped(text: str) -> str:
    """A text without holes."""
    return "".join(f"\\{mark}" if mark in "[]{}" else mark for mark in text)


# ---- Moves ----


def is_card(part: ActionPart) -> bool:
    return isinstance(part.kind, Deck | Bag)


def words_of(name: str) -> str:
    return name.replace("_", " ")


def label_of(action: DescribedAction) -> str:
    """A move as its author's declaration has it: `pass:{card}` is told as `pass {card}`."""
    return plain_text(action.action.text or action.name, action)


def label_as(name: str, action: DescribedAction) -> str:
    """A move that is called otherwise, with its parts."""
    return " ".join([escaped(words_of(name)), *(f"{{{part.name}}}" for part in action.action.parts)])


def plain_text(text: str, action: DescribedAction) -> str:
    """A text of a move in words, of which only the parts are holes."""
    result = escaped(text.replace(":", " ").replace("_", " "))
    for part in action.action.parts:
        result = result.replace(f"\\{{{words_of(part.name)}\\}}", f"{{{part.name}}}")
    return result


def is_bare_card(action: DescribedAction) -> bool:
    """Whether its moves are cards and nothing else."""
    parts = action.action.parts
    return len(parts) == 1 and is_card(parts[0]) and action.action.text == f"{{{parts[0].name}}}"


def actor(action: DescribedAction) -> str:
    """What the seat that moves is called among the fields of the event."""
    return "mover" if any(part.name == "who" for part in action.action.parts) else "who"


def name_texts(action: DescribedAction, name: str, label: str, language: str, said: Mapping[str, str]) -> Texts:
    """What is said of a move by one of its names."""
    who = actor(action)
    yield f"labels.{name}", label
    card = action.action.parts[0].name if action.action.parts else ""
    is_card_alone = name == action.name and is_bare_card(action)
    kind = "card" if is_card_alone and f"labels.{name}" not in said else "move"
    if is_card_alone:
        yield from (
            (f"phrases.{name}.{form}", usual(f"phrases.{form}", language, card=card)) for form in ("do", "you", "doing", "name")
        )
    if f"events.{name}" not in said:
        for form in ("me", "they"):
            yield f"events.{name}.{form}", usual(f"events.{kind}.{form}", language, card=card, label=label, who=who)


def action_texts(action: DescribedAction, language: str, said: Mapping[str, str]) -> Texts:
    """What is said of its parts, and of a move that is hidden."""
    name, who = action.name, actor(action)
    for part in action.action.parts:
        if isinstance(part.kind, tuple):
            yield from ((f"parts.{text}", escaped(words_of(text))) for text in part.kind)
    if action.action.hidden is None:
        return
    plain = plain_text(action.action.hidden, action)
    is_worded = any(mark.isalpha() for mark in plain)
    hidden = said.get(f"labels.{name}{HIDDEN}", plain if is_worded else usual("labels.hidden", language))
    yield f"labels.{name}{HIDDEN}", hidden
    if f"events.{name}{HIDDEN}" not in said:
        for form in ("me", "they"):
            yield f"events.{name}{HIDDEN}.{form}", usual(f"events.move.{form}", language, label=hidden, who=who)


# ---- Fields ----


def label_of_field(name: str) -> str:
    return words_of(name).capitalize()


def field_texts(game: GameDescription, fields: GameFields, language: str, said: Mapping[str, str]) -> Texts:
    for name in ("seat", "ply", "to_move"):
        yield f"fields.{name}.meaning", usual(f"fields.{name}", language)
    masks = {one.within for one in game.fields.values()}
    counted = {secret.name for secret in fields.secrets if secret.has_counts}
    for name, one in game.fields.items():
        where = usual("fields.by_seat", language) if one.each_seat else ""
        where += usual("fields.in_row", language, length=one.length) if one.length and one.kind != "dice" else ""
        key = {"all": None, "owner": "by_owner", "nobody": "by_nobody"}.get(one.seen_by, "by_mask")
        seen = "" if key is None else usual(f"fields.{key}", language, mask=one.seen_by)
        kind = "one_seat" if one.kind == "seat" else one.kind
        yield f"fields.{name}.label", label_of_field(name)
        yield f"fields.{name}.meaning", usual(f"fields.{kind}", language, where=where, seen=seen, least=one.low, most=one.high)
        if one.usually is not None or name in masks:
            yield f"fields.{name}.left_out", usual("fields.everything" if one.usually is None else "fields.usually", language)
        if name in counted:
            label = usual("fields.counts_label", language, label=said.get(f"fields.{name}.label", label_of_field(name)))
            yield f"fields.{name}{COUNTS}.label", label
            yield f"fields.{name}{COUNTS}.meaning", usual("fields.counts", language, name=name, where=where)


# ---- What happens besides moves ----


def told_fields(game: GameDescription) -> dict[str, str]:
    """The fields of which something is told, and when: as declared, or whenever one changes that has texts of an event."""
    worded = {name for words in game.words.values() for name in words.get("events", {})}
    told = {name: one.tells or ("changes" if name in worded else None) for name, one in game.fields.items()}
    return {name: how for name, how in told.items() if how is not None}


def tells_won(game: GameDescription) -> bool:
    """Whether its author says in words who has won; not where that is what something else in the game is called."""
    known = {*game.fields, *game.tricks, *game.tallies, *(name for one in game.actions.values() for name in one.names)}
    return WON not in known and any(WON in words.get("events", {}) for words in game.words.values())


def won_parts(game: GameDescription) -> list[str]:
    """What may be told of who has won: the seat, what `result` gave it, and its metrics."""
    return ["who", "value", *(name for name in game.metrics if name not in {"who", "value"})]


def won_fields(game: GameDescription) -> list[str]:
    """What is told of who has won: the seat, and what its author's words name."""
    texts = [text for words in game.words.values() for _, text in flat({WON: words.get("events", {}).get(WON, "")})]
    named = {hole for text in texts for hole in HOLE.findall(text)}
    return [name for name in won_parts(game) if name == "who" or name in named]


def tale_texts(game: GameDescription, language: str, said: Mapping[str, str]) -> Texts:
    for name, how in told_fields(game).items():
        one = game.fields[name]
        if not any(key == f"events.{name}" or key.startswith(f"events.{name}.") for key in said):
            label = said.get(f"fields.{name}.label", label_of_field(name))
            label = label.lower() if one.each_seat else label
            yield f"events.{name}", usual(f"events.{how}.{'seat' if one.each_seat else 'all'}", language, label=label)
    for name in game.tricks:
        if not any(key == f"events.{name}" or key.startswith(f"events.{name}.") for key in said):
            yield from ((f"events.{name}.{who}", usual(f"events.trick.{who}", language)) for who in ("me", "they"))
    for name in game.tallies:
        if not any(key == f"events.{name}" or key.startswith(f"events.{name}.") for key in said):
            yield f"events.{name}", usual("events.tally.all", language)
