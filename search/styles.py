"""Styles of play: what a bot goes for besides winning, game by game."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["PLAIN", "STYLES", "Style", "StyleTerm", "all_styles", "style_of", "styles_of"]

PLAIN = "plain"  # goes for its result and nothing else
STYLES = (PLAIN, "cautious", "points", "spoiler", "team-player")


@dataclass(frozen=True)
class StyleTerm:
    """A quantity that the game measures, and what it counts for: nothing at its worst, its weight at its best."""

    metric: str  # without the seat
    weight: float
    worst: float
    best: float
    whose: str = "own"  # `own`, `others` (their mean) or `weakest` (of them)


@dataclass(frozen=True)
class Style:
    """What a line is worth in a style: the weights add up to 1."""

    game: str
    name: str
    help: Mapping[str, str]  # by language
    own: float  # the seat's own result
    terms: tuple[StyleTerm, ...]


@cache
def tables() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(files("machiavel.search").joinpath("styles.toml").read_text(encoding="utf-8"))


@cache
def styles_of(game: str) -> Mapping[str, Style]:
    """The styles a game has room for, by name; none but `plain` for one that declares none."""
    return {name: made(game, name, data) for name, data in tables().get(game, {}).items()}


def all_styles() -> list[Style]:
    """Of all games, in order."""
    return [style for game in tables() for style in styles_of(game).values()]


def style_of(game: str, name: str) -> Style:
    return styles_of(game)[name]


def made(game: str, name: str, data: Mapping[str, Any]) -> Style:
    terms = tuple(StyleTerm(**term) for term in data["terms"])
    return Style(game, name, {"en": data["en"], "fr": data["fr"]}, data["own"], terms)
