"""The health is told to whoever can reach the server, however many others ask."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from machiavel.clients import TooBusy, connect
from machiavel.clients.errors import from_call
from machiavel.server.service.app import SERVICES
from machiavel.server.service.health import Health
from tests.server.service.hosted import Hosted, hosted, until
from tests.server.service.raw import PREFACE, SETTINGS, begun, frame

REQUEST = health_pb2.HealthCheckRequest()
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
MOST = 16  # streams over one connection
MOST_CHECKS = 64  # under way over one connection
WAIT = 60  # seconds, where something is wrong


@contextmanager
def connection(server: Hosted) -> Iterator[Any]:
    """The health service over a connection that no other channel shares."""
    with grpc.insecure_channel(server.address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
        yield health_pb2_grpc.HealthStub(channel)


def check(health: Any) -> Any:
    return health.Check(REQUEST, timeout=WAIT).status


def watch(health: Any) -> Any:
    """A stream that has told its first."""
    stream = health.Watch(REQUEST)
    assert next(stream).status == SERVING
    return stream


def refusal_of_watch(health: Any) -> TooBusy:
    with pytest.raises(grpc.RpcError) as caught:
        next(health.Watch(REQUEST, timeout=WAIT))
    error = from_call(caught.value)
    assert isinstance(error, TooBusy)
    assert error.retry_after
    return error


async def until_calls(server: Hosted, count: int) -> None:
    places = server.server.calls.places
    await until(lambda: len(places.calls()) == count, (places, "take"), (places, "leave"))


def test_as_many_watchers_as_there_may_be_keep_nobody_from_a_check_or_a_call() -> None:
    with hosted(calls=2) as server, connection(server) as one, connection(server) as two, connection(server) as three:
        streams = [watch(one), watch(two)]
        assert str(refusal_of_watch(three)) == (
            "too many Health.Watch streams over all connections (at most 2) already; ask Health.Check, or try again in 1 s"
        )
        assert [check(health) for health in (one, two, three)] == [SERVING] * 3
        with connect(server.address) as service:
            assert service.list_games()
        streams[0].cancel()
        server.run(until_calls(server, 1))
        assert watch(three)


def test_a_connection_watches_with_so_many_streams_and_leaves_the_rest_to_others() -> None:
    with hosted() as server, connection(server) as one, connection(server) as two:
        streams = [watch(one) for _ in range(MOST)]
        assert str(refusal_of_watch(one)) == (
            "too many Health.Watch streams over this connection (at most 16) already; "
            "end one, ask Health.Check, or try again in 1 s"
        )
        assert check(one) == SERVING
        streams.append(watch(two))
        streams[0].cancel()
        server.run(until_calls(server, MOST))
        assert watch(one)


class RawConnection:
    """Begins checks, and sends no request."""

    def __init__(self, other: socket.socket, server: Hosted) -> None:
        host, _, port = server.address.rpartition(":")
        self.socket = other
        self.stream = 1
        other.settimeout(WAIT)
        other.connect((host, int(port)))
        other.sendall(PREFACE + frame(SETTINGS, 0, 0, b""))

    def begin(self, checks: int) -> None:
        for _ in range(checks):
            self.socket.sendall(begun(self.stream, b"/grpc.health.v1.Health/Check"))
            self.stream += 2

    def read_until(self, text: bytes) -> None:
        answer = b""
        while text not in answer:
            part = self.socket.recv(1 << 16)
            assert part
            answer += part


@contextmanager
def raw_connection(server: Hosted) -> Iterator[RawConnection]:
    with socket.socket() as other:
        yield RawConnection(other, server)


def test_a_connection_has_so_many_checks_under_way_and_leaves_the_rest_to_others() -> None:
    with hosted() as server, raw_connection(server) as other, connection(server) as health:
        other.begin(MOST_CHECKS + 1)
        other.read_until(b"over this connection (at most 64) already; try again in 1 s")
        server.run(until_calls(server, MOST_CHECKS))
        assert check(health) == SERVING


def test_who_begins_checks_and_sends_no_request_keeps_nobody_else_from_one() -> None:
    """The connection that has most loses its oldest; one that has as many as any is refused itself."""
    refused = b"over all connections (at most 4) already; try again in 1 s"
    with hosted(calls=4) as server, raw_connection(server) as one, raw_connection(server) as two, connection(server) as health:
        one.begin(3)
        server.run(until_calls(server, 3))
        two.begin(1)
        server.run(until_calls(server, 4))
        one.begin(1)
        one.read_until(refused)
        two.begin(1)
        one.read_until(refused)
        assert check(health) == SERVING
        one.read_until(refused)
        server.run(until_calls(server, 3))


def test_many_connections_with_a_check_each_keep_nobody_else_from_one() -> None:
    with hosted(calls=4) as server, ExitStack() as stack, connection(server) as health:
        others = [stack.enter_context(raw_connection(server)) for _ in range(4)]
        for number, other in enumerate(others, 1):
            other.begin(1)
            server.run(until_calls(server, number))
        assert check(health) == SERVING
        others[0].read_until(b"over all connections (at most 4)")
        server.run(until_calls(server, 3))


def test_places_that_nobody_has_are_not_remembered() -> None:
    with hosted() as server, connection(server) as health:
        watch(health).cancel()
        assert check(health) == SERVING
        server.run(until_calls(server, 0))
        places = server.server.calls.places
        assert not places.checks.of_address + places.checks.of_connection + places.health_watches.of_address


def test_all_services_are_listed_with_their_health() -> None:
    with hosted() as server, connection(server) as health:
        result = health.List(health_pb2.HealthListRequest(), timeout=WAIT)
    assert {name: answer.status for name, answer in result.statuses.items()} == dict.fromkeys(("", *SERVICES), SERVING)


def test_a_change_while_a_message_goes_out_is_told() -> None:
    async def main() -> None:
        health = Health(("one",))
        context: Any = None
        watched = health.Watch(REQUEST, context)
        assert (await anext(watched)).status == SERVING
        health.set_draining(True)  # the first message has not gone out yet
        assert (await asyncio.wait_for(anext(watched), WAIT)).status == NOT_SERVING
        health.set_draining(False)
        assert (await asyncio.wait_for(anext(watched), WAIT)).status == SERVING
        health.close()
        assert [one.status async for one in watched] == [NOT_SERVING]

    asyncio.run(main())
