"""When a refusal goes out: at once to who was refused little of late, to all others in turn, so many a second."""

import asyncio
from collections import deque
from functools import partial

from machiavel.server.clock import SYSTEM_CLOCK, Clock
from machiavel.server.service.fair_loop import OWN_WORK, work_for

__all__ = ["AT_ONCE", "EVERY", "LONGEST", "MOST", "RefusalPace"]

AT_ONCE = 4  # refusals of a caller that go out without a wait,
FORGIVEN = 1.0  # and how many more of them each second
EVERY = 0.01  # seconds from one that waited to the next, of all callers together
LONGEST = 30.0  # seconds that one waits at most,
MOST_PART, SHORT, PART = 0.8, 2.0, 5  # or so much of the time that its caller gives it; where that is short, one part in so many
SPREAD = 0.618  # of half of that: calls that came together are not all told at once, which would hold up everybody
FEW = 2  # that are told in one round of the loop, of those who have waited so long
MOST = 1 << 14  # that wait


class RefusalPace:
    """Belongs to one event loop.

    Whoever comes again as soon as it was refused makes the server do nothing but refuse. A call that waits for its refusal keeps
    its caller from that, and costs nothing meanwhile: it has left its place before.
    """

    def __init__(self, clock: Clock = SYSTEM_CLOCK) -> None:
        self.clock = clock
        self.lines: dict[str, dict[asyncio.Future[None], None]] = {}  # by caller, who was served last at the end
        self.refused: dict[str, tuple[float, float]] = {}  # how many of late, and at what time that was so
        self.waiting = 0
        self.is_going = self.is_closed = False
        self.spread = 0.0  # from 0 up to 1, another for each
        self.overdue: deque[asyncio.Future[None]] = deque()  # who have waited as long as they may

    def waiting_of(self, caller: str) -> int:
        return len(self.lines.get(caller, ()))

    async def turn(self, caller: str, seconds: float | None = None) -> None:
        """Returns when the caller may be told; `seconds` are those to its deadline."""
        longest = LONGEST if seconds is None else min(LONGEST, part_of(seconds))
        if self.is_closed or self.is_forgiven(caller) or self.waiting >= MOST or longest <= 0:
            return
        turn = asyncio.get_running_loop().create_future()
        self.lines.setdefault(caller, {})[turn] = None
        self.waiting += 1
        self.go_on()
        self.spread = (self.spread + SPREAD) % 1
        timer = self.clock.call_later(longest * (1 + self.spread) / 2, partial(self.hurry, turn))
        try:
            await turn
        finally:
            timer.cancel()
            self.remove(caller, turn)

    def hurry(self, turn: "asyncio.Future[None]") -> None:
        """It has waited as long as it may."""
        if not self.overdue:
            asyncio.get_running_loop().call_soon(self.tell_overdue, context=work_for(OWN_WORK))
        self.overdue.append(turn)

    def tell_overdue(self) -> None:
        told = 0
        while self.overdue and told < FEW:
            turn = self.overdue.popleft()
            if not turn.done():
                turn.set_result(None)
                told += 1
        if self.overdue:
            asyncio.get_running_loop().call_soon(self.tell_overdue, context=work_for(OWN_WORK))

    def close(self) -> None:
        """Everybody is told at once, from now on."""
        self.is_closed = True
        for line in self.lines.values():
            for turn in line:
                if not turn.done():
                    turn.set_result(None)

    def is_forgiven(self, caller: str) -> bool:
        """Whether it was refused little of late; counts one more if so."""
        now = self.clock.monotonic()
        count, at = self.refused.get(caller, (0.0, now))
        count = max(0.0, count - FORGIVEN * (now - at))
        if caller in self.lines or count + 1 > AT_ONCE:
            return False
        self.refused[caller] = count + 1, now
        if len(self.refused) > MOST:
            self.refused = {one: had for one, had in self.refused.items() if had[0] > FORGIVEN * (now - had[1])}
        return True

    def go_on(self) -> None:
        if not self.is_going and self.lines:
            self.is_going = True
            work_for(OWN_WORK).run(self.clock.call_later, EVERY, self.next_turn)

    def next_turn(self) -> None:
        self.is_going = False
        for caller, line in self.lines.items():
            turn = next((one for one in line if not one.done()), None)
            if turn is not None:
                self.lines[caller] = self.lines.pop(caller)  # behind all others
                turn.set_result(None)
                break
        self.go_on()

    def remove(self, caller: str, turn: "asyncio.Future[None]") -> None:
        self.waiting -= 1
        line = self.lines[caller]
        del line[turn]
        if not line:
            del self.lines[caller]


def part_of(seconds: float) -> float:
    """How much of the time to its deadline a call may wait for a refusal."""
    return min(seconds * MOST_PART, max(seconds / PART, seconds - SHORT))
