"""What a bot does wrong: it gives no move, or none in time."""

__all__ = ["FailedBot", "LateBot"]


class FailedBot(Exception):
    """A bot gave no move: it broke, or its move is not legal."""


class LateBot(FailedBot):
    """A bot gave no move in time."""
