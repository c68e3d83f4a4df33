"""Questions for bots: who searches them, for how long, and the search itself, watched from the event loop."""

import asyncio
import math
from collections.abc import AsyncGenerator, Hashable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from machiavel.engines import BadOption, Game, GameError, IllegalMove, NotToMove, View
from machiavel.search import KINDS, BadBot, Candidate, Limits, Recommendation, Scheduler, UnseenMap
from machiavel.search.bots import SearchBot, searcher_of
from machiavel.search.comparing import PART
from machiavel.search.specs import Bot, parse
from machiavel.server.clock import SYSTEM_CLOCK, Clock
from machiavel.server.service.admission import Admission
from machiavel.server.service.config import Config
from machiavel.server.service.refusals import BadRequest, NoTime, located

__all__ = [
    "ENDLESS",
    "REHEARSED",
    "USUAL_BOT",
    "SearchAnswer",
    "SearchQueue",
    "SearchRequest",
    "check_time_left",
    "checked_bot",
    "make_searcher",
    "remaining_of",
    "requested_bot",
    "time_to_think",
]

USUAL_BOT = "ismcts"
# The part of the time to the deadline that is kept for the way back, in seconds between two bounds; and what is kept besides for
# each other search under way, since answers that fall due together are made one by one. It is never more than half the time.
MARGIN, LEAST_MARGIN, MOST_MARGIN = 0.08, 0.006, 0.1
CROWD = 0.002
LEAST_TIME, LEAST_REMAINING = 0.002, 0.01
ENDLESS = 1e8  # a deadline beyond this is none
REHEARSED = 200  # iterations in a rehearsal, where nobody says how many


@dataclass(frozen=True)
class SearchRequest:
    """A question: what is given of it by the caller."""

    view: View
    searcher: SearchBot
    iterations: int | None
    seconds: float | None
    moves: Sequence[str] | None
    explain: bool
    remaining: float | None  # seconds to the deadline
    caller: Hashable
    insist: bool = False  # whether a single move is searched, too
    unseen: bool = False  # whether to tell where unseen cards are


class SearchAnswer(NamedTuple):
    """What a search has found."""

    recommendation: Recommendation
    unseen: UnseenMap | None


def checked_bot(text: str, config: Config) -> Bot:
    """The bot of a text; raises BadBot for what makes no sense here."""
    kind, values = parse(text, KINDS)
    if config.rehearsal and values.get("seed", 0) is None:
        kind, values = parse(f"{text}{',' if ':' in text else ':'}seed={int(config.rehearsal) % (1 << 31)}", KINDS)
    if values.get("reuse"):
        raise BadBot(text, "reuse cannot be true here; the service keeps nothing from call to call")
    if values.get("megabytes", 0) > config.megabytes:
        raise BadBot(text, f"megabytes cannot be {values['megabytes']} here; at most {config.megabytes}")
    return kind.make(values)


def requested_bot(text: str, game: Game, players: int, config: Config) -> Bot:
    """The bot of a text as it plays that game: a SearchBot if it searches, a level's too; raises Refusal."""
    with located(lambda _: "bot"):
        bot = checked_bot(text or USUAL_BOT, config)
        return searcher_of(bot, game, players) or bot


def make_searcher(text: str, game: Game, players: int, config: Config) -> SearchBot:
    """The searching bot of a text; raises Refusal, or BadRequest for one that does not search."""
    bot = requested_bot(text, game, players, config)
    if not isinstance(bot, SearchBot):
        raise BadRequest("bot", f"is {text[:100]}, which does not search; expected ismcts, pimc or a level")
    return bot


def limits_of(search_request: SearchRequest, config: Config, now: float, others: int = 0) -> Limits:
    """What ends the search, the deadline and the server's own bound included; raises Refusal or NoTime."""
    given = Limits(iterations=search_request.iterations, seconds=search_request.seconds)
    with located(limit_place):
        given.check()
    end = now + config.seconds_most
    limits = search_request.searcher.limits(replace(given, deadline=end))
    if config.rehearsal and limits.iterations is None:
        limits = replace(limits, iterations=REHEARSED)
    if limits.iterations is None and search_request.seconds is None and search_request.remaining is None:
        end = min(end, now + config.seconds)
    if search_request.seconds is not None:
        end = min(end, now + search_request.seconds)
    if search_request.remaining is not None:
        end = min(end, now + time_to_think(search_request.remaining, others))
    return Limits(iterations=limits.iterations, deadline=end)


