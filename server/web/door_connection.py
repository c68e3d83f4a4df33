"""A connection of the door: uvicorn's, with bounds in size and time of its own, and one call at a time."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from machiavel.server.service.fair_loop import PARTS, line, work_for
from machiavel.server.service.proxies import network_of
from machiavel.server.service.refusals import BadRequest, CallError, TooBusy
from machiavel.server.web.certificates import certificate_of, shrink_buffers

if TYPE_CHECKING:
    from machiavel.server.web.door import Door

__all__ = ["Connection", "ConnectionPhase"]

QUIET = logging.Logger("machiavel.server.web", logging.CRITICAL + 1)  # noqa: LOG001 - uvicorn would log words of requests
NEVER = float("inf")
# Seconds: between requests; for the headers of one; for the rest of one that has its answer.
IDLE, HEADERS, REST = 65.0, 10.0, 5.0
MOST_BYTES, MOST_FIELDS = 32 * 1024, 128  # of the headers
MOST_UNWANTED = 8 * 1024 * 1024  # bytes that are thrown away, so that whoever sends them reads why
RETRY_AFTER = 1.0


class ConnectionPhase(Enum):
    """Where a connection stands."""

    IDLE = auto()
    HEADERS = auto()
    CALL = auto()
    REST = auto()  # the answer is out, but the request goes on


class HeldAnswer:
    """Stands for the transport, so that the head and the body of an answer go out as one."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        self.pieces: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.pieces.append(data)

    def flush(self) -> None:
        if self.pieces:
            self.transport.write(b"".join(self.pieces))
            self.pieces.clear()

    def close(self) -> None:
        self.flush()
        self.transport.close()

    def is_closing(self) -> bool:
        return self.transport.is_closing()


