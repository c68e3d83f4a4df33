"""How long a bot may think about one move."""

import math
from dataclasses import dataclass

from machiavel.engines import BadOption

__all__ = ["NO_LIMITS", "UNTIL_STOPPED", "Limits"]


@dataclass(frozen=True)
class Limits:
    """Whichever comes first. Bots that do not search ignore it; one that does falls back on its own where nothing is set."""

    iterations: int | None = None
    seconds: float | None = None  # from the moment the question is put
    deadline: float | None = None  # by time.monotonic()

    def check(self) -> None:
        """Raises BadOption for what cannot be."""
        if self.iterations is not None and not 1 <= self.iterations < 1 << 40:
            raise BadOption("iterations", self.iterations, "at least 1")
        if self.seconds is not None and not self.seconds > 0:
            raise BadOption("seconds", self.seconds, "more than 0")
        if self.deadline is not None and not math.isfinite(self.deadline):
            raise BadOption("deadline", self.deadline, "a moment of time.monotonic()")

    def end(self, now: float) -> float | None:
        """The moment by which to answer, of time.monotonic(); None: there is none."""
        ends = [] if self.seconds is None else [now + self.seconds]
        ends += [] if self.deadline is None else [self.deadline]
        first = min(ends, default=math.inf)
        return first if math.isfinite(first) else None


NO_LIMITS = Limits()
UNTIL_STOPPED = Limits(seconds=math.inf)
