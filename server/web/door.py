"""The door: where it listens, its connections, its end."""

import asyncio
import socket
from collections.abc import Mapping
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from machiavel.server.service.call_interceptor import CallInterceptor
from machiavel.server.service.config import BadConfig, Config, address_of, host_and_port
from machiavel.server.web.application import Application
from machiavel.server.web.connection import Connection

__all__ = ["Door"]

BACKLOG = 1024
KEEP_ALIVE = 65  # seconds that a connection without a call is kept


class Door:
    """Serves HTTP in the running event loop, from `open` until it is closed."""

    def __init__(self, config: Config, calls: CallInterceptor, handlers: Mapping[str, Any]) -> None:
        self.config = config
        self.application = Application(calls, handlers)
        self.state = ServerState()
        self.socket: Any = None
        self.server: asyncio.Server | None = None
        self.port = 0

    @property
    def address(self) -> str:
        return address_of(self.config.web, "web", self.port)

    def bind(self) -> None:
        """Takes the port; raises BadConfig."""
        host, port = host_and_port(self.config.web, "web")
        try:
            family, kind, number, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
            self.socket = socket.socket(family, kind, number)
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self.socket.bind(address)
        except OSError as error:
            raise BadConfig(f"web: {self.config.web} cannot be had: {error.strerror or error}") from None
        self.port = self.socket.getsockname()[1]

    async def open(self) -> None:
        """Takes connections from now on."""
        settings = uvicorn.Config(
            self.application, lifespan="off", log_config=None, ws="none", timeout_keep_alive=KEEP_ALIVE, proxy_headers=False
        )
        settings.load()
        loop = asyncio.get_running_loop()
        self.server = await loop.create_server(lambda: Connection(settings, self.state, loop), sock=self.socket, backlog=BACKLOG)

    def shut(self) -> None:
        """No new connections, and none that has nothing under way."""
        if self.server is not None:
            self.server.close()
        for connection in list(self.state.connections):
            connection.shutdown()

    async def close(self) -> None:
        """Ends what is left."""
        self.shut()
        for connection in list(self.state.connections):
            if connection.transport is not None:
                connection.transport.abort()
        if self.state.tasks:
            await asyncio.wait(list(self.state.tasks), timeout=1)