class Connection(HttpToolsProtocol):
    """One client. `on_lost` is called when it goes; at `until`, in the loop's time, the door ends it."""

    def __init__(self, config: Any, door: "Door", loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(config, door.state, {"connection": self}, loop)
        self.door = door
        self.logger = QUIET
        self.access_log = False
        self.on_lost: Callable[[], None] | None = None
        self.certificate: Mapping[str, list[bytes]] = {}
        self.owner = ""  # who asked over it last, or the address it comes from
        self.phase, self.until = ConnectionPhase.IDLE, NEVER
        self.line = line.get()  # in which the loop has what is heard of it
        self.had_turn = self.line not in PARTS  # its caller, for the first request
        self.is_whole = True  # the last request
        self.is_deaf = self.is_refused = False  # as to the request under way
        self.size = self.fields = self.unwanted = 0
        self.left = 0  # bytes of a body that the parser leaves to others, since it came with a wish for another protocol

    def enter(self, phase: ConnectionPhase, seconds: float = NEVER) -> None:
        self.phase, self.until = phase, self.loop.time() + seconds
        if phase is not ConnectionPhase.CALL:
            self.door.places.rest(self)

    @property
    def asks(self) -> bool:
        return self.phase is ConnectionPhase.CALL and not self.is_refused

    def asked_by(self, owner: str) -> None:
        """A request has come, and waits for its turn. What comes next over the connection is its owner's, too."""
        self.door.places.own(self, owner)
        if owner != self.line and self.transport.is_reading():
            self.line = owner
            self.transport.pause_reading()
            work_for(owner).run(self.transport.resume_reading)

    def leave_unanswered(self) -> None:
        """Nothing is said to the request under way."""
        self.cycle.disconnected = True

    def takes_turn(self) -> bool:
        """Whether its caller has had a turn for the request: the one for which it was let in."""
        result, self.had_turn = self.had_turn, False
        return result

    def begin(self) -> None:
        """Its request is here, and is worked at."""
        self.door.places.stir(self)

    def refuse(self) -> None:
        """The request is refused, and is to be told so; whoever comes meanwhile may have its connection."""
        self.is_refused = True
        self.door.places.rest(self)

    def give_way(self) -> None:
        if self.asks and not self.cycle.response_started:
            self.complain(TooBusy("connections", RETRY_AFTER), 503)
        else:
            self.transport.close()

    def cut(self) -> None:
        """Ends the connection, whatever is under way."""
        self.transport.abort()

    def expire(self) -> None:
        """`until` has come."""
        if self.phase is ConnectionPhase.HEADERS:
            self.complain(BadRequest("headers", f"are missing after {HEADERS:g} s"), 408)
        else:
            self.transport.close()

    def hold(self) -> "HeldAnswer":
        """From now on what answers the call under way waits for `flush`."""
        self.cycle.transport = held = HeldAnswer(self.transport)  # type: ignore[assignment]
        return held

    def complain(self, error: CallError, status: int) -> None:
        """Says what is wrong with what is no request, and ends the connection."""
        content = self.door.application.complaint(error)
        headers = f"content-type: application/json\r\ncontent-length: {len(content)}\r\nconnection: close\r\n\r\n"
        self.transport.write(STATUS_LINE[status] + headers.encode() + content)
        self.transport.close()
        self.is_deaf = True

    # ---- Of the transport ----

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        shrink_buffers(transport)
        self.certificate = certificate_of(transport)
        self.enter(ConnectionPhase.IDLE, IDLE)
        self.owner = network_of(self.client[0]) if self.client else ""
        if not self.door.places.add(self):
            self.complain(TooBusy("connections", RETRY_AFTER), 503)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.door.places.remove(self)
        if self.on_lost is not None:
            self.on_lost()

    def data_received(self, data: bytes) -> None:
        if self.is_deaf or self.phase is ConnectionPhase.REST:
            self.unwanted += len(data)
            if self.unwanted > MOST_UNWANTED:
                self.cut()
        elif self.phase is ConnectionPhase.IDLE:
            self.enter(ConnectionPhase.HEADERS, HEADERS)
        if self.left:
            self.take_body(data)
        elif not self.is_deaf:
            try:
                self.parser.feed_data(data)
            except httptools.HttpParserUpgrade as upgrade:
                self.take_body(data[upgrade.args[0] :])
            except httptools.HttpParserError:
                self.send_400_response("")

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002
        """What has come is no HTTP/1.1, or too much of it."""
        if self.phase in {ConnectionPhase.CALL, ConnectionPhase.REST}:
            self.cut()
        elif self.size > MOST_BYTES or self.fields > MOST_FIELDS:
            self.complain(BadRequest("headers", f"are too long; expected {MOST_FIELDS} with {MOST_BYTES} bytes at most"), 431)
        else:
            self.complain(BadRequest("request", "is no HTTP/1.1"), 400)

    # ---- Of the parser ----

    def on_message_begin(self) -> None:
        if self.phase is ConnectionPhase.CALL:
            # HTTP leaves it to the server whether it reads on. It does, to see when the client goes, and answers no more.
            self.is_deaf = True
            self.cycle.keep_alive = False
        else:
            self.size = self.fields = 0
            self.is_whole = self.is_refused = False
            self.enter(ConnectionPhase.HEADERS, HEADERS)
            super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        if not self.is_deaf:
            self.count(len(url))
            super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self.is_deaf:
            self.fields += 1
            self.count(len(name) + len(value))
            super().on_header(name, value)

    def count(self, size: int) -> None:
        """What is raised here comes to `send_400_response`."""
        self.size += size
        if self.size > MOST_BYTES or self.fields > MOST_FIELDS:
            raise ValueError

    def on_headers_complete(self) -> None:
        if not self.is_deaf:
            super().on_headers_complete()
            self.enter(ConnectionPhase.CALL)
            if self.parser.should_upgrade():  # which goes nowhere
                self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        if not self.is_deaf:
            super().on_body(body)

    def on_message_complete(self) -> None:
        if self.parser.should_upgrade():
            length = dict(self.headers).get(b"content-length", b"0")
            self.left = int(length) if length.isdigit() else 0
        if not self.is_deaf and not self.left:
            self.complete()

    def take_body(self, data: bytes) -> None:
        """A wish for another protocol is passed over, as HTTP allows; the next request needs another connection."""
        body, self.is_deaf = data[: self.left], False
        self.left -= len(body)
        if body:
            super().on_body(body)
        if not self.left and not self.is_whole:
            self.complete()
        self.is_deaf = not self.left

    def complete(self) -> None:
        self.is_whole = True
        super().on_message_complete()
        if self.phase is ConnectionPhase.REST:
            self.enter(ConnectionPhase.IDLE, IDLE)

    # ---- Of the answer ----

    def on_response_complete(self) -> None:
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        self.unwanted = 0
        if self.is_whole:
            self.enter(ConnectionPhase.IDLE, IDLE)
        else:
            self.enter(ConnectionPhase.REST, REST)
