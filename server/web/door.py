"""The door: where it listens, how many connections it has, its end."""

import asyncio
import contextlib
import socket
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from email.utils import formatdate
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from machiavel.server.service.call_interceptor import CallInterceptor
from machiavel.server.service.config import BadConfig, Config, address_of, host_and_port
from machiavel.server.service.listener import files
from machiavel.server.service.proxies import network_of
from machiavel.server.web.application import Application
from machiavel.server.web.door_connection import Connection, ConnectionPhase
from machiavel.server.web.origins import Origins
from machiavel.server.web.pages import has_page, pages

__all__ = ["Door"]

BACKLOG, AT_ONCE = 1024, 4
BREATH = 0.004  # seconds from so many new connections to the next; longer where the event loop has much to do
SHARE = 2  # connections for each call that there may be: browsers keep some for later
PART = 3  # of the files that this process may have open, a third at most is for connections here
LEAST_ROOM = 64
TICK = 1.0  # seconds
HANDSHAKE, FAREWELL = 10.0, 5.0  # seconds for the beginning and the end of TLS
BUFFER = 128 * 1024  # bytes that the system keeps for a client that does not read, doubled by it
# Seconds. Whoever vanished is asked for after so many, so often, and given up; who takes nothing of what waits for it, too.
SILENCE, INTERVAL, PROBES, STALLED = 30, 5, 3, 60


class Door:
    """Serves HTTP in the running event loop, from `open` until it is closed."""

    def __init__(
        self,
        config: Config,
        calls: CallInterceptor,
        handlers: Mapping[str, Any],
        is_ready: Callable[[], bool],
        tls: Callable[[], ssl.SSLContext | None] = lambda: None,
    ) -> None:
        """`tls` gives the context of the next handshake. Raises BadConfig."""
        self.config = config
        self.tls = tls
        shown = pages(is_ready, handlers)
        self.has_page = has_page(shown)
        self.application = Application(calls, handlers, Origins(config), shown)
        self.state: Any = ServerState()
        self.most = most_connections(config)
        self.socket: Any = None
        self.settings: Any = None  # of uvicorn
        self.handshakes: dict[Handshake, None] = {}  # in the order they came
        self.most_handshakes = self.most // 2
        self.is_open = False
        self.sweeper: asyncio.Task[None] | None = None
        self.port = 0

    @property
    def address(self) -> str:
        return address_of(self.config.web, "web", self.port)

    def bind(self) -> None:
        """Takes the port; raises BadConfig."""
        host, port = host_and_port(self.config.web, "web")
        try:
            family, kind, number, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
            self.socket = socket.socket(family, kind, number)
            for level, option, value in options():
                self.socket.setsockopt(level, option, value)
            self.socket.bind(place)
        except OSError as error:
            if self.socket is not None:
                self.socket.close()
            raise BadConfig(
                f"web: {self.config.web} cannot be had: {error.strerror or error}; is another server there?"
            ) from None
        self.port = self.socket.getsockname()[1]

    async def open(self) -> None:
        """Takes connections from now on."""
        settings = uvicorn.Config(
            self.application, loop="asyncio", http="httptools", ws="none", lifespan="off", log_config=None, proxy_headers=False
        )
        settings.load()
        self.settings = settings
        self.socket.listen(BACKLOG)
        self.socket.setblocking(False)
        asyncio.get_running_loop().add_reader(self.socket, self.accept)
        self.is_open = True
        self.sweeper = asyncio.create_task(self.sweep())

    def accept(self) -> None:
        """Takes those that have come, so many at a time. A crowd of them waits, and not those who are connected."""
        for _ in range(AT_ONCE):
            try:
                client, address = self.socket.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:  # no file left, say
                self.listen_later(TICK)
                return
            handshake = Handshake(client, network_of(str(address[0])))
            self.handshakes[handshake] = None
            handshake.begin(self.greet, lambda one: self.handshakes.pop(one, None))
            self.make_room()
        self.listen_later(BREATH)

    def listen_later(self, seconds: float) -> None:
        asyncio.get_running_loop().remove_reader(self.socket)
        asyncio.get_running_loop().call_later(seconds, self.listen_again)

    def listen_again(self) -> None:
        if self.is_open:
            asyncio.get_running_loop().add_reader(self.socket, self.accept)

    async def greet(self, handshake: "Handshake") -> None:
        loop = asyncio.get_running_loop()
        context = self.tls()
        tls: dict[str, Any] = {}
        if context is not None:
            tls = {"ssl": context, "ssl_handshake_timeout": HANDSHAKE, "ssl_shutdown_timeout": FAREWELL}
        with contextlib.suppress(OSError):  # what goes wrong there is the client's affair
            await loop.connect_accepted_socket(lambda: Connection(self.settings, self, loop), handshake.socket, **tls)

    def make_room(self) -> None:
        """Ends the oldest handshake of the address with most of them where there are too many: an honest one takes no time."""
        if len(self.handshakes) > self.most_handshakes:
            of_address = Counter(one.address for one in self.handshakes)
            oldest = max(self.handshakes, key=lambda one: of_address[one.address])
            del self.handshakes[oldest]
            oldest.cut()

    async def sweep(self) -> None:
        """Ends connections whose time is up, one look a second; keeps the date of answers."""
        while True:
            self.state.default_headers = [(b"date", formatdate(usegmt=True).encode())]
            now = asyncio.get_running_loop().time()
            for connection in list(self.state.connections):
                if connection.until < now:
                    connection.expire()
            await asyncio.sleep(TICK)

    def has_room(self, connection: Connection) -> bool:
        """Whether one more connection may stay; if need be, for one without a call, or refused, of whoever has most of them."""
        if len(self.state.connections) <= self.most:
            return True
        others = [other for other in self.state.connections if other is not connection and not other.transport.is_closing()]
        if len(others) < self.most:
            return True
        waiting = [other for other in others if other.phase is not ConnectionPhase.CALL or other.is_refused]
        if not waiting:
            return False
        of_address = Counter(source_of(other) for other in others)
        oldest = min(waiting, key=lambda other: (-of_address[source_of(other)], other.until))
        oldest.transport.close()
        return True

    def shut(self) -> None:
        """No new connections; those with a call under way end with it, the others at once."""
        if self.is_open:
            self.is_open = False
            asyncio.get_running_loop().remove_reader(self.socket)
            self.socket.close()
        for handshake in list(self.handshakes):
            handshake.cut()
        for connection in list(self.state.connections):
            connection.shutdown()

    async def finish(self) -> None:
        """Waits until no call is under way."""
        while self.state.tasks:
            await asyncio.wait(list(self.state.tasks))

    async def close(self) -> None:
        """Ends what is left."""
        if self.sweeper is not None:
            self.sweeper.cancel()
        for connection in list(self.state.connections):
            connection.cut()
        await self.finish()
        while self.state.connections:
            await asyncio.sleep(0)
        await asyncio.sleep(0)  # for the sockets of the last ones
        if self.socket is not None:
            self.socket.close()


