"""What was asked of an earlier release is answered as it was."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import MessageToDict

from machiavel import v1
from machiavel.clients.errors import UnknownTournament, from_call
from tests.before.artifacts import copied, differences, rows
from tests.server.service.hosted import hosted

CALLS = rows("calls.jsonl")
METHODS = sorted({row["method"] for row in CALLS})
STREAMS = {"AnalyzeMoves", "ReviewGame", "WatchMatch", "WatchTournament"}
SEARCHES = {"RecommendMove", "AnalyzeMoves", "ReviewGame", "HintMove"}
CHANGING = {"elapsed", "due"}  # by the clock
DELETED = {
    v1.DeleteMatchRequest.FromString(base64.b64decode(row["request"])).match
    for row in CALLS
    if row["method"].endswith("DeleteMatch")
}
WAIT = 60


@contextmanager
def channel_to(folder: Path) -> Iterator[grpc.Channel]:
    """A server of today, with the matches and tournaments of the earlier release, copied."""
    matches, tournaments = copied("matches.sqlite3", folder), copied("served", folder)
    for entry in tournaments.glob("*/tournament.json"):  # those that are not over are another test's
        if '"state": "queued"' in (text := entry.read_text(encoding="utf-8")) or '"state": "running"' in text:
            entry.unlink()
    with (
        hosted(storage=f"sqlite:///{matches}", tournaments=str(tournaments)) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        yield channel


@pytest.fixture(scope="module")
def channel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[grpc.Channel]:
    with channel_to(tmp_path_factory.mktemp("calls")) as result:
        yield result


def read(method: str, text: str, kind: str) -> Any:
    return getattr(v1, f"{method.rpartition('/')[2]}{kind}").FromString(base64.b64decode(text))


def unary(channel: grpc.Channel, method: str) -> Any:
    """Takes and gives bytes."""
    return channel.unary_unary(method, None, None)


def asked(channel: grpc.Channel, method: str, request: bytes, most: int) -> list[bytes]:
    """The answers as they come, of a stream no more than so many."""
    if method.rpartition("/")[2] not in STREAMS:
        return [unary(channel, method)(request, timeout=WAIT)]
    stream = channel.unary_stream(method, None, None)(request, timeout=WAIT)
    result = []
    for answer in stream:
        result.append(answer)
        if len(result) == most:
            break
    stream.cancel()  # type: ignore[no-untyped-call]
    return result


def told(message: Any) -> Any:
    """A message as plain data, without what goes by the clock."""
    return without(MessageToDict(message, preserving_proto_field_name=True))


def without(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: without(value) for name, value in data.items() if name not in CHANGING}
    return [without(one) for one in data] if isinstance(data, list) else data


def test_every_method_of_the_earlier_release_is_among_them() -> None:
    services = ("game_service_pb2", "bot_service_pb2", "match_service_pb2", "tournament_service_pb2")
    result = {
        f"/{service.full_name}/{method.name}"
        for name in services
        for service in import_module(f"machiavel.v1.{name}").DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }
    assert len(METHODS) == 29
    assert set(METHODS) <= result


@pytest.mark.parametrize("method", [one for one in METHODS if one.rpartition("/")[2] not in SEARCHES], ids=lambda one: one[14:])
def test_a_call_is_answered_as_it_was(channel: grpc.Channel, method: str) -> None:
    for row in (one for one in CALLS if one["method"] == method):
        request = base64.b64decode(row["request"])
        if method.endswith("DeleteTournament"):  # may be repeated once: it was
            with pytest.raises(grpc.RpcError) as caught:
                asked(channel, method, request, 1)
            assert isinstance(from_call(caught.value), UnknownTournament)
            continue
        if (method.endswith("StartTournament") and not is_over(row)) or (method.endswith("CreateMatch") and is_deleted(row)):
            continue
        before = [told(read(method, one, "Response")) for one in row["answers"]]
        now = asked(channel, method, request, len(before))
        after = [told(read(method, base64.b64encode(one).decode(), "Response")) for one in now]
        if method.endswith(("ListGames", "ListBots")):
            before, after = [named(one) for one in before], [named(one) for one in after]
        assert not list(differences(before, after))


def is_over(row: dict[str, Any]) -> bool:
    state = v1.StartTournamentResponse.FromString(base64.b64decode(row["answers"][0])).tournament.state
    return bool(state == v1.TournamentState.TOURNAMENT_STATE_PLAYED)


def is_deleted(row: dict[str, Any]) -> bool:
    return v1.CreateMatchResponse.FromString(base64.b64decode(row["answers"][0])).match.match in DELETED


def named(listed: dict[str, Any]) -> dict[str, Any]:
    """What a list offers, by name, for it may offer more than it did."""
    return {
        **{one["name"]: {part["name"]: {} for part in one.get("options", [])} for one in listed.get("games", [])},
        **{one["name"]: {part["name"]: {} for part in one.get("parameters", [])} for one in listed.get("bots", [])},
    }


def moves_of(channel: grpc.Channel, request: Any) -> set[str]:
    """The legal moves of the seat that a search was asked about."""
    asked_for = v1.LegalMovesRequest()
    if request.HasField("view"):
        asked_for.view.CopyFrom(request.view)
    else:
        asked_for.record.CopyFrom(request.record)
        asked_for.seat = request.seat
    answer = unary(channel, "/machiavel.v1.GameService/LegalMoves")(asked_for.SerializeToString(), timeout=WAIT)
    return {move.text for move in v1.LegalMovesResponse.FromString(answer).seats[0].moves}


def is_settled(result: Any, legal: set[str]) -> None:
    assert {one.move.text for one in result.candidates} == legal
    assert sum(one.visits for one in result.candidates) == result.iterations


@pytest.mark.parametrize("method", ["RecommendMove", "AnalyzeMoves"])
def test_a_search_is_asked_for_as_it_was_and_tells_as_much(channel: grpc.Channel, method: str) -> None:
    path = f"/machiavel.v1.BotService/{method}"
    for row in (one for one in CALLS if one["method"] == path):
        request = read(path, row["request"], "Request")
        before = read(path, row["answers"][-1], "Response")
        now = read(path, base64.b64encode(asked(channel, path, base64.b64decode(row["request"]), -1)[-1]).decode(), "Response")
        legal = moves_of(channel, request)
        for answer in (before, now):
            if method == "RecommendMove":
                assert answer.move.text in legal
            if answer.HasField("recommendation"):
                is_settled(answer.recommendation, legal)
        for name in ("recommendation", "explanation", "comparison"):
            if name in before.DESCRIPTOR.fields_by_name:
                assert now.HasField(name) == before.HasField(name), name
        if before.HasField("recommendation"):
            assert now.recommendation.iterations == before.recommendation.iterations


def test_a_hint_at_a_match_is_given_as_it_was(channel: grpc.Channel) -> None:
    for row in (one for one in CALLS if one["method"].endswith("HintMove")):
        before = v1.HintMoveResponse.FromString(base64.b64decode(row["answers"][0]))
        now = v1.HintMoveResponse.FromString(asked(channel, row["method"], base64.b64decode(row["request"]), 1)[0])
        legal = {one.move.text for one in before.recommendation.candidates}
        is_settled(now.recommendation, legal)
        assert now.move.text in legal
        assert now.explanation.sentences


def test_a_review_judges_the_same_moves(channel: grpc.Channel) -> None:
    for row in (one for one in CALLS if one["method"].endswith("ReviewGame")):
        now = asked(channel, row["method"], base64.b64decode(row["request"]), -1)
        before, after = (
            [v1.ReviewGameResponse.FromString(one) for one in recommendation]
            for recommendation in ([base64.b64decode(one) for one in row["answers"]], now)
        )
        assert [(one.move.ply, one.move.seat) for one in after] == [(one.move.ply, one.move.seat) for one in before]
        assert after[-1].HasField("summary")
        assert [one.judged for one in after] == [one.judged for one in before]
