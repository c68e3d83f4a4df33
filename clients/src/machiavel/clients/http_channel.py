"""A channel over HTTP, for asyncio: the Connect protocol, behind the same stubs as gRPC's channels."""

import asyncio
import base64
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from machiavel.clients import status_pb2
from machiavel.clients.calls import pauses
from machiavel.clients.connection import Metadata, Tls
from machiavel.clients.errors import DETAILS
from machiavel.clients.http_connection import HttpConnection, HttpConnections, HttpFailure, HttpTarget

__all__ = ["CLOSED", "TURNS", "AsyncHttpChannel", "HttpCallError"]

CLOSED = "Channel closed!"
LEFT = "Locally cancelled by application!"  # as gRPC says it
MOST_BYTES = 16 << 20  # of a message
TURNS = 5  # of a loop, in which connections that were closed go
ATTEMPTS = 4  # of a call without an effect, while the server is away
LONGEST_TIMEOUT = 10**10 - 1  # milliseconds, as many digits as the protocol allows
FINAL, PACKED = 2, 1  # bits of a message in a stream
NO_EFFECT = ("/machiavel.v1.GameService/", "/machiavel.v1.BotService/", "/machiavel.v1.ServerService/")
CODES = {"canceled" if code is grpc.StatusCode.CANCELLED else code.name.lower(): code for code in grpc.StatusCode}
# What an answer means that is none of the protocol's, a proxy's perhaps.
STATUS = {
    400: grpc.StatusCode.INTERNAL,
    401: grpc.StatusCode.UNAUTHENTICATED,
    403: grpc.StatusCode.PERMISSION_DENIED,
    404: grpc.StatusCode.UNIMPLEMENTED,
    429: grpc.StatusCode.UNAVAILABLE,
    502: grpc.StatusCode.UNAVAILABLE,
    503: grpc.StatusCode.UNAVAILABLE,
    504: grpc.StatusCode.UNAVAILABLE,
}


class HttpCallError(grpc.RpcError):
    """A call over HTTP failed; it reads like a call of gRPC that did."""

    def __init__(self, code: grpc.StatusCode, details: str, metadata: Sequence[tuple[str, bytes]] = ()) -> None:
        super().__init__(details)
        self._code = code
        self._details = details
        self._metadata = tuple(metadata)

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._details

    def trailing_metadata(self) -> Any:
        return self._metadata


