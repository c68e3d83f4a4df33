"""The scheduler: every question gets its one answer, callers get equal shares, and a fault stays with the job that has it."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from machiavel.engines import BadOption, IllegalMove, NotToMove, View
from machiavel.search import (
    UNTIL_STOPPED,
    Job,
    Limits,
    Memory,
    Recommendation,
    Scheduler,
    SchedulerClosed,
    SearchParameters,
    recommend,
)
from machiavel.search.scheduler import CREDIT
from tests.search.positions import SHIPPED, VARIANTS, asked, open_view, states

QUICK = Limits(iterations=300)
PATIENCE = 60.0  # seconds: what should never take so long has failed


@pytest.fixture(params=[0, 3], ids=["alike", "background"])
def scheduler(request: pytest.FixtureRequest) -> Iterator[Scheduler]:
    with Scheduler(2, nice=request.param) as made:
        yield made


def wait_until(happened: Callable[[], bool]) -> None:
    began = time.monotonic()
    while not happened():
        assert time.monotonic() - began < PATIENCE, "it never happened"
        time.sleep(0.002)


def served_until(jobs: list[Job], seconds: float) -> None:
    """Wait until all jobs together have had so many seconds of a thread."""
    wait_until(lambda: sum(job.served for job in jobs) >= seconds)


def test_many_questions_of_many_callers_get_the_answers_they_get_alone(scheduler: Scheduler) -> None:
    questions = [
        (asked(state), Limits(iterations=200 + 37 * number), SearchParameters(variant=VARIANTS[number % 3], seed=number))
        for game in SHIPPED
        for number, state in enumerate(islice(states(game, 31), 30))
    ]
    jobs = [
        scheduler.submit(view, limits, parameters, caller=number % 7, explain=number % 2 == 0)
        for number, (view, limits, parameters) in enumerate(questions)
    ]
    for number, (job, question) in enumerate(zip(jobs, questions, strict=True)):
        assert job.result(PATIENCE).to_json() == recommend(*question, explain=number % 2 == 0).to_json()
    wait_until(lambda: not scheduler.jobs)
    assert not scheduler.waiting and not scheduler.served


def test_what_else_runs_changes_no_answer(scheduler: Scheduler) -> None:
    noise = [scheduler.submit(open_view("whist", number), UNTIL_STOPPED, caller="noise") for number in range(4)]
    view = open_view("agency", 3)
    for threads in (1, 2, 5):
        parameters = SearchParameters(threads=threads, seed=4)
        recommendation = scheduler.submit(view, Limits(iterations=9000), parameters, explain=True).result(PATIENCE)
        assert recommendation == recommend(view, Limits(iterations=9000), parameters, explain=True)
        assert recommendation.iterations == 9000
    for job in noise:
        job.stop()
        assert job.result(PATIENCE).stopped == "stopped"


def test_callers_have_equal_shares_however_many_questions_they_ask() -> None:
    with Scheduler(1) as scheduler:
        asked_by = {"one": 1, "two": 2, "six": 6}
        jobs = {
            caller: [scheduler.submit(open_view("agency", 10 + number), UNTIL_STOPPED, caller=caller) for number in range(count)]
            for caller, count in asked_by.items()
        }
        served_until([job for some in jobs.values() for job in some], 0.5)
        # A slice is as long as the machine lets it be; but nobody who had more than another is served before him.
        wait_until(lambda: is_even([sum(job.served for job in some) for some in jobs.values()]))
        wait_until(lambda: is_even([job.served for job in jobs["six"]]))


def test_parts_of_a_callers_work_have_one_share_and_the_same_among_them() -> None:
    with Scheduler(1) as scheduler:
        alone = scheduler.submit(open_view("agency", 1), UNTIL_STOPPED, caller="alone")
        tables = [
            scheduler.submit(open_view("agency", 10 + number), UNTIL_STOPPED, caller="host", part=f"table {number}")
            for number in range(4)
        ]
        served_until([alone, *tables], 0.6)
        wait_until(lambda: is_even([alone.served, sum(job.served for job in tables)]))
        wait_until(lambda: is_even([job.served for job in tables]))
    assert not scheduler.served


def is_even(shares: list[float]) -> bool:
    return max(shares) <= 2 * min(shares)


def test_who_comes_late_is_served_like_the_others_and_not_for_the_time_it_was_away() -> None:
    with Scheduler(1) as scheduler:
        early = scheduler.submit(open_view("agency", 1), UNTIL_STOPPED, caller="early")
        served_until([early], 0.6)
        before = early.served
        late = scheduler.submit(open_view("agency", 2), UNTIL_STOPPED, caller="late")
        served_until([late], 0.4)
        assert early.served - before >= late.served / 2


def test_a_short_question_of_somebody_who_was_away_comes_before_long_ones_of_others() -> None:
    """While it has had less than its credit nobody else has a slice but the one under way when it came."""
    with Scheduler(1) as scheduler:
        long = [scheduler.submit(open_view("agency", number), UNTIL_STOPPED, caller=f"caller {number}") for number in range(6)]
        wait_until(lambda: all(job.served > 2 * CREDIT for job in long))  # nobody else is new any more
        before, told = list[float](), list[tuple[float, int]]()

        def count(_: Recommendation) -> None:
            """On the scheduler's own thread, between two slices."""
            told.append((short.served, sum(job.served > had for job, had in zip(long, before, strict=True))))

        with scheduler.changed:
            before += [job.served for job in long]
            short = scheduler.submit(open_view("agency", 30), UNTIL_STOPPED, caller="new", progress=count, every=0.0)
        wait_until(lambda: any(others > 1 for _, others in list(told)))
        short.stop()
        short.result(PATIENCE)
    assert max(others for served, others in told if served < CREDIT) <= 1


