"""Connections of the door: bounded in time, size and number; who goes is noticed, who does not read fills nothing."""

import asyncio
import itertools
import json
import socket
import time
from typing import Any

import pytest

from machiavel import v1
from machiavel.server.web import door as door_module
from machiavel.server.web import door_connection as bounds
from machiavel.server.web import newcomers
from machiavel.server.web.door_connection import ConnectionPhase
from tests.server.service.hosted import Hosted, hosted, until
from tests.server.service.match_calls import bot, create, over, snapshot, stub
from tests.server.service.match_calls import until as until_true
from tests.server.web.http_calls import CALL, Place, Wire, at, call, enveloped, envelopes, question, reason_of

JSON_STREAM = "application/connect+json"


def searches(server: Hosted, running: int) -> None:
    """Waits until so many searches are under way."""
    queue = server.server.search_queue
    server.run(until(lambda: queue.running == running, (queue, "left")) if running == 0 else asyncio.sleep(0))
    assert queue.running == running


def calls_under_way(server: Hosted, count: int) -> None:
    until_true(lambda: len(server.server.calls.places.calls()) == count)


# ---- Who comes ----


def test_of_a_crowd_a_few_are_let_in_between_two_rounds_of_all_else(server: Hosted, place: Place) -> None:
    """Whoever is connected waits for those few, and not for the crowd."""
    door = server.server.door
    assert door is not None

    async def crowd(door: door_module.Door) -> None:
        came = len(door.newcomers) + len(door.state.connections)
        crowd = [socket.socket() for _ in range(40)]
        for one in crowd:
            one.setblocking(False)
            one.connect_ex(door.socket.getsockname())
        rounds = [came]
        while rounds[-1] < came + len(crowd):
            await asyncio.sleep(0)
            rounds.append(len(door.newcomers) + len(door.state.connections))
        assert max(after - before for before, after in itertools.pairwise(rounds)) <= door_module.AT_ONCE
        for one in crowd:
            one.close()

    with Wire(place) as wire:
        wire.send("GameService/ListGames", b"{}")
        assert wire.answer().status == 200
        server.run(crowd(door))
        wire.send("GameService/ListGames", b"{}")
        assert wire.answer().status == 200


# ---- Who goes ----


def test_a_page_that_is_closed_ends_its_search(server: Hosted, place: Place) -> None:
    with Wire(place) as wire:
        wire.send("BotService/AnalyzeMoves", enveloped(question(place)), JSON_STREAM)
        assert wire.head().status == 200
        assert next(wire.chunks())
        searches(server, 1)
    searches(server, 0)
    calls_under_way(server, 0)


def test_a_call_with_one_answer_ends_with_its_connection_too(server: Hosted, place: Place) -> None:
    body = json.dumps(json.loads(question(place)) | {"limits": {"time": "60s"}, "interval": None}).encode()
    with Wire(place) as wire:
        wire.send("BotService/RecommendMove", b"{" + body[1:].replace(b', "interval": null', b""))
        until_true(lambda: server.server.search_queue.running == 1)
    searches(server, 0)
    calls_under_way(server, 0)


def test_a_second_request_behind_a_stream_hides_no_end(server: Hosted, place: Place) -> None:
    with Wire(place) as wire:
        wire.send("BotService/AnalyzeMoves", enveloped(question(place)), JSON_STREAM)
        wire.send("GameService/ListGames", bytes(300_000), content_length="9000000")
        assert wire.head().status == 200
        assert next(wire.chunks())
    searches(server, 0)
    calls_under_way(server, 0)


def test_requests_follow_each_other_over_one_connection(place: Place) -> None:
    with Wire(place) as wire:
        for _ in range(3):
            wire.send("GameService/ListGames", b"{}")
            assert wire.answer().status == 200


# ---- Deadlines ----


def test_a_deadline_ends_a_stream_with_a_reason(place: Place) -> None:
    made = call(place, "MatchService/CreateMatch", {"game": "whist", "seats": [{"kind": "SEAT_KIND_PERSON"}] * 3}).json
    watched = json.dumps({"match": made["match"]["match"], "token": made["hostToken"]}).encode()
    with Wire(place) as wire:
        wire.send("MatchService/WatchMatch", enveloped(watched), JSON_STREAM, connect_timeout_ms="100")
        (first, _), (flags, last) = envelopes(wire.answer().body)
    error = json.loads(last)["error"]
    assert (first, flags, error["code"], reason_of(error)) == (0, 2, "deadline_exceeded", "NO_TIME")


@pytest.mark.parametrize("header", ["connect_timeout_ms", "grpc_timeout"])
def test_a_deadline_ends_a_call_that_waits_for_its_body(place: Place, header: str) -> None:
    with Wire(place) as wire:
        if header == "grpc_timeout":
            wire.send("GameService/ListGames", kind="application/grpc-web", content_length="9", grpc_timeout="50m")
            assert b"grpc-status: 4\r\n" in wire.answer().body
        else:
            wire.send("GameService/ListGames", content_length="9", connect_timeout_ms="50")
            answer = wire.answer()
            assert (answer.status, answer.json["code"], reason_of(answer.json)) == (504, "deadline_exceeded", "NO_TIME")


