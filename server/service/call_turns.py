"""Begins work a little at a time, callers in turn, so that a thousand calls at once hold up nobody else's."""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial

from machiavel.server.clock import SYSTEM_CLOCK, thread_seconds
from machiavel.server.service.fair_loop import OWN_WORK, work_for

__all__ = ["AT_ONCE", "CallTurns", "PacedTurns"]

AT_ONCE = 4  # calls that are read and looked at in one round of the event loop: a few milliseconds
LATELY = 0.25  # seconds
ROUNDS = 3  # in which what was begun is done, and what it brings about: what is written, and that it was
REST = 1.0  # times as long as that took
MOST_KNOWN = 1024  # callers; from there on those are forgotten who wait for nothing


def wake(turn: "asyncio.Future[None]") -> bool:
    """Whether it was still waited for."""
    if turn.done():
        return False
    turn.set_result(None)
    return True


class CallTurns:
    """Belongs to one event loop. Whoever has least comes next; the last of a round goes to all in turn."""

    def __init__(self, at_once: int = AT_ONCE, pressure: Callable[[str], int] | None = None) -> None:
        """`at_once` is how much is begun in one round, by weight; `pressure` how much a caller has: else what is in line."""
        self.at_once = at_once
        self.pressure = pressure or self.waiting_of
        self.lines: dict[str, deque[tuple[Callable[[], bool], int]]] = {}  # by caller, who was served last at the end
        self.waiting = 0  # how many wait
        self.begun = 0  # in this round, by weight
        self.is_going = False
        self.asked = -LATELY  # when somebody did last, by the monotonic clock

    @property
    def is_asked(self) -> bool:
        """Whether something was to be begun of late."""
        return SYSTEM_CLOCK.monotonic() - self.asked < LATELY

    def waiting_of(self, caller: str) -> int:
        return len(self.lines.get(caller, ()))

    async def turn(self, caller: str, weight: int = 1) -> None:
        """Returns when something of the caller's may be begun; at once where little is."""
        if self.is_free(weight):
            return
        turn = asyncio.get_running_loop().create_future()
        self.wait_in_line(caller, partial(wake, turn), weight)
        await turn  # one that is given up is passed over when it comes

    def when(self, caller: str, begin: Callable[[], bool], weight: int = 1) -> None:
        """Calls `begin` when something of the caller's may be begun, at once where little is; false: there was nothing to do."""
        if self.is_free(weight):
            begin()
        else:
            self.wait_in_line(caller, begin, weight)

    def is_free(self, weight: int) -> bool:
        """Whether nobody waits in this round, and so much more may be begun, which counts from now on."""
        self.asked = SYSTEM_CLOCK.monotonic()
        if not self.is_going:
            self.is_going = True
            self.go_on()
        if self.lines or self.begun >= self.at_once:
            return False
        self.begun += weight
        return True

    def wait_in_line(self, caller: str, begin: Callable[[], bool], weight: int) -> None:
        self.lines.setdefault(caller, deque()).append((begin, weight))
        self.waiting += 1

    def next_round(self) -> None:
        self.begun = 0
        while self.lines and self.begun < self.at_once:
            caller = self.next_caller()
            line = self.lines.pop(caller)
            begin, weight = line.popleft()
            self.waiting -= 1
            if line:
                self.lines[caller] = line  # behind all others
            if begin():
                self.begun += weight
        self.is_going = bool(self.lines) or self.begun > 0
        if self.is_going:
            self.go_on()

    def next_caller(self) -> str:
        first = next(iter(self.lines))
        is_last = self.begun + self.lines[first][0][1] >= self.at_once
        return first if is_last else min(self.lines, key=self.pressure)

    def go_on(self) -> None:
        asyncio.get_running_loop().call_soon(self.next_round, context=work_for(OWN_WORK))


class PacedTurns(CallTurns):
    """The same for work that can wait a little: it leaves half of the loop to others while they are there.

    Next comes who had least so far; who comes anew has had as much as whoever came last.
    """

    def __init__(self, at_once: int, is_shared: Callable[[], bool]) -> None:
        """`is_shared` says whether others are there."""
        super().__init__(at_once)
        self.is_shared = is_shared
        self.had: dict[str, int] = {}  # by caller, in weights
        self.level = 0  # what who came last had had

    async def turn(self, caller: str, weight: int = 1) -> None:
        had = self.had[caller] = max(self.had.get(caller, 0), self.level)
        if not self.lines and self.begun < self.at_once:
            self.level = had  # it comes at once
        await super().turn(caller, weight)
        self.had[caller] = max(self.had.get(caller, 0), self.level) + weight
        if len(self.had) > MOST_KNOWN:
            self.had = {one: self.had[one] for one in self.lines}

    def next_caller(self) -> str:
        caller = min(self.lines, key=lambda one: self.had.get(one, 0))
        self.level = max(self.level, self.had.get(caller, 0))
        return caller

    def go_on(self) -> None:
        self.wait(ROUNDS, thread_seconds())

    def wait(self, rounds: int, began: float) -> None:
        """Until all is done that was begun, and then as long again."""
        loop = asyncio.get_running_loop()
        if rounds:
            loop.call_soon(self.wait, rounds - 1, began, context=work_for(OWN_WORK))
        elif self.is_shared():
            loop.call_later(REST * (thread_seconds() - began), self.next_round, context=work_for(OWN_WORK))
        else:
            self.next_round()
