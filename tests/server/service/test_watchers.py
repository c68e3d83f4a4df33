"""Who may watch where many do: seats before spectators, of a seat the newest, and who has little before who has much."""

import asyncio
import json
import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

import pytest

from machiavel import v1
from machiavel.server.clock import SYSTEM_CLOCK
from machiavel.server.matches.hosting_errors import TooManyWatchers, WatchDisplaced
from machiavel.server.service import watchers as module
from machiavel.server.service.guests import GUEST
from machiavel.server.service.watchers import MOST_OF_SEAT, Holder, Watchers, WatchPlace
from machiavel.server.shares import CallerLimits, Shares
from tests.server.service.hosted import hosted
from tests.server.service.match_calls import create, first_to_move, person, stub, until

TAKEN_OVER = 500  # times, so that a match has more to tell than the buffers on the way hold
END = b"0\r\n\r\n"  # of an answer in chunks
WATCH = "/machiavel.v1.MatchService/WatchMatch"
HOST: Holder = ("match", "host")
SEAT: Holder = ("match", "seat 0")


class Crowd:
    """Streams that stay until the test is over."""

    def __init__(self, most: int, stack: ExitStack, limits: CallerLimits | None = None, guests: int = 4) -> None:
        self.watchers = Watchers(Shares(limits), most, guests)
        self.stack = stack

    def open(self, caller: str, holder: Holder | None = None, source: str = "") -> WatchPlace:
        return self.stack.enter_context(self.watchers.place(caller, source, holder))

    def fill(self, caller: str) -> list[WatchPlace]:
        """Spectators, as many as the caller may have."""
        result = []
        while True:
            try:
                result.append(self.open(caller))
            except TooManyWatchers:
                return result


@contextmanager
def crowd(most: int, limits: CallerLimits | None = None) -> Iterator[Crowd]:
    with asyncio.Runner() as runner, ExitStack() as stack:

        async def begin() -> Crowd:
            return Crowd(most, stack, limits)

        made = runner.run(begin())
        made.watchers.timer = runner.get_loop().call_later(3600, print)  # nobody sweeps here
        yield made


def lost(places: list[WatchPlace]) -> list[int]:
    return [number for number, place in enumerate(places) if place.error is not None]


@pytest.mark.parametrize("holder", [HOST, SEAT])
def test_spectators_of_a_caller_never_keep_its_hosts_and_seats_out(holder: Holder) -> None:
    with crowd(32) as watching:
        spectators = watching.fill("ada")
        assert len(spectators) >= 16
        places = [watching.open("ada", holder) for _ in range(8)]
        assert lost(places) == []
        assert lost(spectators) == list(range(8))  # the oldest
        assert isinstance(spectators[0].error, TooManyWatchers)
        assert spectators[0].error.retry_after > 0


def test_a_callers_own_limit_holds_and_is_named() -> None:
    with crowd(32, CallerLimits({"ada": {"watchers": 2}})) as watching:
        assert len(watching.fill("ada")) == 2
        with pytest.raises(TooManyWatchers) as refused:
            watching.open("ada")
        assert (refused.value.limit, refused.value.most, refused.value.own) == ("callers.ada.watchers", 2, 2)
        assert watching.open("ada", HOST).error is None


def test_the_newest_of_a_seat_displaces_its_oldest() -> None:
    with crowd(64) as watching:
        places = [watching.open("ada", SEAT) for _ in range(MOST_OF_SEAT + 2)]
        assert lost(places) == [0, 1]
        assert isinstance(places[0].error, WatchDisplaced)
        assert watching.watchers.resource.used == MOST_OF_SEAT


def test_who_has_least_is_let_in_and_who_has_most_gives_way() -> None:
    with crowd(32) as watching:
        spectators = watching.fill("ada")
        others = [watching.open(f"caller{number}") for number in range(8)]
        assert lost(others) == []
        assert watching.watchers.resource.used == len(spectators) - len(lost(spectators)) + len(others) <= 32


def test_a_stream_that_is_being_sent_to_keeps_its_callers_share_until_it_ends() -> None:
    with crowd(64) as watching, ExitStack() as first:
        stuck = first.enter_context(watching.watchers.place("ada", "", SEAT))
        stuck.sending_since = 0.0
        for _ in range(MOST_OF_SEAT):
            watching.open("ada", SEAT)
        assert isinstance(stuck.error, WatchDisplaced)
        assert watching.watchers.resource.of("ada") == MOST_OF_SEAT + 1
        first.close()
        assert watching.watchers.resource.of("ada") == MOST_OF_SEAT


def test_streams_that_can_be_cut_are_cut_once_nobody_has_read_them_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STALLED", 5.0)
    cut: list[int] = []

    async def main() -> None:
        watchers, now = Watchers(Shares(), 8, 4), SYSTEM_CLOCK.monotonic()
        with ExitStack() as stack:
            for number, since in enumerate((now - 6, now - 4, None)):
                cutting = stack.enter_context(watchers.place("ada", "", None, partial(cut.append, number)))
                cutting.sending_since = since
            watchers.sweep()
        watchers.close()

    asyncio.run(main())
    assert cut == [0]


def test_the_address_with_most_guests_loses_its_oldest_to_another() -> None:
    with crowd(64) as watching:
        many = [watching.open(GUEST, (f"match {number}", "seat 0"), "10.0.0.1") for number in range(4)]
        other = watching.open(GUEST, SEAT, "10.0.0.2")
        assert (lost(many), other.error) == ([0], None)
        with pytest.raises(TooManyWatchers):
            watching.open(GUEST, ("other", "seat 0"), "10.0.0.1")
        assert watching.watchers.resource.of(GUEST) == 4


def test_a_stream_at_the_door_that_nobody_reads_is_cut_and_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STALLED", 0.2)
    monkeypatch.setattr(module, "SWEEP", 0.1)
    monkeypatch.setattr("machiavel.server.web.door.BUFFER", 4096)
    with hosted(web="127.0.0.1:0") as server, stub(server.address) as service:
        made = create(service, "kuhn", person(), person(), spectators=True)
        asked, _, _ = first_to_move(service, made)
        match, token, seat = made.match.match, made.host_token, 1 - asked
        for _ in range(TAKEN_OVER):
            service.TakeOverSeat(v1.TakeOverSeatRequest(match=match, token=token, seat=seat, bot="greedy"))
            service.HandBackSeat(v1.HandBackSeatRequest(match=match, token=token, seat=seat))
        door, watchers = server.server.door, server.server.watchers
        assert door is not None
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", door.port))
            client.settimeout(20)
            client.sendall(whole_story(made.match.match))
            until(lambda: len(watchers.streams) == 1)
            until(lambda: not watchers.streams)
            assert watchers.resource.used == 0
            read = b"".join(iter(partial(client.recv, 1 << 16), b""))
            assert not read.endswith(END)


def whole_story(match: str) -> bytes:
    """A request to watch a match from its first event on."""
    message = json.dumps({"match": match, "after": "0"}).encode()
    body = struct.pack(">BI", 0, len(message)) + message
    kind = "Content-Type: application/connect+json"
    return f"POST {WATCH} HTTP/1.1\r\nHost: localhost\r\n{kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
