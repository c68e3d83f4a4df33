"""Calls through the door are those of gRPC, in JSON or in bytes, and so are their errors."""

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RequestInfo

from machiavel import v1
from machiavel.clients import connect
from tests.server.service.hosted import Hosted, hosted
from tests.server.web.http_calls import CALL, Place, Wire, ask, at, call, details_of, enveloped, envelopes, reason_of

NEW = {"game": "whist", "options": {"players": 3}, "seed": "7"}
TOKEN = "-".join(["a", "token", "of", "some", "length"])
PROTO, JSON = "application/proto", "application/json"


def test_json_and_bytes_say_the_same_as_grpc(server: Hosted, place: Place) -> None:
    request = v1.NewStateRequest(game="whist", options=v1.Options(players=3), seed="7")
    answer = ask(place, "POST", f"{CALL}GameService/NewState", request.SerializeToString(), {"content-type": PROTO})
    assert (answer.status, answer.headers["content-type"]) == (200, PROTO)
    with connect(server.address) as service:
        state = service.new_state("whist", 3, seed=7)
    assert v1.NewStateResponse.FromString(answer.body).state == state
    in_json = call(place, "GameService/NewState", NEW)
    assert (in_json.status, in_json.headers["content-type"]) == (200, JSON)
    assert in_json.json["state"]["record"]["seed"] == "7"
    assert in_json.json["state"]["record"]["game"] == state.record.game


def test_an_error_is_json_with_details_to_be_read_and_in_bytes(place: Place) -> None:
    answer = call(place, "GameService/NewState", {"game": "chess"}, x_request_id="mine-1")
    assert (answer.status, answer.json["code"]) == (404, "not_found")
    assert answer.json["message"].startswith("unknown game 'chess'; installed: agency")
    assert reason_of(answer.json) == "UNKNOWN_GAME"
    info, request, field = details_of(answer.json)
    assert isinstance(info, ErrorInfo)
    assert json.loads(info.metadata["known"])[0] == "agency"
    assert request == RequestInfo(request_id="mine-1")
    assert isinstance(field, BadRequest)
    assert [one["type"].rpartition(".")[2] for one in answer.json["details"]] == ["ErrorInfo", "RequestInfo", "BadRequest"]
    assert answer.json["details"][1]["debug"]["requestId"] == answer.headers["x-request-id"] == "mine-1"


@pytest.mark.parametrize(
    ("path", "body", "problem"),
    [
        ("GameService/NewState", {"options": {"players": 3}}, "the game is missing; installed: agency, "),
        ("GameService/NewState", {"game": "whist"}, "option 'players' is missing; expected 2"),
        ("GameService/GetState", {"record": {"game": "whist"}}, "record: rules_version: is missing; this release replays 1"),
        ("GameService/LegalMoves", {"view": {"game": "whist"}}, "view: rules_version: is missing; expected 1"),
        ("MatchService/CreateMatch", {"game": "whist", "seats": [{}] * 3}, "seats[0].kind: is missing; expected one of "),
    ],
)
def test_what_was_left_out_is_said_to_be_missing(place: Place, path: str, body: dict[str, object], problem: str) -> None:
    assert call(place, path, body).json["message"].startswith(problem)


@pytest.mark.parametrize(("charset", "status"), [("utf-8", 200), ('"UTF-8"', 200), ("latin-1", 415), ("utf-16", 415)])
def test_a_body_is_utf_8_or_refused(place: Place, charset: str, status: int) -> None:
    answer = ask(place, "POST", f"{CALL}GameService/ListGames", b"{}", {"content-type": f"application/json; charset={charset}"})
    assert answer.status == status
    if status == 415:
        assert answer.json["message"].startswith(f"content-type: says charset={charset}, and texts are UTF-8; expected one of ")


def test_a_field_that_there_is_not_is_named(place: Place) -> None:
    answer = call(place, "GameService/NewState", {"game": "whist", "options": {"playerz": 3}})
    assert (answer.status, answer.json["code"]) == (400, "invalid_argument")
    assert answer.json["message"].startswith("options.playerz: ")


