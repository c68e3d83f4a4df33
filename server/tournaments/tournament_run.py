"""The runner: gives out batches, writes down what comes back, and ends when all is played, decided or stopped."""

import json
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from machiavel.engines import BadOption, GameError
from machiavel.engines.registry import file_of
from machiavel.server.tournaments.batches import Batch, BatchSetup, Block
from machiavel.server.tournaments.executors import RETRIES, Pool
from machiavel.server.tournaments.game_journal import Columns, GameJournal
from machiavel.server.tournaments.plan import Plan
from machiavel.server.tournaments.results import Results

__all__ = ["Outcome", "Progress", "Tournament", "TournamentFailed", "setup_of"]

BATCH_SECONDS = 1.0
MOST_GAMES = 4096  # a batch
FASTER = 4  # times as many games as in the batch before, at most
IN_FLIGHT = 2  # batches for each worker
LOOK_EVERY = 0.2  # seconds between two looks at whether to stop
GRACE = 2.0  # seconds that games under way get to end when the tournament is stopped
JUDGED_EVERY = 1.0  # seconds between two looks at whether it is decided
PARKING = 1.0  # seconds that games under way get to end when the tournament is to pause


class TournamentFailed(GameError):
    """A tournament cannot go on; what was played is kept."""


@dataclass(frozen=True)
class Progress:
    """How far a tournament is."""

    played: int  # games, those of earlier runs included
    total: int
    begun_with: int  # games of earlier runs
    seconds: float  # of this run
    lost: int  # times that workers were lost

    @property
    def seconds_left(self) -> float | None:
        """None while nobody can tell."""
        done = self.played - self.begun_with
        return self.seconds * (self.total - self.played) / done if done else None


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    reason: str  # `played`, `decided`, `stopped`, `paused`
    progress: Progress
    deals: int | None = None  # that decided it


@dataclass
class Task:
    batch: Batch
    tries: int = 0


def setup_of(plan: Plan, addresses: dict[str, str]) -> BatchSetup:
    """What workers need to know; `addresses` are those of bots that are processes, by the text of the bot."""
    options = json.dumps(dict(plan.options), ensure_ascii=False, sort_keys=True)
    addressed, file = tuple(map(addresses.get, plan.bots)), file_of(plan.game)
    return BatchSetup(plan.game, plan.digest, options, plan.bots, addressed, plan.seed, None if file is None else str(file))


