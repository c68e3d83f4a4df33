"""How much of the event loop goes into answers that come while a search goes on."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from machiavel.server.clock import SYSTEM_CLOCK, Clock
from machiavel.server.shares import FairQueue

__all__ = ["PAUSE", "AnswerPace"]

Result = TypeVar("Result")

PAUSE = 3.0  # times as long as an answer took to make: a quarter of the event loop is for these, at most
ENDLESS = 1 << 30


class AnswerPace:
    """Belongs to one event loop. Callers take turns; who asks for more answers than there is time for gets fewer."""

    def __init__(self, clock: Clock = SYSTEM_CLOCK) -> None:
        self.turns = FairQueue("answers", 1, ENDLESS, clock=clock)
        self.clock = clock

    async def make(self, work: Callable[[], Result], caller: str, done: "asyncio.Future[Any]") -> Result | None:
        """What the work comes to, in the caller's turn; None where `done` is before that."""
        if done.done():
            return None
        turn = asyncio.ensure_future(self.turns.enter(caller))
        give_up = partial(cancel, turn)
        done.add_done_callback(give_up)
        try:
            place = await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                turn.result().leave()  # it came with the end of the wait
            if is_cancelled():
                raise
            return None
        finally:
            done.remove_done_callback(give_up)
            del turn, give_up  # its error has this frame, and those that hold the search
        began = self.clock.monotonic()
        try:
            return work()
        finally:
            pause = PAUSE * (self.clock.monotonic() - began)
            asyncio.get_running_loop().call_later(pause, place.leave)


def cancel(turn: "asyncio.Future[Any]", _: object) -> None:
    turn.cancel()


def is_cancelled() -> bool:
    """Whether the task itself is, and not something that it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
