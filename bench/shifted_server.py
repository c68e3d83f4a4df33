"""`machiavel serve` whose clock can be set: SIGUSR1 puts it a day ahead, SIGUSR2 a day back.

`python -m bench.shifted_server serve …`. What is measured by the monotonic clock goes on as it was, as on any machine whose clock
is set.
"""

import signal
import sys
import time

from machiavel.server import clock
from machiavel.server.cli import main

DAY = 86_400 * 10**9  # in nanoseconds


def shift_clock() -> None:
    """From here on, servers of this process read a clock that signals set."""
    ahead = 0

    def shift(number: int, _: object) -> None:
        nonlocal ahead
        ahead += DAY if number == signal.SIGUSR1 else -DAY

    def wall(self: clock.SystemClock) -> int:  # noqa: ARG001
        return time.time_ns() + ahead

    for number in (signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, shift)
    clock.SystemClock.wall = wall  # type: ignore[method-assign]


if __name__ == "__main__":
    shift_clock()
    sys.exit(main())
