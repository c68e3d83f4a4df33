"""Whichever way a call goes, the same comes of it: answers, errors with their details, deadlines, streams, tokens, limits."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache
from pathlib import Path

import grpc
import pytest

from machiavel import v1
from machiavel.clients import connect
from machiavel.clients.http_thread import HttpChannel
from machiavel.server.matches.match_session import MatchSession
from machiavel.server.service.broadcast import Audience
from tests.server.service.hosted import Hosted, hosted
from tests.ways_in.cases import CROWDED_CASES, GUARDED_CASES, OPEN_CASES, TOKEN, Tables
from tests.ways_in.javascript import Callers, ScriptWay
from tests.ways_in.native import NativeWay
from tests.ways_in.over_http import ConnectWay, GrpcWebWay
from tests.ways_in.way import LEFT, Case, Outcome, Way, decoded, reason_of

WAIT = 10.0  # seconds
TRIES = 10  # where a machine that has other work may be late
SCRIPTS = (
    "connect-web JSON",
    "connect-web binary",
    "connect-web gRPC-Web",
    "connect-web gRPC-Web JSON",
    "connect-node JSON",
    "connect-node binary",
    "connect-node gRPC-Web",
    "connect-node gRPC",
    "grpc-web text",
)
PYTHON_WAYS: dict[str, Callable[[str], Way]] = {
    "Connect JSON": lambda web: ConnectWay(web, "json"),
    "Connect binary": lambda web: ConnectWay(web, "proto"),
    "gRPC-Web": lambda web: GrpcWebWay(web, text=False),
    "gRPC-Web text": lambda web: GrpcWebWay(web, text=True),
    "Python over HTTP": lambda web: NativeWay(lambda: HttpChannel(f"http://{web}")),
}
EVERY_WAY = [*PYTHON_WAYS, *SCRIPTS]


class Entrance:
    """A server, and all ways into it."""

    def __init__(self, server: Hosted, callers: Callers, tables: Tables) -> None:
        self.server = server
        self.tables = tables
        self.reference = cache(self.by_native_grpc)
        self.callers = callers

    @property
    def web(self) -> str:
        address = self.server.server.web_address
        assert address is not None
        return address.removeprefix("http://")

    def way(self, name: str) -> Way:
        if name in PYTHON_WAYS:
            return PYTHON_WAYS[name](self.web)
        return ScriptWay(self.callers, name, f"http://{self.server.address}", f"http://{self.web}")

    def by_native_grpc(self, make: Callable[[Tables], Case]) -> Outcome:
        case, native = make(self.tables), NativeWay(lambda: grpc.insecure_channel(self.server.address))
        outcomes = (native.run(case) for _ in range(TRIES))
        return next((one for one in outcomes if one.code == case.code or not case.is_timed), Outcome("never in time"))


@pytest.fixture(scope="module")
def callers() -> Iterator[Callers]:
    with Callers() as result:
        yield result


@pytest.fixture(scope="module")
def entrance(callers: Callers) -> Iterator[Entrance]:
    with hosted(web="127.0.0.1:0", message_kib=16, matches=3) as server:
        with connect(server.address) as service:
            tables = Tables.made(service)
        result = Entrance(server, callers, tables)
        # The second match that the server takes; the third is for another caller.
        assert result.reference(OPEN_CASES["a match is made once"]).code == "OK"
        yield result


@pytest.fixture(scope="module")
def guarded(callers: Callers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Entrance]:
    tokens: Path = tmp_path_factory.mktemp("tokens") / "tokens.toml"
    tokens.write_text(f'[tokens]\nada = "{TOKEN}"\n', encoding="utf-8")
    with hosted(web="127.0.0.1:0", tokens=str(tokens), guests=True) as server:
        result = Entrance(server, callers, Tables())
        yield result


@pytest.fixture(scope="module")
def crowded(callers: Callers) -> Iterator[Entrance]:
    with hosted(web="127.0.0.1:0", calls=1, seconds_most=3600) as server, connect(server.address) as service:
        state = service.new_state("whist", 3, seed=7)
        with closing(service.analyze_moves(state, bot="ismcts", seconds=3600)) as answers:
            next(answers)
            yield Entrance(server, callers, Tables())


def is_watched(session: MatchSession) -> bool:
    """Whether somebody waits for what happens next."""
    audience = session.audience
    return isinstance(audience, Audience) and any(one.waiting for cast in audience.broadcasts.values() for one in cast.watchers)


def holds(entrance: Entrance, way: str, make: Callable[[Tables], Case]) -> None:
    case = make(entrance.tables)
    reference = entrance.reference(make)
    outcomes = (entrance.way(way).run(case) for _ in range(TRIES))
    outcome = next((one for one in outcomes if one.code == case.code or not case.is_timed), Outcome("never in time"))

    assert reference.code == case.code, reference.message
    assert decoded(outcome, case.compares) == decoded(reference, case.compares)
    if case.reason:
        assert reason_of(outcome) == case.reason
    if case.code == LEFT:
        until_nothing_is_searched(entrance)


def until_nothing_is_searched(entrance: Entrance) -> None:
    ends = time.monotonic() + WAIT
    while entrance.server.server.search_queue.running:
        assert time.monotonic() < ends, "it searches for somebody who has left"
        time.sleep(0.005)


@pytest.mark.parametrize("way", EVERY_WAY)
@pytest.mark.parametrize("name", OPEN_CASES)
def test_what_comes_of_a_call_is_the_same_whichever_way_it_goes(entrance: Entrance, way: str, name: str) -> None:
    holds(entrance, way, OPEN_CASES[name])


@pytest.mark.parametrize("way", EVERY_WAY)
@pytest.mark.parametrize("name", GUARDED_CASES)
def test_a_token_opens_every_way_and_nothing_else_does(guarded: Entrance, way: str, name: str) -> None:
    holds(guarded, way, GUARDED_CASES[name])


@pytest.mark.parametrize("way", EVERY_WAY)
@pytest.mark.parametrize("name", CROWDED_CASES)
def test_a_server_that_is_full_says_when_to_come_again(crowded: Entrance, way: str, name: str) -> None:
    case = CROWDED_CASES[name](crowded.tables)
    holds(crowded, way, CROWDED_CASES[name])
    assert "google.rpc.RetryInfo" in [kind for kind, _ in crowded.way(way).run(case).details]


@pytest.mark.parametrize("way", EVERY_WAY)
def test_a_server_that_shuts_down_tells_those_who_watch(callers: Callers, way: str) -> None:
    with ThreadPoolExecutor(1) as threads:
        with hosted(web="127.0.0.1:0", drain=0) as server, connect(server.address) as service:
            match = service.create_match("kuhn", ["person", "person"])
            case = Case("MatchService.WatchMatch", v1.WatchMatchRequest(match=match.match, token=match.token))
            entrance = Entrance(server, callers, Tables())
            watching = threads.submit(entrance.way(way).run, case)
            ends, registry = time.monotonic() + WAIT, server.server.registry
            assert registry is not None
            while not any(map(is_watched, registry.sessions.values())):  # it has its snapshot, and waits
                assert time.monotonic() < ends
                time.sleep(0.005)
        outcome = watching.result(WAIT)

    assert (outcome.code, reason_of(outcome), len(outcome.answers)) == ("UNAVAILABLE", "SHUTTING_DOWN", 1)
