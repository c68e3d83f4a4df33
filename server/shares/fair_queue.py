"""Places for work that ends by itself: who finds none waits in line, and callers take turns."""

import asyncio
import itertools
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from machiavel.server.clock import SYSTEM_CLOCK, Clock
from machiavel.server.shares.caller_limits import CallerLimits
from machiavel.server.shares.over_share import OverShare

__all__ = ["FairQueue", "QueueClosed", "QueuePlace"]

RETRY_AFTER = 1.0  # seconds
CREDIT = 0.05  # seconds
MOST_PAST = 1024  # callers; from there on those are forgotten who would have no more than anybody new


class QueueClosed(Exception):
    """The queue takes nobody any more."""


@dataclass(eq=False)
class QueuePlace:
    """A place, until it is left; leaving it twice does nothing."""

    queue: "FairQueue"
    caller: str
    since: float
    is_left: bool = False

    def leave(self) -> None:
        if not self.is_left:
            self.is_left = True
            self.queue.leave(self)


@dataclass(eq=False)
class WaitingTurn:
    """Who waits in line."""

    caller: str
    weight: int
    turn: asyncio.Future[QueuePlace]
    number: int = field(default_factory=itertools.count().__next__)


class FairQueue:
    """Belongs to one event loop.

    The next place goes to the caller with the fewest, among equals to the one that was served the least time. Who comes again has
    what it had, and who was away has `credit` less than the least served, so that it comes first once. `beyond` are places
    besides, for callers that have none. When the line is full, the caller with most in it loses its newest, so that nobody fills
    the line for others.
    """

    def __init__(
        self,
        name: str,
        places: int,
        line: int,
        limits: CallerLimits | None = None,
        *,
        beyond: int = 0,
        line_name: str = "",
        what: str = "",
        retry_after: float = RETRY_AFTER,
        credit: float = CREDIT,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        """`line` bounds the weights of all who wait; `what` is what refusals call them, as `searches wait`."""
        self.name = name
        self.places = places
        self.line = line
        self.limits = limits or CallerLimits()
        self.beyond = beyond
        self.line_name = line_name or f"{name}_waiting"
        self.what = what or f"{name} wait"
        self.retry_after = retry_after
        self.credit = credit
        self.clock = clock
        self.running: dict[str, int] = {}
        self.lines: dict[str, deque[WaitingTurn]] = {}
        self.weights: dict[str, int] = {}  # of all that wait for each
        self.served: dict[str, float] = {}  # seconds, of callers that have a place or wait for one
        self.past: dict[str, float] = {}  # of others, while anybody is here
        self.used = self.waiting = 0  # places; weights in line
        self.closed = False

    def of(self, caller: str) -> int:
        """The caller's places."""
        return self.running.get(caller, 0)

    def waiting_of(self, caller: str) -> int:
        """The weights of all that wait for the caller."""
        return self.weights.get(caller, 0)

    def ahead(self, caller: str) -> int:
        """How many turns come before that of a caller who asks now: its own, and of each other caller as many and one more."""
        own = len(self.lines.get(caller, ()))
        return own + sum(min(len(line), own + 1) for other, line in self.lines.items() if other != caller)

    @asynccontextmanager
    async def place(self, caller: str, seconds: float | None = None, weight: int = 1) -> AsyncIterator[QueuePlace]:
        """A place while inside; raises as `enter`."""
        result = await self.enter(caller, seconds, weight)
        try:
            yield result
        finally:
            result.leave()

    async def enter(self, caller: str, seconds: float | None = None, weight: int = 1) -> QueuePlace:
        """A place, waited for so many seconds; None: as long as it takes. Raises OverShare, QueueClosed, TimeoutError."""
        if self.closed:
            raise QueueClosed
        if self.limits.most(caller, self.name) == 0:  # whoever waited would wait for ever
            raise OverShare(self.limits.name(caller, self.name), 0, 0, self.what, self.retry_after)
        self.begin(caller)
        if not self.lines and self.has_room(caller):
            return self.grant(caller)
        one = WaitingTurn(caller, weight, asyncio.get_running_loop().create_future())
        self.lines.setdefault(caller, deque()).append(one)
        self.weights[caller] = self.waiting_of(caller) + weight
        self.waiting += weight
        self.hand_out()
        if not one.turn.done():
            self.bound(one)
        try:
            async with asyncio.timeout(seconds):
                return await one.turn
        except BaseException:
            if one in self.lines.get(caller, ()):
                self.remove(one)
            elif one.turn.done() and not one.turn.cancelled() and one.turn.exception() is None:
                one.turn.result().leave()  # it came with the end of the wait
            raise

    def leave(self, place: QueuePlace) -> None:
        caller = place.caller
        self.served[caller] += self.clock.monotonic() - place.since
        self.used -= 1
        self.running[caller] -= 1
        if not self.running[caller]:
            del self.running[caller]
        self.forget(caller)
        self.hand_out()

    def charge(self, caller: str, seconds: float) -> None:
        """The caller was served so long without a place."""
        for known in (self.served, self.past):
            if caller in known:
                known[caller] += seconds

    def close(self) -> None:
        """Sends all away who wait."""
        self.closed = True
        for one in [one for line in self.lines.values() for one in line]:
            self.remove(one)
            if not one.turn.done():
                one.turn.set_exception(QueueClosed())

    # ---- Whose turn it is ----

    def hand_out(self) -> None:
        """Gives what is free to those whose turn it is."""
        while self.lines and self.used < self.places + self.beyond and (caller := self.next_caller()) is not None:
            one = self.lines[caller][0]
            if not one.turn.done():  # else given up in this very moment
                one.turn.set_result(self.grant(caller))
            self.remove(one)

    def next_caller(self) -> str | None:
        """Whose turn it is; None where there is room for none of those who wait."""
        ready = ((self.of(one), self.served[one], line[0].number, one) for one, line in self.lines.items() if self.has_room(one))
        first = min(ready, default=None)
        return None if first is None else first[-1]

    def grant(self, caller: str) -> QueuePlace:
        self.used += 1
        self.running[caller] = self.of(caller) + 1
        return QueuePlace(self, caller, self.clock.monotonic())

    def has_room(self, caller: str) -> bool:
        own = self.of(caller)
        if self.used >= self.places + (0 if own else self.beyond):
            return False
        most = self.limits.most(caller, self.name)
        return most is None or own < most

    def bound(self, one: WaitingTurn) -> None:
        """Sees to it that the line is no longer than it may be, with one more in it; raises OverShare."""
        own, most = self.waiting_of(one.caller), self.limits.most(one.caller, self.line_name)
        if most is not None and own > most:
            self.remove(one)
            name = self.limits.name(one.caller, self.line_name)
            raise OverShare(name, most, own - one.weight, self.what, self.retry_after)
        while self.waiting > self.line:
            most_waiting = max(self.lines, key=self.waiting_of)
            if self.waiting_of(most_waiting) <= own:
                self.remove(one)
                raise self.refusal(one)
            newest = self.lines[most_waiting][-1]
            self.remove(newest)
            if not newest.turn.done():
                newest.turn.set_exception(self.refusal(newest))

    def refusal(self, one: WaitingTurn) -> OverShare:
        return OverShare(self.line_name, self.line, self.waiting_of(one.caller), self.what, self.retry_after)

    # ---- Who is here ----

    def begin(self, caller: str) -> None:
        if caller not in self.served:
            least = min(self.served.values(), default=0.0) - self.credit
            self.served[caller] = max(least, self.past.pop(caller, least))

    def remove(self, one: WaitingTurn) -> None:
        self.waiting -= one.weight
        self.weights[one.caller] -= one.weight
        self.lines[one.caller].remove(one)
        if not self.lines[one.caller]:
            del self.lines[one.caller], self.weights[one.caller]
        self.forget(one.caller)

    def forget(self, caller: str) -> None:
        if caller not in self.running and caller not in self.lines and caller in self.served:
            self.past[caller] = self.served.pop(caller)
            if not self.served:
                self.past.clear()
            elif len(self.past) > MOST_PAST:
                least = min(self.served.values()) - self.credit
                self.past = {other: had for other, had in self.past.items() if had > least}