def test_the_deadline_is_the_time_to_think(place: Place) -> None:
    asked = json.loads(question(place))
    answer = call(place, "BotService/RecommendMove", {"record": asked["record"]}, connect_timeout_ms="300")
    if answer.status == 200:  # a machine that has other work may be late
        assert 0.1 < float(answer.json["elapsed"].rstrip("s")) < 0.3
    else:
        assert reason_of(answer.json) == "NO_TIME"


@pytest.mark.parametrize(
    ("headers", "problem"),
    [
        ({"connect_timeout_ms": "1.5"}, "connect-timeout-ms: is no time; expected milliseconds"),
        ({"connect_timeout_ms": "-1"}, "connect-timeout-ms: is no time"),
        ({"connect_timeout_ms": "12345678901"}, "at most ten digits"),
        ({"connect_protocol_version": "2"}, "expected 1, or none"),
    ],
)
def test_a_time_that_is_none_is_refused(place: Place, headers: dict[str, str], problem: str) -> None:
    answer = call(place, "GameService/ListGames", **headers)
    assert (answer.status, answer.json["code"]) == (400, "invalid_argument")
    assert problem in answer.json["message"]


def test_no_time_at_all_is_too_little(place: Place) -> None:
    answer = call(place, "GameService/ListGames", connect_timeout_ms="0")
    assert (answer.status, reason_of(answer.json)) == (504, "NO_TIME")


# ---- Bounds ----


def test_headers_are_bounded_in_bytes_and_number(place: Place) -> None:
    for more in (["x: " + "y" * 40_000], [f"x{number}: y" for number in range(200)], ["x: " + "y" * 30_000, "z: " + "y" * 5_000]):
        with Wire(place) as wire:
            wire.socket.sendall("\r\n".join(["GET / HTTP/1.1", "host: localhost", *more, "", ""]).encode())
            answer = wire.answer()
            assert (answer.status, answer.json["code"]) == (431, "invalid_argument")
            assert "expected 128 with 32768 bytes at most" in answer.json["message"]
            assert wire.is_over()


