"""Places for searches, in turn by caller; what could not begin in time is refused before it waits."""

import heapq
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from machiavel.server.clock import SYSTEM_CLOCK, Clock
from machiavel.server.service.refusals import NoTime, ShuttingDown, TooBusy
from machiavel.server.shares import FairQueue, OverShare, QueueClosed, QueuePlace

__all__ = ["Admission"]

BEGUN = 0.9  # the part of its time after which a search need not begin
LONGEST = 5.0  # seconds after which to come again at the latest: searches may end sooner than they must
NOTED = 0.2  # the weight of the last search in what is known of how long an iteration takes


class Admission:
    """Belongs to one event loop.

    It knows by when each search that has a place will leave it, at the latest, and about when those that wait will. A search that
    would only begin when its time is over is refused at once, and told when to come again.
    """

    def __init__(self, queue: FairQueue, clock: Clock = SYSTEM_CLOCK) -> None:
        self.queue = queue
        self.clock = clock
        self.ends: dict[QueuePlace, float] = {}  # by when each place is left
        self.spans: dict[object, float] = {}  # how long each that waits will take
        self.paces: dict[str, float] = {}  # seconds that an iteration takes, by game

    @property
    def waiting(self) -> int:
        """How many wait."""
        return self.queue.waiting

    async def enter(self, caller: str, seconds: float | None, span: float | None = None) -> QueuePlace:
        """A place, within so many seconds; None: as long as it takes. Raises TooBusy, NoTime or ShuttingDown.

        `span` is how long it will be needed, in seconds, where that is less.
        """
        took = min((one for one in (seconds, span) if one is not None), default=0.0)
        self.check_wait(caller, seconds)
        waits = object()
        self.spans[waits] = took
        try:
            place = await self.queue.enter(caller, seconds)
        except OverShare as over:
            raise TooBusy.of(over) from None
        except QueueClosed:
            raise ShuttingDown from None
        except TimeoutError:
            raise NoTime("no place to search was free in time", "more time, or fewer searches at once") from None
        finally:
            del self.spans[waits]
        self.ends[place] = self.clock.monotonic() + took
        return place

    @asynccontextmanager
    async def place(self, caller: str, seconds: float | None, span: float | None = None) -> AsyncIterator[QueuePlace]:
        """A place while inside; raises as `enter`."""
        result = await self.enter(caller, seconds, span)
        try:
            yield result
        finally:
            self.leave(result)

    def leave(self, place: QueuePlace) -> None:
        """Gives a place back; doing it twice does nothing."""
        self.ends.pop(place, None)
        place.leave()

    def close(self) -> None:
        """Sends all away who wait."""
        self.queue.close()

    # ---- How long it takes ----

    def check_wait(self, caller: str, seconds: float | None) -> None:
        """Raises TooBusy where hardly any of its time would be left once there is a place."""
        if seconds is not None and (wait := self.wait_of(caller)) > BEGUN * seconds:
            name, most = self.bound_of(caller)
            retry_after = math.ceil(100 * min(wait, LONGEST)) / 100
            raise TooBusy.too_late(OverShare(name, most, self.queue.of(caller), "searches", retry_after))

    def check_line(self, caller: str, seconds: float | None) -> None:
        """Raises TooBusy or ShuttingDown where `enter` would: before anything is made of what the caller asks."""
        queue = self.queue
        if queue.closed:
            raise ShuttingDown
        if queue.has_room(caller):
            return
        self.check_wait(caller, seconds)
        own = queue.waiting_of(caller)
        if queue.waiting >= queue.line and own + 1 >= max(map(queue.waiting_of, queue.lines), default=0):
            raise TooBusy.of(OverShare(queue.line_name, queue.line, own, queue.what, queue.retry_after))

    def bound_of(self, caller: str) -> tuple[str, int]:
        """The limit that keeps the caller from a place: its own, if it has reached that, or that for all; and how much it is."""
        queue = self.queue
        most = queue.limits.most(caller, queue.name)
        if most is not None and queue.of(caller) >= most:
            return queue.limits.name(caller, queue.name), most
        return queue.name, queue.places

    def wait_of(self, caller: str) -> float:
        """Seconds, about, until a search of the caller would have its place; zero where nothing is known to hinder it."""
        queue, now = self.queue, self.clock.monotonic()
        if queue.has_room(caller):
            return 0.0
        is_own = self.bound_of(caller)[0] != queue.name
        ends = [end for place, end in self.ends.items() if not is_own or place.caller == caller]
        if not ends:
            return 0.0
        heapq.heapify(ends)
        mean = sum(self.spans.values()) / len(self.spans) if self.spans else 0.0
        for _ in range(queue.waiting_of(caller) if is_own else self.ahead(caller)):
            heapq.heapreplace(ends, max(ends[0], now) + mean)
        return max(ends[0] - now, 0.0)

    def ahead(self, caller: str) -> int:
        """How many turns come first: the caller's own in line, and those of others until they have as many places as it then."""
        queue, own = self.queue, self.queue.waiting_of(caller)
        then = queue.of(caller) + own + 1
        others = (min(queue.waiting_of(one), max(0, then - queue.of(one))) for one in queue.lines if one != caller)
        return own + sum(others)

    def span_of(self, game: str, iterations: int | None) -> float | None:
        """About how long so many iterations take, in seconds; None where that cannot be said."""
        return None if iterations is None else iterations * self.paces.get(game, 0.0)

    def note(self, game: str, iterations: int, seconds: float) -> None:
        """A search has taken so long."""
        if iterations:
            pace, before = seconds / iterations, self.paces.get(game)
            self.paces[game] = pace if before is None else before + NOTED * (pace - before)
