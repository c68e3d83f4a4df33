"""A clock that stands until a test moves it on."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["FakeClock"]

SECOND = 10**9


@dataclass(eq=False)
class FakeTimer:
    """A call of a fake clock."""

    due: float
    call: Callable[[], object]
    is_cancelled: bool = False

    def cancel(self) -> None:
        self.is_cancelled = True


@dataclass
class FakeClock:
    """Belongs to one event loop. `set_wall` is what somebody does to a machine's clock; `go_on` is time that passes."""

    now: int  # nanoseconds since 1970
    seconds: float = 0.0
    timers: list[FakeTimer] = field(default_factory=list)

    def wall(self) -> int:
        return self.now

    def monotonic(self) -> float:
        return self.seconds

    def elapsed(self, since: float) -> float:
        return self.seconds - since

    def call_later(self, seconds: float, call: Callable[[], object]) -> FakeTimer:
        timer = FakeTimer(self.seconds + seconds, call)
        self.timers.append(timer)
        return timer

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        done = asyncio.Event()
        timer = self.call_later(seconds, done.set)
        try:
            await done.wait()
        finally:
            timer.cancel()

    def set_wall(self, nanoseconds: int) -> None:
        self.now = nanoseconds

    def go_on(self, seconds: float) -> None:
        """Time passes, and what is due comes in its order."""
        end = self.seconds + seconds
        while due := [one for one in self.waiting if one.due <= end]:
            timer = min(due, key=lambda one: one.due)
            self.timers.remove(timer)
            self.to(max(self.seconds, timer.due))
            timer.call()
        self.to(end)

    @property
    def waiting(self) -> list[FakeTimer]:
        """What is still to come."""
        self.timers = [one for one in self.timers if not one.is_cancelled]
        return self.timers

    def to(self, moment: float) -> None:
        self.now += round((moment - self.seconds) * SECOND)
        self.seconds = moment