def test_who_leaves_and_comes_again_is_no_newcomer() -> None:
    """Or a caller that asks for one short search after the other would come before all others for ever."""
    with Scheduler(1) as scheduler:
        long = scheduler.submit(open_view("agency", 1), UNTIL_STOPPED, caller="long")
        served_until([long], 0.05)
        before, again = long.served, 0.0
        while again < 8 * CREDIT:
            job = scheduler.submit(open_view("agency", 2), Limits(iterations=100), caller="again")
            job.result(PATIENCE)
            again += job.served
        assert long.served - before >= again - 2 * CREDIT


@pytest.mark.parametrize("limits", [Limits(seconds=0.02), Limits(deadline=0.0), Limits(seconds=0.02, iterations=1 << 39)])
def test_a_question_whose_time_is_over_while_it_waits_is_answered(limits: Limits) -> None:
    with Scheduler(1) as scheduler:
        others = [scheduler.submit(open_view("agency", number), UNTIL_STOPPED, caller="greedy") for number in range(5)]
        waiting = [scheduler.submit(open_view("whist", number), limits, caller="greedy") for number in range(10)]
        for job in waiting:
            recommendation = job.result(PATIENCE)
            assert recommendation.stopped == "time"
            assert recommendation.iterations > 0
        assert all(not job.future.done() for job in others)


def test_an_error_in_a_progress_callback_fails_its_job_alone(scheduler: Scheduler) -> None:
    def fail(_: Recommendation) -> None:
        raise RuntimeError("no ear")

    view = open_view("agency", 1)
    heard: list[Recommendation] = []
    good = scheduler.submit(view, Limits(iterations=60_000), progress=heard.append, every=0.0)
    for number in range(60):
        bad = scheduler.submit(
            view, UNTIL_STOPPED, SearchParameters(threads=1 + number % 3, megabytes=1), progress=fail, every=0.0, caller=number
        )
        with pytest.raises(RuntimeError, match="no ear"):
            bad.result(PATIENCE)
    assert good.result(PATIENCE) == recommend(view, Limits(iterations=60_000))
    assert heard and all(one.stopped == "running" for one in heard)
    assert all(thread.is_alive() for thread in scheduler.threads)
    wait_until(lambda: not scheduler.jobs)


