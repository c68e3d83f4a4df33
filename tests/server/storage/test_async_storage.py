"""One thread between an event loop and its storage: what waits goes into one transaction, and a fault stays where it belongs."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import pytest

from machiavel.server.storage import AsyncStorage, Conflict, MemoryStorage, Storage, StorageFailed, Write, async_storage
from tests.server.storage.entries import event, header


class Slow(MemoryStorage):
    """Tells that it has begun, waits until it may go on, and counts its transactions; fails when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Event()
        self.may_go = threading.Event()
        self.sizes: list[int] = []
        self.fails = False

    def write(self, writes: Sequence[Write]) -> None:
        self.begun.set()
        assert self.may_go.wait(30)
        self.sizes.append(len(writes))
        if self.fails:
            raise StorageFailed("the disk is gone")
        super().write(writes)


def run(work: Callable[[AsyncStorage, Slow], Coroutine[Any, Any, None]]) -> Slow:
    async def main() -> Slow:
        storage = Slow()
        store = AsyncStorage(storage)
        try:
            await work(store, storage)
        finally:
            storage.may_go.set()
            await store.close()
        return storage

    return asyncio.run(main())


def test_what_waits_meanwhile_is_written_in_one_transaction() -> None:
    async def work(store: AsyncStorage, storage: Slow) -> None:
        tasks = [asyncio.create_task(store.write(Write(f"m{number}", header(f"m{number}")))) for number in range(40)]
        assert await asyncio.to_thread(storage.begun.wait, 30)
        assert not any(task.done() for task in tasks)
        storage.may_go.set()
        await asyncio.gather(*tasks)

    storage = run(work)
    assert sum(storage.sizes) == 40
    assert len(storage.sizes) <= 2


def test_a_conflict_is_told_to_the_one_that_has_it() -> None:
    async def work(store: AsyncStorage, storage: Slow) -> None:
        writes = [Write("a", header("a")), Write("b", header("b")), Write("a", header("a")), Write("a", events=[event(1)])]
        tasks = [asyncio.create_task(store.write(one)) for one in writes]
        storage.may_go.set()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(one) for one in outcomes] == [type(None), type(None), Conflict, type(None)]
        assert await store.read(lambda result: list(result.names())) == ["a", "b"]

    run(work)


def test_what_belongs_together_is_written_whole_or_not_at_all() -> None:
    async def work(store: AsyncStorage, storage: Slow) -> None:
        storage.may_go.set()
        a, b, c, d = (Write(name, header(name)) for name in "abcd")
        await store.write(a)
        conflict, done = await asyncio.gather(store.write(b, a), store.write(c), return_exceptions=True)
        assert isinstance(conflict, Conflict)
        assert done is None
        assert await store.read(lambda result: sorted(result.names())) == ["a", "c"]
        await store.write(d, b)
        assert await store.read(lambda result: sorted(result.names())) == ["a", "b", "c", "d"]

    run(work)


def test_a_fault_is_told_to_all_that_were_to_be_written_and_the_thread_goes_on() -> None:
    async def work(store: AsyncStorage, storage: Slow) -> None:
        storage.fails = True
        tasks = [asyncio.create_task(store.write(Write(name, header(name)))) for name in "abc"]
        storage.may_go.set()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert {type(one) for one in outcomes} == {StorageFailed}
        storage.fails = False
        await store.write(Write("a", header("a")))

    run(work)


def test_readings_come_after_what_was_written_before_them() -> None:
    async def work(store: AsyncStorage, storage: Slow) -> None:
        write = asyncio.create_task(store.write(Write("a", header("a"))))
        await asyncio.sleep(0)
        read = asyncio.create_task(store.read(lambda result: list(result.names())))
        storage.may_go.set()
        assert await read == ["a"]
        await write
        with pytest.raises(ZeroDivisionError):
            await store.read(lambda _: 1 // 0)

    run(work)


def test_readings_of_one_caller_hold_up_neither_changes_nor_readings_of_another() -> None:
    async def work(store: AsyncStorage, storage: Slow) -> None:
        storage.may_go.set()
        begun, may_go, order = threading.Event(), threading.Event(), list[str]()

        def wait(_: Storage) -> None:
            begun.set()
            assert may_go.wait(30)

        first = asyncio.create_task(store.read(wait))
        assert await asyncio.to_thread(begun.wait, 30)
        greedy = [asyncio.create_task(store.read(lambda _: order.append("greedy"), "greedy")) for _ in range(50)]
        await asyncio.sleep(0)
        polite = asyncio.create_task(store.read(lambda _: order.append("polite"), "polite"))
        write = asyncio.create_task(store.write(Write("a", header("a"))))
        write.add_done_callback(lambda _: order.append("written"))
        await asyncio.sleep(0)
        may_go.set()
        await asyncio.gather(first, polite, write, *greedy)
        assert max(order.index("polite"), order.index("written")) < 8

    run(work)


def test_what_is_asked_for_after_its_end_is_refused() -> None:
    async def work(store: AsyncStorage, storage: Slow) -> None:
        storage.may_go.set()
        await store.close()
        with pytest.raises(StorageFailed):
            await store.write(Write("a", header("a")))

    run(work)


def test_whatever_goes_wrong_while_nobody_asks_is_told_and_what_is_asked_for_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    class Blind(MemoryStorage):
        def look(self) -> None:
            raise PermissionError(13, "Permission denied")

    async def main() -> None:
        told: asyncio.Queue[str] = asyncio.Queue()
        store = AsyncStorage(Blind(), told.put_nowait)
        try:
            assert "Permission denied" in await asyncio.wait_for(told.get(), 30)
            await asyncio.wait_for(store.write(Write("a", header("a"))), 30)
            assert "Permission denied" in await asyncio.wait_for(told.get(), 30)
        finally:
            await store.close()

    monkeypatch.setattr(async_storage, "LOOK", 0.01)
    asyncio.run(main())
