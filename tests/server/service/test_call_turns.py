"""Calls are begun a few at a time, callers in turn."""

import asyncio
from functools import partial

import pytest

from machiavel.server.service import call_turns
from machiavel.server.service.call_turns import AT_ONCE, ROUNDS, CallTurns, PacedTurns


def begun_in_order(*callers: str, late: str = "", after: int = 0) -> list[str]:
    """Who was begun, one after the other; `late` comes once so many were."""

    async def scenario() -> list[str]:
        turns, order = CallTurns(), list[str]()

        async def call(caller: str) -> None:
            await turns.turn(caller)
            order.append(caller)

        tasks = [asyncio.create_task(call(caller)) for caller in callers]
        while len(order) < after:
            await asyncio.sleep(0)
        if late:
            tasks.append(asyncio.create_task(call(late)))
        await asyncio.gather(*tasks)
        while turns.is_going:
            await asyncio.sleep(0)
        assert (turns.waiting, turns.lines, turns.begun) == (0, {}, 0)
        return order

    return asyncio.run(scenario())


def test_callers_take_turns_however_many_calls_each_has() -> None:
    order = begun_in_order(*["many"] * 40, *["few"] * 4)
    assert order[:AT_ONCE] == ["many"] * AT_ONCE
    assert order.index("few") <= AT_ONCE + 1
    assert order[AT_ONCE : AT_ONCE + 9].count("few") == 4


def test_who_has_no_call_in_line_comes_before_those_who_have() -> None:
    callers = [f"caller {number % 50}" for number in range(500)]
    order = begun_in_order(*callers, late="polite", after=100)
    assert order.index("polite") <= 100 + 3 * AT_ONCE


def test_who_has_few_calls_in_line_comes_before_who_has_many_but_those_come_too() -> None:
    order = begun_in_order(*["many"] * 60, *["few"] * 20)
    assert order[AT_ONCE : AT_ONCE + 24].count("few") == 18
    assert order[AT_ONCE : AT_ONCE + 24].count("many") == 6


def test_who_has_much_elsewhere_comes_after_who_has_little() -> None:
    async def scenario() -> list[str]:
        elsewhere, order = {"greedy": 40, "polite": 3}, list[str]()
        turns = CallTurns(pressure=elsewhere.__getitem__)
        for caller in ["greedy"] * 8 + ["polite"] * 30:
            turns.when(caller, partial(begin, order, caller))
        while turns.is_going:
            await asyncio.sleep(0)
        return order

    def begin(order: list[str], caller: str) -> bool:
        order.append(caller)
        return True

    order = asyncio.run(scenario())
    assert order[AT_ONCE : AT_ONCE + 16].count("polite") >= 12
    assert order[AT_ONCE : AT_ONCE + 16].count("greedy") >= 1


def test_few_calls_do_not_wait() -> None:
    async def scenario() -> list[bool]:
        turns = CallTurns()
        tasks = [asyncio.create_task(turns.turn("one")) for _ in range(AT_ONCE + 1)]
        await asyncio.sleep(0)
        done = [task.done() for task in tasks]
        await asyncio.gather(*tasks)
        return done

    assert asyncio.run(scenario()) == [True] * AT_ONCE + [False]


def test_what_is_to_be_begun_without_a_task_has_its_turn_like_all_else() -> None:
    async def scenario() -> list[str]:
        turns, order = CallTurns(), list[str]()

        def begin(caller: str) -> bool:
            order.append(caller)
            return caller != "gone"

        for caller in [*["many"] * 40, *["gone"] * 40, "few"]:
            turns.when(caller, partial(begin, caller))
        assert order == ["many"] * AT_ONCE
        rounds = 0
        while turns.is_going:
            await asyncio.sleep(0)
            rounds += 1
        assert (turns.waiting, turns.lines) == (0, {})
        assert rounds <= 2 + 40 // AT_ONCE  # who was gone took nobody's place
        return order

    order = asyncio.run(scenario())
    assert sorted(order) == sorted([*["many"] * 40, *["gone"] * 40, "few"])
    assert order.index("few") < 2 * AT_ONCE