@pytest.mark.parametrize(
    "garbage", [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"hello\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]
)
def test_what_is_no_http_is_told_so(place: Place, garbage: bytes) -> None:
    with Wire(place) as wire:
        wire.socket.sendall(garbage)
        answer = wire.answer()
        assert (answer.status, answer.json["message"]) == (400, "request: is no HTTP/1.1")
        assert wire.is_over()


def test_who_dribbles_headers_is_told_so_and_let_go(monkeypatch: pytest.MonkeyPatch, place: Place) -> None:
    monkeypatch.setattr(bounds, "HEADERS", 0.5)
    with Wire(place) as wire:
        wire.socket.sendall(b"\r\nPOST / HTTP/1.1\r\nhost: local")
        answer = wire.answer()
        assert (answer.status, answer.json["message"]) == (408, "headers: are missing after 0.5 s")
        assert wire.is_over()


def test_a_connection_without_a_request_is_let_go(monkeypatch: pytest.MonkeyPatch, place: Place) -> None:
    monkeypatch.setattr(bounds, "IDLE", 0.5)
    monkeypatch.setattr(newcomers, "PATIENCE", 0.5)
    with Wire(place) as silent, Wire(place) as wire:
        wire.send("GameService/ListGames", b"{}")
        assert wire.answer().status == 200
        assert wire.is_over()
        assert silent.is_over()


def test_the_rest_of_a_refused_body_is_taken_for_a_while_only(monkeypatch: pytest.MonkeyPatch, place: Place) -> None:
    monkeypatch.setattr(bounds, "REST", 0.5)
    with Wire(place) as wire:
        wire.send("GameService/Nope", content_length="2000000")
        assert wire.answer().status == 404
        wire.socket.sendall(bytes(1000))
        assert wire.is_over()


def test_the_rest_of_a_refused_body_is_taken_up_to_a_bound(monkeypatch: pytest.MonkeyPatch, place: Place) -> None:
    monkeypatch.setattr(bounds, "MOST_UNWANTED", 100_000)
    with Wire(place) as wire:
        wire.send("GameService/Nope", content_length="2000000")
        assert wire.answer().status == 404
        with pytest.raises(ConnectionError):  # noqa: PT012 - which of them it is, the system says
            for _ in range(200):
                wire.socket.sendall(bytes(10_000))
                time.sleep(0.001)


def test_who_has_most_connections_loses_an_idle_one_when_there_are_too_many(server: Hosted, place: Place) -> None:
    door = server.server.door
    assert door is not None
    with pytest.MonkeyPatch.context() as patch, Wire(place) as slow:
        slow.send("GameService/ListGames", content_length="2")
        until_true(lambda: any(one.phase is ConnectionPhase.CALL for one in door.state.connections))
        patch.setattr(door, "most", len(door.state.connections) + 1)
        with Wire(place) as first:
            first.send("GameService/ListGames", b"{}")
            assert first.answer().status == 200
            with Wire(place) as second:
                second.send("GameService/ListGames", b"{}")
                assert second.answer().status == 200
                assert first.is_over()  # it had nothing to ask
                second.send("GameService/ListGames", content_length="2")
                until_true(lambda: sum(one.phase is ConnectionPhase.CALL for one in door.state.connections) == 2)
                with Wire(place) as third:
                    third.send("GameService/ListGames", b"{}")
                    assert third.answer().status == 200
                answer = slow.answer()  # it had not asked yet, for longer than the other one
                assert (answer.status, reason_of(answer.json)) == (503, "TOO_BUSY")
                second.socket.sendall(b"{}")
                assert second.answer().status == 200


@pytest.mark.parametrize("at_once", [True, False])
def test_the_wish_for_http_2_that_java_has_is_passed_over(place: Place, at_once: bool) -> None:
    body = json.dumps({"game": "whist", "options": {"players": 3}, "seed": "7"}).encode()
    wish: dict[str, Any] = {"connection": "Upgrade, HTTP2-Settings", "upgrade": "h2c", "http2_settings": "AAMAAABkAAQAAP__"}
    with Wire(place) as wire:
        if at_once:
            wire.send("GameService/NewState", body, **wish)
        else:
            wire.send("GameService/NewState", content_length=str(len(body)), **wish)
            for at in range(0, len(body), 20):
                wire.socket.sendall(body[at : at + 20])
        answer = wire.answer()
        assert (answer.status, answer.headers["connection"]) == (200, "close")
        assert wire.is_over()


def test_http_1_0_is_answered_and_closed(place: Place) -> None:
    with Wire(place) as wire:
        wire.socket.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        answer = wire.answer()
        assert (answer.status, answer.body, answer.headers["connection"]) == (200, b"alive\n", "close")
        assert wire.is_over()


# ---- Who does not read ----


def test_a_watcher_that_does_not_read_is_told_where_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("machiavel.server.service.broadcast.MOST_BEHIND", 3)
    monkeypatch.setattr("machiavel.server.web.door.BUFFER", 1)
    with hosted(web="127.0.0.1:0") as server, stub(server.address) as service:
        made = create(service, "agency", *[bot("random")] * 5, spectators=True)
        with Wire(at(server), receive_buffer=1) as wire:
            wire.send("MatchService/WatchMatch", enveloped(json.dumps({"match": made.match.match}).encode()), JSON_STREAM)
            until_true(lambda: over(snapshot(service, made.match.match)))
            door = server.server.door
            assert door is not None
            (connection,) = door.state.connections
            assert connection.transport.get_write_buffer_size() < 256 * 1024
            *seen, (flags, last) = envelopes(wire.answer().body)
        error = json.loads(last)["error"]
        assert (flags, error["code"], reason_of(error)) == (2, "aborted", "SLOW_WATCHER")
        after = int(error["details"][0]["debug"]["metadata"]["resume_after"])
        (_, shown) = json.loads(seen[-1][1]).popitem()
        assert str(after) == shown["version"]
        rest = list(service.WatchMatch(v1.WatchMatchRequest(match=made.match.match, after=after)))
        assert rest[0].event.version == after + 1
        assert rest[-1].event.WhichOneof("what") == "over"


def test_who_does_not_read_when_the_deadline_comes_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("machiavel.server.web.context.GRACE", 0.2)
    monkeypatch.setattr("machiavel.server.web.door.BUFFER", 1)
    with hosted(web="127.0.0.1:0") as server:
        place = at(server)
        asked = json.loads(question(place)) | {"explain": True}
        with Wire(place, receive_buffer=1) as wire:
            body = enveloped(json.dumps(asked).encode())
            wire.send("BotService/AnalyzeMoves", body, JSON_STREAM, connect_timeout_ms="4000")
            calls_under_way(server, 1)
            calls_under_way(server, 0)
            searches(server, 0)


def test_idle_connections_have_their_system_look_after_the_other_end(server: Hosted) -> None:
    door = server.server.door
    assert door is not None
    assert door.socket.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
    assert door.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) <= 60


def test_the_path_of_a_call_is_in_its_line_of_the_log(capfd: pytest.CaptureFixture[str]) -> None:
    with hosted(web="127.0.0.1:0", log_level="info") as server:
        call(at(server), "GameService/ListGames", x_request_id="mine-2")
        call(at(server), "GameService/Secret-Words")
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    calls = [(line["method"], line["code"], line["reason"]) for line in lines if line["event"] == "call"]
    assert calls == [(f"{CALL}GameService/ListGames", "OK", ""), ("unknown", "UNIMPLEMENTED", "UNKNOWN_METHOD")]
    assert next(line["request"] for line in lines if line["event"] == "call") == "mine-2"
    assert not any("Secret" in json.dumps(line) for line in lines)
