"""Connections that are quiet stay, and those whose client is gone are ended."""

import threading

import grpc
import pytest

from machiavel import v1
from machiavel.v1.match_service_pb2_grpc import MatchServiceStub
from tests.server.service.hosted import hosted
from tests.server.service.match_calls import PERSON, create

QUIET = 6.0  # seconds


def test_a_quiet_stream_of_a_client_that_pings_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quiet has to be waited for: pings come with time alone, and a connection is cut for the third that is too early."""
    monkeypatch.setattr("machiavel.server.service.listener.LEAST_PING_INTERVAL", 500)
    pinging = [("grpc.keepalive_time_ms", 1000), ("grpc.http2.max_pings_without_data", 0)]
    with hosted() as server, grpc.insecure_channel(server.address, pinging) as channel:
        matches = MatchServiceStub(channel)
        made = create(matches, "whist", PERSON, PERSON)
        stream = matches.WatchMatch(v1.WatchMatchRequest(match=made.match.match, token=made.host_token))
        assert next(stream).HasField("snapshot")
        ended = threading.Event()
        stream.add_callback(ended.set)
        assert not ended.wait(QUIET), stream.details()
        matches.ForfeitSeat(v1.ForfeitSeatRequest(match=made.match.match, token=made.seat_tokens[0]))
        assert next(stream).HasField("event")
