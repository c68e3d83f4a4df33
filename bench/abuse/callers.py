"""One caller of a server, over gRPC or through the door, who neither waits nor tries again unless told to."""

import asyncio
import base64
import contextlib
import json
import struct
from collections import deque
from collections.abc import AsyncGenerator
from typing import Any, Protocol
from urllib.parse import urlsplit

import grpc
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

__all__ = ["CallRefused", "DoorCaller", "GrpcCaller", "RawCaller", "caller_of"]

DETAILS = "grpc-status-details-bin"
SERVICE = "/machiavel.v1."
LARGEST = 64 << 20  # bytes of an answer
# A caller's own channels share no connection with another caller's.
CHANNEL = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", LARGEST)]


Wire = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class CallRefused(Exception):
    """A call failed: gRPC's code, the server's reason (empty where it did not come from the server), and when to come again."""

    def __init__(self, code: str, reason: str = "", message: str = "", retry_after: float | None = None) -> None:
        super().__init__(f"{reason or code}: {message}")
        self.code = code
        self.reason = reason
        self.retry_after = retry_after


class RawCaller(Protocol):
    """Who calls, by one token."""

    async def call(self, path: str, message: Message | bytes, timeout: float = 60.0) -> bytes:
        """The answer; raises CallRefused."""

    def stream(self, path: str, message: Message | bytes, timeout: float = 60.0) -> AsyncGenerator[bytes, None]:
        """The answers; raises CallRefused."""

    async def begin(self, path: str, seconds: float) -> None:
        """Begins a call and never sends its request; raises CallRefused where the server ends it."""

    async def freeze(self, path: str, message: Message | bytes, seconds: float) -> None:
        """Begins a stream and never reads it."""

    async def close(self) -> None: ...


def caller_of(place: str, token: str) -> RawCaller:
    """At `HOST:PORT`, or at the URL of a door."""
    return DoorCaller(place, token) if "://" in place else GrpcCaller(place, token)


def data_of(message: Message | bytes) -> bytes:
    return message if isinstance(message, bytes) else message.SerializeToString()


class GrpcCaller:
    """Over a connection of its own."""

    def __init__(self, address: str, token: str) -> None:
        self.channel: Any = grpc.aio.insecure_channel(address, options=CHANNEL)
        self.metadata = (("authorization", f"Bearer {token}"),) if token else ()

    async def call(self, path: str, message: Message | bytes, timeout: float = 60.0) -> bytes:
        ask = self.channel.unary_unary(name_of(path))
        try:
            answer: bytes = await ask(data_of(message), metadata=self.metadata, timeout=timeout)
        except grpc.aio.AioRpcError as error:
            raise refused(error) from None
        return answer

    async def stream(self, path: str, message: Message | bytes, timeout: float = 60.0) -> AsyncGenerator[bytes, None]:
        ask = self.channel.unary_stream(name_of(path))
        answers = ask(data_of(message), metadata=self.metadata, timeout=timeout)
        try:
            async for answer in answers:
                yield answer
        except grpc.aio.AioRpcError as error:
            raise refused(error) from None
        finally:
            answers.cancel()

    async def begin(self, path: str, seconds: float) -> None:
        ask = self.channel.stream_unary(name_of(path))
        call = ask(metadata=self.metadata, timeout=seconds + 60)
        ended = asyncio.ensure_future(call.code())
        try:
            if (await asyncio.wait({ended}, timeout=seconds))[0]:
                raise CallRefused(ended.result().name, reason_of(await call.trailing_metadata())[0])
        finally:
            ended.cancel()
            call.cancel()

    async def freeze(self, path: str, message: Message | bytes, seconds: float) -> None:
        ask = self.channel.unary_stream(name_of(path))
        call = ask(data_of(message), metadata=self.metadata)
        try:
            await asyncio.sleep(seconds)
        finally:
            call.cancel()

    async def close(self) -> None:
        await self.channel.close(None)


