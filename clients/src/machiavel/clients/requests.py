"""Requests as messages, from what both faces of the client take."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf.json_format import ParseDict
from google.protobuf.struct_pb2 import Value

from machiavel.v1 import (
    AnalyzeMovesRequest,
    ApplyMoveRequest,
    FollowAnswer,
    FollowViewRequest,
    FollowViewResponse,
    GamePart,
    GetGameRequest,
    GetStateRequest,
    GetViewRequest,
    GetViewResponse,
    Layout,
    LegalMovesRequest,
    Limits,
    NewStateRequest,
    Options,
    RecommendMoveRequest,
    Record,
    ReviewGameRequest,
    StartTournamentRequest,
    State,
    TournamentPlan,
    View,
    WatchTournamentRequest,
)

__all__ = [
    "Seen",
    "Source",
    "Truth",
    "analyze",
    "apply",
    "follow",
    "game",
    "legal",
    "limits_of",
    "new",
    "recommend",
    "review",
    "start",
    "state",
    "time_of",
    "view",
    "watch",
]

Truth = Record | State
Source = Record | State | View | GetViewResponse | FollowViewResponse
Seen = View | GetViewResponse | FollowViewResponse


def record_of(source: Truth) -> Record:
    return source.record if isinstance(source, State) else source


def put_source(request: LegalMovesRequest | RecommendMoveRequest | AnalyzeMovesRequest, source: Source) -> None:
    if isinstance(source, View | GetViewResponse | FollowViewResponse):
        request.view.CopyFrom(source if isinstance(source, View) else source.view)
    else:
        request.record.CopyFrom(record_of(source))


def new(game: str, options: Options | int, seed: int | None, layout: Layout | None) -> NewStateRequest:
    return NewStateRequest(
        game=game,
        options=Options(players=options) if isinstance(options, int) else options,
        seed=None if seed is None else str(seed),
        layout=layout,
    )


def state(source: Truth) -> GetStateRequest:
    return GetStateRequest(record=record_of(source))


def legal(source: Source, seat: int | None, *, upcoming: bool) -> LegalMovesRequest:
    request = LegalMovesRequest(seat=seat, upcoming=upcoming)
    put_source(request, source)
    return request


def apply(source: Truth, move: str, seat: int | None, events: bool) -> ApplyMoveRequest:
    return ApplyMoveRequest(record=record_of(source), move=move, seat=seat, events=events)


def view(source: Truth, seat: int | None, events: bool) -> GetViewRequest:
    return GetViewRequest(record=record_of(source), seat=seat, events=events)


def game(
    name: str, options: Options | int | None, parts: Sequence[GamePart.ValueType], answers: Mapping[str, str] | None
) -> GetGameRequest:
    given = Options(players=options) if isinstance(options, int) else options
    return GetGameRequest(game=name, options=given, parts=parts, answers=answers or {})


def follow(source: Seen, move: str, seat: int | None, answers: Mapping[str, Any] | None) -> FollowViewRequest:
    return FollowViewRequest(
        view=source if isinstance(source, View) else source.view,
        move=move,
        seat=seat,
        answers=[FollowAnswer(place=place, value=ParseDict(value, Value())) for place, value in (answers or {}).items()],
    )


def limits_of(iterations: int | None, seconds: float | None) -> Limits:
    limits = Limits(iterations=iterations)
    if seconds is not None:
        limits.time.FromTimedelta(dt.timedelta(seconds=seconds))
    return limits


def recommend(
    source: Source,
    *,
    seat: int | None,
    bot: str,
    iterations: int | None,
    seconds: float | None,
    moves: Sequence[str],
    explain: bool,
    what_about: str,
) -> RecommendMoveRequest:
    request = RecommendMoveRequest(
        seat=seat, bot=bot, limits=limits_of(iterations, seconds), moves=moves, explain=explain, what_about=what_about
    )
    put_source(request, source)
    return request


def analyze(
    source: Source,
    *,
    seat: int | None,
    bot: str,
    iterations: int | None,
    seconds: float | None,
    moves: Sequence[str],
    explain: bool,
    what_about: str,
    interval: float | None,
) -> AnalyzeMovesRequest:
    request = AnalyzeMovesRequest(
        seat=seat, bot=bot, limits=limits_of(iterations, seconds), moves=moves, explain=explain, what_about=what_about
    )
    if interval is not None:
        request.interval.FromTimedelta(dt.timedelta(seconds=interval))
    put_source(request, source)
    return request


def start(plan: TournamentPlan, request_id: str) -> StartTournamentRequest:
    return StartTournamentRequest(plan=plan, request_id=request_id)


def watch(name: str, interval: float | None) -> WatchTournamentRequest:
    request = WatchTournamentRequest(name=name)
    if interval is not None:
        request.interval.FromTimedelta(dt.timedelta(seconds=interval))
    return request


def review(source: Truth, *, bot: str, iterations: int | None, seconds: float | None, seats: Sequence[int]) -> ReviewGameRequest:
    request = ReviewGameRequest(record=record_of(source), bot=bot, iterations=iterations, seats=seats)
    if seconds is not None:
        request.time.FromTimedelta(dt.timedelta(seconds=seconds))
    return request


def time_of(timeout: float | None, seconds: float | None) -> float | None:
    """The deadline of a search: as given, or else what it may take and something for the way."""
    return timeout if timeout is not None or seconds is None else seconds + 10