def test_an_answer_has_the_request_id_that_was_given_or_one_of_its_own(place: Place) -> None:
    assert call(place, "GameService/ListGames", x_request_id="abc").headers["x-request-id"] == "abc"
    assert len(call(place, "GameService/ListGames", x_request_id="a b").headers["x-request-id"]) == 16


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "application/grpc"]
)
def test_what_a_foreign_form_can_send_is_no_call(place: Place, kind: str) -> None:
    body = json.dumps({"game": "whist", "seats": [{"kind": "SEAT_KIND_BOT"}] * 3}).encode()
    answer = ask(place, "POST", f"{CALL}MatchService/CreateMatch", body, {"content-type": kind} if kind else {})
    assert answer.status == 415
    assert answer.headers["accept-post"].startswith(f"{JSON}, {PROTO}, ")
    problem = "is none for a call with one answer" if kind else "is missing"
    assert answer.json["message"].startswith(f"content-type: {problem}; expected one of application/json, ")
    assert call(place, "MatchService/ListMatches").json.get("matches") == []


def test_a_call_with_one_answer_takes_no_envelopes_and_a_stream_nothing_else(place: Place) -> None:
    answer = ask(place, "POST", f"{CALL}GameService/ListGames", enveloped(b"{}"), {"content-type": "application/connect+json"})
    assert (answer.status, answer.headers["content-type"]) == (415, JSON)
    answer = call(place, "BotService/AnalyzeMoves", {})
    assert answer.status == 415
    assert answer.json["message"].startswith(
        "content-type: is none for a call that streams its answers; expected one of application/connect+json, "
    )


def test_who_errs_with_path_or_verb_is_told_what_would_be_right(place: Place) -> None:
    for path, right in [
        ("GamesService/NewState", "the services machiavel.v1.GameService, "),
        ("GameService/NewStat", "those of machiavel.v1.GameService: ApplyMove, "),
    ]:
        answer = call(place, path)
        assert (answer.status, answer.json["code"], reason_of(answer.json)) == (404, "unimplemented", "UNKNOWN_METHOD")
        assert f"there is no such method; expected one of {right}" in answer.json["message"]
    answer = ask(place, "GET", "/nowhere")
    assert (answer.status, answer.headers["content-type"]) == (404, JSON)
    assert answer.json["message"] == (
        "path: has nothing; expected /, /healthz, /readyz, /openapi.json, or POST /machiavel.v1.SERVICE/METHOD"
    )
    answer = ask(place, "GET", f"{CALL}GameService/ListGames")
    assert (answer.status, answer.headers["allow"]) == (405, "POST")
    assert answer.json["message"].endswith("expected POST")
    answer = ask(place, "POST", "/healthz", b"")
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    "path", ["/grpc.health.v1.Health/Check", "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"]
)
def test_calls_for_operators_are_not_to_be_had_here(place: Place, path: str) -> None:
    assert ask(place, "POST", path, b"{}", {"content-type": JSON}).status == 404


def test_a_path_has_one_spelling(place: Place) -> None:
    for path in (f"{CALL}GameService%2FListGames", f"/{CALL}GameService/ListGames", f"{CALL}GameService/ListGames/"):
        assert ask(place, "POST", path, b"{}", {"content-type": JSON}).status == 404


# ---- Bodies ----


def test_a_wrong_token_is_refused_before_two_megabytes_are_read(tmp_path: Path) -> None:
    (tmp_path / "tokens.toml").write_text(f'[tokens]\nada = "{TOKEN}"\n', encoding="utf-8")
    with hosted(web="127.0.0.1:0", tokens=str(tmp_path / "tokens.toml")) as server, Wire(at(server)) as wire:
        wire.send("GameService/NewState", content_length="2000000", authorization="Bearer none-of-this-server")
        answer = wire.answer()
        assert (answer.status, reason_of(answer.json), answer.headers["www-authenticate"]) == (401, "BAD_TOKEN", "Bearer")
        wire.socket.sendall(bytes(2_000_000))  # which is thrown away, and the connection goes on
        wire.send("GameService/ListGames", b"{}", authorization=f"Bearer {TOKEN}")
        assert wire.answer().status == 200


