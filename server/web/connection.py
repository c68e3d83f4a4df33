"""A connection of the door: uvicorn's, with bounds of its own."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

__all__ = ["Connection"]

QUIET = logging.Logger("machiavel.server.web", logging.CRITICAL + 1)  # what it would say has words of requests


class Connection(HttpToolsProtocol):
    """One client. `on_lost` is called when it goes."""

    def __init__(self, config: Any, state: Any, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(config, state, {"connection": self}, loop)
        self.logger = QUIET
        self.access_log = False
        self.on_lost: Callable[[], None] | None = None
        self.certificate: Mapping[str, list[bytes]] = {}

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.on_lost is not None:
            self.on_lost()

    def cut(self) -> None:
        """Ends the connection, whatever is under way."""
        self.transport.abort()