class AsyncHttpChannel:
    """The calls to one server, each over a connection of its own for as long as it lasts."""

    def __init__(self, target: str, tls: Tls | None = None) -> None:
        self.connections = HttpConnections(HttpTarget.read(target), tls)
        self.asked: set[HttpConnection] = set()
        self.is_closed = False

    def unary_unary(
        self, method: str, request_serializer: Any = None, response_deserializer: Any = None, **_: object
    ) -> Callable[..., Any]:
        """What a stub calls; gives something to be awaited."""

        def ask(request: Any, *, timeout: float | None = None, metadata: Metadata = ()) -> Any:
            return self.answer(method, request_serializer(request), response_deserializer, timeout, metadata)

        return ask

    def unary_stream(
        self, method: str, request_serializer: Any = None, response_deserializer: Any = None, **_: object
    ) -> Callable[..., "AsyncHttpStream"]:
        """What a stub calls; gives a stream."""

        def ask(request: Any, *, timeout: float | None = None, metadata: Metadata = ()) -> AsyncHttpStream:
            ends = None if timeout is None else time.monotonic() + timeout
            begin = partial(self.messages, method, request_serializer(request), ends, metadata)
            return AsyncHttpStream(self, begin, response_deserializer, ends)

        return ask

    async def close(self, grace: float | None = None) -> None:  # noqa: ARG002 - as gRPC's has it
        self.is_closed = True
        for connection in list(self.asked):
            connection.abort()
        self.connections.close()
        for _ in range(TURNS):
            await asyncio.sleep(0)

    async def answer(self, method: str, data: bytes, read: Any, timeout: float | None, metadata: Metadata) -> Any:
        """The answer of a call; tried again where the server is away and the call has no effect."""
        ends = None if timeout is None else time.monotonic() + timeout
        with cut_off():
            async with asyncio.timeout(timeout):
                for attempt, pause in enumerate(pauses(), 1):
                    try:
                        return decoded(await self.once(method, data, ends, metadata), read)
                    except HttpCallError as error:
                        is_away = error.code() is grpc.StatusCode.UNAVAILABLE and not self.is_closed
                        if not is_away or attempt == ATTEMPTS or not method.startswith(NO_EFFECT):
                            raise
                    await asyncio.sleep(2 * pause)
        raise AssertionError

    async def once(self, method: str, data: bytes, ends: float | None, metadata: Metadata) -> bytes:
        """The bytes of an answer; raises HttpCallError."""
        while True:
            connection = await self.taken()
            is_reused = connection.is_reused
            try:
                headers = headers_of("application/proto", ends, metadata)
                head = await connection.ask(self.connections.request(method, headers, data))
                body = await whole(connection)
            except HttpFailure as error:
                # Kept connections may end just when they are asked: nothing of it came back, so it is asked over a new one.
                if is_reused and not connection.has_answered and not self.is_closed and is_question(method):
                    continue
                raise self.failed(error) from None
            finally:
                self.left(connection)
            if head.status == 200 and head.headers.get("content-type", "").startswith("application/proto"):
                return body
            raise refusal_of(head.status, head.reason, body)

    async def messages(
        self, method: str, data: bytes, ends: float | None, metadata: Metadata, stream: "AsyncHttpStream"
    ) -> AsyncIterator[bytes]:
        """The messages of a stream; raises HttpCallError, HttpFailure."""
        stream.connection = connection = await self.taken()
        headers = headers_of("application/connect+proto", ends, metadata)
        body = b"\0" + len(data).to_bytes(4, "big") + data
        head = await connection.ask(self.connections.request(method, headers, body))
        if head.status != 200 or not head.headers.get("content-type", "").startswith("application/connect+proto"):
            raise refusal_of(head.status, head.reason, await whole(connection))
        rest = b""
        while True:
            while len(rest) < 5 or len(rest) < 5 + int.from_bytes(rest[1:5], "big"):
                if len(rest) >= 5:
                    check_size(int.from_bytes(rest[1:5], "big"))
                piece = await connection.more()
                if not piece:
                    raise HttpFailure("the connection ended in the middle of a stream")
                rest += piece
            size = 5 + int.from_bytes(rest[1:5], "big")
            flags, message, rest = rest[0], rest[5:size], rest[size:]
            if flags & PACKED:
                raise HttpCallError(grpc.StatusCode.INTERNAL, "the server packs what nobody asked it to pack")
            if flags & FINAL:
                await whole(connection)  # so that the connection may be asked again
                raise_final(message)
                return
            yield message

    async def taken(self) -> HttpConnection:
        """A connection to ask; raises HttpCallError."""
        if self.is_closed:
            raise HttpCallError(grpc.StatusCode.CANCELLED, CLOSED)
        try:
            connection = await self.connections.take()
        except HttpFailure as error:
            raise self.failed(error) from None
        self.asked.add(connection)
        return connection

    def left(self, connection: HttpConnection) -> None:
        """The connection is asked no more: kept where its answer was read to the end, else closed."""
        self.asked.discard(connection)
        self.connections.give_back(connection)

    def failed(self, error: HttpFailure) -> HttpCallError:
        if self.is_closed:
            return HttpCallError(grpc.StatusCode.CANCELLED, CLOSED)
        return HttpCallError(grpc.StatusCode.UNAVAILABLE, str(error))