class DoorCaller:
    """Over connections of HTTP/1.1, one for each call under way, by the Connect protocol with binary messages.

    As with other clients a call takes the connection that is free first, be it one that was asked for on behalf of another.
    """

    def __init__(self, url: str, token: str, local: str | None = None) -> None:
        """`local`: the address to call from."""
        parts = urlsplit(url)
        self.place = (parts.hostname or "", parts.port or 80)
        self.local = None if local is None else (local, 0)
        self.host = parts.netloc
        self.token = f"Authorization: Bearer {token}\r\n" if token else ""
        self.is_closed = False
        self.idle: list[Wire] = []
        self.wanted: deque[asyncio.Future[Wire]] = deque()
        self.dials: set[asyncio.Task[None]] = set()
        self.used: set[Wire] = set()

    async def call(self, path: str, message: Message | bytes, timeout: float = 60.0, kind: str = "proto") -> bytes:
        try:
            async with asyncio.timeout(timeout + 1), self.connected() as (reader, writer):
                writer.write(self.request(path, data_of(message), kind, timeout))
                status, headers = await head(reader)
                body = await body_of(reader, headers)
                if status != 200:
                    raise of_json(status, body)
                self.give((reader, writer))
                return body
        except TimeoutError:
            raise CallRefused("DEADLINE_EXCEEDED") from None
        except (OSError, EOFError) as error:
            raise CallRefused("UNAVAILABLE", message=str(error)) from None

    async def stream(self, path: str, message: Message | bytes, timeout: float = 60.0) -> AsyncGenerator[bytes, None]:
        data = data_of(message)
        try:
            async with asyncio.timeout(timeout + 1), self.connected() as (reader, writer):
                writer.write(self.request(path, struct.pack(">BI", 0, len(data)) + data, "connect+proto", timeout))
                status, headers = await head(reader)
                if status != 200:
                    raise of_json(status, await body_of(reader, headers))
                async for flags, content in envelopes(reader):
                    if flags & 2:
                        error = json.loads(content).get("error")
                        if error:
                            raise of_json(0, json.dumps(error).encode())
                        return
                    yield content
        except TimeoutError:
            raise CallRefused("DEADLINE_EXCEEDED") from None
        except (OSError, EOFError) as error:
            raise CallRefused("UNAVAILABLE", message=str(error)) from None

    async def begin(self, path: str, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            try:
                async with asyncio.timeout(seconds), self.connected() as (reader, writer):
                    writer.write(self.request(path, b"", "proto", seconds + 60, size=100))
                    status, headers = await head(reader)
                    raise of_json(status, await body_of(reader, headers))
            except (OSError, EOFError) as error:
                raise CallRefused("UNAVAILABLE", message=str(error)) from None

    async def freeze(self, path: str, message: Message | bytes, seconds: float) -> None:
        data = data_of(message)
        reader, writer = await asyncio.open_connection(*self.place, limit=1024, local_addr=self.local)
        try:
            writer.write(self.request(path, struct.pack(">BI", 0, len(data)) + data, "connect+proto", 3600.0))
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            await asyncio.sleep(seconds)
        finally:
            writer.close()
            del reader

    def request(self, path: str, body: bytes, kind: str, timeout: float, size: int | None = None) -> bytes:
        head = (
            f"POST {name_of(path)} HTTP/1.1\r\nHost: {self.host}\r\nContent-Type: application/{kind}\r\n{self.token}"
            f"Connect-Timeout-Ms: {int(1000 * timeout)}\r\nContent-Length: {len(body) if size is None else size}\r\n\r\n"
        )
        return head.encode() + body

    @contextlib.asynccontextmanager
    async def connected(self) -> AsyncGenerator[Wire, None]:
        """Whoever is through with a connection gives it back; else it is closed."""
        wire = await self.wire()
        self.used.add(wire)
        try:
            yield wire
        finally:
            if wire in self.used:
                self.used.remove(wire)
                wire[1].close()

    async def wire(self) -> Wire:
        """One that is free, or the first that becomes so."""
        while self.idle:
            wire = self.idle.pop()
            if not wire[0].at_eof():
                return wire
            wire[1].close()
        wanted: asyncio.Future[Wire] = asyncio.get_running_loop().create_future()
        self.wanted.append(wanted)
        dial = asyncio.ensure_future(self.dial())
        self.dials.add(dial)
        dial.add_done_callback(self.dials.discard)
        return await wanted

    async def dial(self) -> None:
        try:
            wire = await asyncio.open_connection(*self.place, limit=LARGEST, local_addr=self.local)
        except OSError as error:
            wanted = self.next_wanted()
            if wanted is not None:
                wanted.set_exception(error)
        else:
            self.give(wire)

    def give(self, wire: Wire) -> None:
        """It is free."""
        self.used.discard(wire)
        wanted = self.next_wanted()
        if wanted is not None:
            wanted.set_result(wire)
        elif self.is_closed:
            wire[1].close()
        else:
            self.idle.append(wire)

    def next_wanted(self) -> "asyncio.Future[Wire] | None":
        while self.wanted:
            wanted = self.wanted.popleft()
            if not wanted.done():
                return wanted
        return None

    async def close(self) -> None:
        self.is_closed = True
        for dial in self.dials:
            dial.cancel()
        for _, writer in self.idle:
            writer.close()


def name_of(path: str) -> str:
    return path if path.startswith("/") else SERVICE + path


def refused(error: grpc.aio.AioRpcError) -> CallRefused:
    reason, retry_after = reason_of(error.trailing_metadata() or ())
    return CallRefused(error.code().name, reason, error.details() or "", retry_after)


def reason_of(trailers: Any) -> tuple[str, float | None]:
    """The server's reason, and in how many seconds to come again."""
    reason, retry_after = "", None
    for key, value in trailers:
        if key == DETAILS:
            for detail in Status.FromString(value).details:
                if detail.Is(ErrorInfo.DESCRIPTOR):
                    reason = ErrorInfo.FromString(detail.value).reason
                if detail.Is(RetryInfo.DESCRIPTOR):
                    retry_after = RetryInfo.FromString(detail.value).retry_delay.ToNanoseconds() / 1e9
    return reason, retry_after


async def head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """The status of an answer, and its headers; raises EOFError."""
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines[1:] if line)
    return int(lines[0].split()[1]), {name.lower(): value.strip() for name, _, value in pairs}


