"""A server in this process, fed with the bytes of HTTP connections: nothing it reads may be a fault of its own."""

import asyncio
import random
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from bench.web_mutations import FORMS, WebRequest, mutated, mutated_bytes, request
from bench.web_requests import Good, good_requests
from machiavel.server.service.app import Server
from machiavel.server.service.config import Config
from machiavel.server.web.door_connection import Connection, ConnectionPhase
from machiavel.server.web.json_messages import write_json

__all__ = ["FaultFound", "FuzzedServices"]

GAMES = ("agency", "bond", "citadel", "kuhn", "whist")
PATIENCE = 0.15  # seconds for a call; streams may wait for longer
CHUNK = 1 << 14
FAULTS = (  # of any form of answer
    re.compile(rb"^HTTP/1\.1 5(?!03|01|04)\d\d"),
    re.compile(rb'"code": ?"(internal|unknown|data_loss)"'),
    re.compile(rb"grpc-status: ?(2|13|15)\b"),
)


class FaultFound(AssertionError):
    """An answer that no request should get."""


class MemoryTransport(asyncio.Transport):
    """What a connection writes, kept; never too much of it to be taken."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 40000), "sockname": ("127.0.0.1", 7789)})
        self.written: list[bytes] = []
        self.is_over = False

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))

    def close(self) -> None:
        self.is_over = True

    abort = close

    def is_closing(self) -> bool:
        return self.is_over

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def is_reading(self) -> bool:
        return not self.is_over

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0


class FuzzedServices:
    """The server, its loop, and good requests of every call."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        config = Config(
            listen="127.0.0.1:0",
            web="127.0.0.1:0",
            storage="memory:",
            seconds=0.02,
            seconds_most=0.1,
            matches=60,
            log_level="error",
        )
        self.server = Server(config)
        self.loop.run_until_complete(self.server.start())
        self.requests: list[Good] = self.loop.run_until_complete(good_requests(self.server.address, list(GAMES)))

    @staticmethod
    @cache
    def the() -> "FuzzedServices":
        """One a process."""
        return FuzzedServices()

    @staticmethod
    def close() -> None:
        """Ends the one that there is."""
        if FuzzedServices.the.cache_info().currsize:
            handlers = FuzzedServices.the()
            handlers.loop.run_until_complete(handlers.server.stop())
            handlers.loop.run_until_complete(handlers.loop.shutdown_default_executor())
            handlers.loop.close()
            FuzzedServices.the.cache_clear()

    @staticmethod
    def good() -> list[Good]:
        return FuzzedServices.the().requests

    def fed(self, data: bytes) -> bytes:
        """What comes back on a connection of its own."""
        return self.loop.run_until_complete(self.feed(data))

    async def feed(self, data: bytes) -> bytes:
        door = self.server.door
        if door is None:
            raise RuntimeError("the server has no door")
        transport = MemoryTransport()
        connection = Connection(door.settings, door, self.loop)
        connection.connection_made(transport)
        end = self.loop.time() + PATIENCE
        for at in range(0, len(data), CHUNK):
            if transport.is_over:
                break
            connection.data_received(data[at : at + CHUNK])
            await asyncio.sleep(0)
        while connection.phase is ConnectionPhase.CALL and not transport.is_over and self.loop.time() < end:
            await asyncio.sleep(0.0005)
        connection.connection_lost(None)
        await asyncio.sleep(0)
        return b"".join(transport.written)

    # ---- Targets ----

    @staticmethod
    def reader() -> Callable[[bytes], None]:
        """The body of a call: the first byte says which, the second in which form."""
        handlers = FuzzedServices.the()

        def read(data: bytes) -> None:
            check(handlers.fed(written(request_of(data))))

        return read

    @staticmethod
    def door_reader() -> Callable[[bytes], None]:
        """All that comes over a connection."""
        handlers = FuzzedServices.the()

        def read(data: bytes) -> None:
            check(handlers.fed(data))

        return read

    @staticmethod
    def seeds() -> Sequence[bytes]:
        result = []
        for number, good in enumerate(FuzzedServices.good()):
            for place, form in enumerate(FORMS[good.streams][:2]):
                body = write_json(good.message) if form.endswith("json") else good.message.SerializeToString()
                result.append(bytes([number, place]) + body)
        return result

    @staticmethod
    def change(data: bytes, draw: random.Random) -> bytes:
        """Another request of the same call, wrong in a field; or the same, wrong in some bytes."""
        good = FuzzedServices.good()
        number = data[0] % len(good) if data and draw.random() < 0.9 else draw.randrange(len(good))
        if draw.random() < 0.3:
            return bytes([number]) + mutated_bytes(data[1:], draw)
        one, place = good[number], draw.randrange(2)
        form = FORMS[one.streams][place]
        changed = mutated(one.path, one.message, form, write_json, draw)
        return bytes([number, place]) + changed.body[5 if form.startswith("connect+") else 0 :]

    @staticmethod
    def door_seeds() -> Sequence[bytes]:
        return [
            written(request(good.path, good.message, form, write_json))
            for number, good in enumerate(FuzzedServices.good())
            for form in FORMS[good.streams][number % 3 : number % 3 + 1]
        ] + [b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n", b"OPTIONS /x HTTP/1.1\r\nhost: localhost\r\n\r\n"]

    @staticmethod
    def door_change(data: bytes, draw: random.Random) -> bytes:
        if draw.random() < 0.5:
            return mutated_bytes(data, draw)
        good = draw.choice(FuzzedServices.good())
        form = draw.choice(FORMS[good.streams])
        return written(mutated(good.path, good.message, form, write_json, draw))


def request_of(data: bytes) -> WebRequest:
    good = FuzzedServices.good()
    one = good[(data[0] if data else 0) % len(good)]
    form = FORMS[one.streams][(data[1] if data[1:] else 0) % 2]
    body, headers = data[2:], {"content-type": f"application/{form}", "connect-timeout-ms": "100"}
    if form.startswith("connect+"):
        body = b"\0" + len(body).to_bytes(4, "big") + body
    return WebRequest("POST", one.path, headers, body)


def written(one: WebRequest) -> bytes:
    """As it goes over the wire."""
    headers = {"host": "localhost", "content-length": str(len(one.body))} | one.headers
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{one.method} {one.path} HTTP/1.1\r\n{lines}\r\n".encode("utf-8", "replace") + one.body


def check(answer: bytes) -> None:
    """Raises FaultFound."""
    if answer and not answer.startswith(b"HTTP/1.1 "):
        raise FaultFound(f"is no HTTP: {answer[:200]!r}")
    if any(fault.search(answer) for fault in FAULTS):
        raise FaultFound(answer[:2000].decode("utf-8", "replace"))