def source_of(connection: Connection) -> str:
    """The address or network that it comes from."""
    return network_of(connection.client[0]) if connection.client else ""


class Handshake:
    """A client that has come, until TLS is agreed on."""

    def __init__(self, client: socket.socket, address: str) -> None:
        client.setblocking(False)
        self.socket = client
        self.address = address
        self.task: asyncio.Task[None] | None = None
        self.is_begun = False

    def begin(self, work: Callable[["Handshake"], Awaitable[None]], done: Callable[["Handshake"], object]) -> None:
        async def run() -> None:
            self.is_begun = True
            await work(self)

        self.task = asyncio.create_task(run())
        self.task.add_done_callback(lambda _: done(self))

    def cut(self) -> None:
        if self.task is not None:
            self.task.cancel()
        if not self.is_begun:  # later the loop closes it
            self.socket.close()


def most_connections(config: Config) -> int:
    """Besides those that still agree on TLS, which may be half as many."""
    return max(LEAST_ROOM, min(SHARE * config.calls + config.watchers, files() // PART))


def options() -> list[tuple[int, int, int]]:
    """Of the socket that listens, which those of its connections take over."""
    return [
        (socket.SOL_SOCKET, socket.SO_REUSEADDR, 1),
        (socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER),
        (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
        (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, SILENCE),
        (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, INTERVAL),
        (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, PROBES),
        (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED * 1000),
    ]