async def body_of(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if "content-length" in headers:
        return await reader.readexactly(int(headers["content-length"]))
    return b"".join([chunk async for chunk in chunks(reader)])


async def chunks(reader: asyncio.StreamReader) -> AsyncGenerator[bytes, None]:
    while size := int((await reader.readuntil(b"\r\n")).strip() or b"0", 16):
        yield await reader.readexactly(size)
        await reader.readexactly(2)


async def envelopes(reader: asyncio.StreamReader) -> AsyncGenerator[tuple[int, bytes], None]:
    kept = b""
    async for chunk in chunks(reader):
        kept += chunk
        while len(kept) >= 5 and len(kept) >= 5 + (size := int.from_bytes(kept[1:5], "big")):
            yield kept[0], kept[5 : 5 + size]
            kept = kept[5 + size :]


def of_json(status: int, body: bytes) -> CallRefused:
    """The error that an answer of the door is."""
    try:
        error = json.loads(body)
        details = {one["type"]: base64.b64decode(one["value"] + "==") for one in error.get("details", ())}
        info = ErrorInfo.FromString(details.get("google.rpc.ErrorInfo", b""))
        delay = RetryInfo.FromString(details.get("google.rpc.RetryInfo", b"")).retry_delay
        after = delay.ToNanoseconds() / 1e9 if "google.rpc.RetryInfo" in details else None
        return CallRefused(error["code"].upper(), info.reason, error.get("message", ""), after)
    except (ValueError, KeyError, TypeError, AttributeError):
        return CallRefused(f"HTTP {status}", message=body[:100].decode("latin-1"))
