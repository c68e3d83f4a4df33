"""How long a bot may think about one move."""

from dataclasses import dataclass

__all__ = ["NO_LIMITS", "Limits"]


@dataclass(frozen=True)
class Limits:
    """Whichever comes first. Bots that do not search ignore it; one that does falls back on its own where nothing is set."""

    iterations: int | None = None
    seconds: float | None = None


NO_LIMITS = Limits()
