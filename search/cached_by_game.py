"""What is made once of a game: for as long as its name means the same one, since a file may be read again."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from machiavel.engines import Game, IncompatibleEngine, UnknownGame, load

__all__ = ["cached_by_game"]

Made = TypeVar("Made")
MOST_KEPT = 256  # names


def cached_by_game(make: Callable[[str], Made]) -> Callable[[str], Made]:
    """Keeps what a function makes of a game's name; what it raises is not kept."""
    kept: dict[str, tuple[Game | None, Made]] = {}

    @wraps(make)
    def ask(name: str) -> Made:
        game = game_of(name)
        if name not in kept or kept[name][0] is not game:
            if len(kept) >= MOST_KEPT:  # names that mean nothing come from anybody
                kept.clear()
            kept[name] = game, make(name)
        return kept[name][1]

    return ask


def game_of(name: str) -> Game | None:
    """None for a name that no game has, or one that cannot be loaded."""
    try:
        return load(name) if name else None
    except (IncompatibleEngine, UnknownGame):
        return None
