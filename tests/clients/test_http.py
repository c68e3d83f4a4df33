"""The client over HTTP: its connections, proxies, certificates, deadlines and what it makes of answers that are no answers."""

import asyncio
import base64
import concurrent.futures
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import grpc
import pytest
import trustme

from machiavel.clients import (
    BadOption,
    BadToken,
    Client,
    NoTime,
    ServiceError,
    ShuttingDown,
    Tls,
    UnknownMethod,
    connect,
    connect_async,
)
from machiavel.clients.http_connection import HttpConnections, HttpTarget
from machiavel.v1 import ListGamesResponse, Record, ServerInfoResponse
from tests.server.service.hosted import Hosted, hosted

BYTES = ServerInfoResponse(version="9").SerializeToString()
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/proto\r\n"
WHOLE = OK + b"Content-Length: %d\r\n\r\n%s" % (len(BYTES), BYTES)
TOKEN = "-".join(["a", "token", "of", "some", "length"])


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted(web="127.0.0.1:0") as result:
        yield result


@pytest.fixture
def service(server: Hosted) -> Iterator[Client]:
    with connect(str(server.server.web_address)) as result:
        yield result


class Listener:
    """Gives each request to `answer`, connection by connection, and keeps what came; None ends a connection."""

    def __init__(self, answer: Callable[[int], bytes | None], context: ssl.SSLContext | None = None) -> None:
        self.answer = answer
        self.context = context
        self.requests: list[bytes] = []
        self.connections = 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.threads = [threading.Thread(target=self.listen)]
        self.open: list[socket.socket] = []

    def listen(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.connections += 1
            self.open.append(connection)
            thread = threading.Thread(target=self.talk, args=(connection,))
            self.threads.append(thread)
            thread.start()

    def talk(self, connection: socket.socket) -> None:
        with connection:
            try:
                while (data := request_from(connection)) is not None:
                    self.requests.append(data)
                    answer = self.answer(len(self.requests))
                    if answer is None:
                        return
                    connection.sendall(answer)
                    if b"Connection: close" in answer:
                        return
            except OSError:
                return

    def __enter__(self) -> Self:
        self.threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        for one in (self.socket, *self.open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        for thread in self.threads:
            thread.join()


def request_from(connection: socket.socket) -> bytes | None:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(1 << 16)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length:
        body += connection.recv(1 << 16)
    return head + b"\r\n\r\n" + body


# ---- Addresses ----


@pytest.mark.parametrize(
    ("target", "scheme", "authority", "port", "prefix"),
    [
        ("http://127.0.0.1:7789", "http", "127.0.0.1:7789", 7789, ""),
        ("HTTPS://games.example/", "https", "games.example", 443, ""),
        ("https://games.example:444/machiavel/", "https", "games.example:444", 444, "/machiavel"),
        ("http://[::1]:80", "http", "[::1]", 80, ""),
    ],
)
def test_a_url_names_a_server(target: str, scheme: str, authority: str, port: int, prefix: str) -> None:
    read = HttpTarget.read(target)
    assert (read.scheme, read.authority, read.port, read.prefix) == (scheme, authority, port, prefix)


@pytest.mark.parametrize(
    "target", ["http://", "http://h:port", "http://h:0", "http://a:b@h", "http://h?x=1", "http://h#x", "http://http://h"]
)
def test_what_is_no_address_is_refused_before_anything_is_sent(target: str) -> None:
    for make in (connect, connect_async):
        with pytest.raises(ValueError, match="is no address of a server; expected http://HOST:PORT or https://HOST"):
            make(target)


def test_a_token_goes_in_the_clear_to_this_machine_alone() -> None:
    with pytest.raises(ValueError, match=r"would go to http://games\.example in the clear; expected https://"):
        connect("http://games.example", token=TOKEN)
    connect("http://localhost:1", token=TOKEN).close()
    connect("https://games.example", token=TOKEN).close()
    with pytest.raises(ValueError, match="is not encrypted; expected https://"):
        connect("http://127.0.0.1:1", tls=Tls())


# ---- Certificates and tokens ----


def test_https_asks_for_a_certificate_it_trusts_and_shows_its_own(tmp_path: Path) -> None:
    authority = trustme.CA()
    own, client = authority.issue_cert("localhost", "127.0.0.1"), authority.issue_cert("someone@example")
    for name, data in (("key", own.private_key_pem), ("cert", own.cert_chain_pems[0]), ("ca", authority.cert_pem)):
        data.write_to_path(tmp_path / f"{name}.pem")
    (tmp_path / "tokens.toml").write_text(f'[tokens]\nada = "{TOKEN}"\n', encoding="utf-8")
    root = authority.cert_pem.bytes()
    files = {"tls_certificate": "cert.pem", "tls_key": "key.pem", "tls_clients": "ca.pem", "tokens": "tokens.toml"}
    settings = {name: str(tmp_path / file) for name, file in files.items()}
    with hosted(web="127.0.0.1:0", **settings) as server:
        url = str(server.server.web_address)
        assert url.startswith("https://")
        mine = Tls(root, client.cert_chain_pems[0].bytes(), client.private_key_pem.bytes())
        with connect(url, token=TOKEN, tls=mine) as service:
            assert service.server_info().caller.name == "ada"
        with connect(url, token="wrong-" * 5, tls=mine) as service, pytest.raises(BadToken):
            service.server_info()
        with connect(url, token=TOKEN) as service, pytest.raises(ShuttingDown, match=r"the certificate of .* is not trusted"):
            service.server_info(timeout=30)
        with connect(url, tls=Tls(root)) as service, pytest.raises(ShuttingDown):
            service.server_info(timeout=30)

        async def by_asyncio() -> str:
            async with connect_async(url, token=TOKEN, tls=mine) as service:
                return (await service.server_info()).caller.name

        assert asyncio.run(by_asyncio()) == "ada"
    with pytest.raises(ValueError, match="tls: expected certificates as PEM"):
        connect(url, tls=Tls(b"no certificate"))


# ---- Connections ----


def test_calls_one_after_the_other_share_a_connection() -> None:
    with Listener(lambda _: WHOLE) as listener, connect(listener.address) as service:
        assert [service.server_info().version for _ in range(5)] == ["9"] * 5
    assert (listener.connections, len(listener.requests)) == (1, 5)


@pytest.mark.parametrize("ending", [b"Connection: close\r\n", b""])
def test_a_connection_that_was_closed_meanwhile_is_no_matter(ending: bytes) -> None:
    whole = WHOLE.replace(b"\r\n\r\n", b"\r\n" + ending + b"\r\n", 1)
    with Listener(lambda number: whole if number != 2 or ending else None) as listener, connect(listener.address) as service:
        assert [service.server_info().version for _ in range(3)] == ["9"] * 3
    assert listener.connections == (3 if ending else 2)


@pytest.mark.parametrize(
    "answer",
    [
        OK
        + b"Transfer-Encoding: chunked\r\n\r\n1\r\n"
        + BYTES[:1]
        + b"\r\n%x;x=y\r\n%s\r\n0\r\nTrailer: 1\r\n\r\n" % (len(BYTES) - 1, BYTES[1:]),
        OK + b"Connection: close\r\n\r\n" + BYTES,
        b"HTTP/1.1 100 Continue\r\n\r\n" + WHOLE,
    ],
    ids=["chunks", "to the end", "after a 100"],
)
def test_bodies_come_in_any_form(answer: bytes) -> None:
    with Listener(lambda _: answer) as listener, connect(listener.address) as service:
        assert [service.server_info().version for _ in range(2)] == ["9", "9"]


def test_a_call_says_what_it_is_and_how_long_it_has() -> None:
    with Listener(lambda _: WHOLE) as listener, connect(listener.address, token=TOKEN) as service:
        service.server_info(timeout=5)
    head = listener.requests[0].decode().split("\r\n")
    assert head[0] == "POST /machiavel.v1.ServerService/ServerInfo HTTP/1.1"
    headers = dict(line.split(": ", 1) for line in head[1:] if ": " in line)
    assert headers["Content-Type"] == "application/proto" and headers["Connect-Protocol-Version"] == "1"
    assert headers["Authorization".lower()] == f"Bearer {TOKEN}"
    assert headers["Host"] == listener.address.removeprefix("http://")
    assert 3000 < int(headers["Connect-Timeout-Ms"]) <= 5000


# ---- Answers that are none ----


@pytest.mark.parametrize(
    ("answer", "kind", "code", "told"),
    [
        (
            b"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnope",
            UnknownMethod,
            "UNIMPLEMENTED",
            "404 Not Found, without an error of this API",
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi",
            ServiceError,
            "UNKNOWN",
            "an answer of another kind",
        ),
        (b"SSH-2.0-OpenSSH\r\n\r\n", ShuttingDown, "UNAVAILABLE", "is no answer of HTTP/1.1 but 'SSH-2.0-OpenSSH'"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\nConnection: close\r\n\r\nhi",
            ShuttingDown,
            "UNAVAILABLE",
            "in the middle of an answer",
        ),
        (OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", ShuttingDown, "UNAVAILABLE", "in the middle of an answer"),
        (OK + b"Content-Length: 2\r\n\r\n\xff\xff", ServiceError, "INTERNAL", "is no message of this call"),
        (
            OK + b"Content-Length: 99999999\r\n\r\n" + b"x" * (17 << 20),
            ServiceError,
            "RESOURCE_EXHAUSTED",
            "at most 16777216 are taken",
        ),
    ],
    ids=["404", "a page", "another protocol", "cut", "bad chunk", "no message", "too large"],
)
def test_answers_that_are_none_are_told_as_what_they_are(answer: bytes, kind: Any, code: str, told: str) -> None:
    with Listener(lambda _: answer) as listener, connect(listener.address) as service, pytest.raises(kind, match=told) as caught:
        service.server_info()
    assert (type(caught.value), caught.value.code) == (kind, grpc.StatusCode[code])


@pytest.mark.parametrize("status", [429, 503])
def test_a_proxy_whose_server_is_away_is_asked_again(status: int) -> None:
    away = b"HTTP/1.1 %d Not Now\r\nContent-Length: 0\r\n\r\n" % status
    with Listener(lambda number: WHOLE if number == 3 else away) as listener, connect(listener.address) as service:
        assert service.server_info().version == "9"
    with Listener(lambda _: away) as listener, connect(listener.address) as service, pytest.raises(ShuttingDown):
        service.server_info()
    assert len(listener.requests) == 4


def test_a_search_that_cannot_be_asked_again_is_not() -> None:
    with Listener(lambda _: None) as listener, connect(listener.address) as service, pytest.raises(ShuttingDown):
        service.session("m", "t").hint()
    assert len(listener.requests) == 1


def test_errors_have_the_same_fields_by_either_door(server: Hosted) -> None:
    def told(address: str) -> list[Any]:
        with connect(address) as service:
            try:
                service.new_state("agency", 9)
            except BadOption as error:
                return [error.code, error.option, error.expected, error.fields, error.metadata, error.reason, str(error)]
        raise AssertionError

    assert told(str(server.server.web_address)) == told(server.address)


# ---- Time ----


def test_the_deadline_ends_a_call_that_nobody_answers() -> None:
    ended = threading.Event()
    try:
        with Listener(lambda _: b"" if ended.wait(30) else None) as listener, connect(listener.address) as service:
            begun = time.monotonic()
            with pytest.raises(NoTime, match="Deadline Exceeded"):
                service.server_info(timeout=0.1)
            with pytest.raises(NoTime, match="Deadline Exceeded"):
                list(service.analyze_moves(Record(game="whist"), timeout=0.1))
            assert time.monotonic() - begun < 10
            ended.set()
    finally:
        ended.set()


def test_leaving_a_stream_ends_its_search(server: Hosted, service: Client) -> None:
    state = service.new_state("agency", 3, seed=7)
    stream = service.analyze_moves(state, seconds=50, interval=0.02)
    next(stream)
    assert server.server.search_queue.running == 1
    stream.close()

    async def idle() -> bool:
        while server.server.search_queue.running:
            await asyncio.sleep(0.002)
        return True

    assert server.run(idle())
    assert service.list_games()


def test_an_interrupt_ends_the_call_it_came_in(server: Hosted, service: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    state = service.new_state("agency", 3, seed=7)
    result = concurrent.futures.Future.result

    def interrupted(future: Any, timeout: float | None = None) -> Any:
        while not server.server.search_queue.running:
            time.sleep(0.005)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(concurrent.futures.Future, "result", interrupted)
        with pytest.raises(KeyboardInterrupt):
            service.recommend_move(state, seconds=50)
    assert concurrent.futures.Future.result is result

    async def idle() -> bool:
        while server.server.search_queue.running:
            await asyncio.sleep(0.002)
        return True

    assert server.run(idle())


def test_a_closed_client_is_of_no_use_and_may_be_closed_again(server: Hosted) -> None:
    service = connect(str(server.server.web_address))
    assert service.list_games()
    threads = threading.active_count()
    service.close()
    service.close()
    assert threading.active_count() == threads - 1
    with pytest.raises(ValueError, match="closed channel"):
        service.list_games()


# ---- Proxies ----


@contextmanager
def forwarding(target: tuple[str, int]) -> Iterator[tuple[str, list[bytes]]]:
    """A proxy that takes CONNECT, and joins the two sides; with the heads it was sent."""
    heads: list[bytes] = []
    proxy = socket.create_server(("127.0.0.1", 0))
    joined: list[socket.socket] = []
    threads: list[threading.Thread] = []

    def pump(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)

    def listen() -> None:
        while True:
            try:
                client, _ = proxy.accept()
            except OSError:
                return
            head = b""
            while b"\r\n\r\n" not in head:
                head += client.recv(1 << 16)
            heads.append(head)
            server = socket.create_connection(target)
            joined.extend([client, server])
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            for pair in ((client, server), (server, client)):
                threads.append(threading.Thread(target=pump, args=pair))
                threads[-1].start()

    threads.append(threading.Thread(target=listen))
    threads[0].start()
    try:
        yield f"http://me:secret%21@127.0.0.1:{proxy.getsockname()[1]}", heads
    finally:
        for one in (proxy, *joined):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        for thread in threads:
            thread.join()


BASIC = base64.b64encode(b"me:secret!")


def test_a_proxy_of_the_environment_is_asked_for_http(monkeypatch: pytest.MonkeyPatch) -> None:
    with Listener(lambda _: WHOLE) as proxy:
        monkeypatch.setenv("http_proxy", proxy.address.replace("http://", "http://me:secret%21@"))
        monkeypatch.delenv("no_proxy", raising=False)
        with connect("http://games.example:81/there") as service:
            assert service.server_info().version == "9"
        monkeypatch.setenv("no_proxy", "games.example")
        assert HttpConnections(HttpTarget.read("http://games.example:81"), None).proxy is None
        monkeypatch.setenv("no_proxy", "")
        assert HttpConnections(HttpTarget.read("http://127.0.0.1:81"), None).proxy is None  # this machine needs none
    head = proxy.requests[0]
    assert head.startswith(
        b"POST http://games.example:81/there/machiavel.v1.ServerService/ServerInfo HTTP/1.1\r\nHost: games.example:81\r\n"
    )
    assert b"Proxy-Authorization: Basic " + BASIC in head


def test_https_goes_through_a_proxy_as_through_a_tunnel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    authority = trustme.CA()
    own = authority.issue_cert("games.example")
    own.private_key_pem.write_to_path(tmp_path / "key.pem")
    own.cert_chain_pems[0].write_to_path(tmp_path / "cert.pem")
    settings = {"tls_certificate": str(tmp_path / "cert.pem"), "tls_key": str(tmp_path / "key.pem")}
    with (
        hosted(web="127.0.0.1:0", web_host="games.example", **settings) as server,
        forwarding(("127.0.0.1", int(str(server.server.web_address).rpartition(":")[2]))) as (proxy, heads),
    ):
        monkeypatch.setenv("https_proxy", proxy)
        monkeypatch.setenv("no_proxy", "")
        with connect("https://games.example", tls=Tls(authority.cert_pem.bytes())) as service:
            assert service.list_games()
    assert heads[0].startswith(b"CONNECT games.example:443 HTTP/1.1\r\nHost: games.example:443\r\n")
    assert b"Proxy-Authorization: Basic " + BASIC in heads[0]


def test_a_proxy_that_refuses_or_is_none_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "")
    with Listener(lambda _: b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n") as proxy:
        monkeypatch.setenv("https_proxy", proxy.address)
        with connect("https://games.example") as service, pytest.raises(ShuttingDown, match="refuses to connect: 407 Proxy"):
            service.server_info()
    monkeypatch.setenv("https_proxy", "socks5://127.0.0.1:1")
    with pytest.raises(ValueError, match=r"https_proxy is 'socks5://127\.0\.0\.1:1'; expected http://HOST:PORT"):
        connect("https://games.example")


def test_what_later_servers_add_is_no_matter() -> None:
    games = ListGamesResponse()
    games.games.add(name="whist")
    later = games.SerializeToString() + b"\xca\x3e\x05later"  # field 1001, a text
    answer = OK + b"X-New: 1\r\nContent-Length: %d\r\n\r\n%s" % (len(later), later)
    with Listener(lambda _: answer) as listener, connect(listener.address) as service:
        assert [game.name for game in service.list_games()] == ["whist"]