def test_who_gives_up_holds_up_nobody() -> None:
    async def scenario() -> None:
        turns = CallTurns()
        tasks = [asyncio.create_task(turns.turn(f"caller {number % 3}")) for number in range(100)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        async with asyncio.timeout(10):
            await asyncio.gather(*tasks, return_exceptions=True)
            while turns.is_going:
                await asyncio.sleep(0)
        assert not turns.lines

    asyncio.run(scenario())


def test_what_weighs_more_leaves_room_for_less_beside_it_in_a_round() -> None:
    async def scenario() -> list[int]:
        turns, rounds = CallTurns(6), list[int]()
        tasks = [asyncio.create_task(turns.turn(f"caller {number}", 2)) for number in range(12)]
        while not all(task.done() for task in tasks):
            done = sum(task.done() for task in tasks)
            await asyncio.sleep(0)
            rounds.append(sum(task.done() for task in tasks) - done)
        return [one for one in rounds if one]

    assert asyncio.run(scenario()) == [3] * 4


@pytest.fixture
def spent(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the loop's thread has worked, in seconds, one after the other; the last one stays."""
    times = [0.0]
    monkeypatch.setattr(call_turns, "thread_seconds", lambda: times[-1])
    return times


@pytest.mark.parametrize("is_shared", [True, False])
def test_what_can_wait_rests_as_long_as_it_worked_while_others_are_there(spent: list[float], *, is_shared: bool) -> None:
    async def scenario() -> float:
        turns, loop = PacedTurns(2, lambda: is_shared), asyncio.get_running_loop()
        tasks = [asyncio.create_task(turns.turn("one")) for _ in range(4)]
        await asyncio.sleep(0)
        assert [task.done() for task in tasks] == [True, True, False, False]
        spent.append(0.2)
        began = loop.time()
        await asyncio.gather(*tasks)
        return loop.time() - began

    waited = asyncio.run(scenario())
    assert (waited >= 0.2) == is_shared


def told_in_order(*callers: str, late: str, after: int) -> list[str]:
    async def scenario() -> list[str]:
        turns, order = PacedTurns(1, lambda: False), list[str]()

        async def tell(caller: str) -> None:
            await turns.turn(caller)
            order.append(caller)

        tasks = [asyncio.create_task(tell(caller)) for caller in callers]
        while len(order) < after:
            await asyncio.sleep(0)
        tasks.append(asyncio.create_task(tell(late)))
        await asyncio.gather(*tasks)
        return order

    return asyncio.run(scenario())


def test_who_had_least_comes_first() -> None:
    order = told_in_order(*["many"] * 60, *["few"] * 4, late="late", after=40)
    assert order[:9].count("few") == 4
    assert order.index("late") <= 42


def test_who_was_alone_for_long_is_not_behind_for_it() -> None:
    async def scenario() -> list[str]:
        turns, order = PacedTurns(1, lambda: False), list[str]()

        async def tell(caller: str) -> None:
            await turns.turn(caller)
            order.append(caller)

        for _ in range(50):
            await tell("old")
            for _ in range(ROUNDS + 2):
                await asyncio.sleep(0)
        await asyncio.gather(*(tell(caller) for caller in ["new"] * 20 + ["old"] * 20))
        return order[50:]

    order = asyncio.run(scenario())
    assert 8 <= order[:20].count("old") <= 12


def test_callers_who_left_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_turns, "MOST_KNOWN", 10)

    async def scenario() -> int:
        turns = PacedTurns(4, lambda: False)
        await asyncio.gather(*(turns.turn(f"caller {number}") for number in range(100)))
        return len(turns.had)

    assert asyncio.run(scenario()) <= 10
