"""A bounded number of searches at once, and a bounded queue before them."""

import asyncio
from collections import deque

from machiavel.server.service.refusals import NoTime, ShuttingDown, TooBusy

__all__ = ["Admission"]

RETRY_AFTER = 1.0  # seconds


class Admission:
    """Places for searches; who comes when all are taken waits in line, and who comes when the line is full is refused.

    Belongs to one event loop.
    """

    def __init__(self, places: int, queue: int) -> None:
        self.free = places
        self.queue = queue
        self.waiting: deque[asyncio.Future[None]] = deque()
        self.closed = False

    async def enter(self, seconds: float | None) -> None:
        """Take a place, which may take so many seconds; None: as long as it takes. Raises TooBusy, NoTime or ShuttingDown."""
        if self.closed:
            raise ShuttingDown
        if self.free:
            self.free -= 1
            return
        if len(self.waiting) >= self.queue:
            raise TooBusy("searches wait", RETRY_AFTER)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.append(turn)
        try:
            async with asyncio.timeout(seconds):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self.leave()  # it came with the cancelling
            elif turn in self.waiting:
                self.waiting.remove(turn)
            if isinstance(error, TimeoutError):
                raise NoTime("no place to search was free in time", "more time, or fewer searches at once") from None
            raise

    def leave(self) -> None:
        """Give a place back, to who has waited longest."""
        while self.waiting:
            turn = self.waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self.free += 1

    def close(self) -> None:
        """Send all away who wait."""
        self.closed = True
        while self.waiting:
            turn = self.waiting.popleft()
            if not turn.done():
                turn.set_exception(ShuttingDown())
