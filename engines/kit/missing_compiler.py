"""The error of a compiler that is not there."""

from machiavel.engines.errors import GameError

__all__ = ["MissingCompiler"]


class MissingCompiler(GameError):
    """There is none, or it cannot be used; the text says what would help."""
