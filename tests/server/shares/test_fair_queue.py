"""Whose turn it is."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from machiavel.server.clock import SystemClock
from machiavel.server.shares import CallerLimits, FairQueue, OverShare, QueueClosed, QueuePlace, Shares


async def rest() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def under(limit: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(20):
            await limit()

    asyncio.run(bounded())


async def many(queue: FairQueue, caller: str, count: int) -> list[asyncio.Task[QueuePlace]]:
    result = [asyncio.create_task(queue.enter(caller)) for _ in range(count)]
    await rest()
    return result


def refused(tasks: list[asyncio.Task[QueuePlace]]) -> int:
    return sum(task.done() and isinstance(task.exception(), OverShare) for task in tasks)


def test_a_caller_alone_takes_all_places_at_once() -> None:
    async def play() -> None:
        queue = FairQueue("searches", 3, 5)
        tasks = await many(queue, "eve", 3)
        assert all(task.done() for task in tasks)
        assert (queue.used, queue.waiting) == (3, 0)

    under(play)


def test_a_place_that_is_left_goes_to_who_has_least_not_to_who_came_first() -> None:
    async def play() -> None:
        queue = FairQueue("searches", 2, 50)
        first = await many(queue, "eve", 20)
        (polite,) = await many(queue, "bob", 1)
        first[0].result().leave()
        await rest()
        assert polite.done()
        assert not first[2].done()

    under(play)


def test_callers_with_as_much_take_turns_by_the_time_they_were_served() -> None:
    async def play() -> None:
        queue = FairQueue("reviews", 1, 50)
        order = []

        async def work(caller: str) -> None:
            async with queue.place(caller):
                order.append(caller)
                await asyncio.sleep(0.002)

        await asyncio.gather(*(work(caller) for caller in ["eve"] * 4 + ["bob"] * 4))
        assert order.index("bob") <= 1
        assert max(order[:6].count("eve"), order[:6].count("bob")) <= 4

    under(play)


def test_who_asks_seldom_comes_before_many_who_ask_again_at_once() -> None:
    async def play() -> None:
        clock = SetClock()
        queue = FairQueue("turns", 1, 500, credit=2, clock=clock)
        order: list[str] = []

        async def work(caller: str, times: int) -> None:
            for _ in range(times):
                async with queue.place(caller):
                    order.append(caller)
                    clock.now += 1
                    await asyncio.sleep(0)

        others = [asyncio.create_task(work(f"greedy {number}", 5)) for number in range(50)]
        while len(order) < 120:
            await asyncio.sleep(0)
        before = len(order)
        await work("polite", 1)
        assert order[before:].index("polite") <= 3
        await asyncio.gather(*others)

    under(play)


class SetClock(SystemClock):
    """Its monotonic time is what it was set to."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


def test_who_has_none_finds_a_place_beyond_the_others_and_those_are_bounded() -> None:
    async def play() -> None:
        queue = FairQueue("searches", 2, 50, beyond=1)
        await many(queue, "eve", 6)
        assert queue.of("eve") == 2
        (bob,) = await many(queue, "bob", 1)
        (ann,) = await many(queue, "ann", 1)
        assert bob.done()
        assert not ann.done()
        bob.result().leave()
        await rest()
        assert ann.done()

    under(play)


def test_a_full_line_loses_the_newest_of_who_has_most_in_it() -> None:
    async def play() -> None:
        queue = FairQueue("searches", 1, 8, line_name="waiting")
        greedy = await many(queue, "eve", 12)
        assert refused(greedy) == 3
        (polite,) = await many(queue, "bob", 1)
        assert refused(greedy) == 4
        assert not polite.done()
        assert (queue.waiting, queue.waiting_of("bob")) == (8, 1)
        with pytest.raises(OverShare) as caught:
            await queue.enter("eve")
        assert (caught.value.limit, caught.value.most, caught.value.own) == ("waiting", 8, 7)

    under(play)


def test_fifty_callers_who_fill_the_line_leave_a_place_in_it_to_the_next() -> None:
    async def play() -> None:
        queue = FairQueue("searches", 1, 64)
        for number in range(50):
            await many(queue, f"greedy {number}", 5)
        (polite,) = await many(queue, "bob", 1)
        assert not polite.done()
        assert queue.waiting_of("bob") == 1
        assert queue.waiting <= 64

    under(play)


def test_weights_bound_the_line_and_what_is_lost_is_the_heaviest_callers() -> None:
    async def play() -> None:
        queue = FairQueue("parsing", 1, 1000, line_name="parsing_kib")
        held = await queue.enter("eve", weight=5000)
        tasks = [asyncio.create_task(queue.enter("eve", weight=240)) for _ in range(5)]
        await rest()
        assert queue.waiting == 960
        small = asyncio.create_task(queue.enter("bob", weight=100))
        await rest()
        assert (queue.waiting, queue.waiting_of("bob"), refused(tasks)) == (820, 100, 2)
        held.leave()
        assert (await small).caller == "bob"

    under(play)


def test_limits_by_name_bound_places_and_line() -> None:
    async def play() -> None:
        limits = CallerLimits.parse({"eve": {"searches": 1, "waiting": 2}})
        queue = FairQueue("searches", 8, 50, limits, line_name="waiting")
        tasks = await many(queue, "eve", 5)
        assert (queue.of("eve"), queue.waiting_of("eve"), refused(tasks)) == (1, 2, 2)
        assert [task.done() for task in await many(queue, "bob", 7)] == [True] * 7
        tasks[0].result().leave()
        await rest()
        assert queue.of("eve") == 1

    under(play)


def test_a_limit_that_is_raised_lets_those_in_who_wait_and_one_of_zero_refuses_at_once() -> None:
    async def play() -> None:
        shares = Shares(CallerLimits.parse({"eve": {"searches": 1}, "bob": {"searches": 0}}))
        queue = shares.queue("searches", 8, 50)
        tasks = await many(queue, "eve", 3)
        with pytest.raises(OverShare) as caught:
            await queue.enter("bob")
        assert (caught.value.limit, caught.value.most) == ("callers.bob.searches", 0)
        shares.replace(CallerLimits(), 2)
        await rest()
        assert all(task.done() for task in tasks)
        assert (await queue.enter("bob")).caller == "bob"

    under(play)


def test_who_gives_up_leaves_no_trace() -> None:
    async def play() -> None:
        queue = FairQueue("searches", 1, 8)
        held = await queue.enter("eve")
        with pytest.raises(TimeoutError):
            await queue.enter("bob", 0.001)
        waiting = await many(queue, "bob", 2)
        held.leave()
        waiting[0].cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        waiting[1].result().leave()
        waiting[1].result().leave()
        assert (queue.used, queue.waiting, queue.running, queue.lines, queue.served, queue.weights) == (0, 0, {}, {}, {}, {})
        assert not queue.past

    under(play)


def test_a_queue_that_is_closed_sends_all_away() -> None:
    async def play() -> None:
        queue = FairQueue("searches", 1, 8)
        tasks = await many(queue, "eve", 3)
        queue.close()
        await rest()
        assert [isinstance(task.exception(), QueueClosed) for task in tasks[1:]] == [True, True]
        with pytest.raises(QueueClosed):
            await queue.enter("bob")
        tasks[0].result().leave()
        assert queue.used == 0

    under(play)


def test_it_is_known_how_many_turns_come_first() -> None:
    async def play() -> None:
        queue = FairQueue("searches", 1, 50)
        await many(queue, "eve", 9)
        await many(queue, "ann", 2)
        assert queue.ahead("bob") == 2
        assert queue.ahead("ann") == 2 + 3

    under(play)
