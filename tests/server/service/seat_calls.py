"""All that a seat can ask about a match that it sends along, and what it gets."""

import zlib
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from machiavel.clients import Client
from machiavel.engines import State
from machiavel.server.service import wire
from machiavel.server.service.messages import value_of
from machiavel.v1 import (
    AnalyzeMovesRequest,
    AnalyzeMovesResponse,
    ApplyMoveRequest,
    FollowAnswer,
    FollowViewRequest,
    GetViewRequest,
    LegalMovesRequest,
    Limits,
    RecommendMoveRequest,
    RecommendMoveResponse,
)
from tests.server.service.pairs import Response

__all__ = ["SAME_ID", "advice", "analysis", "ask", "carried_on", "plant_digest", "refusals", "what_it_sees"]

QUICK = ("greedy", "random:seed=3")
WRONG_MOVES = ("Z9", "H2", "G8", "M1", "spy:5>0", "steal:0>1", "deck>0", "go:attic", "take", "keep", "", "é" * 2000)
WRONG_BODIES = (b"\xff", b"\x0a\xff", b"\x12\x03\x0a\x01\xff")
GAME_SERVICE, BOT_SERVICE = "/machiavel.v1.GameService/", "/machiavel.v1.BotService/"
SAME_ID = (("x-request-id", "the-same-for-all"),)  # the one thing in an error that is new each time


def ask(service: Client, path: str, request: Message | bytes) -> Response:
    """Each message that comes back, or each byte of the error; so lengths as well. How long it took alone is taken out."""
    data = request if isinstance(request, bytes) else request.SerializeToString()
    call = service.channel.unary_stream(path, bytes, bytes)(data, timeout=30, metadata=SAME_ID)
    try:
        answers = list(call)
    except grpc.RpcError:
        return call.code(), call.details(), tuple(call.trailing_metadata())
    timed: Any = {"RecommendMove": RecommendMoveResponse, "AnalyzeMoves": AnalyzeMovesResponse}.get(path.rpartition("/")[2])
    if timed is None:
        return tuple(answers)
    for number, answer in enumerate(answers):
        message = timed.FromString(answer)
        message.ClearField("elapsed")
        answers[number] = message.SerializeToString()
    return tuple(answers)


def sources(state: State, seat: int) -> Iterator[dict[str, Any]]:
    """The match as a record and as a view, as a request names them."""
    yield {"record": wire.state_message(state).record, "seat": seat}
    yield {"view": wire.view_message(state.view(seat))}


def advice(service: Client, state: State, seat: int, bot: str) -> Iterator[Response]:
    for source in sources(state, seat):
        if bot in QUICK:
            yield ask(service, f"{BOT_SERVICE}RecommendMove", RecommendMoveRequest(**source, bot=bot))
        else:
            request = RecommendMoveRequest(**source, bot=bot, limits=Limits(iterations=120), explain=True)
            yield ask(service, f"{BOT_SERVICE}RecommendMove", request)


def analysis(service: Client, state: State, seat: int) -> Iterator[Response]:
    for source in sources(state, seat):
        request = AnalyzeMovesRequest(**source, bot="ismcts:seed=2", limits=Limits(iterations=150), explain=True)
        yield ask(service, f"{BOT_SERVICE}AnalyzeMoves", request)[-1:]


def what_it_sees(service: Client, state: State, seat: int) -> Iterator[Response]:
    record = wire.state_message(state).record
    yield ask(service, f"{GAME_SERVICE}GetView", GetViewRequest(record=record, seat=seat))
    for source in sources(state, seat):
        yield ask(service, f"{GAME_SERVICE}LegalMoves", LegalMovesRequest(**source))
    view = wire.view_message(state.view(seat))
    yield ask(service, f"{GAME_SERVICE}LegalMoves", LegalMovesRequest(view=view, upcoming=True))


def carried_on(service: Client, state: State, seat: int) -> Iterator[Response]:
    """What the seat gets for its view and a move that it might have seen, with answers that may be and that cannot be."""
    view = wire.view_message(state.view(seat))
    legal = state.view(seat).legal_moves()
    answers = [FollowAnswer(place="hand", value=value_of(["G8", "H2"]))]
    for move in (*legal[:1], *legal[-1:], *WRONG_MOVES[:6]):
        yield ask(service, f"{GAME_SERVICE}FollowView", FollowViewRequest(view=view, move=move))
        yield ask(service, f"{GAME_SERVICE}FollowView", FollowViewRequest(view=view, move=move, answers=answers))


def refusals(service: Client, state: State, seat: int) -> Iterator[Response]:
    """What the seat gets for moves that are none, for moves out of turn, and for requests that cannot be."""
    record = wire.state_message(state).record
    legal = set(state.view(seat).legal_moves())
    for move in WRONG_MOVES:
        if move not in legal:
            yield ask(service, f"{GAME_SERVICE}ApplyMove", ApplyMoveRequest(record=record, move=move, seat=seat))
    yield ask(service, f"{GAME_SERVICE}GetView", GetViewRequest(record=record, seat=99))
    for body in WRONG_BODIES:
        yield ask(service, f"{GAME_SERVICE}ApplyMove", body)
    for source in sources(state, seat):
        for wrong in ({"moves": ["zz"]}, {"bot": "zz"}, {"limits": Limits(iterations=0)}, {"seat": 99}):
            yield ask(service, f"{BOT_SERVICE}RecommendMove", RecommendMoveRequest(**source | wrong))


# ---- What a leak would be made of ----


def plant_digest(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Notes a number made of the record that a call brought, zero before there is one, for leaks to use."""
    truth, honest = [0], wire.read_state

    def read_state(message: Any) -> State:
        truth[0] = zlib.crc32(message.SerializeToString())
        return honest(message)

    monkeypatch.setattr(wire, "read_state", read_state)
    return truth
