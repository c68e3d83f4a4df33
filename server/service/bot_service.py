"""BotService: bots as opponents and advisers."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import asdict
from typing import Any

import grpc
from google.protobuf.duration_pb2 import Duration

from machiavel import v1
from machiavel.engines import View
from machiavel.search import KINDS, BotKind, Judgement, Parameter, Style, all_styles, ratings_of_kind
from machiavel.search.bots import SearchBot
from machiavel.server.clock import Clock
from machiavel.server.service import hint_messages, messages, review_stream, wire
from machiavel.server.service.call_interceptor import caller_of
from machiavel.server.service.game_service import seat_of
from machiavel.server.service.refusals import BadRequest, located
from machiavel.server.service.search_queue import (
    SearchAnswer,
    SearchQueue,
    SearchRequest,
    make_searcher,
    remaining_of,
    requested_bot,
)
from machiavel.server.service.worker_thread import RequestWorker
from machiavel.v1.bot_service_pb2_grpc import BotServiceServicer

__all__ = ["BotService", "question", "seconds_of", "since"]

Context = grpc.aio.ServicerContext[Any, Any]
Question = v1.RecommendMoveRequest | v1.AnalyzeMovesRequest

USUAL_INTERVAL, LEAST_INTERVAL, MOST_INTERVAL = 0.25, 0.02, 60.0
BILLION = 1_000_000_000


class BotService(BotServiceServicer):
    """Nothing is kept from call to call; searches go through the search queue."""

    def __init__(self, search_queue: SearchQueue, worker: RequestWorker) -> None:
        self.search_queue = search_queue
        self.worker = worker

    async def ListBots(self, request: v1.ListBotsRequest, context: Context) -> v1.ListBotsResponse:  # noqa: ARG002, N802
        if request.brief:
            return v1.ListBotsResponse(bots=map(brief_kind, KINDS.values()))
        return v1.ListBotsResponse(bots=map(kind_message, KINDS.values()), styles=map(style_message, all_styles()))

    async def RecommendMove(self, request: v1.RecommendMoveRequest, context: Context) -> v1.RecommendMoveResponse:  # noqa: N802
        began = self.search_queue.clock.monotonic()
        self.check_line(request, context)
        view = await self.worker.read(lambda: seen_by_seat(request), request, caller_of(context))
        bot = requested_bot(request.bot, view.game, view.players, self.search_queue.config)
        if not isinstance(bot, SearchBot):
            for field in ("moves", "explain", "what_about"):
                if has(request, field):
                    raise BadRequest(field, f"is set; {request.bot[:100]} does not search, so leave it out")
            with located(lambda _: "seat"):
                move = bot.choose(view)
            return v1.RecommendMoveResponse(move=wire.move_message(view, move), elapsed=since(began, self.search_queue.clock))
        asked = question(request, view, bot, context)
        about, asked = await hint_messages.asked_about(request.what_about, asked, self.search_queue)
        recommendation, unseen = await self.search_queue.answer(asked)
        return v1.RecommendMoveResponse(
            move=wire.move_message(view, asked.searcher.move(view, recommendation)),
            recommendation=wire.recommendation_message(view, recommendation),
            elapsed=since(began, self.search_queue.clock),
            **hint_messages.fields_of(view, recommendation, about, unseen, explained=request.explain),
        )

    async def AnalyzeMoves(  # noqa: N802
        self, request: v1.AnalyzeMovesRequest, context: Context
    ) -> AsyncIterator[v1.AnalyzeMovesResponse]:
        began = self.search_queue.clock.monotonic()
        self.check_line(request, context)
        view = await self.worker.read(lambda: seen_by_seat(request), request, caller_of(context))
        bot = make_searcher(request.bot, view.game, view.players, self.search_queue.config)
        asked = question(request, view, bot, context)
        every = interval_of(request)
        about, asked = await hint_messages.asked_about(request.what_about, asked, self.search_queue)

        def shown(answer: SearchAnswer) -> v1.AnalyzeMovesResponse:
            recommendation, unseen = answer
            return v1.AnalyzeMovesResponse(
                recommendation=wire.recommendation_message(view, recommendation),
                final=recommendation.stopped != "running",
                elapsed=since(began, self.search_queue.clock),
                **hint_messages.fields_of(view, recommendation, about, unseen, explained=request.explain),
            )

        async with aclosing(self.search_queue.answers(asked, every, shown)) as answers:
            async for answer in answers:
                yield answer

    def check_line(self, request: Question, context: Context) -> None:
        """Raises TooBusy where its search would be refused anyway."""
        seconds = request.limits.time.ToNanoseconds() / BILLION if request.limits.HasField("time") else None
        if seconds is None or seconds > 0:  # else it is refused for that
            self.search_queue.check_line(request.bot, caller_of(context), seconds, remaining_of(context))

    async def ReviewGame(self, request: v1.ReviewGameRequest, context: Context) -> AsyncIterator[v1.ReviewGameResponse]:  # noqa: N802
        began = self.search_queue.clock.monotonic()
        seconds = seconds_of(request.time, "time") if request.HasField("time") else None
        caller, remaining = caller_of(context), remaining_of(context)

        def work() -> review_stream.Commission:
            return review_stream.commission(request, seconds, remaining, caller, self.search_queue)

        self.search_queue.check_line(request.bot, caller, seconds, remaining)
        asked = await self.worker.do(work, caller)
        total = len(asked.transcript.choices)
        judged: list[Judgement] = []
        async with aclosing(review_stream.judgements(asked, self.search_queue)) as result:
            async for one in result:
                judged.append(one)
                move = review_stream.move_message(asked.transcript, one)
                yield v1.ReviewGameResponse(
                    move=move, judged=len(judged), total=total, elapsed=since(began, self.search_queue.clock)
                )
        summary = review_stream.summary_message(asked, judged)
        yield v1.ReviewGameResponse(
            summary=summary, judged=len(judged), total=total, elapsed=since(began, self.search_queue.clock)
        )


def seen_by_seat(request: Question) -> View:
    """What the seat in question sees: of a record nothing else is ever looked at."""
    source = request.WhichOneof("source")
    if source is None:
        raise BadRequest("source", "is missing; expected a record or a view")
    if source == "view":
        view = wire.read_view(request.view)
        if request.HasField("seat") and request.seat != view.seat:
            raise BadRequest("seat", f"is {request.seat}; the view is of seat {view.seat}, so leave it out")
        return view
    state = wire.read_state(request.record)
    return state.view(seat_of(state, request.seat) if request.HasField("seat") else state.seat_to_move)


def question(request: Question | v1.HintMoveRequest, view: View, bot: SearchBot, context: Context) -> SearchRequest:
    limits = request.limits
    remaining = remaining_of(context)
    return SearchRequest(
        view,
        bot,
        limits.iterations if limits.HasField("iterations") else None,
        seconds_of(limits.time, "limits.time") if limits.HasField("time") else None,
        list(request.moves) or None,
        request.explain or bool(request.what_about),
        remaining,
        caller_of(context),
        unseen=request.explain,
    )


def has(request: Question, field: str) -> bool:
    return any(result.name == field for result, _ in request.ListFields())


def seconds_of(duration: Duration, path: str) -> float:
    seconds = duration.seconds + duration.nanos / BILLION
    if seconds <= 0:
        raise BadRequest(path, f"is {seconds:g} s; expected more than 0")
    return seconds


def interval_of(request: v1.AnalyzeMovesRequest) -> float:
    if not request.HasField("interval"):
        return USUAL_INTERVAL
    seconds = seconds_of(request.interval, "interval")
    if not LEAST_INTERVAL <= seconds <= MOST_INTERVAL:
        raise BadRequest("interval", f"is {seconds:g} s; expected {LEAST_INTERVAL:g} to {MOST_INTERVAL:g}")
    return seconds


def since(began: float, clock: Clock) -> Duration:
    message = Duration()
    message.FromNanoseconds(int(clock.elapsed(began) * BILLION))
    return message


def kind_message(kind: BotKind) -> v1.BotKind:
    return v1.BotKind(
        name=kind.name,
        help=wire.typeset_message(kind.help),
        parameters=map(parameter_message, kind.parameters),
        ratings=[v1.BotRating(**asdict(rating)) for rating in ratings_of_kind(kind)],
    )


def brief_kind(kind: BotKind) -> v1.BotKind:
    result = kind_message(kind)
    result.ClearField("ratings")
    for parameter in result.parameters:
        for words in ("unset", "expected", "help"):
            parameter.ClearField(words)
    return result


def style_message(style: Style) -> v1.BotStyle:
    return v1.BotStyle(game=style.game, name=style.name, help=wire.typeset_message(style.help))


def parameter_message(parameter: Parameter) -> v1.BotParameter:
    return v1.BotParameter(
        name=parameter.name,
        type=v1.BotParameterType.Value(f"BOT_PARAMETER_TYPE_{parameter.type.__name__.upper()}"),
        default_value=messages.value_of(parameter.default),
        unset=wire.typeset_message(parameter.unset) if parameter.unset else None,
        least=parameter.least,
        most=parameter.most,
        choices=parameter.choices,
        expected=wire.typeset_message({language: parameter.expected(language) for language in ("en", "fr")}),
        help=wire.typeset_message(parameter.help),
    )
