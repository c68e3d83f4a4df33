"""Refusals go out a few at once, and then so many a second, callers in turn."""

import asyncio
from collections.abc import Callable, Coroutine
from heapq import heappop, heappush
from typing import Any

import pytest

from machiavel.server.clock import SystemClock
from machiavel.server.service import refusal_pace
from machiavel.server.service.refusal_pace import AT_ONCE, EVERY, FEW, FORGIVEN, LONGEST, PART, RefusalPace

MOST = 100


class Alarm:
    """A call that is to come."""

    def __init__(self, call: Callable[[], object]) -> None:
        self.call: Callable[[], object] | None = call

    def cancel(self) -> None:
        self.call = None


class SetClock(SystemClock):
    """Its time passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0
        self.due: list[tuple[float, int, Alarm]] = []

    def monotonic(self) -> float:
        return self.now

    def call_later(self, seconds: float, call: Callable[[], object]) -> Alarm:
        result = Alarm(call)
        heappush(self.due, (self.now + seconds, id(result), result))
        return result

    async def pass_by(self, seconds: float) -> None:
        end = self.now + seconds
        while self.due and self.due[0][0] <= end:
            self.now, _, alarm = heappop(self.due)
            if alarm.call is not None:
                alarm.call()
                await settled()
        self.now = end


async def settled() -> None:
    for _ in range(4):
        await asyncio.sleep(0)


class Refused:
    """Who was told, in order."""

    def __init__(self) -> None:
        self.clock = SetClock()
        self.pace = RefusalPace(self.clock)
        self.told: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def refuse(self, caller: str, times: int = 1, seconds: float | None = None) -> None:
        async def one() -> None:
            await self.pace.turn(caller, seconds)
            self.told.append(caller)

        self.tasks += [asyncio.create_task(one()) for _ in range(times)]
        await settled()

    def counted(self) -> dict[str, int]:
        return {one: self.told.count(one) for one in set(self.told)}


def run(work: Callable[[Refused], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        refused = Refused()
        await work(refused)
        refused.pace.close()
        await asyncio.wait_for(asyncio.gather(*refused.tasks, return_exceptions=True), 60)
        assert (refused.pace.waiting, refused.pace.lines) == (0, {})

    asyncio.run(asyncio.wait_for(main(), 60))


def test_who_is_refused_now_and_then_hears_it_at_once_and_others_never_wait_for_it() -> None:
    async def work(refused: Refused) -> None:
        await refused.refuse("greedy", 100)
        assert refused.counted() == {"greedy": AT_ONCE}
        await refused.refuse("polite")
        assert refused.told[-1] == "polite"
        for _ in range(20):
            await refused.clock.pass_by(1 / FORGIVEN)
            await refused.refuse("polite")
            assert refused.told[-1] == "polite"

    run(work)


def test_all_others_are_told_so_many_a_second_and_callers_take_turns() -> None:
    async def work(refused: Refused) -> None:
        await refused.refuse("greedy", 200)
        await refused.refuse("another", 20)
        refused.told.clear()
        await refused.clock.pass_by(20 * EVERY + EVERY / 2)
        assert refused.counted() == {"greedy": 10, "another": 10}

    run(work)


def test_nobody_waits_beyond_a_part_of_its_time_or_longer_than_the_longest() -> None:
    async def work(refused: Refused) -> None:
        await refused.refuse("greedy", AT_ONCE + round(LONGEST / EVERY) + 1000)
        await refused.refuse("hurried", AT_ONCE)
        refused.told.clear()
        await refused.refuse("hurried", 3, seconds=PART * EVERY / 2)
        assert not refused.told
        await refused.clock.pass_by(EVERY / 2)
        assert refused.told == ["hurried"] * 3
        await refused.clock.pass_by(LONGEST)
        while refused.pace.waiting:
            await asyncio.sleep(0)

    run(work)


def test_calls_that_came_together_are_not_told_all_at_once() -> None:
    async def work(refused: Refused) -> None:
        await refused.refuse("greedy", AT_ONCE + 400, seconds=8.0)
        refused.told.clear()
        for _ in range(8):
            before = len(refused.told)
            await refused.clock.pass_by(0.5)
            while refused.pace.overdue:
                told = len(refused.told)
                await asyncio.sleep(0)
                assert len(refused.told) - told <= FEW
            assert len(refused.told) - before <= 150
        assert len(refused.told) == 400

    run(work)


@pytest.mark.parametrize("how", ["cancelled", "closed", "too many"])
def test_who_gives_up_leaves_the_line_and_it_has_an_end(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusal_pace, "MOST", MOST)

    async def work(refused: Refused) -> None:
        await refused.refuse("greedy", AT_ONCE + MOST)
        assert refused.counted() == {"greedy": AT_ONCE}
        if how == "cancelled":
            for task in refused.tasks:
                task.cancel()
            await settled()
            assert not refused.pace.waiting
        elif how == "closed":
            refused.pace.close()
            await settled()
            assert refused.counted() == {"greedy": AT_ONCE + MOST}
        told = len(refused.told)
        await refused.refuse("greedy")
        assert len(refused.told) - told == (how != "cancelled")

    run(work)
