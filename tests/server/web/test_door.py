"""The door opens with the server and closes with it; its pages, its TLS, its faults."""

import http.client
import json
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trustme

from machiavel.clients import Tls, connect
from tests.server.service.hosted import Hosted, hosted
from tests.server.service.match_calls import until
from tests.server.web.http_calls import Place, Wire, ask, at, call, enveloped, envelopes, question, reason_of

JSON_STREAM = "application/connect+json"


def test_pages_say_where_to_go_and_how_the_server_is(place: Place) -> None:
    front = ask(place, "GET", "/")
    assert (front.status, front.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert front.headers["content-security-policy"].startswith("default-src 'none'")
    described = ask(place, "GET", "/openapi.json")
    assert (described.status, described.headers["content-type"]) == (200, "application/json")
    assert "/machiavel.v1.GameService/ListGames" in described.json["paths"]
    for path in ("/", "/healthz", "/readyz", "/openapi.json"):
        head = ask(place, "HEAD", path)
        assert (head.status, head.body) == (200, b"")
        assert head.headers["content-length"] == ask(place, "GET", path).headers["content-length"]
    assert "date" in front.headers
    assert "server" not in front.headers


def test_at_the_end_it_takes_nobody_new_and_lets_calls_end(monkeypatch: pytest.MonkeyPatch) -> None:
    with hosted(web="127.0.0.1:0", drain=30) as server:
        place = at(server)
        with Wire(place) as busy, Wire(place) as idle:
            idle.send("GameService/ListGames", b"{}")
            assert idle.answer().status == 200
            asked = json.loads(question(place)) | {"limits": {"iterations": 20_000}}
            busy.send("BotService/AnalyzeMoves", enveloped(json.dumps(asked).encode()), JSON_STREAM)
            assert busy.head().status == 200
            until(lambda: server.server.search_queue.running == 1)
            server.loop.call_soon_threadsafe(server.ended.set)
            assert idle.is_over()
            *answers, (flags, last) = envelopes(b"".join(busy.chunks()))
            assert json.loads(answers[-1][1])["final"]
            assert (flags, last) == (2, b"{}")
            assert busy.is_over()
        with pytest.raises(ConnectionRefusedError):
            Wire(place)


def test_calls_that_outlast_the_drain_are_told_why_they_end() -> None:
    with hosted(web="127.0.0.1:0", drain=0.2) as server:
        place = at(server)
        with Wire(place) as stream, Wire(place) as waiting:
            stream.send("BotService/AnalyzeMoves", enveloped(question(place)), JSON_STREAM)
            assert stream.head().status == 200
            next(stream.chunks())
            waiting.send("GameService/ListGames", content_length="2")
            until(lambda: len(server.server.calls.places.calls()) == 2)
            server.loop.call_soon_threadsafe(server.ended.set)
            _, last = envelopes(b"".join(stream.chunks()))[-1]
            assert reason_of(json.loads(last)["error"]) == "SHUTTING_DOWN"
            answer = waiting.answer()
            assert (answer.status, reason_of(answer.json)) == (503, "SHUTTING_DOWN")


def test_who_watches_a_match_is_told_when_the_server_ends() -> None:
    with hosted(web="127.0.0.1:0", drain=5) as server:
        place = at(server)
        new = {"game": "whist", "seats": [{"kind": "SEAT_KIND_PERSON"}] * 3}
        made = call(place, "MatchService/CreateMatch", new).json
        asked = {"match": made["match"]["match"], "token": made["hostToken"]}
        with Wire(place) as wire:
            wire.send("MatchService/WatchMatch", enveloped(json.dumps(asked).encode()), JSON_STREAM)
            assert wire.head().status == 200
            server.loop.call_soon_threadsafe(server.ended.set)
            _, (_, last) = envelopes(b"".join(wire.chunks()))
            assert reason_of(json.loads(last)["error"]) == "SHUTTING_DOWN"


def test_a_stream_that_says_nothing_yet_is_known_to_be_open(place: Place) -> None:
    new = {"game": "whist", "seats": [{"kind": "SEAT_KIND_PERSON"}] * 3}
    made = call(place, "MatchService/CreateMatch", new).json
    version = call(place, "MatchService/GetMatch", {"match": made["match"]["match"], "token": made["hostToken"]}).json["snapshot"]
    asked = {"match": made["match"]["match"], "token": made["hostToken"], "after": version["version"]}
    with Wire(place) as wire:
        wire.send("MatchService/WatchMatch", enveloped(json.dumps(asked).encode()), JSON_STREAM)
        assert wire.head().headers["content-type"] == JSON_STREAM


def test_there_is_no_door_unless_it_is_asked_for() -> None:
    with hosted() as server:
        assert server.server.door is None
        assert server.server.web_address is None


# ---- Faults ----


def broken(*_: object) -> None:
    raise RuntimeError("the hand is H2 H3 H4")


@pytest.mark.parametrize("where", ["machiavel.server.service.wire.read_state", "machiavel.server.web.origins.Origins.peer"])
def test_a_fault_says_nothing_but_its_id(where: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    with hosted(web="127.0.0.1:0") as server:
        place = at(server)
        asked = {"record": json.loads(question(place))["record"]}
        monkeypatch.setattr(where, broken if "wire" in where else once(where))
        answer = call(place, "GameService/GetState", asked)
    assert (answer.status, answer.json["code"], reason_of(answer.json)) == (500, "internal", "FAULT")
    assert answer.json["message"] == "a fault of the server; its log has more under the request id"
    log = capfd.readouterr().err
    assert answer.headers["x-request-id"] in log
    assert "RuntimeError" in log
    assert "H2 H3" not in log + answer.body.decode()


def once(where: str) -> Callable[..., Any]:
    """Fails the first time."""
    from machiavel.server.web.origins import Origins

    right, calls = Origins.peer, []

    def failing(*given: Any) -> Any:
        calls.append(given)
        if len(calls) == 1:
            broken()
        return right(*given)

    return failing


def test_a_fault_in_writing_an_answer_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("machiavel.server.web.codecs.write_json", broken)
    with hosted(web="127.0.0.1:0") as server:
        answer = call(at(server), "GameService/ListGames")
    assert (answer.status, reason_of(answer.json)) == (500, "FAULT")


# ---- TLS ----


@pytest.fixture
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def certificates(authority: trustme.CA, tmp_path: Path) -> dict[str, str]:
    own = authority.issue_cert("localhost", "127.0.0.1")
    own.private_key_pem.write_to_path(tmp_path / "key.pem")
    own.cert_chain_pems[0].write_to_path(tmp_path / "cert.pem")
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    return {"tls_certificate": str(tmp_path / "cert.pem"), "tls_key": str(tmp_path / "key.pem")}


def get(server: Hosted, path: str, context: ssl.SSLContext, data: bytes | None = None) -> bytes:
    connection = http.client.HTTPSConnection(*at(server), timeout=60, context=context)
    try:
        connection.request("GET" if data is None else "POST", path, data, {"content-type": "application/json"})
        return connection.getresponse().read()
    finally:
        connection.close()


def test_the_servers_certificate_is_the_doors(authority: trustme.CA, certificates: dict[str, str]) -> None:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    with hosted(web="127.0.0.1:0", **certificates) as server:
        assert str(server.server.web_address).startswith("https://127.0.0.1:")
        assert get(server, "/readyz", context) == b"ready\n"
        assert len(json.loads(get(server, "/machiavel.v1.GameService/ListGames", context, b"{}"))["games"]) >= 4
        with Wire(at(server)) as wire:
            wire.socket.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert wire.is_over()


def test_a_client_with_a_certificate_is_called_the_same_at_both_doors(
    authority: trustme.CA, certificates: dict[str, str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    client = authority.issue_cert("ada@example.org", common_name='Ada, "the" É #1 ', organization_name=" Les Échecs+")
    client.private_key_pem.write_to_path(tmp_path / "client.key")
    client.cert_chain_pems[0].write_to_path(tmp_path / "client.pem")
    context = ssl.create_default_context()
    authority.configure_trust(context)
    clients = {"tls_clients": str(tmp_path / "ca.pem")}
    with hosted(web="127.0.0.1:0", log_level="info", **certificates, **clients) as server:
        with pytest.raises((ssl.SSLError, ConnectionError)):
            get(server, "/readyz", context)
        client.configure_cert(context)
        get(server, "/machiavel.v1.GameService/ListGames", context, b"{}")
        tls = Tls(
            root=(tmp_path / "ca.pem").read_bytes(),
            key=(tmp_path / "client.key").read_bytes(),
            certificate=(tmp_path / "client.pem").read_bytes(),
        )
        with connect(server.address, tls=tls) as service:
            service.list_games()
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    here, there = [line["caller"] for line in lines if line["event"] == "call"]
    assert here == there
    assert "Ada" in here
