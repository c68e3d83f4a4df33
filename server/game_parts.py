"""The parts of a game that its engine names as text, since engines import nothing of the server."""

from importlib import import_module
from typing import Any

from machiavel.engines import Game, IncompatibleEngine

__all__ = ["part_named"]


def part_named(game: Game, name: str) -> Any:
    """What a game calls `module:name`; raises IncompatibleEngine where it is not there."""
    module, _, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise IncompatibleEngine(game.name, f"its part {name!r} cannot be imported: {error}") from error
