"""What a caller is told who wants more than its share."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2

from machiavel import clients
from machiavel.clients import connect
from machiavel.server.service import call_interceptor, status
from machiavel.server.service.call_places import CrowdedCalls
from machiavel.server.service.refusals import CallError, TooBusy
from machiavel.server.service.worker_thread import RequestWorker
from machiavel.server.shares import OverShare
from tests.server.service.hosted import hosted, until


def test_a_refusal_says_which_limit_how_much_and_when_to_come_again() -> None:
    error = TooBusy.of(OverShare("callers.ada.calls", 3, 2, "calls under way", 2.5))

    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    message = status.status_of(error, "", "id")
    assert message.details[0].Unpack(info)
    assert message.details[2].Unpack(retry)

    assert info.reason == "TOO_BUSY"
    assert dict(info.metadata) == {"limit": "callers.ada.calls", "most": "3", "own": "2"}
    assert retry.retry_delay.ToTimedelta().total_seconds() == 2.5
    assert message.message == "too many calls under way already (at most 3 for you; 2 are yours); try again in 2.5 s"


class Silent:
    """Calls that never send a request, over a connection of their own."""

    def __init__(self, address: str, token: str) -> None:
        self.channel = grpc.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])
        self.begin: Any = self.channel.stream_unary("/machiavel.v1.GameService/ListGames", None, None)
        self.token = token
        self.ended = threading.Event()
        self.calls: list[Any] = []

    def open(self, count: int) -> None:
        for _ in range(count):
            self.calls.append(self.begin.future(self.requests(), metadata=(("authorization", f"Bearer {self.token}"),)))

    def requests(self) -> Iterator[bytes]:
        self.ended.wait(300)
        yield from ()

    def close(self) -> None:
        self.ended.set()
        self.channel.close()


def test_as_many_calls_without_a_request_as_there_may_be_keep_nobody_from_calling(tmp_path: Path) -> None:
    tokens = {name: f"the-token-of-{name}-here" for name in ("eve", "bob")}
    path = tmp_path / "tokens.toml"
    path.write_text("[tokens]\n" + "".join(f'{name} = "{token}"\n' for name, token in tokens.items()), encoding="utf-8")
    with hosted(tokens=str(path), calls=32) as server, ExitStack() as stack:
        places = server.server.calls.places
        eve, bob = (Silent(server.address, tokens[name]) for name in ("eve", "bob"))
        stack.callback(eve.close)
        stack.callback(bob.close)
        eve.open(40)
        server.run(until(lambda: places.shared.of("eve") == 30, (places, "take")))
        bob.open(14)
        server.run(until(lambda: places.shared.of("bob") == 14, (places, "take")))
        assert places.shared.of("eve") >= 15
        with connect(server.address, token=tokens["bob"]) as service:
            assert service.list_games()
        refused = [call for call in eve.calls if call.done()]
        assert {call.code() for call in refused} == {grpc.StatusCode.RESOURCE_EXHAUSTED}
        assert set(server.server.shares.usage()["calls"].callers) == {"eve", "bob"}


def test_open_watches_are_no_calls() -> None:
    with hosted(calls=4) as server, connect(server.address) as service:
        made = service.create_match("whist", ["person", "person", "person"])
        watches = [service.session(made.match, token).watch() for token in made.tokens.values() for _ in range(2)]
        for watch in watches:
            next(watch)
        assert service.list_games()
        assert server.server.shares.usage()["calls"].used <= 1
        assert len(server.server.calls.places.calls()) >= 6


def test_a_call_that_cannot_be_read_for_long_is_refused_and_meanwhile_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_interceptor, "PATIENCE", 0.5)
    monkeypatch.setattr(RequestWorker, "is_over", lambda *_: True)
    with hosted() as server, connect(server.address) as service, ThreadPoolExecutor() as pool:
        asked = pool.submit(service.list_games)
        places = server.server.calls.places
        server.run(until(lambda: bool(places.idle), (places, "wait")))
        with pytest.raises(clients.TooBusy, match="too many large requests of yours wait"):
            asked.result(60)


def test_health_watches_of_one_address_give_way_to_those_of_another() -> None:
    calls = [Asked(f"connection {number}", "ipv4:10.0.0.1") for number in range(6)]
    crowd = CrowdedCalls(6, "Health.Watch streams over", 16, stays=True)
    for call in calls:
        crowd.take(call)
    with pytest.raises(TooBusy):
        crowd.take(Asked("connection 7", "ipv4:10.0.0.1"))

    crowd.take(Asked("connection 8", "ipv4:10.0.0.2"))

    assert [call.dismissed for call in calls] == [True, False, False, False, False, False]


class Asked:
    """A call, as far as its place is concerned."""

    method = share = line = ""
    is_open, is_guest = True, False
    token: bytes | None = None

    def __init__(self, peer: str, source: str) -> None:
        self.peer = peer
        self.source = source
        self.dismissed = False

    def dismiss(self, error: CallError) -> None:
        assert isinstance(error, TooBusy)
        self.dismissed = True
