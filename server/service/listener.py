"""The port: gRPC's own server, but for how it takes new calls, and those of methods that there are not."""

import asyncio
import contextlib
import resource
import socket
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import Context
from functools import partial
from typing import Any

import grpc
from grpc._cython import cygrpc
from grpc.aio import _server

from machiavel.server.service.call_interceptor import has_turn
from machiavel.server.service.call_turns import CallTurns
from machiavel.server.service.fair_loop import NEW_CALLS, line, line_for, work_for

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
MOST_IN_LINE = 16_384  # calls whose turn has not come; beyond that they wait in gRPC's own line
LINGER = 1.0  # seconds that a call is kept whose time is over
AHEAD = 64  # calls of each method that gRPC is asked for at a time
BYTES = 4096  # events of gRPC's that are taken note of at a time
# What gRPC keeps to itself, and may rename.
PRIVATE = ("AioServer", "_ServicerContext", "_handle_cancellation_from_core", "_handle_exceptions", "_handle_rpc")
HANDLER = "_handle_events"
REQUESTS = ("_request_call", "_request_registered_call")


def listener(interceptor: Any, unknown: Any, options: Sequence[tuple[str, Any]]) -> Any:
    """A server of grpc.aio in the running loop; `unknown` is the interceptor that finds the handler of unknown methods.

    With a gRPC that has other insides than this release knows it is a plain one, which a name that is no text can end.
    """
    if has_known_insides():
        return Listener(interceptor, unknown, options)
    return grpc.aio.server(interceptors=(MethodSwitch(interceptor, unknown),), options=options)


def has_known_insides() -> bool:
    """Whether gRPC is made as this release knows it."""
    if not (all(hasattr(cygrpc, name) for name in PRIVATE) and all(hasattr(cygrpc.AioServer, name) for name in REQUESTS)):
        return False
    try:
        for begun in (
            cygrpc._handle_rpc("", None, (), None, None, False),  # noqa: SLF001
            cygrpc._handle_exceptions(None, None, None, ""),  # noqa: SLF001
            cygrpc._handle_cancellation_from_core(None, None, None),  # noqa: SLF001
        ):
            begun.close()
    except TypeError:
        return False
    return True


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


class ServedMethods:
    """The handlers of all methods, by what gRPC's own server looks them up with."""

    def __init__(self) -> None:
        self.by_path: dict[str, Any] = {}

    def resolve_handler(self, details: grpc.HandlerCallDetails) -> Any:
        return self.by_path.get(str(details.method))


class PromptServer(getattr(cygrpc, "AioServer", object)):  # type: ignore[misc]
    """Takes calls off gRPC's queue as they come, many at a time, whatever else the loop has to do.

    By itself gRPC takes one call of a method after some five rounds of the loop, in the order they came: whoever calls the same
    method without end would hold up everybody before anybody knows who calls. Calls of unknown methods are handed over without a
    look at what they are called: gRPC reads that name as UTF-8 in the very loop that takes all calls, and a caller who sends
    something else would end the server.
    """

    loop: asyncio.AbstractEventLoop
    known: tuple[Any, ...]  # interceptors of methods that there are
    unknown: tuple[Any, ...]  # and of others
    methods: ServedMethods
    under_way: set["asyncio.Task[Any]"]
    calls: Any  # what is known of callers
    turns: CallTurns
    with_turn: Context  # in which calls begin that had their turn
    held: deque[Callable[[], None]]  # what takes more calls when there is room in line
    asked: int  # calls that gRPC was asked for and has not given

    def add_registered_method_handlers(self, method_handlers: Mapping[str, Any]) -> None:
        super().add_registered_method_handlers(method_handlers)
        self.methods.by_path.update(method_handlers)

    async def _request_registered_call(self, method: bytes) -> None:
        name, ask = method.decode(), super()._request_registered_call
        await self.take(lambda: ask(method), name, self.known)

    async def _request_call(self) -> None:
        await self.take(super()._request_call, UNKNOWN, self.unknown)

    async def take(self, ask: Callable[[], Any], name: str, interceptors: tuple[Any, ...]) -> None:
        """Takes calls until the server stops, which is raised."""
        stopped: asyncio.Future[None] = self.loop.create_future()

        def wait() -> None:
            asked = ask()
            waits = asked.send(None)  # the future that gRPC sets when there is a call
            self.asked += 1
            waits.add_done_callback(partial(taken, asked), context=work_for(NEW_CALLS))

        def taken(asked: Any, _: object) -> None:
            self.asked -= 1
            try:
                asked.send(None)
            except StopIteration as found:
                self.line_up(name, interceptors, found.value)
                if self.turns.waiting < MOST_IN_LINE:
                    wait()
                else:
                    self.held.append(wait)
            except Exception as error:  # noqa: BLE001 - gRPC's own, of a name that it keeps to itself
                if self.is_running():
                    self.loop.call_soon(wait)
                elif not stopped.done():
                    stopped.set_exception(error)

        for _ in range(AHEAD):
            wait()
        await stopped

    def line_up(self, name: str, interceptors: tuple[Any, ...], state: Any) -> None:
        """Nothing is done for a call before its caller's turn."""
        context = cygrpc._ServicerContext(state, None, None, self.loop)  # noqa: SLF001
        whose = line_for(self.calls.line_of(context), name)
        self.turns.when(whose, partial(self.begin, name, interceptors, state, context, whose))

    def begin(self, name: str, interceptors: tuple[Any, ...], state: Any, context: Any, whose: str) -> bool:
        if not self.is_running():
            return False  # the server ends it by itself
        if self.held:
            self.held.popleft()()
        left = context.time_remaining()
        if left is not None and left <= 0:
            # gRPC tells it, by a clock of its own that may be behind: let go before, the call would seem cancelled.
            self.loop.call_later(LINGER, partial(bool, state))
            return True
        handled = cygrpc._handle_rpc(name, self.methods, interceptors, state, self.loop, False)  # noqa: SLF001
        known = self.with_turn.copy()
        known.run(line.set, whose)
        task = self.loop.create_task(cygrpc._handle_exceptions(state, handled, self.loop, name), context=known)  # noqa: SLF001
        end = PacedEnd(task, self.calls.ends, whose)
        watch = self.loop.create_task(cygrpc._handle_cancellation_from_core(end, state, self.loop), context=known)  # noqa: SLF001
        for one in (task, watch):
            self.under_way.add(one)
            one.add_done_callback(self.under_way.discard)
        return True