def test_who_called_last_over_a_connection_is_not_taken_for_who_calls_next(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tokens.toml").write_text(f'[tokens]\nada = "{TOKEN}"\n', encoding="utf-8")
    with hosted(web="127.0.0.1:0", tokens=str(tmp_path / "tokens.toml"), log_level="info") as server, Wire(at(server)) as wire:
        for token in (TOKEN, "none-of-this-server"):  # a proxy has one connection for many
            wire.send("GameService/ListGames", b"{}" + bytes(b" " * 200_000), authorization=f"Bearer {token}")
            wire.answer()
        wire.send("GameService/Nope", b"{}")
        wire.answer()
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    callers = [(line["reason"], line["caller"]) for line in lines if line["event"] == "call"]
    assert callers == [("", "ada"), ("BAD_TOKEN", ""), ("UNKNOWN_METHOD", "")]


def test_a_call_without_a_place_is_refused_before_its_body_is_read() -> None:
    with hosted(web="127.0.0.1:0", calls=1) as server, Wire(at(server)) as first, Wire(at(server)) as second:
        first.send("GameService/ListGames", content_length="2", expect="100-continue")
        assert first.head().status == 100  # it has its place, and is asked for its body
        second.send("GameService/ListGames", content_length="100000")
        answer = second.answer()
        assert (answer.status, reason_of(answer.json)) == (429, "TOO_BUSY")
        assert answer.json["details"][2]["debug"] == {"retryDelay": "1s"}
        first.socket.sendall(b"{}")
        assert first.answer().status == 200


def test_what_is_too_large_is_refused_by_what_it_says_of_itself(place: Place) -> None:
    with Wire(place) as wire:
        wire.send("GameService/NewState", content_length="300000")
        answer = wire.answer()
        assert (answer.status, answer.json["code"], reason_of(answer.json)) == (429, "resource_exhausted", "MESSAGE_TOO_LARGE")
        assert "300000 bytes; expected at most 262144" in answer.json["message"]


def test_what_is_too_large_is_refused_as_soon_as_it_is_where_it_comes_in_pieces(place: Place) -> None:
    with Wire(place) as wire:
        head = f"POST {CALL}GameService/NewState HTTP/1.1\r\nhost: localhost\r\ncontent-type: {JSON}\r\n"
        wire.socket.sendall(f"{head}transfer-encoding: chunked\r\n\r\n".encode())
        for _ in range(5):
            wire.socket.sendall(b"10000\r\n" + bytes(0x10000) + b"\r\n")
        answer = wire.answer()
        assert reason_of(answer.json) == "MESSAGE_TOO_LARGE"


def test_an_envelope_is_refused_by_the_length_it_claims(place: Place) -> None:
    with Wire(place) as wire:
        wire.send("BotService/AnalyzeMoves", b"\0\xff\xff\xff\xff", kind="application/connect+json", content_length="2000000000")
        assert reason_of(end_of(wire.answer().body)) == "MESSAGE_TOO_LARGE"


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "is missing"),
        (b"\0\0", "ends within the five bytes"),
        (b"\0\0\0\0\x05{}", "ends after 2 of the 5 bytes"),
        (enveloped(b"{}") + b"\0", "goes on after its message"),
        (enveloped(b"{}", flags=1), "flags 1; expected 0"),
        (enveloped(b"{}", flags=2), "flags 2; expected 0"),
        (enveloped(b""), "is no JSON"),
    ],
)
def test_an_envelope_that_cannot_be_is_told_what_is_wrong(place: Place, body: bytes, problem: str) -> None:
    with Wire(place) as wire:
        wire.send("BotService/AnalyzeMoves", body, kind="application/connect+json")
        error = end_of(wire.answer().body)
        assert error["code"] == "invalid_argument"
        assert problem in error["message"]


def test_a_request_may_be_gzip(place: Place) -> None:
    body = gzip.compress(json.dumps(NEW).encode())
    answer = ask(place, "POST", f"{CALL}GameService/NewState", body, {"content-type": JSON, "content-encoding": "gzip"})
    assert answer.body == call(place, "GameService/NewState", NEW).body