class AsyncHttpStream:
    """The answers of a call, as they come; asked when the first is waited for."""

    def __init__(
        self, channel: AsyncHttpChannel, begin: Callable[..., AsyncIterator[bytes]], read: Any, ends: float | None
    ) -> None:
        self.channel = channel
        self.begin = begin
        self.read = read
        self.ends = ends
        self.connection: HttpConnection | None = None
        self.messages: AsyncIterator[bytes] | None = None
        self.is_cancelled = self.is_over = False

    def __aiter__(self) -> "AsyncHttpStream":
        return self

    async def __anext__(self) -> Any:
        if self.is_cancelled:
            raise HttpCallError(grpc.StatusCode.CANCELLED, LEFT)
        if self.is_over:
            raise StopAsyncIteration
        try:
            with cut_off():
                async with asyncio.timeout(None if self.ends is None else self.ends - time.monotonic()):
                    self.messages = self.messages or self.begin(self)
                    data = await anext(self.messages, None)
        except HttpFailure as error:
            self.leave()
            if self.is_cancelled:
                raise HttpCallError(grpc.StatusCode.CANCELLED, LEFT) from None
            raise self.channel.failed(error) from None
        except BaseException:
            self.leave()
            raise
        if data is None:
            self.leave()
            raise StopAsyncIteration
        return decoded(data, self.read)

    def cancel(self) -> bool:
        """Ends it; the server hears of that at once."""
        self.is_cancelled = self.is_cancelled or not self.is_over
        self.leave()
        return self.is_cancelled

    def leave(self) -> None:
        self.is_over = True
        connection, self.connection = self.connection, None
        if connection is not None:
            if not connection.is_over:
                connection.abort()
            self.channel.left(connection)


@contextlib.contextmanager
def cut_off() -> Any:
    """Inside, the end of the time is the error of a call."""
    try:
        yield
    except TimeoutError:
        raise HttpCallError(grpc.StatusCode.DEADLINE_EXCEEDED, "Deadline Exceeded") from None


def is_question(method: str) -> bool:
    """Whether the call has no effect."""
    return method.startswith(NO_EFFECT) or method.rpartition("/")[2].startswith(("Get", "List", "Hint"))


def headers_of(kind: str, ends: float | None, metadata: Metadata) -> Mapping[str, str]:
    headers = {"Content-Type": kind, "Connect-Protocol-Version": "1", "User-Agent": "machiavel-client", **dict(metadata)}
    if ends is not None:
        headers["Connect-Timeout-Ms"] = str(min(max(1, int(1000 * (ends - time.monotonic()))), LONGEST_TIMEOUT))
    return headers


def check_size(size: int) -> None:
    if size > MOST_BYTES:
        raise HttpCallError(grpc.StatusCode.RESOURCE_EXHAUSTED, f"an answer has {size} bytes; at most {MOST_BYTES} are taken")


async def whole(connection: HttpConnection) -> bytes:
    """What is left of a body; raises HttpFailure, HttpCallError."""
    parts, size = [], 0
    while piece := await connection.more():
        parts.append(piece)
        size += len(piece)
        check_size(size)
    return b"".join(parts)


def decoded(data: bytes, read: Any) -> Any:
    try:
        return read(data)
    except DecodeError:
        raise HttpCallError(grpc.StatusCode.INTERNAL, "the answer is no message of this call") from None


def refusal_of(status: int, reason: str, body: bytes) -> HttpCallError:
    """The error that an answer is: the protocol's, or what else there may be on the way."""
    with contextlib.suppress(ValueError):
        error = json.loads(body)
        if isinstance(error, dict) and error.get("code") in CODES:
            return error_of(error)
    told = "an answer of another kind" if status == 200 else f"{status} {reason}".strip()
    return HttpCallError(
        STATUS.get(status, grpc.StatusCode.UNKNOWN),
        f"{told}, without an error of this API; is its door for HTTP at this address?",
    )


def raise_final(message: bytes) -> None:
    """Raises the error with which a stream ends, if there is one."""
    try:
        error = json.loads(message or b"{}").get("error")
    except (ValueError, AttributeError):
        raise HttpCallError(grpc.StatusCode.INTERNAL, "the end of the stream cannot be read") from None
    if error:
        raise error_of(error)


def error_of(error: Mapping[str, Any]) -> HttpCallError:
    code, message = CODES.get(error.get("code", ""), grpc.StatusCode.UNKNOWN), str(error.get("message", ""))
    status = status_pb2.Status(code=code.value[0], message=message)
    for detail in error.get("details") or ():
        with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError):
            value = str(detail["value"])
            data = base64.b64decode(value + "=" * (-len(value) % 4))
            status.details.add(type_url=f"type.googleapis.com/{detail['type']}", value=data)
    return HttpCallError(code, message, ((DETAILS, status.SerializeToString()),))
