"""Levels of play, 1 to 10: how much each thinks in a game, how close to its best it plays, and what that is worth in matches."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from machiavel.engines import IncompatibleEngine, games
from machiavel.search.cached_by_game import cached_by_game
from machiavel.search.game_tables import ANY_GAME, GameTables, part_of, tables_of
from machiavel.search.limits import is_number
from machiavel.search.parameters import read_parameters

__all__ = ["LEVELS", "Level", "LevelRating", "level_of", "levels_of", "ratings_in", "ratings_of"]

LEVELS = range(1, 11)
MOST_ITERATIONS = 10**9
MOST_SHARPNESS = 32
EXPECTED_RATINGS = f"{len(LEVELS)} lists of three numbers: Elo over the greedy bot, and the interval from low to high"


@dataclass(frozen=True)
class Level:
    """How a level plays."""

    iterations: int  # a move
    sharpness: int = 0  # the power of the visits by which it draws its move; 0: the best
    slack: float = 1.0  # how much worse a move it draws may look, in parts of what the best is short of a sure win
    uses_time: bool = False  # all it is given, instead of so many iterations
    search: Mapping[str, Any] = field(default_factory=dict)  # parameters that are not the game's usual ones


@dataclass(frozen=True)
class LevelRating:
    """What a level is worth in a game with so many players: Elo over the greedy bot, with the 95 % interval."""

    game: str
    players: int
    elo: float
    low: float
    high: float


@cached_by_game
def levels_of(game: str) -> tuple[Mapping[int, Level], ...]:
    """The levels in a game by number of players: 0 stands for all that have nothing of their own.

    A game that brings none has those of any game. Raises IncompatibleEngine.
    """
    own = tables_of(game)
    tables = (own if "levels" in own else tables_of(ANY_GAME)).tables("levels")
    if len(tables) != len(LEVELS):
        raise own.bad("levels", f"has {len(tables)} tables; expected {len(LEVELS)}, from level 1 on")
    return tuple(map(read_levels, tables))


def level_of(number: int, game: str, players: int = 0) -> Level:
    """A level in a game with so many players (0: with those it has nothing of its own for)."""
    result = levels_of(game)[number - 1]
    return result.get(players, result[0])


def read_levels(table: GameTables) -> Mapping[int, Level]:
    result = {0: read_level(table)}
    if "by_players" in table:
        for players, different in table.table("by_players").by_players():
            result[players] = read_level(different, result[0])
            different.done()
    table.done()
    return result


def read_level(table: GameTables, usual: Level | None = None) -> Level:
    """A level; what the table leaves out is as it is usually."""
    other = Level(1) if usual is None else usual
    return Level(
        table.number("iterations", 1, MOST_ITERATIONS, None if usual is None else usual.iterations),
        table.number("sharpness", 0, MOST_SHARPNESS, other.sharpness),
        table.real("slack", 0, 1, other.slack),
        table.take("uses_time", bool, "true or false", other.uses_time),
        read_parameters(table.table("search")) if "search" in table else other.search,
    )


# ---- What they are worth ----


@cached_by_game
def ratings_in(game: str) -> Mapping[int, tuple[LevelRating, ...]]:
    """What matches in a game have shown of the levels, from 1 on, by number of players; raises IncompatibleEngine."""
    tables = part_of(game, "ratings")
    tables.real("error", 0.1, 1000, 10)  # to which `bench.levels` plays, in Elo
    result = {}
    for players, table in tables.by_players():
        rows = table.take("elo_low_high", list, EXPECTED_RATINGS)
        if len(rows) != len(LEVELS) or not all(map(is_interval, rows)):
            raise table.bad("elo_low_high", f"is {rows!r}; expected {EXPECTED_RATINGS}")
        result[players] = tuple(LevelRating(game, players, *row) for row in rows)
        table.done()
    return result


def is_interval(row: object) -> bool:
    return isinstance(row, list) and len(row) == 3 and all(map(is_number, row)) and row[1] <= row[0] <= row[2]


def ratings_of(number: int) -> tuple[LevelRating, ...]:
    """What matches have shown of a level, by game and players (docs/levels.md has them)."""
    result: list[LevelRating] = []
    for game in games():
        with suppress(IncompatibleEngine):  # such as `machiavel games` names
            result += (ratings[number - 1] for ratings in ratings_in(game).values())
    return tuple(result)
