"""How long a bot may think about one move."""

import math
from dataclasses import dataclass

from machiavel.engines import BadOption

__all__ = ["NO_LIMITS", "UNTIL_STOPPED", "Limits", "is_number", "is_whole"]

LATEST = 9e9  # seconds: the nanoseconds of the clock go no further, and what lies beyond them is no bound


@dataclass(frozen=True)
class Limits:
    """Whichever comes first. Bots that do not search ignore it; one that does falls back on its own where nothing is set."""

    iterations: int | None = None
    seconds: float | None = None  # from the moment the question is put
    deadline: float | None = None  # by time.monotonic()

    def check(self) -> None:
        """Raises BadOption for what cannot be."""
        if self.iterations is not None and not (is_whole(self.iterations) and 1 <= self.iterations < 1 << 40):
            raise BadOption("iterations", self.iterations, f"a whole number from 1 to {(1 << 40) - 1}")
        if self.seconds is not None and not (is_number(self.seconds) and self.seconds > 0):
            raise BadOption("seconds", self.seconds, "a number, more than 0")
        if self.deadline is not None and not (is_number(self.deadline) and -math.inf < self.deadline < math.inf):
            raise BadOption("deadline", self.deadline, "a moment of time.monotonic()")

    def end(self, now: float) -> float | None:
        """The moment by which to answer, of time.monotonic(); None: there is none."""
        ends = [] if self.seconds is None else [now + min(self.seconds, LATEST)]
        ends += [] if self.deadline is None else [self.deadline]
        first = min(ends, default=math.inf)
        return max(first, 0.0) if first < LATEST else None


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


NO_LIMITS = Limits()
UNTIL_STOPPED = Limits(seconds=math.inf)
