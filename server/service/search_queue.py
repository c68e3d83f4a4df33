"""Questions for bots: who searches them, for how long, and the search itself, watched from the event loop."""

import asyncio
import math
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from machiavel.engines import BadOption, Game, GameError, IllegalMove, NotToMove, View
from machiavel.search import KINDS, BadBot, Candidate, Job, Limits, Recommendation, Scheduler, UnseenMap
from machiavel.search.bots import SearchBot, searcher_of
from machiavel.search.comparing import PART
from machiavel.search.specs import Bot, parse
from machiavel.server.clock import SYSTEM_CLOCK, Clock
from machiavel.server.service.admission import Admission
from machiavel.server.service.answer_pace import AnswerPace
from machiavel.server.service.config import Config
from machiavel.server.service.deadlines import CALM, Deadlines, Load, margin_of
from machiavel.server.service.refusals import BadRequest, NoTime, located
from machiavel.server.shares import QueuePlace, Shares

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
    "unchanged",
]

Shown = TypeVar("Shown")

USUAL_BOT = "ismcts"
MOST_FIRST = 4  # times as many first places as there are others, at most: each search has a tree in memory
SEARCHING = ("ismcts", "pimc", "level")  # how the texts of bots begin that search
LEAST_TIME, LEAST_REMAINING = 0.002, 0.01
NICE = 12  # by which searches come after the answers to all other calls
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
    caller: str
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


def limits_of(search_request: SearchRequest, config: Config, now: float, load: Load = CALM) -> Limits:
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
        end = min(end, now + time_to_think(search_request.remaining, load))
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


def time_to_think(remaining: float, load: Load = CALM) -> float:
    """What a deadline leaves of so many seconds; raises NoTime."""
    if remaining < LEAST_REMAINING:
        raise NoTime("the deadline leaves too little time to think", f"{1000 * LEAST_REMAINING:g} ms or more")
    return remaining - margin_of(remaining, load)


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


def unchanged(answer: SearchAnswer) -> SearchAnswer:
    return answer


class SearchQueue:
    """Takes questions to the scheduler. Belongs to one event loop.

    The search holds deadlines against time.monotonic(), so the clock's monotonic time must be that one.
    """

    def __init__(self, config: Config, clock: Clock = SYSTEM_CLOCK, shares: Shares | None = None) -> None:
        self.config = config
        self.clock = clock
        self.scheduler = Scheduler(config.workers or None, NICE)
        # Each caller has a first place besides, so that nobody waits for others to end what takes a minute.
        shares = shares or Shares(clock=clock)
        beyond = max(config.searches, min(shares.known, MOST_FIRST * config.searches))
        places = shares.queue("searches", config.searches, config.queue, beyond=beyond, line_name="waiting", what="searches wait")
        self.admission = Admission(places, clock)
        self.deadlines = Deadlines(lambda: self.scheduler.stretch, clock)
        self.pace = AnswerPace(clock)
        self.running = 0

    @property
    def load(self) -> Load:
        """How busy the server is now."""
        return Load(self.running, self.scheduler.stretch, self.deadlines.lag)

    async def answer(self, search_request: SearchRequest) -> SearchAnswer:
        """The one final answer."""
        async with aclosing(self.answers(search_request, None, unchanged)) as answers:
            return await anext(answers)

    async def measure(self, search_request: SearchRequest, move: str) -> tuple[Candidate, SearchRequest]:
        """One move searched by itself with a part of what the question may take, and the question with the time that is left."""
        began = self.clock.monotonic()
        recommendation, _ = await self.answer(part_of(search_request, move, self.config))
        gone = self.clock.monotonic() - began
        seconds = None if search_request.seconds is None else max(search_request.seconds - gone, LEAST_TIME)
        remaining = None if search_request.remaining is None else search_request.remaining - gone
        return recommendation.candidates[0], replace(search_request, seconds=seconds, remaining=remaining)

    async def answers(
        self, search_request: SearchRequest, every: float | None, show: Callable[[SearchAnswer], Shown]
    ) -> AsyncGenerator[Shown, None]:
        """What `show` makes of the answer so far every so many seconds, then of the final one. Closing it ends the search.

        Of the answers so far there are fewer where the server has no time for all that callers want.
        In a rehearsal the final one alone, for how far the others are nobody can say.
        """
        if self.config.rehearsal:
            every = None
        now = self.clock.monotonic()
        limits = limits_of(search_request, self.config, now, self.load)
        place = await self.place_for(search_request, limits, now)
        try:
            began = self.clock.monotonic()
            if search_request.remaining is not None:  # the machine may have become busy meanwhile
                left = now + search_request.remaining - began
                limits = replace(limits, deadline=min(limits.deadline or math.inf, began + time_to_think(left, self.load)))
            check_time_left(limits.deadline or 0.0, self.clock)
            job = self.submit(search_request, limits)
        except BaseException:
            self.admission.leave(place)
            raise
        if search_request.remaining is not None:
            self.deadlines.add(job, now + search_request.remaining, search_request.remaining)
        loop = asyncio.get_running_loop()
        self.running += 1
        one = [job]  # a future keeps its callbacks, and would so keep itself
        job.future.add_done_callback(lambda _: loop.call_soon_threadsafe(self.left, one.pop(), place, began))
        done = asyncio.wrap_future(job.future)

        def so_far() -> Shown | None:
            recommendation = job.snapshot()
            # It may have ended since: then that is the final answer, which comes below.
            is_one = recommendation.iterations and recommendation.stopped == "running"
            return show(SearchAnswer(recommendation, job.unseen)) if is_one else None

        try:
            while every is not None and not (await asyncio.wait({done}, timeout=every))[0]:
                shown = await self.pace.make(so_far, search_request.caller, done)
                if shown is not None:
                    yield shown
            yield show(SearchAnswer(await done, job.unseen))
        finally:
            job.stop()

    def check_line(self, bot: str, caller: str, seconds: float | None, remaining: float | None) -> None:
        """Raises TooBusy where a search of that bot would be refused, before its question is read. Other bots pass."""
        if not bot or bot.startswith(SEARCHING):
            self.admission.check_line(
                caller, min(one for one in (seconds, remaining, self.config.seconds_most) if one is not None)
            )

    async def place_for(self, search_request: SearchRequest, limits: Limits, now: float) -> QueuePlace:
        """Raises TooBusy, NoTime or ShuttingDown."""
        span = self.admission.span_of(search_request.view.game.name, limits.iterations)
        return await self.admission.enter(search_request.caller, (limits.deadline or now) - now, span)

    def submit(self, search_request: SearchRequest, limits: Limits) -> Job:
        """Raises Refusal."""
        with located(question_place):
            return self.scheduler.submit(
                search_request.view,
                limits,
                search_request.searcher.parameters,
                search_request.moves,
                explain=search_request.explain,
                insist=search_request.insist,
                unseen=search_request.unseen,
                caller=search_request.caller,
            )

    def left(self, job: Job, place: QueuePlace, began: float) -> None:
        self.running -= 1
        self.deadlines.remove(job)
        self.admission.leave(place)
        if not job.future.exception():
            self.admission.note(job.search_run.view.game.name, job.future.result().iterations, self.clock.monotonic() - began)

    async def close(self) -> None:
        """End all searches, with what they have found, and let the threads go."""
        self.admission.close()
        await asyncio.to_thread(self.scheduler.close)
