"""Through one public port, with TLS, every way in has the answers that the server itself gives."""

import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import patch

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from machiavel import v1
from machiavel.clients import Tls, connect
from machiavel.server.service import bot_service
from machiavel.server.service.call_interceptor import caller_of
from tests.deploy.envoy import Envoy, enveloped
from tests.server.service.hosted import Hosted, config, hosted
from tests.ways_in.cases import OPEN_CASES, VIEWS, Tables
from tests.ways_in.javascript import Callers, ScriptWay
from tests.ways_in.native import NativeWay
from tests.ways_in.over_http import ConnectWay, GrpcWebWay
from tests.ways_in.way import LEFT, Case, Way, decoded, reason_of

# What a proxy could spoil: forms of messages, texts and details of errors, streams, leaving, deadlines, sizes.
CASES = (
    "games",
    "advice from a view",
    "no such game",
    "no move at all",
    "a bad view",
    "a match that is over",
    "a seat without its token",
    "an analysis",
    "an analysis that is left",
    "advice that is not waited for",
    "all events of a match",
    "a quiet match",
    "watching without a token",
    "a stream that has no more time",
    "too large a message",
)
SCRIPTS = (
    "connect-web JSON",
    "connect-web gRPC-Web",
    "connect-node JSON, HTTP/2",
    "connect-node gRPC-Web, HTTP/2",
    "connect-node gRPC",
)
PYTHON_WAYS: dict[str, Callable[[Envoy], Way]] = {
    "native gRPC": lambda envoy: NativeWay(lambda: grpc.secure_channel(envoy.address, credentials(envoy))),
    "Connect JSON": lambda envoy: ConnectWay(envoy.address, "json", trust(envoy)),
    "Connect binary": lambda envoy: ConnectWay(envoy.address, "proto", trust(envoy)),
    "gRPC-Web": lambda envoy: GrpcWebWay(envoy.address, text=False, tls=trust(envoy)),
    "gRPC-Web text": lambda envoy: GrpcWebWay(envoy.address, text=True, tls=trust(envoy)),
}
ROUTE_TIMEOUT, IDLE_TIMEOUT = 15.0, 300.0  # seconds, where a configuration says nothing
WAIT = 10.0  # seconds


def trust(envoy: Envoy) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(envoy.authority))


def credentials(envoy: Envoy) -> Any:
    return grpc.ssl_channel_credentials(envoy.authority.read_bytes())


class Public:
    """A server behind Envoy."""

    def __init__(self, server: Hosted, envoy: Envoy, callers: Callers, tables: Tables) -> None:
        self.server = server
        self.envoy = envoy
        self.callers = callers
        self.tables = tables
        self.began = time.monotonic()

    def way(self, name: str) -> Way:
        if name in PYTHON_WAYS:
            return PYTHON_WAYS[name](self.envoy)
        url = f"https://{self.envoy.address}"
        return ScriptWay(self.callers, name, url, url)


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Public]:
    folder = tmp_path_factory.mktemp("envoy")
    settings = {"web": "127.0.0.1:0", "web_proxies": "127.0.0.1", "message_kib": 16}
    with (
        hosted(**settings) as server,
        connect(server.address) as service,
        enveloped(folder, server.address, str(server.server.web_address)) as envoy,
        Callers(str(envoy.authority)) as callers,
    ):
        yield Public(server, envoy, callers, Tables.made(service))


@pytest.fixture(scope="module", autouse=True)
def watching(public: Public) -> Iterator[dict[str, Future[Any]]]:
    """Quiet streams from the first test on."""
    with ThreadPoolExecutor(3) as threads:
        result = watchers(public, threads)
        yield result
        if not all(one.done() for one in result.values()):
            answered(public)  # which ends them


@pytest.mark.parametrize("way", [*PYTHON_WAYS, *SCRIPTS])
@pytest.mark.parametrize("name", CASES)
def test_through_one_port_every_call_comes_to_the_same(public: Public, way: str, name: str) -> None:
    case = OPEN_CASES[name](public.tables)
    reference = NativeWay(lambda: grpc.insecure_channel(public.server.address)).run(case)
    outcome = public.way(way).run(case)

    assert reference.code == case.code
    assert decoded(outcome, case.compares) == decoded(reference, case.compares)
    if case.code == LEFT:
        ends = time.monotonic() + WAIT
        while public.server.server.search_queue.running:
            assert time.monotonic() < ends, "it searches for somebody who has left"
            time.sleep(0.005)


def test_the_client_of_python_finds_either_way_in(public: Public) -> None:
    tls = Tls(root=public.envoy.authority.read_bytes())
    for target in (public.envoy.address, f"https://{public.envoy.address}"):
        with connect(target, tls=tls) as service:
            assert service.list_games()


