"""Searches are admitted, shared out, stopped and drained."""

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from grpc_health.v1 import health_pb2, health_pb2_grpc

from machiavel import v1
from machiavel.clients import Client, NoTime, ServiceError, ShuttingDown, TooBusy, connect
from machiavel.engines import load
from machiavel.search import Limits, bots
from machiavel.server.service import refusals
from machiavel.server.service.admission import Admission
from machiavel.server.service.call_interceptor import Call
from machiavel.server.service.deadlines import Deadlines, Load
from machiavel.server.service.search_queue import SearchQueue, SearchRequest, limits_of, make_searcher, unchanged
from machiavel.server.service.wire import state_message
from machiavel.server.shares import FairQueue
from machiavel.v1 import RecommendMoveRequest
from tests.search.positions import open_view, states
from tests.server.clocks import FakeClock
from tests.server.service.hosted import Hosted, config, hosted

PATIENCE = 60.0  # seconds
WHIST = state_message(next(states("whist", seed=2)))


def search_request(**changes: Any) -> SearchRequest:
    fields: dict[str, Any] = {"bot": "ismcts", "iterations": None, "seconds": None, "remaining": None} | changes
    searcher = make_searcher(fields.pop("bot"), load("whist"), 3, config())
    return SearchRequest(view=open_view("whist"), searcher=searcher, moves=None, explain=False, caller="", **fields)


# ---- What ends a search ----


@pytest.mark.parametrize(
    ("given", "iterations", "end"),
    [
        ({}, None, 1.0),
        ({"seconds": 5.0}, None, 5.0),
        ({"seconds": 500.0}, None, 60.0),
        ({"iterations": 70}, 70, 60.0),
        ({"remaining": 0.05}, None, 0.044),
        ({"remaining": 1.0}, None, 0.92),
        ({"remaining": 10.0}, None, 9.9),
        ({"remaining": 10.0, "seconds": 2.0}, None, 2.0),
        ({"remaining": 1.0, "seconds": 2.0}, None, 0.92),
        ({"bot": "ismcts:iterations=30"}, 30, 60.0),
        ({"bot": "ismcts:iterations=30", "seconds": 2.0}, None, 2.0),
        ({"bot": "ismcts:iterations=30", "remaining": 1.0}, 30, 0.92),
    ],
)
def test_a_search_ends_by_limits_deadline_and_the_servers_own_bound(
    given: dict[str, Any], iterations: int | None, end: float
) -> None:
    limits = limits_of(search_request(**given), config(), 100.0)
    assert limits.iterations == iterations
    assert limits.deadline == pytest.approx(100.0 + end)


def test_a_search_that_ends_while_it_is_looked_at_has_one_final_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    async def waited(_: Any, timeout: float | None) -> tuple[set[Any], set[Any]]:
        """Notices nothing of an end until the search has long ended."""
        await asyncio.sleep(0)
        if looks:
            return await wait({looks.pop()})
        looks.append(asyncio.get_running_loop().run_in_executor(None, ended.wait, timeout and 60))
        await looks[0]
        return set(), set()

    async def stopped() -> list[str]:
        queue = SearchQueue(config())
        submit = queue.scheduler.submit

        def submitted(*arguments: Any, **named: Any) -> Any:
            job = submit(*arguments, **named)
            job.future.add_done_callback(lambda _: ended.set())
            return job

        monkeypatch.setattr(queue.scheduler, "submit", submitted)
        try:
            return [one.recommendation.stopped async for one in queue.answers(search_request(iterations=20), 0.01, unchanged)]
        finally:
            await queue.close()

    wait, ended, looks = asyncio.wait, threading.Event(), list[Any]()
    monkeypatch.setattr("machiavel.server.service.search_queue.asyncio.wait", waited)

    assert asyncio.run(stopped()) == ["iterations"]


def test_with_more_searches_under_way_more_time_is_kept_for_the_answers() -> None:
    for others, end in ((0, 0.092), (7, 0.078), (1000, 0.05)):
        limits = limits_of(search_request(remaining=0.1), config(), 100.0, Load(others))
        assert limits.deadline == pytest.approx(100.0 + end)


@pytest.mark.parametrize("remaining", [0.0, 0.004, -1.0])
def test_no_time_is_said_before_a_search_begins(remaining: float) -> None:
    with pytest.raises(refusals.NoTime):
        limits_of(search_request(remaining=remaining), config(), 100.0)


