"""The door: where it listens, how many connections it has, its end."""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable, Mapping
from email.utils import formatdate
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from machiavel.server.service.call_interceptor import CallInterceptor
from machiavel.server.service.config import BadConfig, Config, address_of, host_and_port
from machiavel.server.service.fair_loop import NEW_CONNECTIONS, work_for
from machiavel.server.service.listener import files
from machiavel.server.service.proxies import peer_of, plain
from machiavel.server.web.application import Application
from machiavel.server.web.connection_places import ConnectionPlaces
from machiavel.server.web.context import WebContext
from machiavel.server.web.door_connection import Connection
from machiavel.server.web.newcomers import Newcomer, Newcomers
from machiavel.server.web.origins import Origins
from machiavel.server.web.pages import has_page, pages

__all__ = ["Door"]

BACKLOG = 4096  # beyond it the system lets a client try again after a second, and then after three
AT_ONCE, TLS_AT_ONCE = 16, 4  # connections that are taken in a round of the event loop
BREATH = 0.004  # seconds from so many new connections with TLS to the next; longer where the event loop has much to do
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
        self.places = ConnectionPlaces(lambda: self.most)
        self.socket: Any = None
        self.settings: Any = None  # of uvicorn
        self.newcomers = Newcomers(lambda: self.most // (1 if self.tls() is None else 2))
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
        work_for(NEW_CONNECTIONS).run(asyncio.get_running_loop().add_reader, self.socket, self.accept)
        self.is_open = True
        self.sweeper = asyncio.create_task(self.sweep())

    def accept(self) -> None:
        """Takes those that have come, so many at a time. A crowd of them waits, and not those who are connected."""
        has_tls = self.tls() is not None
        for _ in range(TLS_AT_ONCE if has_tls else AT_ONCE):
            try:
                client, (host, port, *_) = self.socket.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:  # no file left, say
                self.listen_later(TICK)
                return
            newcomer = Newcomer(client, str(host), port)
            self.newcomers.add(newcomer)
            if has_tls:
                work_for(NEW_CONNECTIONS).run(newcomer.begin, self.greet, self.newcomers.remove)
            else:
                newcomer.hear(self.heard)
        if has_tls:
            self.listen_later(BREATH)

    def heard(self, newcomer: Newcomer) -> None:
        """Nothing more is done for it before its caller's turn, and then in its caller's line."""
        calls, context = self.application.calls, WebContext(newcomer.headers(), peer_of(plain(newcomer.host), newcomer.port), {})
        newcomer.owner = caller = calls.line_of(context)
        calls.turns.when(caller, lambda: self.let_in(newcomer))

    def let_in(self, newcomer: Newcomer) -> bool:
        if newcomer not in self.newcomers:
            return False  # others came
        work_for(newcomer.owner).run(newcomer.begin, self.greet, self.newcomers.remove)
        return True

    def listen_later(self, seconds: float) -> None:
        asyncio.get_running_loop().remove_reader(self.socket)
        asyncio.get_running_loop().call_later(seconds, self.listen_again)

    def listen_again(self) -> None:
        if self.is_open:
            work_for(NEW_CONNECTIONS).run(asyncio.get_running_loop().add_reader, self.socket, self.accept)

    async def greet(self, newcomer: Newcomer) -> None:
        loop = asyncio.get_running_loop()
        context = self.tls()
        tls: dict[str, Any] = {}
        if context is not None:
            tls = {"ssl": context, "ssl_handshake_timeout": HANDSHAKE, "ssl_shutdown_timeout": FAREWELL}
        with contextlib.suppress(OSError):  # what goes wrong there is the client's affair
            await loop.connect_accepted_socket(lambda: Connection(self.settings, self, loop), newcomer.socket, **tls)

    async def sweep(self) -> None:
        """Ends connections whose time is up, one look a second; keeps the date of answers."""
        while True:
            self.state.default_headers = [(b"date", formatdate(usegmt=True).encode())]
            now = asyncio.get_running_loop().time()
            self.newcomers.end_silent(now)
            for connection in list(self.state.connections):
                if connection.until < now:
                    connection.expire()
            await asyncio.sleep(TICK)

    def shut(self) -> None:
        """No new connections; those with a call under way end with it, the others at once."""
        if self.is_open:
            self.is_open = False
            asyncio.get_running_loop().remove_reader(self.socket)
            self.socket.close()
        self.newcomers.end_all()
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
