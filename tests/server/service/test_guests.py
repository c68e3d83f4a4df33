"""Guests play with what a seat shows, and get nowhere else."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from machiavel import v1
from machiavel.clients import BadCode, BadToken, Client, MessageTooLarge, NoAccess, ServiceError, TooBusy, connect
from machiavel.clients.errors import from_call
from machiavel.server.service.config import BadConfig
from machiavel.server.service.guests import GUEST_CALLS, GUEST_KIB
from machiavel.v1.match_service_pb2_grpc import MatchServiceStub
from tests.server.service.hosted import Hosted, config, hosted

TOKEN = "-".join(["the", "token", "of", "a", "frontend"])


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tokens") / "tokens.toml"
    path.write_text(f'[tokens]\nada = "{TOKEN}"\n', encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def server(tokens: Path) -> Iterator[Hosted]:
    with hosted(tokens=str(tokens), guests=True, guest_calls=3, web="127.0.0.1:0") as result:
        yield result


@pytest.fixture(params=["grpc", "http"])
def address(request: pytest.FixtureRequest, server: Hosted) -> str:
    """Of the same server, by either of its doors."""
    return server.address if request.param == "grpc" else str(server.server.web_address)


@pytest.fixture
def ada(address: str) -> Iterator[Client]:
    with connect(address, token=TOKEN) as result:
        yield result


@pytest.fixture
def guest(address: str) -> Iterator[Client]:
    with connect(address) as result:
        yield result


def test_a_guest_joins_by_its_code_and_plays_to_the_end(ada: Client, guest: Client) -> None:
    host = ada.create_match("whist", ["open", "greedy"], think=0.02, hints=True, open_record=True)
    mine = guest.join_match(host.code, name="Louise")
    for position in mine.turns():
        mine.play(position.moves[0].text)
    assert len(mine.record().record.moves) > 0
    host.delete()
    with pytest.raises(NoAccess):
        mine.get()


def test_a_guest_with_a_seats_token_hints_hands_over_and_forfeits(ada: Client, guest: Client) -> None:
    host = ada.create_match("whist", ["person", "person"], hints=True)
    mine = guest.session(host.match, host.tokens[0])
    asked = mine.get().position.seats_to_move[0]
    assert guest.session(host.match, host.tokens[asked]).hint(iterations=50).move.text
    assert mine.take_over("random").taken_over
    assert not mine.hand_back().taken_over
    assert mine.forfeit().forfeited


def test_a_guest_reads_what_games_there_are_and_what_it_may_do(ada: Client, guest: Client) -> None:
    assert guest.list_games() == ada.list_games()
    info = guest.server_info()
    assert (info.caller.name, info.caller.guest, ada.server_info().caller.name) == ("", True, "ada")
    assert {f"/machiavel.v1.{call.replace('.', '/')}" for call in info.caller.calls} <= GUEST_CALLS
    assert (info.limits.calls, info.limits.message_bytes) == (3, GUEST_KIB * 1024)
    assert "guests" in info.features


@pytest.mark.parametrize(
    "ask",
    [
        lambda guest: guest.create_match("whist", ["person", "greedy"]),
        lambda guest: list(guest.list_matches()),
        lambda guest: guest.list_bots(),
        lambda guest: guest.new_state("whist", 2, seed=1),
        lambda guest: guest.recommend_move(v1.Record(game="whist")),
        lambda guest: guest.list_tournaments(),
    ],
)
def test_all_else_asks_a_guest_for_a_token(guest: Client, ask: Any) -> None:
    with pytest.raises(BadToken):
        ask(guest)


def test_every_call_that_a_guest_may_not_make_asks_for_a_token(ada: Client, server: Hosted) -> None:
    calls = {f"/machiavel.v1.{call.replace('.', '/')}" for call in ada.server_info().caller.calls}
    with grpc.insecure_channel(server.address) as channel:
        for call in sorted(calls - GUEST_CALLS):
            ask = channel.unary_unary(call, None, None)
            with pytest.raises(grpc.RpcError) as caught:
                ask(b"\xff" * 100, timeout=10)  # what is no message at all is not looked at
            assert from_call(caught.value).reason == "BAD_TOKEN", call


def test_a_wrong_token_makes_nobody_a_guest(address: str) -> None:
    with connect(address, token="wrong" * 5) as service, pytest.raises(BadToken):
        service.list_games()


def test_a_guest_cannot_tell_an_unknown_match_from_a_wrong_token(ada: Client, guest: Client) -> None:
    host = ada.create_match("whist", ["person", "greedy"], spectators=True, open_record=True)
    known, unknown = host.match, host.match[::-1]
    errors = []
    for match, token in ((known, "wrong"), (unknown, "wrong"), (known, ""), (unknown, ""), (known, host.token), (known, TOKEN)):
        session = guest.session(match, token)
        for ask in (session.get, lambda at=session: next(at.watch()), session.forfeit, session.record, session.hint):
            with pytest.raises(NoAccess) as caught:
                ask()
            errors.append((str(caught.value), caught.value.fields, caught.value.metadata))
    assert all(error == errors[0] for error in errors)
    with pytest.raises(BadCode):
        guest.join_match("AAAAAAAAAA")


def test_a_hosts_token_is_no_guests(ada: Client, guest: Client) -> None:
    host = ada.create_match("whist", ["person", "greedy"])
    with pytest.raises(BadToken):
        guest.session(host.match, host.token).delete()
    with pytest.raises(NoAccess):
        guest.session(host.match, host.token).take_over("greedy", seat=0)
    host.delete()


def test_what_a_guest_sends_may_be_small_only(guest: Client, ada: Client) -> None:
    name = "n" * (GUEST_KIB * 1024)
    with pytest.raises(MessageTooLarge) as caught:
        guest.join_match("AAAAAAAAAA", name=name)
    assert caught.value.most == GUEST_KIB * 1024
    with pytest.raises(ServiceError) as other:
        ada.join_match("AAAAAAAAAA", name=name)
    assert other.value.reason == "BAD_CODE"


def test_guests_share_a_few_calls_and_leave_the_rest_to_others(ada: Client, guest: Client) -> None:
    host = ada.create_match("whist", ["person", "person"])
    mine = guest.session(host.match, host.tokens[0])
    watched = [mine.watch() for _ in range(3)]
    for stream in watched:
        next(stream)
    with pytest.raises(TooBusy, match=r"calls of guests under way \(at most 3\)") as caught:
        mine.get()
    assert caught.value.retry_after == 1.0
    assert ada.list_games() and host.get().match.match == host.match
    for stream in watched:
        stream.close()
    ended = threading.Event()
    while not ended.wait(0.01):
        try:
            mine.get()
        except TooBusy:
            continue
        ended.set()


def test_the_address_with_most_calls_of_guests_loses_one_to_another_address(tokens: Path) -> None:
    settings = {"guests": True, "guest_calls": 2, "web_proxies": "127.0.0.1"}
    with hosted(tokens=str(tokens), **settings) as server, grpc.insecure_channel(server.address) as channel:
        with connect(server.address, token=TOKEN) as ada:
            host = ada.create_match("whist", ["person", "person"])
        stub = MatchServiceStub(channel)

        def watch(address: str) -> Any:
            request = v1.WatchMatchRequest(match=host.match, token=host.tokens[0])
            stream: Any = stub.WatchMatch(request, metadata=(("x-forwarded-for", address),), timeout=30)
            next(stream)
            return stream

        first, second = watch("203.0.113.7"), watch("203.0.113.7")
        with pytest.raises(grpc.RpcError, match="calls of guests under way"):
            watch("203.0.113.7")
        other = watch("203.0.113.9")
        with pytest.raises(grpc.RpcError) as caught:
            next(first)
        assert from_call(caught.value).reason == "TOO_BUSY"
        with pytest.raises(grpc.RpcError, match="calls of guests under way"):  # both addresses have one
            watch("203.0.113.9")
        assert second.is_active() and other.is_active()
        second.cancel()
        other.cancel()


@pytest.mark.parametrize("door", ["grpc", "http"])
def test_lines_of_the_log_say_guest_and_never_what_it_showed(tokens: Path, capfd: pytest.CaptureFixture[str], door: str) -> None:
    with hosted(tokens=str(tokens), guests=True, log_level="info", web="127.0.0.1:0") as server:
        address = server.address if door == "grpc" else str(server.server.web_address)
        with connect(address, token=TOKEN) as ada:
            host = ada.create_match("whist", ["open", "greedy"])
        with connect(address) as guest:
            mine = guest.join_match(host.code)
            next(mine.watch())
            with pytest.raises(BadToken):
                guest.list_bots()
    log = capfd.readouterr().err
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    callers = {line["method"].rpartition("/")[2]: line["caller"] for line in lines if "method" in line}
    assert callers == {"CreateMatch": "ada", "JoinMatch": "guest", "WatchMatch": "guest", "ListBots": ""}
    assert mine.token not in log and host.code not in log


def test_settings_of_guests_that_cannot_be_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="guests: is set without tokens"):
        config(guests=True)
    with pytest.raises(BadConfig, match="guest_calls: is 64, and there are 64 calls"):
        config(guests=True, tokens="tokens.toml", calls=64)
    path = tmp_path / "tokens.toml"
    path.write_text(f'[tokens]\nguest = "{TOKEN}"\n', encoding="utf-8")
    with pytest.raises(BadConfig, match="'guest' is what guests are called"), hosted(tokens=str(path), guests=True):
        pass
    with hosted(tokens=str(path)) as server, connect(server.address, token=TOKEN) as service:
        assert service.server_info().caller.name == "guest"
