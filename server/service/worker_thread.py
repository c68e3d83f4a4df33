"""Work beside the event loop: one thread, at which callers take turns, and what of a request belongs there."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from functools import partial
from typing import Any, TypeVar

from google.protobuf.message import Message

from machiavel.server.clock import thread_seconds
from machiavel.server.service.refusals import NoTime, ShuttingDown, TooBusy
from machiavel.server.shares import FairQueue, OverShare, QueueClosed, QueuePlace, Shares

__all__ = ["AHEAD", "KNOWN", "LARGE", "LINE", "RequestWorker", "WorkerThread", "rules_named"]

Result = TypeVar("Result")

KIB = 1024
LARGE = 8 * KIB  # bytes of a request that may take more than about a millisecond to read
LINE = 64 * KIB  # KiB of requests that wait, of all callers together
AHEAD = 2  # handed to the thread at a time, so that it need not wait for the event loop after each
KNOWN = 32  # sets of rules that are taken for made: half as many as a game keeps
PAUSE = 9.0  # times as long as reading took, in which the thread rests
# Where a request names a game and its options.
PARTS = ("record", "view", "plan")

is_parsed: ContextVar[bool] = ContextVar("is_parsed", default=False)  # the request of this call, in a turn of its own


class WorkerThread:
    """Belongs to one event loop. What is begun there ends there, whoever still waits for it.

    With `pause` the thread rests so many times as long as it worked, while `is_shared` says that others want to be answered: for
    what keeps Python's lock in one piece, which the event loop has to wait for each time it comes back to it.
    """

    def __init__(self, queue: FairQueue, pause: float = 0.0, is_shared: Callable[[], bool] = lambda: True) -> None:
        self.queue = queue
        self.pause = pause
        self.is_shared = is_shared
        self.executor = ThreadPoolExecutor(1, thread_name_prefix=queue.name)

    async def do(self, work: Callable[[], Result], caller: str, weight: int = 1, seconds: float | None = None) -> Result:
        """What the work comes to, once its turn has come, which may take so many seconds.

        Raises what the work does, TooBusy, NoTime or ShuttingDown.
        """
        place = await self.enter(caller, weight, seconds)

        def left(took: float) -> None:
            pause = self.pause * took if self.is_shared() else 0.0
            if pause:
                asyncio.get_running_loop().call_later(pause, leave)
            else:
                leave()

        def leave() -> None:
            place.leave()
            self.stir(caller)

        try:
            job = self.begin(work, left)
        except BaseException:
            place.leave()
            raise
        return await asyncio.shield(job)

    def begin(self, work: Callable[[], Result], ended: Callable[[float], object]) -> "asyncio.Future[Result]":
        """Hands it to the thread; `ended` is told how long it worked, in seconds."""
        took = 0.0

        def timed() -> Result:
            nonlocal took
            began = thread_seconds()
            try:
                return work()
            finally:
                took = thread_seconds() - began

        job: asyncio.Future[Result] = asyncio.get_running_loop().run_in_executor(self.executor, copy_context().run, timed)

        def left(done: asyncio.Future[Result]) -> None:
            ended(took)
            if not done.cancelled():
                done.exception()  # whoever asked may be gone

        job.add_done_callback(left)
        return job

    async def enter(self, caller: str, weight: int, seconds: float | None) -> QueuePlace:
        """Raises TooBusy, NoTime or ShuttingDown."""
        try:
            return await self.queue.enter(caller, seconds, weight)
        except BaseException as error:
            self.stir(caller)  # it is in line no more
            if isinstance(error, OverShare):
                raise TooBusy.of(error) from None
            if isinstance(error, QueueClosed):
                raise ShuttingDown from None
            if isinstance(error, TimeoutError):
                raise NoTime("its turn did not come in time", "more time, or fewer such calls at once") from None
            raise

    def stir(self, caller: str) -> None:
        """Something of the caller's has ended."""

    def close(self) -> None:
        """Sends all away who wait."""
        self.queue.close()
        self.executor.shutdown(wait=False, cancel_futures=True)


class RequestWorker(WorkerThread):
    """Reads requests that are large, or name rules which may have to be made first. All others are read on the event loop."""

    def __init__(self, shares: Shares) -> None:
        queue = shares.queue("parsing", AHEAD, LINE, line_name="parsing_kib", what="KiB of large requests wait")
        super().__init__(queue, PAUSE, lambda: shares.is_shared)
        self.known: OrderedDict[bytes, None] = OrderedDict()
        self.unread: dict[str, deque[asyncio.Future[None]]] = {}  # by caller, calls whose request is left where it is

    async def read(self, work: Callable[[], Result], request: Message, caller: str) -> Result:
        """What `work` makes of a request. Raises what it does, TooBusy or ShuttingDown."""
        had_turn = is_parsed.get()
        is_parsed.set(False)
        size, rules = (LARGE if had_turn else request.ByteSize()), rules_named(request)
        if had_turn:  # in line again it would take many times as much memory as its bytes do
            result = await asyncio.shield(self.begin(work, partial(self.queue.charge, caller)))
        elif size <= LARGE and rules in self.known:
            self.known.move_to_end(rules)
            return work()
        else:
            result = await self.do(work, caller, weight_of(size))
        self.known[rules] = None
        self.known.move_to_end(rules)
        if len(self.known) > KNOWN:
            self.known.popitem(last=False)
        return result

    async def room(self, caller: str) -> None:
        """Waits while the caller's large requests take up its part of the line: what is not read yet stays with its sender."""
        if self.is_over(caller) or caller in self.unread:
            turn = asyncio.get_running_loop().create_future()
            self.unread.setdefault(caller, deque()).append(turn)
            try:
                await turn
            except BaseException:
                self.stir(caller)
                raise

    def is_over(self, caller: str) -> bool:
        return self.queue.waiting_of(caller) > LINE // (2 * (len(self.queue.lines) + 1))

    def stir(self, caller: str) -> None:
        """Lets the caller's next call read its request, or all of them where none waits in line."""
        waiting = self.unread.get(caller, deque())
        while waiting and not self.is_over(caller):
            turn = waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                if self.queue.waiting_of(caller):
                    break
        if not waiting:
            self.unread.pop(caller, None)

    async def parse(self, work: Callable[[], Result], size: int, caller: str) -> Result:
        """What `work` makes of so many bytes. Raises what it does, TooBusy or ShuttingDown."""
        is_parsed.set(size > LARGE)
        try:
            return work() if size <= LARGE else await self.do(work, caller, weight_of(size))
        finally:
            self.stir(caller)


def weight_of(size: int) -> int:
    return max(1, size // KIB)


def rules_named(request: Any) -> bytes:
    """The same for two requests that name the same rules."""
    fields = request.DESCRIPTOR.fields_by_name
    part = next((getattr(request, name) for name in PARTS if name in fields and request.HasField(name)), request)
    if part is request and "options" not in fields:
        return b""  # it is refused, for it names none
    players = len(request.seats) if "seats" in fields and not part.options.players else 0
    result: bytes = f"{part.game}\0{players}\0".encode() + part.options.SerializeToString(deterministic=True)
    return result
