"""What a game's metrics mean to a player: the words hints are made of, declared by each engine as data."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from machiavel.engines.phrases import Phrases, of_name, to_name, typeset

__all__ = ["HintWords", "MoveParts", "Quantity", "load_hints", "name_forms", "named_phrase", "quoted", "said_phrase"]

Texts = Mapping[str, str]  # by language
MoveParts = tuple[str, Mapping[str, object]]  # the kind of a move, and what fills the holes of its texts

NOTHING_SAID: Texts = {"en": "", "fr": ""}
# What a form is made of, the first there is; a move in a list is told by its verb, which French has in the infinitive.
FORMS: Mapping[str, Mapping[str, Sequence[str]]] = {
    language: {"do": ("do",), "you": ("you",), "doing": ("doing",), "subject": ("name", "doing"), "short": ("name", bare)}
    for language, bare in (("en", "do"), ("fr", "doing"))
}
# A move that is known by its name alone.
NAMED: Mapping[str, Texts] = {
    "en": {"do": "play {move}", "you": "you play {move}", "doing": "playing {move}"},
    "fr": {"do": "joue {move}", "you": "tu joues {move}", "doing": "jouer {move}"},
}


@dataclass(frozen=True)
class Quantity:
    """One of the engine's metrics, as a clause.

    `metric` is its name; `{me}` in it stands for the seat advised, `{other}` for each other seat in turn. A *share* is 0 or 1
    at the end of a line, so its mean is how often; an *amount* is any number. `says` says it (an amount with `{value}` in it),
    `never` that it never happens; `more` and `less` say of an amount that it is above or below another move's, and
    may say of a share that it is. Without `says`,
    `does` is a clause whose subject is the move, as are `more` and `less` then. `good` is 1 where more of it is good for the
    seat, -1 where it is bad, 0 where that depends. Of quantities with the same `group` a sentence says one; `replaces` is another
    group, with whatever `move_context` gives in it, of which nothing needs to be said beside this.
    """

    metric: str
    does: Texts
    label: Texts
    is_share: bool = True
    good: int = 0
    weight: float = 1.0
    spread: float = 1.0  # of an amount: about its standard deviation from line to line
    group: str = ""
    more: Texts = field(default_factory=lambda: NOTHING_SAID)
    less: Texts = field(default_factory=lambda: NOTHING_SAID)
    says: Texts = field(default_factory=lambda: NOTHING_SAID)
    never: Texts = field(default_factory=lambda: NOTHING_SAID)
    replaces: str = ""


@dataclass(frozen=True)
class HintWords:
    """All that a game declares: what its lines are called, its quantities, and the amount that stands beside each win chance."""

    worlds: Texts  # `of possible deals`: what shares are shares of
    quantities: Sequence[Quantity]
    headline: str | None = None  # a metric, such as the seat's points: `points_{me}`
    headline_label: Texts = field(default_factory=lambda: NOTHING_SAID)


@cache
def load_hints(package: str) -> HintWords:
    """The words of `hints.toml` beside a game's code; docs/hints.md tells its keys."""
    tables = tomllib.loads((files(package) / "hints.toml").read_text(encoding="utf-8"))
    headline = tables.get("headline", {})
    return HintWords(
        tables["worlds"],
        tuple(map(quantity_of, tables["quantities"])),
        headline.get("metric"),
        {language: headline.get(language, "") for language in ("en", "fr")},
    )


def quantity_of(entry: Mapping[str, Any]) -> Quantity:
    texts = {
        name: {language: entry[language].get(name, "") for language in ("en", "fr")}
        for name in ("does", "more", "less", "label", "says", "never")
    }
    return Quantity(
        entry["metric"],
        texts["does"],
        texts["label"],
        entry["kind"] == "share",
        entry["good"],
        entry["weight"],
        entry.get("spread", 1.0),
        entry.get("group", entry["metric"]),
        texts["more"],
        texts["less"],
        texts["says"],
        texts["never"],
        entry.get("replaces", ""),
    )


def quoted(text: str, language: str) -> str:
    """A move in words, fit to be the subject of a sentence."""
    return f"“{text}”" if language == "en" else typeset(f"« {text} »", language)


def said_phrase(phrases: Phrases, move: MoveParts, language: str, form: str) -> str:
    """A move in the texts that its game has for its kind: `do`, `you`, `doing` and, where one would rather name it, `name`."""
    kind, parts = move
    keys = (f"phrases.{kind}.{name}" for name in FORMS[language][form])
    return phrases(next(key for key in keys if key in phrases), language, **parts)


def named_phrase(move: str, language: str, form: str) -> str:
    """A move in the texts that any game has."""
    return NAMED[language][form].format(move=move)


def name_forms(name: str, language: str) -> Callable[[str], str]:
    """A name that fills a hole of a text, in the form that is asked for: `of`, `to` or none."""

    def put(form: str) -> str:
        return {"of": of_name, "to": to_name}[form](name, language) if form else name

    return put