class PacedEnd:
    """Stands for a call's task where gRPC ends it: those whose deadline is the same end a few at a time, callers in turn."""

    def __init__(self, task: "asyncio.Task[Any]", ends: CallTurns, caller: str) -> None:
        self.task = task
        self.ends = ends
        self.caller = caller

    def done(self) -> bool:
        return self.task.done()

    def cancel(self) -> None:
        self.ends.when(self.caller, self.task.cancel)


class Listener(_server.Server):
    """Made as its parent makes itself, but with a server of its own."""

    def __init__(self, interceptor: Any, unknown: Any, options: Sequence[tuple[str, Any]]) -> None:
        self._loop = asyncio.get_running_loop()
        self._server = PromptServer(self._loop, None, (), (interceptor,), tuple(options), None)
        self._server.loop = self._loop
        self._server.known, self._server.unknown = (interceptor,), (unknown,)
        self._server.methods, self._server.under_way = ServedMethods(), set()
        self._server.calls, self._server.turns, self._server.held = interceptor, getattr(interceptor, "turns", None), deque()
        self._server.asked = 0
        self._server.with_turn = Context()
        self._server.with_turn.run(has_turn.set, True)
        hear_all(self._loop)

    async def stop(self, grace: float | None) -> None:
        """Until gRPC has said of all calls that were asked for that they will not come: else it logs each of these words."""
        await super().stop(grace)
        for _ in range(MOST_PENDING):
            if not self._server.asked:
                break
            await asyncio.sleep(0)


def hear_all(loop: asyncio.AbstractEventLoop) -> None:
    """Lets the loop take all that gRPC tells it at once.

    gRPC writes a byte to a socket for each event, and the loop would read one byte in a round. A busy loop so fills the socket,
    and from then on gRPC tells it one thing a round: all calls over gRPC wait for seconds while those at the web door do not.
    """
    selector = getattr(loop, "_selector", None)
    for key in [] if selector is None else list(selector.get_map().values()):
        handle: Any = getattr(key.data[0], "_callback", None)
        if getattr(getattr(handle, "func", None), "__name__", "") == HANDLER and isinstance(key.fileobj, socket.socket):
            loop.add_reader(key.fileobj, partial(hear, key.fileobj, handle))


def hear(told: socket.socket, handle: Callable[[], object]) -> None:
    with contextlib.suppress(OSError):
        while len(told.recv(BYTES)) == BYTES:
            pass
    is_left = True
    while is_left:
        try:
            handle()  # after that, so that no byte is taken for an event that comes now
            is_left = False
        except RuntimeError:
            continue  # that event was of a loop which is closed, as a client's in the same process; others are left
