"""Many questions at once on a few threads: a slice at a time, to whoever has had the least."""

import itertools
import math
import os
import sys
import threading
import time
from collections.abc import Hashable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from machiavel.engines import View
from machiavel.search._background import Background
from machiavel.search.limits import Limits
from machiavel.search.parameters import SearchParameters
from machiavel.search.recommendation import Recommendation
from machiavel.search.search_run import Memory, Progress, SearchRun
from machiavel.search.unseen_maps import UnseenMap

__all__ = ["CREDIT", "Job", "Scheduler", "SchedulerClosed"]


Share = tuple[Hashable, ...]  # of a caller, or of a part of its work

# Seconds of a thread that whoever was away may be behind the others: a short question is answered at once while others search.
CREDIT = 0.05
LEAST_WORK, NEWEST = 0.001, 0.05  # seconds of a slice that says how busy the machine is, and its weight in what is known of that
MEMORABLE = 2.0  # seconds for which that says something
LEAST_PRIORITY = 19
MOST_REMEMBERED = 4096  # callers that left and may be ahead of the others


class SchedulerClosed(RuntimeError):
    """The scheduler takes no more questions."""


class Job:
    """A question under way."""

    def __init__(self, search_run: SearchRun, caller: Hashable, part: Hashable, progress: Progress | None, every: float) -> None:
        self.search_run = search_run
        self.caller: Share = (caller,)
        self.part: Share = (caller, part)
        self.future: Future[Recommendation] = Future()
        self.future.set_running_or_notify_cancel()
        self.progress = progress
        self.every = every
        self.heard = time.monotonic()
        self.served = 0.0  # seconds of a thread
        self.left = len(search_run.searches)
        self.ended = ""

    def stop(self) -> None:
        """End it within milliseconds; its answer is what it has found so far."""
        self.search_run.stop()

    def snapshot(self) -> Recommendation:
        """The answer so far; once there is one, the final one."""
        if self.future.done():  # its trees may be another question's by now
            return self.future.result()
        return self.search_run.answer("running")

    @property
    def end(self) -> float:
        """By when it must answer, of time.monotonic()."""
        end = self.search_run.end
        return math.inf if end is None else end

    def end_by(self, end: float) -> None:
        """Let it end by then, of time.monotonic(), if it would not anyway."""
        if self.end > end:
            self.search_run.end = end

    @property
    def unseen(self) -> UnseenMap | None:
        """Where unseen cards are: None before the first slice, where it was not asked for, or where time did not allow it."""
        return self.search_run.unseen

    def result(self, timeout: float | None = None) -> Recommendation:
        """The answer, once there is one; raises TimeoutError. It goes on where the wait is given up."""
        return self.future.result(timeout)


@dataclass
class Turn:
    """A tree that waits for its next slice."""

    job: Job
    tree: int
    number: int = field(default_factory=itertools.count().__next__)  # who has waited longest, between equals