GOOD = gzip.compress(json.dumps(NEW).encode(), mtime=0)


@pytest.mark.parametrize(
    ("body", "encoding", "status", "reason", "problem"),
    [
        (gzip.compress(bytes(50_000_000), mtime=0), "gzip", 429, "MESSAGE_TOO_LARGE", "expected at most 262144"),
        (GOOD[:-4], "gzip", 400, "BAD_REQUEST", "gzip that ends too early"),
        (GOOD[:12], "gzip", 400, "BAD_REQUEST", "gzip that ends too early"),
        (GOOD + b"x", "gzip", 400, "BAD_REQUEST", "goes on after the end of its gzip"),
        (b"{}", "gzip", 400, "BAD_REQUEST", "is no gzip"),
        (b"", "gzip", 400, "BAD_REQUEST", "gzip that ends too early"),
        (b"{}", "br", 501, "UNKNOWN_ENCODING", "content-encoding: is not known here; expected one of gzip, identity"),
    ],
)
def test_what_cannot_be_unpacked_has_an_honest_code_and_a_line_in_the_log(  # noqa: PLR0917
    body: bytes, encoding: str, status: int, reason: str, problem: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with hosted(web="127.0.0.1:0", log_level="info") as server:
        headers = {"content-type": JSON, "content-encoding": encoding}
        answer = ask(at(server), "POST", f"{CALL}GameService/NewState", body, headers)
    assert (answer.status, reason_of(answer.json)) == (status, reason)
    assert problem in answer.json["message"]
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    (line,) = [line for line in lines if line["event"] == "call"]
    assert (line["method"], line["reason"]) == ("/machiavel.v1.GameService/NewState", reason)
    assert line["request"] == answer.headers["x-request-id"]


def test_answers_are_gzip_where_that_is_taken_and_worthwhile(place: Place) -> None:
    plain = call(place, "GameService/ListGames")
    packed = call(place, "GameService/ListGames", accept_encoding="br, gzip;q=0.5")
    assert (packed.headers["content-encoding"], gzip.decompress(packed.body)) == ("gzip", plain.body)
    assert len(packed.body) < len(plain.body) / 2
    assert "content-encoding" not in plain.headers
    for other in ("gzip;q=0", "br", "gzippo"):
        assert call(place, "GameService/ListGames", accept_encoding=other).body == plain.body
    small = call(place, "GameService/NewState", NEW, accept_encoding="gzip")
    assert "content-encoding" not in small.headers


# ---- Streams ----


def end_of(body: bytes) -> dict[str, Any]:
    flags, data = envelopes(body)[-1]
    assert flags == 2
    return dict(json.loads(data).get("error", {}))


def stream(place: Place, message: object, kind: str = "application/connect+json", **headers: str) -> tuple[dict[str, str], bytes]:
    with Wire(place) as wire:
        wire.send("BotService/AnalyzeMoves", enveloped(json.dumps(message).encode()), kind, **headers)
        answer = wire.answer()
        assert answer.status == 200
        return answer.headers, answer.body


def question(place: Place, **more: object) -> dict[str, object]:
    record = call(place, "GameService/NewState", NEW).json["state"]["record"]
    return {"record": record, "limits": {"iterations": 300}, "interval": "0.02s", **more}


def test_a_stream_ends_with_exactly_one_final_answer_and_an_empty_end(place: Place) -> None:
    headers, body = stream(place, question(place))
    *answers, (flags, last) = envelopes(body)
    assert headers["content-type"] == "application/connect+json"
    assert headers["x-request-id"]
    assert [json.loads(data)["final"] for _, data in answers].count(True) == 1
    assert {flags for flags, _ in answers} == {0}
    assert (flags, last) == (2, b"{}")


def test_messages_of_streams_may_be_gzip_both_ways(place: Place) -> None:
    message = gzip.compress(json.dumps(question(place, explain=True)).encode())
    headers = {"connect_content_encoding": "gzip", "connect_accept_encoding": "gzip"}
    with Wire(place) as wire:
        wire.send("BotService/AnalyzeMoves", enveloped(message, flags=1), "application/connect+json", **headers)
        answer = wire.answer()
    *_, (flags, data), (_, last) = envelopes(answer.body)
    assert (answer.headers["connect-content-encoding"], flags, last) == ("gzip", 1, b"{}")
    assert json.loads(gzip.decompress(data))["final"]


def test_an_error_in_a_stream_comes_with_its_end(place: Place) -> None:
    _, body = stream(place, {"record": {"game": "chess"}})
    error = end_of(body)
    assert (error["code"], reason_of(error)) == ("not_found", "UNKNOWN_GAME")


# ---- gRPC-Web ----


def web(place: Place, method: str, message: bytes, kind: str) -> tuple[list[tuple[int, bytes]], dict[str, str]]:
    """The envelopes, and the trailers of the last."""
    is_text = "text" in kind
    body = base64.b64encode(enveloped(message)) if is_text else enveloped(message)
    with Wire(place) as wire:
        wire.send(method, body, kind)
        answer = wire.answer()
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("application/grpc-web-text+" if is_text else "application/grpc-web+")
    data = b"".join(map(base64.b64decode, split(answer.body))) if is_text else answer.body
    *result, (flags, last) = envelopes(data)
    assert flags == 0x80
    return result, dict(line.split(": ", 1) for line in last.decode().splitlines())


def split(text: bytes) -> list[bytes]:
    """Base64 of one piece or several, each with its padding."""
    return [text[at : at + 4] for at in range(0, len(text), 4)]


WEB = ["application/grpc-web", "application/grpc-web+proto", "application/grpc-web-text", "application/grpc-web-text+proto"]


@pytest.mark.parametrize("kind", WEB)
def test_grpc_web_answers_as_grpc_does(place: Place, kind: str) -> None:
    request = v1.NewStateRequest(game="whist", options=v1.Options(players=3), seed="7").SerializeToString()
    ((flags, data),), trailers = web(place, "GameService/NewState", request, kind)
    same = ask(place, "POST", f"{CALL}GameService/NewState", request, {"content-type": PROTO})
    assert (flags, data, trailers) == (0, same.body, {"grpc-status": "0"})


@pytest.mark.parametrize("kind", WEB)
def test_errors_of_grpc_web_are_trailers_with_the_details_of_grpc(place: Place, kind: str) -> None:
    for method in ("GameService/NewState", "BotService/AnalyzeMoves"):
        message = (
            v1.NewStateRequest(game="échecs") if "New" in method else v1.AnalyzeMovesRequest(record=v1.Record(game="échecs"))
        )
        answers, trailers = web(place, method, message.SerializeToString(), kind)
        assert (answers, trailers["grpc-status"]) == ([], "5")
        assert trailers["grpc-message"].startswith("unknown game '%C3%A9checs'; installed: ")
        details = base64.b64decode(trailers["grpc-status-details-bin"] + "==")
        assert b"UNKNOWN_GAME" in details


def test_grpc_web_streams_and_speaks_json(place: Place) -> None:
    message = json.dumps(question(place)).encode()
    answers, trailers = web(place, "BotService/AnalyzeMoves", message, "application/grpc-web+json")
    assert json.loads(answers[-1][1])["final"]
    assert trailers == {"grpc-status": "0"}


@pytest.mark.parametrize("text", [b"AAA", b"A=AA", b"?AAA", b"AAAAAAA=AAAA"])
def test_base64_that_cannot_be_is_told_so(place: Place, text: bytes) -> None:
    with Wire(place) as wire:
        wire.send("GameService/ListGames", text, "application/grpc-web-text")
        trailers = wire.answer().body
    assert b"grpc-status: 3\r\n" in base64.b64decode(trailers)


def test_base64_may_come_in_pieces_each_with_its_padding(place: Place) -> None:
    request = v1.NewStateRequest(game="whist", options=v1.Options(players=3), seed="7").SerializeToString()
    whole = enveloped(request)
    with Wire(place) as wire:
        wire.send("GameService/NewState", base64.b64encode(whole[:5]) + base64.b64encode(whole[5:]), "application/grpc-web-text")
        assert b"grpc-status: 0\r\n" in b"".join(map(base64.b64decode, split(wire.answer().body)))