def test_an_answer_that_cannot_be_put_together_is_an_error_of_its_job_alone(scheduler: Scheduler) -> None:
    view = open_view("agency", 1)
    for threads in (1, 3):
        job = scheduler.submit(view, UNTIL_STOPPED, SearchParameters(threads=threads))
        job.search_run.texts.clear()
        job.stop()
        with pytest.raises(KeyError):
            job.result(PATIENCE)
    assert scheduler.submit(view, QUICK).result(PATIENCE) == recommend(view, QUICK)
    assert all(thread.is_alive() for thread in scheduler.threads)


def test_an_error_in_what_waits_for_an_answer_harms_nobody(scheduler: Scheduler, caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: object) -> None:
        raise RuntimeError("told, and no use")

    view = open_view("agency", 1)
    for _ in range(5):
        job = scheduler.submit(view, Limits(iterations=3000))
        job.future.add_done_callback(fail)
        assert job.result(PATIENCE).iterations == 3000
    assert scheduler.submit(view, Limits(iterations=10)).result(PATIENCE).iterations == 10
    assert all(thread.is_alive() for thread in scheduler.threads)


def test_the_next_question_may_be_asked_where_an_answer_arrives(scheduler: Scheduler) -> None:
    view = open_view("whist", 1)
    answered: list[int] = []
    done = threading.Event()

    def ask_on(_: object) -> None:
        answered.append(1)
        if len(answered) == 20:
            done.set()
        else:
            scheduler.submit(view, Limits(iterations=50)).future.add_done_callback(ask_on)

    scheduler.submit(view, Limits(iterations=50)).future.add_done_callback(ask_on)
    assert done.wait(PATIENCE)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_stop_ends_a_job_and_no_other(scheduler: Scheduler, threads: int) -> None:
    parameters = SearchParameters(threads=threads)
    first, second = (scheduler.submit(open_view("agency", number), UNTIL_STOPPED, parameters) for number in (1, 2))
    served_until([first, second], 0.02)
    first.stop()
    result = first.result(PATIENCE)
    assert result.stopped == "stopped"
    assert result.iterations == sum(one.visits for one in result.candidates) > 0
    assert not second.future.done()
    second.stop()
    second.stop()
    assert second.result(PATIENCE).stopped == "stopped"


def test_a_job_stopped_before_its_turn_is_answered() -> None:
    with Scheduler(1) as scheduler:
        scheduler.submit(open_view("agency", 1), UNTIL_STOPPED)
        view = open_view("agency", 2)
        jobs = [scheduler.submit(view, UNTIL_STOPPED) for _ in range(20)]
        for job in jobs:
            job.stop()
        assert all(job.result(PATIENCE).best in view.legal_moves() for job in jobs)


def test_a_running_job_tells_how_it_stands(scheduler: Scheduler) -> None:
    view = open_view("agency", 4)
    job = scheduler.submit(view, UNTIL_STOPPED, SearchParameters(threads=2), explain=True)
    seen = [0]
    while seen[-1] < 20_000:
        recommendation = job.snapshot()
        assert recommendation.stopped == "running"
        assert {one.move for one in recommendation.candidates} == set(view.legal_moves())
        assert all(0 <= one.utility <= 1 for one in recommendation.candidates)
        seen.append(sum(one.visits for one in recommendation.candidates))
    job.stop()
    final = job.result(PATIENCE)
    assert seen == sorted(seen)
    assert final.iterations >= seen[-1]
    assert job.snapshot().candidates == final.candidates