@pytest.mark.parametrize("least", [0.01, 0.5])
def test_the_error_names_the_bound_that_a_deadline_is_held_against(monkeypatch: pytest.MonkeyPatch, least: float) -> None:
    monkeypatch.setattr("machiavel.server.service.search_queue.LEAST_REMAINING", least)
    assert limits_of(search_request(remaining=least), config(), 100.0).deadline
    with pytest.raises(refusals.NoTime) as caught:
        limits_of(search_request(remaining=0.99 * least), config(), 100.0)
    assert str(caught.value) == f"the deadline leaves too little time to think; expected {1000 * least:g} ms or more"


@pytest.mark.parametrize(
    "ask",
    [
        lambda service: service.recommend_move(WHIST, seconds=0.29),
        lambda service: list(service.review_game(WHIST.record, seconds=0.29)),
    ],
    ids=["advice", "review"],
)
def test_the_error_names_the_bound_that_the_time_for_a_search_is_held_against(
    service: Client, monkeypatch: pytest.MonkeyPatch, ask: Callable[[Client], object]
) -> None:
    """Given by the caller's own limit, without any deadline."""
    monkeypatch.setattr("machiavel.server.service.search_queue.LEAST_TIME", 0.3)
    with pytest.raises(NoTime, match=r"^too little time is left for the search; expected 300 ms or more$"):
        ask(service)