@dataclass
class Tournament:
    """One run of a plan, for so many deals.

    `judge` tells, of all whole deals from the first on, how many decide it, if any do.
    """

    plan: Plan
    deals: int
    journal: GameJournal
    pool: Pool
    setup: BatchSetup
    known: Results  # what earlier runs played
    judge: Callable[[Results], int | None] | None = None
    watch: Callable[[Progress], object] = lambda _: None
    stop: threading.Event = field(default_factory=threading.Event)
    is_to_pause: Callable[[], bool] = lambda: False

    def __post_init__(self) -> None:
        self.games = self.plan.schedule.games_a_deal
        self.have = np.zeros((self.deals, self.games), np.bool_)
        self.columns = Columns(self.plan)
        self.size = 1
        self.lost = 0
        self.waiting: deque[Task] = deque()
        self.flying: dict[Future[Block], Task] = {}
        self.judged = 0  # deals
        self.judged_at = -math.inf
        self.take(self.known)
        self.played = self.begun_with = int(self.have.sum())
        self.begun = time.monotonic()
        self.left = self.batches_left()

    def take(self, known: Results) -> None:
        """Raises BadOption where it would have to forget games."""
        played = int(known.deals.max(initial=-1)) + 1
        if played > self.deals:
            raise BadOption("deals", self.deals, f"at least {played}: so many deals have games already")
        self.have[known.deals, known.seatings] = True
        self.columns.add_known(known)

    def run(self) -> Outcome:
        """Until all is played, decided, or `stop` is set. Raises TournamentFailed, or what went wrong in a game.

        Where it is to pause, it goes on when it is run again; games that take long are suspended with their workers.
        """
        self.pool.resume()
        decided = self.decided(final=False)
        while decided is None and not self.stop.is_set():
            if self.is_to_pause():
                self.park()
                return Outcome("paused", self.progress())
            self.fill(self.left)
            if not self.flying:
                break
            done, _ = wait(self.flying, timeout=LOOK_EVERY, return_when=FIRST_COMPLETED)
            self.collect(done)
            self.watch(self.progress())
            decided = self.decided(final=False)
        if decided is None and not self.stop.is_set():
            decided = self.decided(final=True)
        if self.flying:
            self.end()
        self.watch(self.progress())
        reason = "decided" if decided is not None else "stopped" if self.played < self.have.size else "played"
        if reason != "stopped":
            self.journal.in_order(self.deals if decided is None else decided)
        return Outcome(reason, self.progress(), decided)

    def progress(self) -> Progress:
        seconds = time.monotonic() - self.begun
        return Progress(self.played, self.have.size, self.begun_with, seconds, self.lost)

    def results(self) -> Results:
        """All that is played so far."""
        return self.columns.results()

    # ---- Batches ----

    def batches_left(self) -> Iterator[Batch]:
        """What is not played yet, in order, each time as many games as should be given out just then."""
        rest = Batch(*(np.zeros(shape, np.int64) for shape in ((0,), (0,), (0, self.plan.players))))
        deals_at_a_time = max(1, MOST_GAMES // self.games)
        for first in range(0, self.deals, deals_at_a_time):
            missing = np.argwhere(~self.have[first : first + deals_at_a_time])
            deals, seatings = missing[:, 0] + first, missing[:, 1]
            more = Batch(deals, seatings, self.plan.schedule.seats(deals, seatings))
            rest = joined(rest, more)
            while len(rest) and len(rest) >= (size := self.size_now()):
                yield part(rest, 0, size)
                rest = part(rest, size, len(rest))
        while len(rest):
            size = self.size_now()
            yield part(rest, 0, size)
            rest = part(rest, size, len(rest))

    def size_now(self) -> int:
        """Towards the end, less, so that all workers end together."""
        left = self.have.size - self.played
        return max(1, min(self.size, math.ceil(left / (IN_FLIGHT * self.pool.workers))))

    def fill(self, left: Iterator[Batch]) -> None:
        """Gives the workers enough to do."""
        while len(self.flying) < IN_FLIGHT * self.pool.workers:
            task = self.waiting.popleft() if self.waiting else None
            if task is None:
                batch = next(left, None)
                if batch is None:
                    return
                task = Task(batch)
            try:
                self.flying[self.pool.submit(self.setup, task.batch)] = task
            except BrokenExecutor:
                self.waiting.appendleft(task)
                self.replace_workers()

    def collect(self, done: set[Future[Block]]) -> None:
        """Writes down what is played; what was lost is played again."""
        blocks, failure, is_broken = [], None, False
        for future in [
            one for one in self.flying if one in done
        ]:  # in the order they were given out: the journal's, for one worker
            task = self.flying.pop(future)
            try:
                blocks.append(future.result())
            except (BrokenExecutor, CancelledError) as error:
                is_broken = True
                self.again(task, error)
            except Exception as error:  # noqa: BLE001 - raised again, when the others are written down
                if type(error).__name__ != "KilledWorker":  # Dask's
                    failure = failure or error
                    continue
                self.lost += 1
                self.again(task, error)
        self.write(blocks)
        if failure is not None:
            raise failure
        if is_broken:
            self.replace_workers()

    def again(self, task: Task, error: BaseException) -> None:
        task.tries += 1
        if task.tries > RETRIES:
            first = f"deal {task.batch.deals[0]}, seating {task.batch.seatings[0]}"
            raise TournamentFailed(f"workers were lost {task.tries} times over the games from {first} on: {error}")
        self.waiting.append(task)

    def replace_workers(self) -> None:
        """The executor is broken: all that it had is given out again."""
        self.lost += 1
        pending = [*self.flying]
        self.pool.renew()
        blocks = []
        for future in pending:
            task = self.flying.pop(future)
            if future.done() and not future.cancelled() and future.exception() is None:
                blocks.append(future.result())
            else:
                self.waiting.append(task)
        self.write(blocks)

    def write(self, blocks: list[Block]) -> None:
        blocks = [block for block in blocks if len(block)]
        if not blocks:
            return
        self.journal.add(blocks)
        for block in blocks:
            self.played += len(block)
            self.have[block.batch.deals, block.batch.seatings] = True
            self.columns.add_block(block)
        latest = blocks[-1]
        wanted = len(latest) * BATCH_SECONDS / max(latest.seconds, 1e-6)
        self.size = max(1, min(MOST_GAMES, FASTER * len(latest), int(wanted)))

    # ---- Pausing and the end ----

    @property
    def is_parked(self) -> bool:
        """Whether it waits in the middle of games, with its workers suspended."""
        return bool(self.flying)

    def park(self) -> None:
        """Gives nothing out any more; what does not end in a moment is suspended."""
        for future in list(self.flying):
            if future.cancel():
                self.waiting.append(self.flying.pop(future))
        ends = time.monotonic() + PARKING
        while self.flying and (seconds := ends - time.monotonic()) > 0:
            done, _ = wait(self.flying, timeout=seconds, return_when=FIRST_COMPLETED)
            self.collect(done)
        if self.flying:
            self.pool.suspend()
        self.watch(self.progress())

    def decided(self, *, final: bool) -> int | None:
        """How many deals decide it. As the first that do, it does not depend on when we look."""
        now = time.monotonic()
        if self.judge is None or (now - self.judged_at < JUDGED_EVERY and not final):
            return None
        whole: NDArray[np.bool_] = np.asarray(self.have.all(axis=1))
        prefix = len(whole) if whole.all() else int(whole.argmin())
        if prefix == self.judged:
            return None
        self.judged, self.judged_at = prefix, now
        results = self.results()
        return self.judge(results.where(results.deals < prefix))

    def end(self) -> None:
        """Leaves what is under way a moment, then ends it."""
        for future in list(self.flying):
            if future.cancel():
                del self.flying[future]
        for now in (False, True):
            if now:
                self.pool.close(now=True)
            done, _ = wait(self.flying, timeout=GRACE)
            self.write([block for future in done if (block := ended(future)) is not None])
            for future in done:
                del self.flying[future]


def joined(one: Batch, other: Batch) -> Batch:
    return Batch(*(np.concatenate([getattr(one, name), getattr(other, name)]) for name in ("deals", "seatings", "seats")))


def part(batch: Batch, first: int, end: int) -> Batch:
    # Copies: a batch that waits must not keep alive what it was cut from.
    return Batch(*(getattr(batch, name)[first:end].copy() for name in ("deals", "seatings", "seats")))


def ended(future: "Future[Any]") -> Block | None:
    """What a batch has come to, if anything."""
    if future.cancelled() or future.exception() is not None:
        return None
    block: Block = future.result()
    return block
