"""What is worked at beside the event loop, and whose turn it is."""

import asyncio
import threading
import time
from collections.abc import Coroutine
from typing import Any

import pytest

from machiavel import v1
from machiavel.server.service.refusals import ShuttingDown, TooBusy
from machiavel.server.service.worker_thread import AHEAD, KNOWN, LARGE, LINE, RequestWorker, WorkerThread, rules_named
from machiavel.server.shares import CallerLimits, Shares


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


def test_a_large_request_and_one_whose_rules_are_new_are_read_beside_the_loop_and_no_other() -> None:
    async def main() -> None:
        worker, loop = RequestWorker(Shares()), threading.get_ident()
        small = v1.GetStateRequest(record=v1.Record(game="whist"))
        assert await worker.read(threading.get_ident, small, "ann") != loop
        assert await worker.read(threading.get_ident, small, "ann") == loop
        small.record.options.players = 3
        assert await worker.read(threading.get_ident, small, "ann") != loop
        small.record.moves.extend(["H2"] * LARGE)
        assert await worker.read(threading.get_ident, small, "ann") != loop
        assert await worker.parse(threading.get_ident, LARGE, "ann") == loop
        assert await worker.parse(threading.get_ident, LARGE + 1, "ann") != loop
        worker.close()

    run(main())


def test_a_large_request_has_one_turn_for_all_that_is_done_with_it() -> None:
    async def main() -> None:
        worker, loop = RequestWorker(Shares()), threading.get_ident()
        large = v1.GetStateRequest(record=v1.Record(game="whist", moves=["H2"] * LARGE))
        data = large.SerializeToString()
        request = await worker.parse(lambda: v1.GetStateRequest.FromString(data), len(data), "ann")
        worker.queue.closed = True  # nobody gets another
        assert await worker.read(threading.get_ident, request, "ann") != loop
        with pytest.raises(ShuttingDown):
            await worker.read(threading.get_ident, request, "ann")
        worker.close()

    run(main())


@pytest.mark.parametrize("is_shared", [True, False])
def test_the_thread_rests_after_what_it_did_where_others_want_to_be_answered(is_shared: bool) -> None:
    def work() -> None:
        end = time.thread_time() + 0.002
        while time.thread_time() < end:
            pass

    async def main() -> None:
        thread = WorkerThread(Shares().queue("tried", 1, 8), 1e6, lambda: is_shared)
        await thread.do(work, "ann")
        await asyncio.sleep(0)
        assert thread.queue.used == is_shared
        thread.close()

    run(main())


def test_rules_that_a_game_may_have_given_up_are_made_beside_the_loop() -> None:
    async def main() -> None:
        worker = RequestWorker(Shares())
        for number in range(KNOWN + 1):
            other = v1.GetStateRequest(record=v1.Record(game="whist", options=v1.Options(players=number)))
            await worker.read(lambda: None, other, "eve")
        assert await worker.read(threading.get_ident, other, "eve") == threading.get_ident()
        first = v1.GetStateRequest(record=v1.Record(game="whist", options=v1.Options(players=0)))
        assert await worker.read(threading.get_ident, first, "ann") != threading.get_ident()
        worker.close()

    run(main())


def test_callers_take_turns_however_many_requests_one_of_them_has_in_line() -> None:
    async def main() -> None:
        worker, begun, order = RequestWorker(Shares()), threading.Event(), list[str]()
        first = asyncio.create_task(worker.do(begun.wait, "greedy"))
        await asyncio.sleep(0)
        waiting = [asyncio.create_task(worker.do(lambda: order.append("greedy"), "greedy")) for _ in range(50)]
        await asyncio.sleep(0)
        polite = asyncio.create_task(worker.do(lambda: order.append("polite"), "polite"))
        await asyncio.sleep(0)
        begun.set()
        await asyncio.gather(first, polite, *waiting)
        assert "polite" in order[:AHEAD]
        worker.close()

    run(main())


