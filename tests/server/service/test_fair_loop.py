"""The server's loop: in a crowd whoever has little under way goes first, and nobody waits for ever."""

import asyncio
import socket
import threading
from collections import Counter
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import pytest

from machiavel.server.service import fair_loop
from machiavel.server.service.call_turns import CallTurns
from machiavel.server.service.fair_loop import (
    LEAST,
    NEW_CALLS,
    OWN_WORK,
    ROUND,
    FairLoop,
    caller_in,
    line_for,
    new_loop,
    weight_of,
    work_for,
)

CALLERS = {"few": 1, "many": 400, "more": 500}


def run(work: Callable[[FairLoop], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, FairLoop)
        loop.fair.pressure = CALLERS.__getitem__
        await asyncio.wait_for(work(loop), 60)

    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(main())


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():
        await asyncio.sleep(0)


def test_what_is_little_is_done_in_the_order_it_came() -> None:
    order = list[int]()

    async def work(loop: FairLoop) -> None:
        for number in range(ROUND // 2):
            loop.call_soon(partial(order.append, number), context=work_for(list(CALLERS)[number % 3]))
        await until(lambda: len(order) == ROUND // 2)

    run(work)
    assert order == sorted(order)


def test_in_a_crowd_who_has_little_goes_first_and_each_keeps_its_own_order() -> None:
    order = list[tuple[str, int]]()

    async def work(loop: FairLoop) -> None:
        count = 20 * ROUND
        for number in range(count):
            for caller in ("more", "many"):
                loop.call_soon(order.append, (caller, number), context=work_for(caller))
        for number in range(3):
            loop.call_soon(order.append, ("few", number), context=work_for("few"))
        await until(lambda: len(order) == 2 * count + 3)

    run(work)
    for caller in CALLERS:
        numbers = [number for name, number in order if name == caller]
        assert numbers == sorted(numbers)
    assert [name for name, _ in order[:ROUND]].count("few") == 3
    early = Counter(name for name, _ in order[: 10 * ROUND])
    assert early["many"] > 5 * early["more"] > 0  # and even who has most has a part of each round


def test_the_server_s_own_work_and_who_comes_have_a_part_of_each_round() -> None:
    order = list[str]()

    async def work(loop: FairLoop) -> None:
        count = 10 * ROUND
        for _ in range(count):
            for name, whose in (("many", "many"), ("own", OWN_WORK), ("call", NEW_CALLS)):
                loop.call_soon(order.append, name, context=work_for(whose))
        await until(lambda: len(order) == 3 * count)

    run(work)
    first = Counter(order[:ROUND])
    assert min(first[name] for name in ("many", "own", "call")) >= ROUND // 8


def test_a_socket_with_data_waits_once_however_often_the_loop_is_told() -> None:
    one, other = socket.socketpair()
    heard = 0

    def hear() -> None:
        nonlocal heard
        heard += 1
        one.recv(1)

    async def work(loop: FairLoop) -> None:
        work_for("more").run(loop.add_reader, one, hear)
        other.send(b"x")
        for _ in range(100 * ROUND):
            loop.call_soon(int, context=work_for("many"))
        await until(lambda: heard == 1 and not loop.fair.waiting)
        assert len(loop.fair.come) <= 2
        loop.remove_reader(one)

    run(work)
    assert heard == 1
    one.close()
    other.close()


def test_timers_that_are_equal_are_two() -> None:
    rung = list[int]()

    async def work(loop: FairLoop) -> None:
        at = loop.time()
        for _ in range(2):
            loop.call_at(at, rung.append, 1)
        for _ in range(2 * ROUND):
            loop.call_soon(int, context=work_for("many"))
        await until(lambda: len(rung) == 2)

    run(work)


def test_other_threads_may_call_and_an_idle_loop_rests() -> None:
    calls = Counter[int]()

    async def work(loop: FairLoop) -> None:
        def crowd(number: int) -> None:
            for _ in range(1000):
                loop.call_soon_threadsafe(calls.update, (number,))

        threads = [threading.Thread(target=crowd, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        await until(lambda: calls.total() == 4000)
        for thread in threads:
            thread.join()
        await asyncio.sleep(0.01)
        assert not loop.fair

    run(work)
    assert set(calls.values()) == {1000}


def test_two_loops_in_two_threads_are_strangers() -> None:
    calls = Counter[str]()

    async def work(loop: FairLoop) -> None:
        turns = CallTurns()
        mine = threading.current_thread().name
        for _ in range(2000):
            await turns.turn("many")
            calls[mine] += 1

    threads = [threading.Thread(target=run, args=(work,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(calls.values()) == {2000}
    assert len(calls) == 3


def test_with_other_insides_of_asyncio_it_is_a_plain_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_loop, "READY", "_renamed")
    loop = new_loop()
    assert not isinstance(loop, FairLoop)
    loop.close()


def test_of_whom_nothing_is_known_to_be_under_way_that_counts_which_waits() -> None:
    order = list[str]()
    crowd = [f"unknown{number}" for number in range(2 * LEAST)]

    async def work(loop: FairLoop) -> None:
        loop.fair.pressure = lambda caller: int(caller == "few")
        for _ in range(100):
            for caller in crowd:
                loop.call_soon(order.append, caller, context=work_for(caller))
        loop.call_soon(order.append, "few", context=work_for("few"))
        await until(lambda: len(order) == 100 * len(crowd) + 1)

    run(work)
    assert order.index("few") < ROUND


@pytest.mark.parametrize("method", ["BotService/RecommendMove", "GameService/FollowView", "GameService/GetGame"])
def test_what_is_much_work_hinders_no_small_call_of_the_same_caller_and_of_nobody_else(method: str) -> None:
    order = list[str]()
    much = line_for("few", f"/machiavel.v1.{method}")
    assert line_for("few", "/machiavel.v1.GameService/GetState") == "few" == caller_in(much)
    others = [line_for(f"other{number}", f"/machiavel.v1.{method}") for number in range(2 * LEAST)]

    async def work(loop: FairLoop) -> None:
        loop.fair.pressure = lambda whose: weight_of(whose) * (1 if caller_in(whose) != "few" else 3)
        for _ in range(100):
            for whose in (much, *others):
                loop.call_soon(order.append, whose, context=work_for(whose))
        for _ in range(3):
            loop.call_soon(order.append, "few", context=work_for("few"))
        await until(lambda: len(order) == 100 * (len(others) + 1) + 3)

    run(work)
    assert max(number for number, whose in enumerate(order) if whose == "few") < ROUND
