"""Levels of play, 1 to 10: how much each thinks in a game, how close to its best it plays, and what that is worth in matches."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["LEVELS", "Level", "LevelRating", "level_of", "ratings_of"]

LEVELS = range(1, 11)


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


@cache
def tables(name: str) -> Mapping[str, Any]:
    return tomllib.loads(files("machiavel.search").joinpath(name).read_text(encoding="utf-8"))


@cache
def level_of(number: int, game: str, players: int = 0) -> Level:
    """A level in a game with so many players (0: with those it has nothing of its own for); those of `any` for other games."""
    result: Mapping[str, Sequence[Mapping[str, Any]]] = tables("levels.toml")
    values = dict(result.get(game, result["any"])[number - 1])
    by_players = values.pop("by_players", {})
    return Level(**values | by_players.get(str(players), {}))


@cache
def ratings_of(number: int) -> tuple[LevelRating, ...]:
    """What matches have shown of a level, by game and players (docs/levels.md has them)."""
    return tuple(
        LevelRating(game, int(players), *numbers["elo_low_high"][number - 1])
        for game, cases in tables("ratings.toml").items()
        for players, numbers in cases.items()
    )
