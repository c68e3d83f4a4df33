"""Begins work a little at a time, callers in turn, so that a thousand calls at once hold up nobody else's."""

import asyncio
from collections import deque

__all__ = ["AT_ONCE", "CallTurns"]

AT_ONCE = 4  # calls that are read and looked at in one round of the event loop: a few milliseconds


class CallTurns:
    """Belongs to one event loop. Whoever has fewest calls in line comes next; the last of a round goes to all in turn."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        """`at_once` is how much is begun in one round, by weight."""
        self.at_once = at_once
        self.lines: dict[str, deque[tuple[asyncio.Future[None], int]]] = {}  # by caller, who was served last at the end
        self.begun = 0  # in this round, by weight
        self.is_going = False

    @property
    def waiting(self) -> int:
        """How many calls wait."""
        return sum(map(len, self.lines.values()))

    def waiting_of(self, caller: str) -> int:
        return len(self.lines[caller])

    async def turn(self, caller: str, weight: int = 1) -> None:
        """Returns when something of the caller's may be begun; at once where little is."""
        if not self.is_going:
            self.is_going = True
            asyncio.get_running_loop().call_soon(self.next_round)
        if not self.lines and self.begun < self.at_once:
            self.begun += weight
            return
        turn = asyncio.get_running_loop().create_future()
        self.lines.setdefault(caller, deque()).append((turn, weight))
        await turn  # one that is given up is passed over when it comes

    def next_round(self) -> None:
        self.begun = 0
        while self.lines and self.begun < self.at_once:
            first = next(iter(self.lines))
            is_last = self.begun + self.lines[first][0][1] >= self.at_once
            caller = first if is_last else min(self.lines, key=self.waiting_of)
            line = self.lines.pop(caller)
            turn, weight = line.popleft()
            if line:
                self.lines[caller] = line  # behind all others
            if not turn.done():
                turn.set_result(None)
                self.begun += weight
        self.is_going = bool(self.lines) or self.begun > 0
        if self.is_going:
            asyncio.get_running_loop().call_soon(self.next_round)