def part_of(search_request: SearchRequest, move: str, config: Config) -> SearchRequest:
    """The question how one move does."""
    iterations, seconds = search_request.iterations, search_request.seconds
    if iterations is None and seconds is None:
        iterations = search_request.searcher.limits(Limits(deadline=math.inf)).iterations
        seconds = config.seconds if search_request.remaining is None else min(search_request.remaining, ENDLESS)
    return replace(
        search_request,
        moves=[move],
        explain=True,
        insist=True,
        unseen=False,
        iterations=None if iterations is None else max(1, iterations // PART),
        seconds=None if seconds is None else seconds / PART,
    )


def remaining_of(context: Any) -> float | None:
    """Seconds to the deadline of a call, None where there is none."""
    seconds: float | None = context.time_remaining()
    return None if seconds is None or seconds > ENDLESS else seconds


def time_to_think(remaining: float, others: int) -> float:
    """What a deadline leaves of so many seconds; raises NoTime."""
    if remaining < LEAST_REMAINING:
        raise NoTime("the deadline leaves too little time to think", f"{1000 * LEAST_REMAINING:g} ms or more")
    margin = min(max(MARGIN * remaining, LEAST_MARGIN), MOST_MARGIN) + CROWD * others
    return remaining - min(margin, remaining / 2)


def check_time_left(end: float, clock: Clock) -> None:
    """Raises NoTime where a search that begins now would have too little."""
    if end - clock.monotonic() < LEAST_TIME:
        raise NoTime("too little time is left for the search", f"{1000 * LEAST_TIME:g} ms or more")


def limit_place(error: GameError) -> str:
    name = error.option if isinstance(error, BadOption) else ""
    return {"iterations": "limits.iterations", "seconds": "limits.time"}.get(name, "limits")


def question_place(error: GameError) -> str:
    if isinstance(error, IllegalMove):
        return "moves"
    if isinstance(error, NotToMove):
        return "seat"
    return "bot"


class SearchQueue:
    """Takes questions to the scheduler. Belongs to one event loop.

    The search holds deadlines against time.monotonic(), so the clock's monotonic time must be that one.
    """

    def __init__(self, config: Config, clock: Clock = SYSTEM_CLOCK) -> None:
        self.config = config
        self.clock = clock
        self.scheduler = Scheduler(config.workers or None)
        self.admission = Admission(config.searches, config.queue)
        self.running = 0

    async def answer(self, search_request: SearchRequest) -> SearchAnswer:
        """The one final answer."""
        async with aclosing(self.answers(search_request, None)) as answers:
            return await anext(answers)

    async def measure(self, search_request: SearchRequest, move: str) -> tuple[Candidate, SearchRequest]:
        """One move searched by itself with a part of what the question may take, and the question with the time that is left."""
        began = self.clock.monotonic()
        recommendation, _ = await self.answer(part_of(search_request, move, self.config))
        gone = self.clock.monotonic() - began
        seconds = None if search_request.seconds is None else max(search_request.seconds - gone, LEAST_TIME)
        remaining = None if search_request.remaining is None else search_request.remaining - gone
        return recommendation.candidates[0], replace(search_request, seconds=seconds, remaining=remaining)

    async def answers(self, search_request: SearchRequest, every: float | None) -> AsyncGenerator[SearchAnswer, None]:
        """Every so many seconds the answer so far, then the final one. Closing it ends the search at once.

        In a rehearsal the final one alone, for how far the others are nobody can say.
        """
        if self.config.rehearsal:
            every = None
        now = self.clock.monotonic()
        limits = limits_of(search_request, self.config, now, self.running)
        loop = asyncio.get_running_loop()
        await self.admission.enter((limits.deadline or now) - now)
        try:
            check_time_left(limits.deadline or 0.0, self.clock)
            with located(question_place):
                job = self.scheduler.submit(
                    search_request.view,
                    limits,
                    search_request.searcher.parameters,
                    search_request.moves,
                    explain=search_request.explain,
                    insist=search_request.insist,
                    unseen=search_request.unseen,
                    caller=search_request.caller,
                )
        except BaseException:
            self.admission.leave()
            raise
        self.running += 1
        job.future.add_done_callback(lambda _: loop.call_soon_threadsafe(self.left))
        done = asyncio.wrap_future(job.future)
        try:
            while every is not None and not (await asyncio.wait({done}, timeout=every))[0]:
                recommendation = job.snapshot()
                # It may have ended since: then that is the final answer, which comes below.
                if recommendation.iterations and recommendation.stopped == "running":
                    yield SearchAnswer(recommendation, job.unseen)
            yield SearchAnswer(await done, job.unseen)
        finally:
            job.stop()

    def left(self) -> None:
        self.running -= 1
        self.admission.leave()

    async def close(self) -> None:
        """End all searches, with what they have found, and let the threads go."""
        self.admission.close()
        await asyncio.to_thread(self.scheduler.close)
