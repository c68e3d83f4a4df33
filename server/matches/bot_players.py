"""Bots that play by themselves: when they answer, and what."""

import asyncio
import math
import random
from typing import Protocol

from machiavel.engines import View
from machiavel.search import Limits, Recommendation, Scheduler, SearchParameters, make_bot
from machiavel.search.bots import GreedyBot, searcher_of
from machiavel.server.clock import SYSTEM_CLOCK, Clock
from machiavel.server.matches.faults import frames_of, kind_of
from machiavel.server.matches.match_setup import Player

__all__ = ["BotFaultLog", "BotPlayers"]

# A search ends when so much of the time is over, so that its answer is ready when the time is up, whatever it was about.
SEARCHED, SHORTEST = 0.75, 0.9
SYSTEM = random.SystemRandom()
HOUSE = "matches"  # all hosted bots together have the share of one caller


class BotFaultLog(Protocol):
    """Where faults are told. None of it says whose seat it was, nor anything of a match but its name."""

    def bot_failed(self, match: str, kind: str, frames: list[str]) -> None:
        """A bot has failed; its seat plays the greedy move."""

    def bot_late(self) -> None:
        """There was no time for a single line of play; the seat plays the greedy move."""


class BotPlayers:
    """Belongs to one event loop. So many bots think at once; the others wait in line, and their time begins when they come to it.

    When an answer is given depends on nothing that is hidden: a bot has its place for its time, less up to a tenth of it drawn
    anew, whether it searches or has one move alone, and however soon it knows what it will do.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        places: int,
        fault_log: BotFaultLog,
        clock: Clock = SYSTEM_CLOCK,
        iterations: int | None = None,
    ) -> None:
        """`iterations`: the most of a search, in place of a time: bots answer one after the other, as soon as they can."""
        self.scheduler = scheduler
        self.iterations = iterations
        self.places = asyncio.Semaphore(places if iterations is None else 1)
        self.fault_log = fault_log
        self.clock = clock

    async def answer(self, match: str, view: View, player: Player) -> str:
        """A legal move of the view's seat, when its time is up."""
        async with self.places:
            if self.iterations is not None:
                return await self.chosen(match, view, player, math.inf)
            began = self.clock.monotonic()
            due = began + player.think * SYSTEM.uniform(SHORTEST, 1.0)
            work = asyncio.ensure_future(self.chosen(match, view, player, began + SEARCHED * player.think))
            try:
                await self.clock.sleep(due - self.clock.monotonic())
                if not work.done():
                    self.fault_log.bot_late()
                    return greedy_move(view)
                return work.result()
            finally:
                work.cancel()

    async def chosen(self, match: str, view: View, player: Player, deadline: float) -> str:
        try:
            return await self.choose(match, view, player.spec, deadline)
        except Exception as error:  # noqa: BLE001
            self.fault_log.bot_failed(match, kind_of(error), frames_of(error))
            return greedy_move(view)

    async def choose(self, match: str, view: View, spec: str, deadline: float) -> str:
        bot = make_bot(spec)
        searcher = searcher_of(bot, view.game, view.players)
        if searcher is None:
            return checked(view, bot.choose(view))
        limits = searcher.limits(Limits(deadline=deadline))
        if self.iterations is not None:
            own = searcher.limits().iterations or self.iterations
            limits = Limits(iterations=min(own, self.iterations))
        recommendation = await self.search(match, view, limits, searcher.parameters)
        if not recommendation.iterations and recommendation.stopped != "forced":
            self.fault_log.bot_late()
            return greedy_move(view)
        return checked(view, searcher.move(view, recommendation))

    async def search(self, match: str, view: View, limits: Limits, parameters: SearchParameters) -> Recommendation:
        job = self.scheduler.submit(view, limits, parameters, caller=match, house=HOUSE)
        try:
            return await asyncio.wrap_future(job.future)
        finally:
            job.stop()


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
