"""Levels of play, 1 to 10: how much each thinks in a game, and how close to its best it plays."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["LEVELS", "Level", "level_of"]

LEVELS = range(1, 11)


@dataclass(frozen=True)
class Level:
    """How a level plays."""

    iterations: int  # a move
    sharpness: int  # the power of the visits by which it draws its move; 0: the best
    uses_time: bool = False  # all it is given, instead of so many iterations


@cache
def tables() -> Mapping[str, Sequence[Mapping[str, Any]]]:
    return tomllib.loads(files("machiavel.search").joinpath("levels.toml").read_text(encoding="utf-8"))


@cache
def level_of(number: int, game: str) -> Level:
    """A level in a game; a game nobody has calibrated has those of `any`."""
    found = tables()
    return Level(**found.get(game, found["any"])[number - 1])
