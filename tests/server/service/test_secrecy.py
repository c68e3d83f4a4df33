"""Nothing that crosses the wire for a seat depends on what the seat cannot know."""

import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from machiavel.clients import Client, ServiceError, connect
from machiavel.engines import State
from machiavel.server.service import bot_service, hint_messages, status, wire
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
from tests.engines.games import INSTALLED
from tests.search.pairs import state_pairs
from tests.server.service.hosted import hosted
from tests.server.service.pairs import Response, pairs

BOTS = ("ismcts:seed=3", "pimc:seed=3,worlds=5", "level3:seed=3", "greedy", "random:seed=3")
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


def told_apart(service: Client, game: str, count: int, told: Callable[..., Iterator[Response]], *more: Any) -> int:
    """How many pairs a seat could tell apart by what it is told."""
    return sum(
        list(told(service, first, seat, *more)) != list(told(service, second, seat, *more))
        for first, second, seat in pairs(game, count)
    )


# ---- Deals that differ in what is hidden ----


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("game", INSTALLED)
def test_advice_is_the_same_for_deals_that_differ_in_what_is_hidden(service: Client, game: str, bot: str) -> None:
    for first, second, seat in pairs(game, 8):
        told = {one for state in (first, second) for one in advice(service, state, seat, bot)}
        assert len(told) == 1
        assert all(isinstance(message, bytes) for one in told for message in one)


@pytest.mark.parametrize("game", INSTALLED)
def test_an_analysis_ends_the_same_too(service: Client, game: str) -> None:
    for first, second, seat in pairs(game, 4):
        told = {one for state in (first, second) for one in analysis(service, state, seat)}
        assert len(told) == 1
        assert all(isinstance(message, bytes) for one in told for message in one)


@pytest.mark.parametrize("game", INSTALLED)
def test_views_and_moves_are_the_same_too(service: Client, game: str) -> None:
    assert told_apart(service, game, 8, what_it_sees) == 0


@pytest.mark.parametrize("game", INSTALLED)
def test_views_that_are_carried_on_are_the_same_too(service: Client, game: str) -> None:
    assert told_apart(service, game, 3, carried_on) == 0


@pytest.mark.parametrize("game", INSTALLED)
def test_errors_are_the_same_too(service: Client, game: str) -> None:
    assert told_apart(service, game, 4, refusals) == 0
    first, _, seat = pairs(game, 4)[0]
    assert all(isinstance(told[0], grpc.StatusCode) for told in refusals(service, first, seat))


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("game", INSTALLED)
def test_nothing_differs_in_three_hundred_pairs(service: Client, game: str) -> None:
    for told in (what_it_sees, carried_on, refusals, analysis):
        assert told_apart(service, game, 300, told) == 0
    assert told_apart(service, game, 300, advice, "ismcts:seed=3") == 0


# ---- A service that lets something out ----


@pytest.fixture
def digest_of_truth(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A number made of the record that a call brought, or of none, for leaks to use."""
    truth, honest = [0], wire.read_state

    def read_state(message: Any) -> State:
        truth[0] = zlib.crc32(message.SerializeToString())
        return honest(message)

    monkeypatch.setattr(wire, "read_state", read_state)
    return truth


@pytest.mark.parametrize("game", INSTALLED)
@pytest.mark.parametrize("leak", ["luck", "length", "map"])
def test_a_leak_in_the_advice_is_found_out(
    service: Client, monkeypatch: pytest.MonkeyPatch, digest_of_truth: list[int], game: str, leak: str
) -> None:
    honest, honest_message, honest_map = bot_service.question, wire.recommendation_message, hint_messages.unseen_message

    def lucky(*arguments: Any) -> Any:
        asked = honest(*arguments)
        parameters = asked.searcher.parameters
        return replace(asked, searcher=replace(asked.searcher, parameters=replace(parameters, seed=digest_of_truth[0])))

    def long(*arguments: Any) -> Any:
        result = honest_message(*arguments)
        result.engine += "." * (digest_of_truth[0] % 7)
        return result

    def shifted(*arguments: Any) -> Any:
        result = honest_map(*arguments)
        result.standard_error += digest_of_truth[0] % 7
        return result

    if leak == "map":
        monkeypatch.setattr(hint_messages, "unseen_message", shifted)
    elif leak == "luck":
        monkeypatch.setattr(bot_service, "question", lucky)
    else:
        monkeypatch.setattr(wire, "recommendation_message", long)
    assert told_apart(service, game, 8, advice, "ismcts:seed=3") >= 4
    assert told_apart(service, game, 4, analysis) >= 2


@pytest.mark.parametrize("game", INSTALLED)
def test_a_leak_in_an_error_is_found_out(
    service: Client, monkeypatch: pytest.MonkeyPatch, digest_of_truth: list[int], game: str
) -> None:
    honest = status.metadata_of

    def leaking(*arguments: Any) -> dict[str, str]:
        return honest(*arguments) | {"legal": "." * (digest_of_truth[0] % 7)}

    monkeypatch.setattr(status, "metadata_of", leaking)
    assert told_apart(service, game, 6, refusals) >= 3


@pytest.mark.parametrize("game", INSTALLED)
def test_a_view_that_is_the_hosts_is_found_out(service: Client, game: str) -> None:
    """What goes to the host differs between the deals of each pair."""
    differing = [
        service.get_state(wire.state_message(first)) != service.get_state(wire.state_message(second))
        for first, second, _ in pairs(game, 8)
    ]
    assert all(differing)


# ---- The log ----


def test_the_log_tells_of_calls_and_never_of_what_was_in_them(capfd: pytest.CaptureFixture[str]) -> None:
    first, _, seat = state_pairs("whist", 1)[0]
    message = wire.state_message(first)
    with hosted(log_level="debug") as server, connect(server.address) as service:
        service.get_view(message, seat)
        service.recommend_move(message, seat=seat, iterations=50)
        for wrong in ("zz", "HA?", "H2 H3"):
            with pytest.raises(ServiceError):
                service.apply_move(message, wrong)
        message.record.moves.append("H2")
        with pytest.raises(ServiceError):
            service.apply_move(message, "SA")
        with pytest.raises(grpc.RpcError):
            service.channel.unary_unary("/machiavel.v1.GameService/HA", bytes, bytes)(b"H2")
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert len(lines) == 7
    for line in lines:
        assert set(line) == {"method", "code", "reason", "ms", "request", "caller", "event", "level", "timestamp"}
        assert line["method"].startswith("/machiavel.v1.") or line["method"] == "unknown"
        assert "HA" not in line["method"]
        assert not set(first.moves) & set(line.values())
