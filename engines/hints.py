"""What a game's metrics mean to a player: the words hints are made of, declared by each engine as data."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["HintWords", "Quantity", "load_hints", "quoted"]

Texts = Mapping[str, str]  # by language

NOTHING_SAID: Texts = {"en": "", "fr": ""}


@dataclass(frozen=True)
class Quantity:
    """One of the engine's metrics, as a clause whose subject is a move.

    `metric` is its name; `{me}` in it stands for the seat advised, `{other}` for each other seat in turn. A *share* is 0 or 1
    at the end of a line, so its mean is how often; an *amount* is any number. `does` says it (an amount with `{value}` in it);
    `more` and `less` say of an amount that it is above or below another move's. `good` is 1 where more of it is good for the
    seat, -1 where it is bad, 0 where that depends. Of quantities with the same `group` a sentence says one.
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


@dataclass(frozen=True)
class HintWords:
    """All that a game declares: what its lines are called, its quantities, and the amount that stands beside each win chance."""

    worlds: Texts  # `of the deals that fit what you know`: what shares are shares of
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
        name: {language: entry[language].get(name, "") for language in ("en", "fr")} for name in ("does", "more", "less", "label")
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
    )


def quoted(text: str, language: str) -> str:
    """A move in words, fit to be the subject of a sentence."""
    return f"“{text}”" if language == "en" else f"« {text} »"