@pytest.mark.parametrize("bot", ["", "ismcts:iterations=20", "level3", "random"])
def test_a_requested_bot_is_made_once(service: Client, bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each draws the seed of its luck once."""
    made: list[int | None] = []
    drawn = bots.drawn
    monkeypatch.setattr(bots, "drawn", lambda seed: (made.append(seed), drawn(seed))[1])  # type: ignore[func-returns-value]
    assert service.recommend_move(WHIST, bot=bot, iterations=None if bot == "random" else 20).move.text
    assert made == [None]


# ---- Who may search ----


def test_places_are_taken_in_turn_and_the_line_is_bounded() -> None:
    async def scenario() -> list[int]:
        admission, order = Admission(FairQueue("searches", 1, 2)), []
        first = await admission.enter("one", None)

        async def come(number: int) -> None:
            place = await admission.enter("one", None)
            order.append(number)
            admission.leave(place)

        tasks = [asyncio.create_task(come(number)) for number in (1, 2)]
        await asyncio.sleep(0)
        with pytest.raises(refusals.TooBusy):
            await admission.enter("one", None)
        admission.leave(first)
        await asyncio.gather(*tasks)
        assert (admission.queue.used, admission.waiting, admission.ends, admission.spans) == (0, 0, {}, {})
        return order

    assert asyncio.run(scenario()) == [1, 2]


def test_who_gives_up_waiting_leaves_no_trace() -> None:
    async def scenario() -> None:
        admission = Admission(FairQueue("searches", 1, 5))
        place = await admission.enter("one", None)
        with pytest.raises(refusals.NoTime, match=r"^no place .* free in time; expected more time, or fewer searches"):
            await admission.enter("one", 0.01)
        task = asyncio.create_task(admission.enter("one", None))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not admission.waiting
        task = asyncio.create_task(admission.enter("one", None))
        await asyncio.sleep(0)
        admission.leave(place)
        task.cancel()  # in the moment its turn has come
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (admission.queue.used, admission.ends, admission.spans) == (0, {}, {})

    asyncio.run(scenario())


def test_what_could_not_begin_in_time_is_refused_before_it_waits_and_what_could_is_not() -> None:
    async def scenario() -> None:
        clock = FakeClock(0)
        admission = Admission(FairQueue("searches", 2, 9, clock=clock), clock)
        places = [await admission.enter("one", seconds) for seconds in (10.0, 20.0)]
        with pytest.raises(refusals.TooBusy) as caught:
            await admission.enter("one", 10.0)
        assert (caught.value.limit, caught.value.most, caught.value.own) == ("searches", 2, 2)
        assert caught.value.retry_after == 5.0
        waits = asyncio.create_task(admission.enter("one", 15.0))
        await asyncio.sleep(0)
        with pytest.raises(refusals.TooBusy):  # the first place is somebody's then, until 25
            await admission.enter("one", 15.0)
        also = asyncio.create_task(admission.enter("one", 30.0))
        await asyncio.sleep(0)
        for place in places:
            admission.leave(place)
        for task in (waits, also):
            admission.leave(await task)
        assert (admission.ends, admission.spans) == ({}, {})

    asyncio.run(scenario())


def test_what_ends_by_its_iterations_is_waited_for_as_long_as_those_take() -> None:
    async def scenario() -> None:
        clock = FakeClock(0)
        admission = Admission(FairQueue("searches", 1, 9, clock=clock), clock)
        admission.note("whist", 1000, 0.5)
        assert admission.span_of("whist", 2000) == 1.0
        place = await admission.enter("one", 60.0, admission.span_of("whist", 2000))
        assert admission.wait_of("one") == 1.0
        clock.go_on(0.75)
        assert admission.wait_of("one") == 0.25
        admission.leave(place)
        assert admission.wait_of("one") == 0.0
        await admission.enter("one", 60.0, admission.span_of("agency", 2000))
        assert admission.wait_of("one") == 0.0  # how long those take nobody knows

    asyncio.run(scenario())


def test_a_caller_without_a_search_has_a_first_place_whatever_others_search() -> None:
    with hosted(searches=2, queue=4, seconds_most=600, workers=1) as server:
        queue = server.server.search_queue.admission

        async def take(caller: str) -> list[object]:
            return [await queue.enter(caller, 500.0) for _ in range(2)]

        places = server.run(take("many"))
        with connect(server.address) as service:
            assert service.recommend_move(WHIST, iterations=20, timeout=PATIENCE).move.text
        for place in places:
            server.run(leave(queue, place))


async def leave(admission: Admission, place: Any) -> None:
    admission.leave(place)


def test_an_answer_is_out_in_time_though_the_machine_turns_busy_while_it_is_searched() -> None:
    """Its search ends sooner then, but not before a fourth of its time."""

    async def scenario() -> list[list[float]]:
        stretch = [1.0]
        deadlines, queue = Deadlines(lambda: stretch[0], FakeClock(0)), SearchQueue(config(workers=1))
        try:
            limits = Limits(deadline=time.monotonic() + 9.2)
            jobs = [queue.submit(search_request(), limits) for _ in range(3)]
            for job in jobs:
                deadlines.add(job, 100.0, 10.0)
            ends = list[list[float]]()
            for stretch[0], deadlines.lagged in ((1.0, 0.0), (3.0, 0.2), (1000.0, 9.0)):
                for job in jobs:
                    job.search_run.end = 99.9
                deadlines.tighten()
                ends.append([job.end for job in jobs])
            for job in jobs:
                deadlines.remove(job)
                job.stop()
            return ends
        finally:
            await queue.close()

    calm, busy, worst = asyncio.run(scenario())
    assert calm == pytest.approx([99.9, 99.898, 99.896], abs=1e-6)
    assert busy == pytest.approx([99.4, 99.394, 99.388], abs=1e-6)
    assert worst == [92.5] * 3


def test_what_was_seen_of_a_busy_machine_fades() -> None:
    clock = FakeClock(0)
    deadlines = Deadlines(lambda: 1.0, clock)
    deadlines.lagged = 1.0
    lags = []
    for _ in range(3):
        lags.append(deadlines.lag)
        clock.go_on(2.0)
    assert lags[0] == 1.0
    assert 0.01 > lags[1] > 100 * lags[2]


def test_a_full_server_says_when_to_come_again() -> None:
    with hosted(searches=1, queue=0, seconds_most=600) as server, connect(server.address) as service:
        stream = service.analyze_moves(WHIST, seconds=500, interval=0.02)
        next(stream)
        with pytest.raises(TooBusy) as caught:
            service.recommend_move(WHIST, seconds=1)
        assert caught.value.retry_after == 5.0  # it would be free in 500 s, unless the search is left
        stream.close()
        while True:
            try:
                assert service.recommend_move(WHIST, iterations=10).move.text
            except TooBusy:
                continue
            break
        assert settled(server)


def settled(server: Hosted) -> bool:
    """Whether all places come to be free, with nothing under way."""

    async def wait() -> bool:
        search_queue = server.server.search_queue
        while search_queue.running or search_queue.admission.waiting or search_queue.scheduler.jobs:
            await asyncio.sleep(0.002)
        return search_queue.admission.queue.used == 0

    return bool(server.run(wait()))


# ---- How it ends ----


def test_leaving_an_analysis_ends_its_search(service: Client, server: Hosted) -> None:
    for _ in range(5):
        for answer in service.analyze_moves(WHIST, seconds=50, interval=0.02):
            assert not answer.final
            break
    assert settled(server)


def test_a_cancelled_call_ends_its_search(service: Client, server: Hosted) -> None:
    call = service.bots.RecommendMove.future(
        RecommendMoveRequest(record=WHIST.record, limits=v1.Limits(time=Duration(seconds=50))), timeout=60
    )

    async def begun() -> None:
        while not server.server.search_queue.running:
            await asyncio.sleep(0.002)

    server.run(begun())
    call.cancel()  # type: ignore[no-untyped-call]
    assert settled(server)


def megabytes() -> float:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) / 256


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_many_streams_that_are_left_leave_nothing_behind(server: Hosted) -> None:
    left_behind(server, 3, 20)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_five_thousand_streams_that_are_left_leave_nothing_behind(server: Hosted) -> None:
    left_behind(server, 50, 100)


def left_behind(server: Hosted, storms: int, streams: int) -> None:
    """Asserts that threads, tasks, descriptors and memory are what they were before streams were begun and left."""

    def storm() -> None:
        with connect(server.address) as service:
            for _ in range(streams):
                stream = service.analyze_moves(WHIST, seconds=50, interval=0.02)
                next(stream)
                stream.close()
        assert settled(server)

    async def calm(most: int) -> int:
        """The tasks of the server, once there are no more than so many."""
        while len(asyncio.all_tasks()) > most:
            await asyncio.sleep(0.01)
        return len(asyncio.all_tasks())

    storm()
    tasks = server.run(calm(80))  # one for each method of a service waits for calls
    before = threading.active_count(), descriptors(), megabytes()
    for _ in range(storms):
        storm()
    tasks_after = server.run(calm(tasks))
    after = threading.active_count(), descriptors(), megabytes()
    names = "threads", "descriptors", "MiB"
    told = ", ".join(f"{name} {old:.0f} → {new:.0f}" for name, old, new in zip(names, before, after, strict=True))
    print(f"{storms * streams:,} streams: tasks {tasks} → {tasks_after}, {told}")
    assert tasks_after <= tasks
    assert after[0] <= before[0] + 2
    assert after[1] <= before[1] + 8
    assert after[2] < before[2] + 60


def test_draining_lets_calls_end_and_takes_no_new_ones() -> None:
    answers: list[object] = []
    with hosted(drain=20) as server:
        begun = threading.Event()

        def ask() -> None:
            with connect(server.address) as service:
                for answer in service.analyze_moves(WHIST, seconds=1, interval=0.02):
                    answers.append(answer.final)
                    begun.set()

        thread = threading.Thread(target=ask)
        thread.start()
        assert begun.wait(30)
    thread.join(30)
    assert answers[-1] is True


def test_a_drain_without_time_ends_calls_as_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("machiavel.server.service.app.LAST", 60.0)  # a second is enough where the machine has no other work
    errors: list[ServiceError] = []
    with hosted(drain=0) as server:
        begun = threading.Event()

        def ask() -> None:
            with connect(server.address) as service:
                try:
                    for _ in service.analyze_moves(WHIST, seconds=50, interval=0.02):
                        begun.set()
                except ServiceError as error:
                    errors.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        assert begun.wait(30)
    thread.join(30)
    assert [type(error) for error in errors] == [ShuttingDown]
    assert errors[0].reason == "SHUTTING_DOWN"


def test_a_stream_that_is_ended_while_its_first_answer_is_sent_is_told_why(monkeypatch: pytest.MonkeyPatch) -> None:
    with hosted() as server, connect(server.address) as service:

        def watched(call: Call, name: str, value: object) -> None:
            object.__setattr__(call, name, value)
            if name == "is_sending" and value:
                asyncio.get_running_loop().call_soon(server.server.calls.dismiss)

        monkeypatch.setattr(Call, "__setattr__", watched)
        with pytest.raises(ShuttingDown) as caught:
            list(service.analyze_moves(WHIST, seconds=50, interval=0.02))
    assert caught.value.reason == "SHUTTING_DOWN"


def test_who_watches_the_health_is_told_of_the_end_and_does_not_hold_it_up() -> None:
    told: list[int] = []
    with hosted(drain=600) as server:
        begun = threading.Event()

        def watch() -> None:
            with grpc.insecure_channel(server.address) as channel:
                for answer in health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest()):
                    told.append(answer.status)
                    begun.set()

        thread = threading.Thread(target=watch)
        thread.start()
        assert begun.wait(30)
    thread.join(30)
    assert told == [health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING]


def test_several_callers_at_once_are_all_answered(server: Hosted) -> None:
    result: list[int] = []

    def ask() -> None:
        with connect(server.address) as service:
            result.append(service.recommend_move(WHIST, seconds=0.5).recommendation.iterations)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(result) == 8
    assert all(result)


def test_what_would_be_refused_is_refused_before_its_question_is_read() -> None:
    with hosted(searches=1, queue=0, seconds_most=600) as server, connect(server.address) as service:
        stream = service.analyze_moves(WHIST, seconds=500, interval=0.02)
        next(stream)
        nothing = RecommendMoveRequest(limits=v1.Limits(time=Duration(seconds=1)))
        with pytest.raises(grpc.RpcError) as caught:
            service.bots.RecommendMove(nothing)
        assert caught.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        nothing.bot = "greedy"
        with pytest.raises(grpc.RpcError) as caught:
            service.bots.RecommendMove(nothing)
        assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
        stream.close()
