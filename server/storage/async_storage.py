"""A storage as an event loop uses it: one thread, which puts what is waiting into one transaction."""

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from machiavel.server.operating_mode import OperatingMode
from machiavel.server.shares import FairQueue
from machiavel.server.storage.contract import Conflict, Storage, StorageFailed, Write

__all__ = ["AsyncStorage"]

Result = TypeVar("Result")
Work = Sequence[Write] | Callable[[Storage], Any]
Item = tuple[Work, "asyncio.Future[Any]"]

READINGS = 2  # of callers, before the next change, so that the thread need not wait for the event loop after each
ENDLESS = 1 << 30
MOST = 256  # changes in one transaction
LOOK = 1.0  # seconds without anything to do, after which it looks whether all is there still


class AsyncStorage:
    """Belongs to one event loop. What was asked for first is done first; at readings callers take turns."""

    def __init__(
        self, storage: Storage, tell: Callable[[str], object] = lambda _: None, mode: OperatingMode | None = None
    ) -> None:
        """`tell` hears in the loop what goes wrong while nobody asks for anything."""
        self.storage = storage
        self.tell = tell
        self.mode = mode or OperatingMode()
        self.loop = asyncio.get_running_loop()
        self.turns = FairQueue("stored", READINGS, ENDLESS)
        self.changed = threading.Condition()
        self.waiting: deque[Item] = deque()
        self.closed = False
        self.thread = threading.Thread(target=self.serve, name="storage", daemon=True)
        self.thread.start()

    async def write(self, *writes: Write) -> None:
        """All or none, and on disk when it returns; raises StorageFailed, Conflict or ReadOnly.

        Cancelling it does not take it back.
        """
        self.mode.check_writable()
        await self.put(writes)

    async def read(self, work: Callable[[Storage], Result], caller: str | None = None) -> Result:
        """What the storage answers, in the caller's turn; None: at once. Raises StorageFailed."""
        if caller is None:
            result: Result = await self.put(work)
            return result
        async with self.turns.place(caller):
            return await self.read(work)

    def put(self, what: Work) -> "asyncio.Future[Any]":
        future = self.loop.create_future()
        with self.changed:
            if self.closed:
                future.set_exception(StorageFailed("the server is shutting down"))
                return future
            self.waiting.append((what, future))
            self.changed.notify()
        return future

    async def close(self) -> None:
        """After all that was asked for."""
        with self.changed:
            self.closed = True
            self.changed.notify()
        await asyncio.to_thread(self.thread.join)
        self.storage.close()

    # ---- On the thread ----

    def serve(self) -> None:
        while (batch := self.next_batch()) is not None:
            if not batch:
                self.look()
                continue
            what = batch[0][0]
            if callable(what):
                outcomes = [self.attempt(what)]
            else:
                outcomes = self.write_batch([one for one, _ in batch if not callable(one)])
            futures = [future for _, future in batch]
            self.loop.call_soon_threadsafe(tell, futures, outcomes)

    def next_batch(self) -> list[Item] | None:
        """One reading, or all writes that wait before the next one; nothing after a while without any; None at the end."""
        with self.changed:
            while not self.waiting:
                if self.closed:
                    return None
                if not self.changed.wait(LOOK):
                    return []
            batch: list[Item] = []
            while self.waiting and len(batch) < MOST:
                is_write = not callable(self.waiting[0][0])
                if batch and not is_write:
                    break
                batch.append(self.waiting.popleft())
                if not is_write:
                    break
            return batch

    def look(self) -> None:
        try:
            self.storage.look()
        except Exception as error:  # noqa: BLE001 - nothing may end the thread: whoever asks later would wait for ever
            problem = error.problem if isinstance(error, StorageFailed) else f"cannot be looked at: {error!r}"
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self.loop.call_soon_threadsafe(self.tell, problem)

    def write_batch(self, units: list[Sequence[Write]]) -> list[Any]:
        """An outcome for each: None, or an error. One that is in conflict hinders no other."""
        try:
            self.storage.write([write for unit in units for write in unit])
        except Conflict as error:
            if len(units) == 1:
                return [error]
            return [outcome for unit in units for outcome in self.write_batch([unit])]
        except BaseException as error:  # noqa: BLE001
            return [error] * len(units)
        return [None] * len(units)

    def attempt(self, work: Callable[[Storage], Any]) -> Any:
        try:
            return work(self.storage)
        except BaseException as error:  # noqa: BLE001
            return error


def tell(futures: list["asyncio.Future[Any]"], outcomes: list[Any]) -> None:
    for future, outcome in zip(futures, outcomes, strict=True):
        if future.done():  # nobody waits any more
            continue
        if isinstance(outcome, BaseException):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)
