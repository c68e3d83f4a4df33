"""Many questions at once on a few threads: a slice at a time, to whoever has had the least."""

import itertools
import os
import threading
import time
from collections.abc import Hashable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from machiavel.engines import View
from machiavel.search.limits import Limits
from machiavel.search.parameters import SearchParameters
from machiavel.search.recommendation import Recommendation
from machiavel.search.search_run import Memory, Progress, SearchRun
from machiavel.search.unseen_maps import UnseenMap

__all__ = ["Job", "Scheduler", "SchedulerClosed"]


Share = tuple[Hashable, ...]


class SchedulerClosed(RuntimeError):
    """The scheduler takes no more questions."""


class Job:
    """A question under way."""

    def __init__(self, search_run: SearchRun, caller: Hashable, house: Hashable, progress: Progress | None, every: float) -> None:
        self.search_run = search_run
        # Whose shares it counts for, the wider one first.
        self.shares: tuple[Share, ...] = (("caller", caller),) if house is None else (("house", house), ("house", house, caller))
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
    def unseen(self) -> UnseenMap | None:
        """Where unseen cards are: None before the first slice, where it was not asked for, or where time did not allow it."""
        return self.search_run.unseen

    def result(self, timeout: float | None = None) -> Recommendation:
        """The answer, once there is one; raises TimeoutError. It goes on where the wait is given up."""
        return self.future.result(timeout)


def is_alike(share: Share, other: Share) -> bool:
    """Whether they compete: all callers and houses do, and the callers of a house."""
    return len(share) == len(other) and (len(share) == 2 or share[:2] == other[:2])


@dataclass
class Turn:
    """A tree that waits for its next slice."""

    job: Job
    tree: int
    number: int = field(default_factory=itertools.count().__next__)  # who has waited longest, between equals


class Scheduler:
    """Serves many searches with a few threads.

    The next slice goes to what must answer now, then to the caller that has had the least time so far, then to the job of that
    caller that has. Callers of one house have one caller's share between them, and among them the same holds. Who comes new
    begins with as much as the least served of its like has had: nobody makes up for sleep.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.changed = threading.Condition()
        self.waiting: list[Turn] = []
        self.jobs: set[Job] = set()
        self.served: dict[Share, float] = {}
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
        house: Hashable = None,
        progress: Progress | None = None,
        every: float = 0.25,
    ) -> Job:
        """A question as `recommend` takes it, with the same errors. `progress` is called on one of the scheduler's threads.

        With `unseen` the job's map is made, too, before anything is searched.
        """
        search_run = SearchRun(view, limits, parameters, moves, explain=explain, insist=insist, unseen=unseen, memory=memory)
        job = Job(search_run, caller, house, progress, every)
        with self.changed:
            if self.closed:
                raise SchedulerClosed("the scheduler is closed")
            for share in job.shares:
                if share not in self.served:
                    self.served[share] = min((had for other, had in self.served.items() if is_alike(share, other)), default=0.0)
            self.jobs.add(job)
            self.waiting += [Turn(job, tree) for tree in range(job.left)]
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

    # ---- On the threads ----

    def serve(self) -> None:
        while (turn := self.next_turn()) is not None:
            began = time.monotonic()
            try:
                ended = turn.job.search_run.work(turn.tree, 1)
                self.tell(turn.job)
            except BaseException as error:  # noqa: BLE001
                self.fail(turn.job, error)
                continue
            self.put_back(turn, ended, time.monotonic() - began)

    def next_turn(self) -> Turn | None:
        with self.changed:
            while not self.waiting:
                if self.closed and not self.jobs:
                    return None
                self.changed.wait()
            now = time.monotonic()
            turn = min(self.waiting, key=lambda one: self.rank(one, now))
            self.waiting.remove(turn)
            return turn

    def rank(self, turn: Turn, now: float) -> tuple[bool, float, float, float, int]:
        job = turn.job
        end, served = job.search_run.end, self.served
        return (end is None or end > now, served[job.shares[0]], served[job.shares[-1]], job.served, turn.number)

    def put_back(self, turn: Turn, ended: str | None, seconds: float) -> None:
        job = turn.job
        with self.changed:
            if job not in self.jobs:  # another of its trees failed
                return
            job.served += seconds
            for share in job.shares:
                self.served[share] += seconds
            if ended is None:
                self.waiting.append(Turn(job, turn.tree))
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
            self.waiting = [turn for turn in self.waiting if turn.job is not job]
            first = job in self.jobs  # two of its trees may fail at once
            self.jobs.discard(job)
        if first:
            self.forget(job)
            job.future.set_exception(error)

    def forget(self, job: Job) -> None:
        with self.changed:
            self.jobs.discard(job)
            for share in job.shares:
                if all(share not in other.shares for other in self.jobs):
                    self.served.pop(share, None)
            self.changed.notify_all()
