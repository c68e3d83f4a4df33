"""ReviewGame: the moves of a record, judged by searches that share the scheduler with all others."""

import asyncio
import math
from collections import deque
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from machiavel import v1
from machiavel.engines import LANGUAGES, BadOption, BadRecord, GameError
from machiavel.search import Judgement, Limits, Moment, SearchParameters, SeatStory, Transcript, story_of
from machiavel.search.reviews import Decision, Review, Stopped, judge
from machiavel.search.search_run import DEFAULT_ITERATIONS
from machiavel.server.reviews.review_texts import sentence
from machiavel.server.service import messages, wire
from machiavel.server.service.refusals import located
from machiavel.server.service.search_queue import SearchQueue, check_time_left, make_searcher, time_to_think

__all__ = ["Commission", "commission", "judgements", "move_message", "summary_message"]

USUAL_BOT = "ismcts:seed=0"


@dataclass(frozen=True)
class Commission:
    """A review that somebody asked for, checked."""

    transcript: Transcript
    parameters: SearchParameters
    iterations: int
    end: float  # on the search queue's clock
    caller: str


def commission(
    request: v1.ReviewGameRequest, seconds: float | None, remaining: float | None, caller: str, search_queue: SearchQueue
) -> Commission:
    """What is asked for; raises Refusal, BadRequest or NoTime. Nothing of the record is kept but what replays it."""
    state = wire.read_state(request.record)
    searcher = make_searcher(request.bot or USUAL_BOT, state.game, state.rules.players, search_queue.config)
    asked = request.iterations if request.HasField("iterations") else None
    result = searcher.limits(Limits(iterations=asked, deadline=math.inf)).iterations
    iterations = DEFAULT_ITERATIONS if result is None else result
    with located(place):
        transcript = Transcript(state.record(), request.seats or None)
        review = Review(transcript, iterations, searcher.parameters, threads=1)
    now = search_queue.clock.monotonic()
    longest = [search_queue.config.seconds_most]
    longest += [] if seconds is None else [seconds]
    longest += [] if remaining is None else [time_to_think(remaining, search_queue.load)]
    return Commission(transcript, review.parameters, iterations, now + min(longest), caller)


def place(error: GameError) -> str:
    if isinstance(error, BadRecord):
        return f"record.{error.field}"
    name = error.option if isinstance(error, BadOption) else ""
    return name if name in {"seats", "iterations"} else "bot"


async def judgements(asked: Commission, search_queue: SearchQueue) -> AsyncGenerator[Judgement, None]:
    """In the order of the moves, until all are judged or time is up. Closing it ends its searches at once."""
    async with admitted(asked, search_queue):
        decisions = asked.transcript.decisions()
        ahead: deque[asyncio.Task[Judgement]] = deque()
        try:
            while True:
                for decision in islice(decisions, max(0, most_ahead(search_queue) - len(ahead))):
                    ahead.append(asyncio.create_task(judged(asked, search_queue, decision)))
                if not ahead:
                    return
                yield await ahead[0]
                ahead.popleft()
        except Stopped:
            return
        finally:
            for task in ahead:
                task.cancel()
            await asyncio.gather(*ahead, return_exceptions=True)


def most_ahead(search_queue: SearchQueue) -> int:
    """How many moves of a review are searched at once: enough for all threads, which need no more trees from each of many."""
    return max(1, len(search_queue.scheduler.threads) // max(1, search_queue.running))


@asynccontextmanager
async def admitted(asked: Commission, search_queue: SearchQueue) -> AsyncGenerator[None, None]:
    """A whole review takes one place among the searches."""
    span = search_queue.admission.span_of(asked.transcript.game.name, asked.iterations * len(asked.transcript.choices))
    async with search_queue.admission.place(asked.caller, asked.end - search_queue.clock.monotonic(), span):
        search_queue.running += 1
        try:
            check_time_left(asked.end, search_queue.clock)
            yield
        finally:
            search_queue.running -= 1


async def judged(asked: Commission, search_queue: SearchQueue, decision: Decision) -> Judgement:
    judging = judge(decision, asked.iterations)
    question = next(judging)
    while True:
        limits = Limits(iterations=question.iterations, deadline=asked.end)
        job = search_queue.scheduler.submit(
            decision.view, limits, asked.parameters, question.moves, insist=True, caller=asked.caller
        )
        with stopping(job):
            result = await asyncio.wrap_future(job.future)
        try:
            question = judging.send(result)
        except StopIteration as done:
            judgement: Judgement = done.value
            return judgement


@contextmanager
def stopping(job: Any) -> Iterator[None]:
    try:
        yield
    finally:
        job.stop()


# ---- Messages ----


def quality(label: str) -> Any:
    return v1.MoveQuality.Value(f"MOVE_QUALITY_{label.upper()}")


def said_move(transcript: Transcript, ply: int, text: str) -> v1.Move:
    """What could be played after so many moves, as it is called there."""
    seen = transcript.public[ply] if transcript.game.plugin.names_by_position else {}
    return wire.move_message(transcript.end, text, seen)


def move_message(transcript: Transcript, one: Judgement) -> v1.ReviewedMove:
    return v1.ReviewedMove(
        ply=one.ply,
        seat=one.seat,
        move=said_move(transcript, one.ply, one.move),
        best=said_move(transcript, one.ply, one.best),
        quality=quality(one.label),
        loss=one.loss,
        error=one.error,
        best_chance=one.best_chance,
        played_chance=one.played_chance,
        iterations=one.iterations,
    )


def summary_message(asked: Commission, judged_moves: list[Judgement]) -> v1.ReviewSummary:
    transcript = asked.transcript
    story = story_of(transcript, judged_moves)
    total = len(transcript.choices)
    parameters = v1.SearchParameters()
    messages.put(parameters, {name: getattr(asked.parameters, name) for name in SearchParameters.__dataclass_fields__})
    return v1.ReviewSummary(
        game=transcript.game.name,
        rules_version=transcript.game.rules_version,
        parameters=parameters,
        iterations=asked.iterations,
        judged=len(judged_moves),
        total=total,
        stopped=v1.StopReason.STOP_REASON_ITERATIONS if len(judged_moves) == total else v1.StopReason.STOP_REASON_TIME,
        seats=map(seat_message, story.seats),
        moments=[moment_message(transcript, one) for one in story.moments],
    )


def seat_message(seat: SeatStory) -> v1.SeatReview:
    return v1.SeatReview(
        seat=seat.seat,
        chances=[v1.ChancePoint(ply=point.ply, chance=point.chance) for point in seat.chances],
        qualities=[v1.QualityCount(quality=quality(label), count=count) for label, count in seat.labels.items()],
        loss=seat.loss,
        accuracy=seat.accuracy,
        result=seat.result,
    )


def moment_message(transcript: Transcript, one: Moment) -> v1.Moment:
    return v1.Moment(
        kind=v1.MomentKind.Value(f"MOMENT_KIND_{one.kind.upper()}"),
        seat=one.seat,
        ply=one.ply,
        until_ply=one.until,
        before=one.before,
        after=one.after,
        move=said_move(transcript, one.ply, one.move) if one.move else None,
        best=said_move(transcript, one.ply, one.best) if one.best else None,
        text=wire.text_message({language: sentence(transcript, one, language) for language in LANGUAGES}),
    )
