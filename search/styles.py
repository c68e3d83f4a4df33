"""Styles of play: what a bot goes for besides winning, game by game."""

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from machiavel.engines import LANGUAGES, Game, IncompatibleEngine, games, load
from machiavel.search.cached_by_game import cached_by_game
from machiavel.search.game_tables import GameTables, part_of

__all__ = ["PLAIN", "STYLES", "Style", "StyleTerm", "all_styles", "style_of", "styles_of"]

PLAIN = "plain"  # goes for its result and nothing else
STYLES = (PLAIN, "cautious", "points", "spoiler", "team-player")
WHOSE = ("own", "others", "weakest")
MOST_TERMS = 4
MOST_MEASURED = 1e9


@dataclass(frozen=True)
class StyleTerm:
    """A quantity that the game measures, and what it counts for: nothing at its worst, its weight at its best."""

    metric: str  # without the seat
    weight: float
    worst: float
    best: float
    whose: str = "own"  # of WHOSE: its own, the mean of the others', that of the weakest of them


@dataclass(frozen=True)
class Style:
    """What a line is worth in a style: the weights add up to 1."""

    game: str
    name: str
    help: Mapping[str, str]  # by language
    own: float  # the seat's own result
    terms: tuple[StyleTerm, ...]


@cached_by_game
def styles_of(game: str) -> Mapping[str, Style]:
    """The styles a game has room for, by name; none but `plain` for one that declares none. Raises IncompatibleEngine."""
    tables = part_of(game, "styles")
    result = {name: read_style(load(game), name, tables.table(name)) for name in tables if name in STYLES[1:]}
    tables.done(STYLES[1:])
    return result


def all_styles() -> list[Style]:
    """Of all games that can be loaded, in order."""
    result: list[Style] = []
    for game in games():
        with suppress(IncompatibleEngine):
            result += styles_of(game).values()
    return result


def style_of(game: str, name: str) -> Style:
    return styles_of(game)[name]


def read_style(game: Game, name: str, table: GameTables) -> Style:
    own = table.real("own", 0, 1)
    terms = table.tables("terms")
    if not 1 <= len(terms) <= MOST_TERMS:
        raise table.bad("terms", f"has {len(terms)} tables; expected 1 to {MOST_TERMS}")
    names = game.plugin.metrics(game.make_rules(min(game.players)))
    measured = tuple(one.removesuffix("_0") for one in names if one.endswith("_0"))
    style = Style(
        game.name,
        name,
        {language: table.text(language, "what it goes for, in words") for language in LANGUAGES},
        own,
        tuple(read_term(term, measured) for term in terms),
    )
    table.done()
    total = own + math.fsum(term.weight for term in style.terms)
    if not math.isclose(total, 1):
        raise table.bad("own", f"and the weights of the terms add up to {total:g}; expected 1")
    return style


def read_term(table: GameTables, measured: tuple[str, ...]) -> StyleTerm:
    term = StyleTerm(
        table.choice("metric", measured),
        table.real("weight", 0, 1),
        table.real("worst", -MOST_MEASURED, MOST_MEASURED),
        table.real("best", -MOST_MEASURED, MOST_MEASURED),
        table.choice("whose", WHOSE, "own"),
    )
    table.done()
    if term.worst == term.best:
        raise table.bad("best", f"is {term.best:g}, as is worst; expected two numbers")
    return term
