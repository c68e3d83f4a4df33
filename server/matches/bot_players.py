"""Bots that play by themselves: when they answer, and what."""

import asyncio
import math
from collections import Counter
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Protocol

from machiavel.engines import View
from machiavel.search import Job, Limits, Recommendation, Scheduler, SearchParameters, make_bot
from machiavel.search.bots import GreedyBot, searcher_of
from machiavel.search.entropy import drawn_bytes
from machiavel.server.clock import SYSTEM_CLOCK, Clock
from machiavel.server.matches.faults import frames_of, kind_of
from machiavel.server.matches.match_setup import Player
from machiavel.server.shares import FairQueue, OverShare, QueuePlace

__all__ = ["ENDLESS", "BotFaultLog", "BotPlayers"]

# A search ends when so much of the time is over, so that its answer is ready when the time is up, whatever it was about.
SEARCHED, SHORTEST = 0.75, 0.9
UNDISTURBED = 0.5  # seconds that a search has its place for, whoever wants it
MOVES_AT_ONCE = 32
ENDLESS = 1 << 40  # no bound: a match has one answer in line for each seat that is asked


class BotFaultLog(Protocol):
    """Where faults are told. None of it says whose seat it was, nor anything of a match but its name."""

    def bot_failed(self, match: str, kind: str, frames: list[str]) -> None:
        """A bot has failed; its seat plays the greedy move."""

    def bot_late(self) -> None:
        """There was no time for a single line of play; the seat plays the greedy move."""


class BotPlayers:
    """Belongs to one event loop. A bot that waits for its time to be over holds nothing: a search has a place while it searches.

    When an answer is given depends on nothing that is hidden: a bot answers when its time is up, which begins with the question,
    less up to a tenth of it drawn anew. That is so whether it searches or has one move alone, and however soon it knows what it
    will do. Where searches wait for places, those that would use all their time take less of it, and one that has run for a while
    yields to a caller that has fewer. A bot that came to no search plays the greedy move.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        searches: FairQueue,
        fault_log: BotFaultLog,
        clock: Clock = SYSTEM_CLOCK,
        iterations: int | None = None,
    ) -> None:
        """`iterations`: the most of a search, in place of a time: bots answer one after the other, as soon as they can."""
        self.scheduler = scheduler
        self.iterations = iterations
        self.searches = searches
        self.moves = FairQueue("moves", MOVES_AT_ONCE, ENDLESS, clock=clock)
        self.rehearsal = asyncio.Semaphore(1)
        self.running: dict[Job, tuple[str, float]] = {}  # whose it is, and since when
        self.yielding: set[Job] = set()  # those of them that end for somebody else
        self.fault_log = fault_log
        self.clock = clock

    async def answer(self, match: str, account: str, view: View, player: Player, asked: float) -> str:
        """A legal move of the view's seat, when its time is up, which runs from `asked` on by the clock's monotonic time."""
        if self.iterations is not None:
            async with self.rehearsal:
                return await self.chosen(match, account, view, player, math.inf)
        due = asked + player.think * (SHORTEST + (1.0 - SHORTEST) * drawn_part())
        work = asyncio.ensure_future(self.chosen(match, account, view, player, asked + SEARCHED * player.think))
        try:
            await self.clock.sleep(due - self.clock.monotonic())
            if not work.done():
                self.fault_log.bot_late()
                return greedy_move(view)
            return work.result()
        finally:
            work.cancel()

    def turn(self, account: str) -> AbstractAsyncContextManager[object]:
        """Held while a bot's move is checked and written: few at once, by account in turn, so that none hold up all else."""
        return self.moves.place(account)

    async def chosen(self, match: str, account: str, view: View, player: Player, deadline: float) -> str:
        try:
            return await self.choose(match, account, view, player.spec, deadline)
        except Exception as error:  # noqa: BLE001
            self.fault_log.bot_failed(match, kind_of(error), frames_of(error))
            return greedy_move(view)

    async def choose(self, match: str, account: str, view: View, spec: str, deadline: float) -> str:
        bot = make_bot(spec)
        searcher = searcher_of(bot, view.game, view.players)
        if searcher is None:
            return checked(view, bot.choose(view))
        limits = searcher.limits(Limits(deadline=deadline))
        if self.iterations is not None:
            own = searcher.limits().iterations or self.iterations
            limits = Limits(iterations=min(own, self.iterations))
        recommendation = await self.search(match, account, view, limits, searcher.parameters)
        if recommendation is None or (not recommendation.iterations and recommendation.stopped != "forced"):
            self.fault_log.bot_late()
            return greedy_move(view)
        return checked(view, searcher.move(view, recommendation))

    async def search(
        self, match: str, account: str, view: View, limits: Limits, parameters: SearchParameters
    ) -> Recommendation | None:
        """None where no place was free in time, or the caller may have none."""
        deadline = limits.deadline
        try:
            place = await self.place(account, None if deadline is None else deadline - self.clock.monotonic())
        except (TimeoutError, OverShare):
            return None
        try:
            began = self.clock.monotonic()
            if deadline is not None and limits.iterations is None:
                limits = replace(limits, deadline=began + self.part_of(deadline - began))
            job = self.scheduler.submit(view, limits, parameters, caller=account, part=match)
            self.running[job] = (account, began)
            try:
                return await asyncio.wrap_future(job.future)
            finally:
                job.stop()
                self.yielding.discard(job)
                del self.running[job]
        finally:
            place.leave()

    async def place(self, account: str, seconds: float | None) -> QueuePlace:
        if self.searches.has_room(account):
            return await self.searches.enter(account, seconds)
        self.make_room(account)
        later = self.clock.call_later(UNDISTURBED, lambda: self.make_room(account))
        try:
            return await self.searches.enter(account, seconds)
        finally:
            later.cancel()

    def part_of(self, seconds: float) -> float:
        """What each may take of so much time, that all who wait may have as much."""
        places = self.searches.places
        return seconds * places / (places + self.searches.waiting)

    def make_room(self, account: str) -> None:
        """Ends what has run longest of the callers with most, as far as they have more than this one would have."""
        keep = {job: by for job, by in self.running.items() if job not in self.yielding}
        counts = Counter(whose for whose, _ in keep.values())
        while len(keep) >= self.searches.places:
            most = max(counts, key=counts.__getitem__)
            job, (_, began) = next((job, by) for job, by in keep.items() if by[0] == most)
            if counts[most] <= counts[account] + 1 or self.clock.monotonic() - began < UNDISTURBED:
                return
            job.stop()
            self.yielding.add(job)
            counts[most] -= 1
            del keep[job]


def drawn_part() -> float:
    """Anew each time: from 0 up to 1."""
    return int.from_bytes(drawn_bytes(8), "big") / (1 << 64)


def checked(view: View, move: str) -> str:
    """The move; raises ValueError for one that is not legal, which no fault of a bot may bring into a match."""
    if move not in view.legal_moves():
        raise ValueError("a bot chose what is not legal")
    return move


def greedy_move(view: View) -> str:
    """What the rule of thumb plays; should that fail as well, the first legal move."""
    try:
        return checked(view, GreedyBot().choose(view))
    except Exception:  # noqa: BLE001
        return view.legal_moves()[0]