class Scheduler:
    """Serves many searches with a few threads.

    The next slice goes to what must answer now, then to the caller that has had the least time so far, then to the part of its
    work that has, then to the job. Who comes new begins with as much as the least served of its like has had, a caller a little
    behind: nobody makes up for sleep, but a short question need not wait for long ones.
    """

    def __init__(self, workers: int | None = None, nice: int = 0) -> None:
        """`nice`: how far its searches come after the rest of the process, where threads have priorities of their own."""
        self.nice = nice
        self.changed = threading.Condition()
        self.waiting: dict[Share, list[Turn]] = {}  # by caller
        self.jobs: set[Job] = set()
        self.served: dict[Share, float] = {}
        self.counts: dict[Share, int] = {}  # of jobs
        self.level = 0.0  # what the least served caller has had
        self.remembered: dict[Share, float] = {}  # what callers had had when they left
        self.stretched, self.stretched_at = 1.0, time.monotonic()  # what slices took over their work, and when that was seen
        self.closed = False
        self.threads = [
            threading.Thread(target=self.serve, name=f"search-{number}", daemon=True)
            for number in range(workers or os.cpu_count() or 1)
        ]
        for thread in self.threads:
            thread.start()

    def submit(
        self,
        view: View,
        limits: Limits | None = None,
        parameters: SearchParameters | None = None,
        moves: Sequence[str] | None = None,
        *,
        explain: bool = False,
        insist: bool = False,
        unseen: bool = False,
        memory: Memory | None = None,
        caller: Hashable = None,
        part: Hashable = None,
        progress: Progress | None = None,
        every: float = 0.25,
    ) -> Job:
        """A question as `recommend` takes it, with the same errors. `progress` is called on one of the scheduler's threads.

        With `unseen` the job's map is made, too, before anything is searched. A `caller` has one share however much it asks; it
        is divided again among the parts of its work, as the matches that it plays.
        """
        search_run = SearchRun(view, limits, parameters, moves, explain=explain, insist=insist, unseen=unseen, memory=memory)
        job = Job(search_run, caller, part, progress, every)
        with self.changed:
            if self.closed:
                raise SchedulerClosed("the scheduler is closed")
            self.begin(job)
            self.jobs.add(job)
            for tree in range(job.left):
                self.put(Turn(job, tree))
            self.changed.notify_all()
        return job

    def close(self) -> None:
        """End all jobs, answer them as far as they got, and let the threads go."""
        with self.changed:
            self.closed = True
            for job in self.jobs:
                job.stop()
            self.changed.notify_all()
        for thread in self.threads:
            thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def stretch(self) -> float:
        """How many times longer than its work a slice takes: the machine may have other work. What was seen long ago fades."""
        return 1.0 + (self.stretched - 1.0) * math.exp((self.stretched_at - time.monotonic()) / MEMORABLE)

    # ---- On the threads ----

    def serve(self) -> None:
        with background_of(self.nice) as background:
            while (turn := self.next_turn()) is not None:
                self.work(turn, background)

    def work(self, turn: Turn, background: Background | None) -> None:
        """A slice."""
        began, worked = time.monotonic(), time_of(background)
        try:
            ended = turn.job.search_run.work(turn.tree, 1, background)
            self.tell(turn.job)
        except BaseException as error:  # noqa: BLE001
            self.fail(turn.job, error)
            return
        took, worked = time.monotonic() - began, time_of(background) - worked
        if worked > LEAST_WORK:
            self.stretched, self.stretched_at = self.stretch + NEWEST * (max(1.0, took / worked) - self.stretch), began
        self.put_back(turn, ended, took)

    def next_turn(self) -> Turn | None:
        with self.changed:
            while not self.waiting:
                if self.closed and not self.jobs:
                    return None
                self.changed.wait()
            turn = self.first_late(time.monotonic()) or self.first_in_turn()
            turns = self.waiting[turn.job.caller]
            turns.remove(turn)
            if not turns:
                del self.waiting[turn.job.caller]
            return turn

    def first_late(self, now: float) -> Turn | None:
        """What must answer now, the one that is latest."""
        first, soonest = None, now
        for turns in self.waiting.values():
            for turn in turns:
                end = turn.job.search_run.end
                if end is not None and (end < soonest or (first is None and end <= now)):
                    first, soonest = turn, end
        return first

    def first_in_turn(self) -> Turn:
        served = self.served
        caller = min(self.waiting, key=served.__getitem__)
        return min(self.waiting[caller], key=lambda turn: (served[turn.job.part], turn.job.served, turn.number))

    def put(self, turn: Turn) -> None:
        self.waiting.setdefault(turn.job.caller, []).append(turn)

    def begin(self, job: Job) -> None:
        """Counts a job for its caller and its part, which may both come new."""
        if job.caller not in self.served:
            self.find_level()
            self.served[job.caller] = max(self.remembered.pop(job.caller, 0.0), self.level - CREDIT)
        if job.part not in self.served:
            parts = [had for share, had in self.served.items() if len(share) > 1 and share[0] == job.part[0]]
            self.served[job.part] = min(parts, default=0.0)
        for share in (job.caller, job.part):
            self.counts[share] = self.counts.get(share, 0) + 1

    def find_level(self) -> None:
        """It never falls, so that an empty house is no new beginning."""
        self.level = max(self.level, min((had for share, had in self.served.items() if len(share) == 1), default=0.0))

    def leave(self, job: Job) -> None:
        for share in (job.caller, job.part):
            self.counts[share] -= 1
            if not self.counts[share]:
                if share == job.caller:
                    self.find_level()
                    self.remember(share)
                del self.counts[share], self.served[share]

    def remember(self, caller: Share) -> None:
        """What a caller has had that is ahead of others: it would be forgiven else for who leaves and comes again."""
        if len(self.remembered) >= MOST_REMEMBERED:
            ahead = {share: had for share, had in self.remembered.items() if had > self.level - CREDIT}
            self.remembered = dict(list(ahead.items())[-MOST_REMEMBERED // 2 :])
        if self.served[caller] > self.level - CREDIT:
            self.remembered[caller] = self.served[caller]

    def put_back(self, turn: Turn, ended: str | None, seconds: float) -> None:
        job = turn.job
        with self.changed:
            if job not in self.jobs:  # another of its trees failed
                return
            job.served += seconds
            self.served[job.caller] += seconds
            self.served[job.part] += seconds
            if ended is None:
                self.put(Turn(job, turn.tree))
                self.changed.notify()
                return
            job.left -= 1
            job.ended = max(job.ended, ended)
            if job.left:
                return
        # Outside the lock: whoever waits may ask the next question from its callback.
        try:
            answer = job.search_run.answer(job.ended)
        except BaseException as error:  # noqa: BLE001
            self.fail(job, error)
            return
        job.future.set_result(answer)
        self.forget(job)

    def tell(self, job: Job) -> None:
        now = time.monotonic()
        if job.progress is None or now - job.heard < job.every:
            return
        job.heard = now
        job.progress(job.snapshot())

    def fail(self, job: Job, error: BaseException) -> None:
        job.stop()
        with self.changed:
            turns = [turn for turn in self.waiting.pop(job.caller, ()) if turn.job is not job]
            if turns:
                self.waiting[job.caller] = turns
            first = self.drop(job)  # two of its trees may fail at once
        if first:
            job.future.set_exception(error)

    def forget(self, job: Job) -> None:
        with self.changed:
            self.drop(job)

    def drop(self, job: Job) -> bool:
        """Whether it was there."""
        if job not in self.jobs:
            return False
        self.jobs.remove(job)
        self.leave(job)
        self.changed.notify_all()
        return True


@contextmanager
def background_of(nice: int) -> Iterator[Background | None]:
    """A thread that comes so far after others of the process; None where threads have no priorities, or it needs none."""
    if not nice or sys.platform != "linux":
        yield None
        return
    background = Background()
    thread = threading.Thread(target=serve_after, args=(background, nice), name="search-background", daemon=True)
    thread.start()
    try:
        yield background
    finally:
        background.close()
        thread.join()


def serve_after(background: Background, nice: int) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    os.setpriority(os.PRIO_PROCESS, 0, min(own + nice, LEAST_PRIORITY))
    background.serve()


def time_of(background: Background | None) -> float:
    """Seconds of a processor that this thread has had, and who searches for it."""
    return time.thread_time() + (0.0 if background is None else background.worked)