def test_closing_answers_everything_and_takes_nothing_more() -> None:
    before = threading.active_count()
    scheduler = Scheduler(2)
    views: list[View] = [open_view(game, number) for game in SHIPPED for number in range(10)]
    jobs = [scheduler.submit(view, UNTIL_STOPPED, SearchParameters(threads=1 + number % 2)) for number, view in enumerate(views)]
    served_until(jobs, 0.02)
    scheduler.close()
    for job, view in zip(jobs, views, strict=True):
        assert job.future.done()
        assert job.result(0).best in view.legal_moves()
    with pytest.raises(SchedulerClosed):
        scheduler.submit(views[0])
    scheduler.close()
    assert threading.active_count() == before


def test_a_question_that_cannot_be_is_refused_at_once_and_leaves_nothing_behind(scheduler: Scheduler) -> None:
    view = open_view("agency", 1)
    with pytest.raises(BadOption, match="iterations"):
        scheduler.submit(view, Limits(iterations=0))
    with pytest.raises(BadOption, match="worlds"):
        scheduler.submit(view, parameters=SearchParameters(worlds=0))
    with pytest.raises(IllegalMove):
        scheduler.submit(view, moves=["no move"])
    state = next(states("agency", 1))
    (other, *_) = set(range(state.players)) - state.seats_to_move
    with pytest.raises(NotToMove):
        scheduler.submit(state.view(other))
    assert not scheduler.jobs and not scheduler.waiting and not scheduler.served


def test_a_wait_given_up_is_no_end_of_the_job(scheduler: Scheduler) -> None:
    job = scheduler.submit(open_view("agency", 1), UNTIL_STOPPED)
    with pytest.raises(TimeoutError):
        job.result(0.01)
    assert not job.future.done()
    job.stop()
    assert job.result(PATIENCE).stopped == "stopped"


def test_a_forced_move_is_answered_without_a_search(scheduler: Scheduler) -> None:
    view = asked(next(state for state in states("whist", 2, least=1) if len(state.legal_moves()) == 1))
    recommendation = scheduler.submit(view, UNTIL_STOPPED, SearchParameters(threads=3)).result(PATIENCE)
    assert (recommendation.stopped, recommendation.iterations, recommendation.best) == ("forced", 0, view.legal_moves()[0])


def test_a_late_stop_of_an_answered_question_does_not_end_the_next_one(scheduler: Scheduler) -> None:
    """A caller may cancel what has just been answered, when the same match already asks for its next move."""
    view, memory = open_view("agency", 1), Memory()
    first = scheduler.submit(view, Limits(iterations=100), memory=memory)
    first.result(PATIENCE)
    second = scheduler.submit(view, Limits(iterations=20_000), memory=memory)
    first.stop()
    assert second.result(PATIENCE).stopped == "iterations"


def test_an_answered_question_tells_its_own_answer_when_its_trees_serve_the_next_one(scheduler: Scheduler) -> None:
    memory = Memory()
    one, other = (asked(state) for state in islice(states("whist", 1, players=2), 2))
    job = scheduler.submit(one, QUICK, memory=memory)
    answer = job.result(PATIENCE)
    scheduler.submit(other, QUICK, memory=memory).result(PATIENCE)
    assert memory.searches[0].look() != [] and job.snapshot() == answer


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priorities of their own")
def test_who_searches_comes_after_the_others_of_the_process_and_who_holds_its_lock_does_not() -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    with Scheduler(2, nice=3) as scheduler:
        scheduler.submit(open_view("agency", 1), QUICK).result(PATIENCE)
        wait_until(lambda: priorities("search-background") == 2 * [min(own + 3, 19)])
        assert [os.getpriority(os.PRIO_PROCESS, thread.native_id or 0) for thread in scheduler.threads] == 2 * [own]
    assert not priorities("search-background")
    assert os.getpriority(os.PRIO_PROCESS, 0) == own


def priorities(name: str) -> list[int]:
    return [os.getpriority(os.PRIO_PROCESS, one.native_id or 0) for one in threading.enumerate() if one.name == name]
