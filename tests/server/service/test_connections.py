"""Connections that are quiet stay, and those whose client is gone are ended."""

import signal
import threading
from typing import Any

import grpc
import pytest

from machiavel import v1
from machiavel.server.service.wire import state_message
from machiavel.v1.match_service_pb2_grpc import MatchServiceStub
from tests.search.positions import states
from tests.server.service.hosted import Hosted, hosted, until
from tests.server.service.match_calls import PERSON, create
from tests.server.service.watcher import STREAMS, watching

QUIET = 6.0  # seconds


def test_a_quiet_stream_of_a_client_that_pings_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quiet has to be waited for: pings come with time alone, and a connection is cut for the third that is too early."""
    monkeypatch.setattr("machiavel.server.service.listener.LEAST_PING_INTERVAL", 500)
    pinging = [("grpc.keepalive_time_ms", 1000), ("grpc.http2.max_pings_without_data", 0)]
    with hosted() as server, grpc.insecure_channel(server.address, pinging) as channel:
        matches: Any = MatchServiceStub(channel)
        made = create(matches, "whist", PERSON, PERSON)
        stream = matches.WatchMatch(v1.WatchMatchRequest(match=made.match.match, token=made.host_token))
        assert next(stream).HasField("snapshot")
        ended = threading.Event()
        stream.add_callback(ended.set)
        assert not ended.wait(QUIET), stream.details()
        matches.ForfeitSeat(v1.ForfeitSeatRequest(match=made.match.match, token=made.seat_tokens[0]))
        assert next(stream).HasField("event")


def test_a_client_that_is_frozen_gives_its_places_back_and_one_that_lives_keeps_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, milliseconds in (("PING_INTERVAL", 300), ("PING_PATIENCE", 6000)):
        monkeypatch.setattr(f"machiavel.server.service.listener.{name}", milliseconds)
    record = state_message(next(states("whist", seed=2))).record
    with hosted(seconds_most=3600) as server, grpc.insecure_channel(server.address) as channel:
        matches: Any = MatchServiceStub(channel)
        made = create(matches, "whist", PERSON, PERSON)
        stream = matches.WatchMatch(v1.WatchMatchRequest(match=made.match.match, token=made.host_token))
        assert next(stream).HasField("snapshot")
        with watching(server.address, made.match.match, made.seat_tokens[0], record) as client:
            server.run(until_places(server, made.match.match, (STREAMS + 1, {None: 1, 0: 1}, 1)))
            client.send_signal(signal.SIGSTOP)
            server.run(until_places(server, made.match.match, (1, {None: 1}, 0)))
        matches.ForfeitSeat(v1.ForfeitSeatRequest(match=made.match.match, token=made.seat_tokens[0]))
        assert next(stream).HasField("event")


async def until_places(server: Hosted, match: str, wanted: tuple[int, dict[int | None, int], int]) -> None:
    """Until so many calls are under way, so many watch the match, by seat, and so many searches run."""
    registry = server.server.registry
    assert registry is not None
    table = await registry.find(match)
    places, queue = server.server.calls.places, server.server.search_queue
    await until(  # who watches has a place for it, and gives that back in the same step of the loop
        lambda: (len(places.calls()), table.watchers, queue.running) == wanted,
        (places, "take"),
        (places, "leave"),
        (queue, "left"),
    )
