"""The port: gRPC's own server, but for calls of methods that there are not."""

import asyncio
import contextlib
import resource
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import grpc
from grpc._cython import cygrpc
from grpc.aio import _server

__all__ = ["connection_options", "files", "listener", "ping_options"]

UNKNOWN = "unknown"
# Milliseconds. A client may ask so often whether a quiet connection lives; gRPC's own patience is five minutes.
LEAST_PING_INTERVAL = 10_000
# The server asks so often itself, and ends a connection that does not answer in time: its calls give their places back.
PING_INTERVAL, PING_PATIENCE = 30_000, 10_000
# Milliseconds: that a client has to agree on TLS and HTTP/2; that a connection without calls is kept.
HANDSHAKE, IDLE = 10_000, 600_000
UNREAD = 16 * 1024
FEW = 64  # files that are kept for all else
LEAST_CONNECTIONS, MOST_CONNECTIONS = 64, 1 << 20
# Calls that the loop has not looked at yet. Beyond 1,000 gRPC would cancel some by lot, whoever makes them, without a word.
MOST_PENDING = 20_000
# What gRPC keeps to itself, and may rename.
PRIVATE = ("AioServer", "_handle_rpc", "_schedule_rpc_coro")


def listener(interceptor: Any, unknown: Any, options: Sequence[tuple[str, Any]]) -> Any:
    """A server of grpc.aio in the running loop; `unknown` is the interceptor that finds the handler of unknown methods.

    With a gRPC that has other insides than this release knows it is a plain one, which a name that is no text can end.
    """
    if all(hasattr(cygrpc, name) for name in PRIVATE) and hasattr(cygrpc.AioServer, "_request_call"):
        return Listener(interceptor, unknown, options)
    return grpc.aio.server(interceptors=(MethodSwitch(interceptor, unknown),), options=options)


def ping_options() -> list[tuple[str, int]]:
    """What gRPC is told of pings. It takes any name for an option, and says nothing of one that does not exist."""
    return [
        ("grpc.http2.min_ping_interval_without_data_ms", LEAST_PING_INTERVAL),
        ("grpc.keepalive_time_ms", PING_INTERVAL),
        ("grpc.keepalive_timeout_ms", PING_PATIENCE),  # for what is sent and not taken
        ("grpc.http2.ping_timeout_ms", PING_PATIENCE),  # for the ping's answer; by itself it is a minute, whatever stands above
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),  # no bound: a quiet stream sends no data for hours
    ]


def connection_options() -> list[tuple[str, int]]:
    """What gRPC is told of connections: as many as leave files for the web door, the storage and tournaments."""
    most = max(LEAST_CONNECTIONS, min(files() // 3 - FEW, MOST_CONNECTIONS))
    return [
        ("grpc.server_handshake_timeout_ms", HANDSHAKE),
        ("grpc.server.max_pending_requests", MOST_PENDING),
        ("grpc.server.max_pending_requests_hard_limit", MOST_PENDING),
        ("grpc.max_connection_idle_ms", IDLE),  # whose client connects again by itself when it calls
        ("grpc.max_allowed_incoming_connections", most),
        # A request that nobody reads yet stays with its sender, but for so many bytes; by itself gRPC would take more and more.
        ("grpc.http2.bdp_probe", 0),
        ("grpc.http2.lookahead_bytes", UNREAD),
    ]


def files() -> int:
    """How many this process may have open, each connection among them."""
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if most == resource.RLIM_INFINITY else most


class MethodSwitch(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]
    """One interceptor for methods that there are, and one for others."""

    def __init__(self, known: Any, unknown: Any) -> None:
        self.known = known
        self.unknown = unknown

    async def intercept_service(
        self, continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]], details: grpc.HandlerCallDetails
    ) -> Any:
        chosen = self.unknown if await continuation(details) is None else self.known
        return await chosen.intercept_service(continuation, details)


class UnknownMethodServer(getattr(cygrpc, "AioServer", object)):  # type: ignore[misc]
    """Hands calls of unknown methods over by itself, without a look at what they are called.

    gRPC reads that name as UTF-8 in the very loop that takes all calls; a caller who sends something else would end the server.
    """

    unknown: Any
    loop: asyncio.AbstractEventLoop

    async def _request_call(self) -> None:
        under_way = set()
        while True:
            state = await super()._request_call()
            with contextlib.suppress(TypeError):  # other insides: better no answer than no server
                handled = cygrpc._handle_rpc(UNKNOWN, None, (self.unknown,), state, self.loop, False)  # noqa: SLF001
                task = self.loop.create_task(cygrpc._schedule_rpc_coro(handled, state, self.loop, UNKNOWN))  # noqa: SLF001
                under_way.add(task)
                task.add_done_callback(under_way.discard)


class Listener(_server.Server):
    """Made as its parent makes itself, but with a server of its own for unknown methods."""

    def __init__(self, interceptor: Any, unknown: Any, options: Sequence[tuple[str, Any]]) -> None:
        self._loop = asyncio.get_running_loop()
        self._server = UnknownMethodServer(self._loop, None, (), (interceptor,), tuple(options), None)
        self._server.unknown = unknown
        self._server.loop = self._loop