def curl(envoy: Envoy, path: str, *more: str) -> str:
    """What curl prints."""
    command = ["curl", "--silent", "--cacert", str(envoy.authority), *more, f"https://{envoy.address}{path}"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout


def test_pages_are_reached_over_http_2(public: Public) -> None:
    for path, text in (("/healthz", ""), ("/readyz", ""), ("/openapi.json", '"openapi"')):
        told = curl(public.envoy, path, "--fail", "--http2", "--write-out", "\n%{http_version}")
        assert text in told
        assert told.splitlines()[-1] == "2"


def test_health_and_reflection_stay_inside(public: Public) -> None:
    with grpc.secure_channel(public.envoy.address, credentials(public.envoy)) as channel:
        with pytest.raises(grpc.RpcError) as caught:
            health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
        path = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
        with pytest.raises(grpc.RpcError) as caught:
            channel.unary_unary(path, bytes, bytes)(b"")
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_a_client_is_its_own_address_whatever_it_says(public: Public) -> None:
    claim = ("--interface", "127.0.0.2", "--header", "x-forwarded-for: 203.0.113.9")
    found: list[str] = []

    def noted(context: Any) -> str:
        found.append(caller_of(context))
        return found[-1]

    with patch.object(bot_service, "caller_of", noted):
        path, view = "/machiavel.v1.BotService/RecommendMove", f"@{VIEWS / 'kuhn-open.json'}"
        assert '"best"' in curl(public.envoy, path, "--json", view, *claim)
    assert set(found) == {"ipv4:127.0.0.2"}


def test_its_own_pages_may_call_and_others_may_not(public: Public) -> None:
    path, own = "/machiavel.v1.GameService/ListGames", f"https://{public.envoy.address}"

    def asked(header: str) -> str:
        told = curl(public.envoy, path, "--json", "{}", "--header", header, "--write-out", "\n%{http_code}")
        return told.splitlines()[-1]

    assert asked(f"origin: {own}") == "200"
    assert asked("origin: https://elsewhere.example") == "403"
    assert asked("host: elsewhere.example") == "403"


def test_the_log_has_a_line_a_call_with_its_id(public: Public) -> None:
    public.way("Connect JSON").run(OPEN_CASES["games"](public.tables))  # answers of native gRPC have none
    told = {"client": "127.0.0.1", "request": "a-case", "path": "/machiavel.v1.GameService/ListGames", "code": 200}
    ends = time.monotonic() + WAIT
    while not any(line.items() >= told.items() for line in public.envoy.calls()):  # it writes once a second
        assert time.monotonic() < ends
        time.sleep(0.1)


def test_a_new_certificate_is_taken_without_a_restart(public: Public) -> None:
    before = ssl.get_server_certificate(("127.0.0.1", public.envoy.port))
    public.envoy.renew()
    ends = time.monotonic() + WAIT
    while ssl.get_server_certificate(("127.0.0.1", public.envoy.port)) == before:
        assert time.monotonic() < ends
        time.sleep(0.05)
    with connect(public.envoy.address, tls=Tls(root=public.envoy.authority.read_bytes())) as service:
        assert service.list_games()


def test_a_server_that_drains_gets_no_new_calls(tmp_path: Path) -> None:
    server = Hosted(config(web="127.0.0.1:0"))
    with enveloped(tmp_path, server.address, str(server.server.web_address)) as envoy:
        server.stop()
        envoy.until_healthy(servers=0)
        assert PYTHON_WAYS["native gRPC"](envoy).run(OPEN_CASES["games"](Tables())).code == "UNAVAILABLE"
        assert curl(envoy, "/readyz", "--write-out", "%{http_code}") == "no healthy upstream503"


def test_a_stream_outlives_the_usual_time_of_a_route(public: Public, watching: dict[str, Future[Any]]) -> None:
    outlives(public, watching, ROUTE_TIMEOUT)


@pytest.mark.slow
def test_a_stream_outlives_the_usual_time_of_a_quiet_one(tmp_path: Path) -> None:
    with (
        hosted(web="127.0.0.1:0") as server,
        connect(server.address) as service,
        enveloped(tmp_path, server.address, str(server.server.web_address)) as envoy,
        ThreadPoolExecutor(3) as threads,
        Callers() as callers,
    ):
        public = Public(server, envoy, callers, Tables.made(service))
        outlives(public, watchers(public, threads), IDLE_TIMEOUT)


def watchers(public: Public, threads: ThreadPoolExecutor) -> dict[str, Future[Any]]:
    """A quiet stream of each protocol."""
    request = v1.WatchMatchRequest(match=public.tables.asked.match, token=public.tables.asked.token)
    case = Case("MatchService.WatchMatch", request, leaves_after=2)
    return {name: threads.submit(public.way(name).run, case) for name in ("native gRPC", "Connect JSON", "gRPC-Web")}


def answered(public: Public) -> None:
    """The match that is watched goes on."""
    match = public.tables.asked
    with connect(public.server.address) as service:
        service.session(match.match, match.token).play(public.tables.asked_move)


def outlives(public: Public, watching: dict[str, Future[Any]], seconds: float) -> None:
    time.sleep(max(0.0, public.began + seconds + 1 - time.monotonic()))
    assert not [name for name, one in watching.items() if one.done()]
    answered(public)
    for one in watching.values():
        outcome = one.result(WAIT)
        assert (outcome.code, reason_of(outcome), len(outcome.answers)) == (LEFT, "", 2)