def test_who_sends_more_than_its_share_is_told_so_and_others_are_read() -> None:
    async def main() -> None:
        shares = Shares(CallerLimits.parse({"greedy": {"parsing_kib": 100}}))
        worker, begun = RequestWorker(shares), threading.Event()
        first = asyncio.create_task(worker.do(begun.wait, "greedy", 80))
        await asyncio.sleep(0)
        others = [asyncio.create_task(worker.do(begun.wait, "greedy", 80)) for _ in range(AHEAD)]
        await asyncio.sleep(0)
        with pytest.raises(TooBusy, match="at most 100 for you") as caught:
            await worker.do(begun.wait, "greedy", 80)
        assert (caught.value.limit, caught.value.most) == ("callers.greedy.parsing_kib", 100)
        other = asyncio.create_task(worker.do(lambda: "read", "polite", 80))
        begun.set()
        assert await other == "read"
        await asyncio.gather(first, *others)
        worker.close()

    run(main())


def test_who_fills_its_part_of_the_line_sends_no_more_until_there_is_room_and_nobody_else_waits() -> None:
    async def main() -> None:
        worker, begun = RequestWorker(Shares()), threading.Event()
        large = [asyncio.create_task(worker.do(begun.wait, "greedy", LINE // 8)) for _ in range(AHEAD + 3)]
        await asyncio.sleep(0)
        calls = [asyncio.create_task(worker.room("greedy")) for _ in range(5)]
        await worker.room("polite")
        assert not any(call.done() for call in calls)
        calls[0].cancel()
        begun.set()
        await asyncio.gather(*large)
        worker.stir("greedy")
        await asyncio.gather(*calls[1:])
        assert not worker.unread
        worker.close()

    run(main())


@pytest.mark.parametrize("how", ["cancelled", "displaced", "closed"])
def test_calls_are_read_again_however_the_callers_line_came_to_be_empty(how: str) -> None:
    async def main() -> None:
        worker, may_end = RequestWorker(Shares()), threading.Event()
        busy = [asyncio.create_task(worker.do(may_end.wait, "another")) for _ in range(AHEAD)]
        await asyncio.sleep(0)
        large = asyncio.create_task(worker.do(lambda: None, "ann", LINE))
        await asyncio.sleep(0)
        calls = [asyncio.create_task(worker.room("ann")) for _ in range(3)]
        await asyncio.sleep(0)
        assert not any(call.done() for call in calls)
        if how == "cancelled":
            large.cancel()
        elif how == "displaced":
            busy.append(asyncio.create_task(worker.do(lambda: True, "polite")))
        else:
            worker.close()
        await asyncio.wait_for(asyncio.gather(*calls), 10)
        await asyncio.wait_for(worker.room("ann"), 10)
        assert large.done()
        may_end.set()
        await asyncio.gather(large, *busy, return_exceptions=True)
        worker.close()

    run(main())


def test_who_gives_up_keeps_the_thread_for_no_longer_than_what_is_begun() -> None:
    async def main() -> None:
        worker, begun, may_end = RequestWorker(Shares()), threading.Event(), threading.Event()

        def work() -> None:
            begun.set()
            may_end.wait()

        first = asyncio.create_task(worker.do(work, "ann"))
        await asyncio.to_thread(begun.wait)
        others = [asyncio.create_task(worker.do(begun.wait, "ann")) for _ in range(10)]
        await asyncio.sleep(0)
        for task in (first, *others):
            task.cancel()
        await asyncio.gather(first, *others, return_exceptions=True)
        assert (worker.queue.used, worker.queue.waiting) == (AHEAD, 0)
        may_end.set()
        assert await worker.do(lambda: "next", "ann") == "next"
        worker.close()
        with pytest.raises(ShuttingDown):
            await worker.do(lambda: "late", "ann")

    run(main())


def test_an_error_of_the_work_is_the_callers() -> None:
    async def main() -> None:
        worker = RequestWorker(Shares())
        with pytest.raises(ZeroDivisionError):
            await worker.do(lambda: 1 // 0, "ann")
        assert worker.queue.used == 0
        worker.close()

    run(main())


def test_requests_name_their_rules_wherever_they_carry_them() -> None:
    options = v1.Options(players=3)
    record = v1.GetStateRequest(record=v1.Record(game="whist", options=options))
    view = v1.RecommendMoveRequest(view=v1.View(game="whist", options=options))
    new = v1.NewStateRequest(game="whist", options=options)
    seats = v1.CreateMatchRequest(game="whist", seats=[v1.SeatSetup()] * 3)
    assert rules_named(record) == rules_named(view) == rules_named(new)
    assert rules_named(seats) != rules_named(v1.CreateMatchRequest(game="whist", seats=[v1.SeatSetup()] * 4))
    assert rules_named(v1.GetStateRequest()) == b""
