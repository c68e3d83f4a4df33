"""Where the server reads the time: the wall clock for what is stored, a monotonic one for waiting and measuring.

Nothing else reads the wall clock. The services, hosted matches and their storage read no other clock at all. Searches read
time.monotonic(), and hold their deadlines against it; so do tournaments under way and the command, for what they measure.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

__all__ = ["SYSTEM_CLOCK", "Clock", "RehearsalClock", "SystemClock", "Timer", "thread_seconds"]

REHEARSAL_TIME = 1_767_225_600 * 10**9  # the beginning of 2026, UTC


class Timer(Protocol):
    """A call that is to come."""

    def cancel(self) -> object:
        """It will not come."""


class Clock(Protocol):
    """What time it is, and waiting. Waiting needs a running event loop; reading the time may be done in any thread."""

    def wall(self) -> int:
        """Nanoseconds since 1970, for what is stored and shown. It may be set at any time, forward or back."""

    def monotonic(self) -> float:
        """Seconds since some moment, for measuring; never goes back. Worth nothing to another process."""

    def elapsed(self, since: float) -> float:
        """Seconds since a moment of `monotonic`, as an answer tells them."""

    def call_later(self, seconds: float, call: Callable[[], object]) -> Timer:
        """Calls it from the event loop when so many seconds have passed, however the wall clock is set."""

    async def sleep(self, seconds: float) -> None:
        """Waits so long, however the wall clock is set."""


class SystemClock:
    """The machine's. Its monotonic time is the one that deadlines of searches are given in."""

    def wall(self) -> int:
        return time.time_ns()

    def monotonic(self) -> float:
        return time.monotonic()

    def elapsed(self, since: float) -> float:
        return self.monotonic() - since

    def call_later(self, seconds: float, call: Callable[[], object]) -> Timer:
        return asyncio.get_running_loop().call_later(seconds, call)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class RehearsalClock(SystemClock):
    """Waits and measures as the machine does, but what is stored and told is the same each time."""

    def wall(self) -> int:
        return REHEARSAL_TIME

    def elapsed(self, since: float) -> float:  # noqa: ARG002
        return 0.0


SYSTEM_CLOCK = SystemClock()


def thread_seconds() -> float:
    """How long this thread has worked, for dividing up work; what waits for a processor does not count."""
    return time.thread_time()
