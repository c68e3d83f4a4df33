"""Clients that have come and have not yet a connection of the door: until it is their caller's turn, or TLS is agreed on."""

import asyncio
import contextlib
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping

from machiavel.server.service.fair_loop import NEW_CONNECTIONS, work_for
from machiavel.server.service.proxies import network_of

__all__ = ["Newcomer", "Newcomers"]

PATIENCE = 65.0  # seconds
GLANCE = 4096  # bytes of what somebody says first


class Newcomer:
    """One of them. Looking at who it is costs a small part of what a connection does."""

    def __init__(self, client: socket.socket, host: str, port: int) -> None:
        client.setblocking(False)
        self.socket = client
        self.host = host
        self.port = port
        self.owner = network_of(host)  # until it is known who calls
        self.loop = asyncio.get_running_loop()
        self.until = self.loop.time() + PATIENCE
        self.task: asyncio.Task[None] | None = None
        self.is_heard = self.is_begun = False

    def hear(self, heard: Callable[["Newcomer"], object]) -> None:
        """Calls back when it has said something, or has gone."""

        def on_word() -> None:
            self.stop_hearing()
            heard(self)

        self.is_heard = True
        work_for(NEW_CONNECTIONS).run(self.loop.add_reader, self.socket, on_word)

    def stop_hearing(self) -> None:
        if self.is_heard:
            self.is_heard = False
            self.loop.remove_reader(self.socket)

    def headers(self) -> Mapping[str, str]:
        """Those of its first request, as far as they are here; they are still to be read."""
        said = b""
        with contextlib.suppress(OSError):
            said = self.socket.recv(GLANCE, socket.MSG_PEEK)
        lines = said.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")[1:]
        return {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}

    def begin(self, work: Callable[["Newcomer"], Awaitable[None]], done: Callable[["Newcomer"], object]) -> None:
        self.until = float("inf")  # the work has bounds of its own

        async def run() -> None:
            self.is_begun = True
            await work(self)

        self.task = asyncio.create_task(run())
        self.task.add_done_callback(lambda _: done(self))

    def cut(self) -> None:
        self.stop_hearing()
        if self.task is not None:
            self.task.cancel()
        if not self.is_begun:  # later the loop closes it
            self.socket.close()


class Newcomers:
    """All of them, in the order they came; as many as `most` says."""

    def __init__(self, most: Callable[[], int]) -> None:
        self.most = most
        self.known: dict[Newcomer, None] = {}

    def __len__(self) -> int:
        return len(self.known)

    def __contains__(self, newcomer: Newcomer) -> bool:
        return newcomer in self.known

    def add(self, newcomer: Newcomer) -> None:
        """Ends the oldest of the caller, or the address, with most of them where there are too many."""
        self.known[newcomer] = None
        if len(self.known) > self.most():
            owned = Counter(one.owner for one in self.known)
            self.end(max(self.known, key=lambda one: owned[one.owner]))

    def remove(self, newcomer: Newcomer) -> None:
        self.known.pop(newcomer, None)

    def end(self, newcomer: Newcomer) -> None:
        self.remove(newcomer)
        newcomer.cut()

    def end_silent(self, now: float) -> None:
        """Those who have said nothing for too long."""
        for newcomer in [one for one in self.known if one.until < now]:
            self.end(newcomer)

    def end_all(self) -> None:
        for newcomer in list(self.known):
            self.end(newcomer)
