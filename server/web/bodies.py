"""Bodies of requests, read no further than they are wanted; envelopes; gzip."""

import asyncio
import base64
import binascii
import contextlib
import re
import zlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from machiavel.server.service.refusals import BadRequest, MessageTooLarge, UnknownEncoding
from machiavel.server.service.shared_answers import SharedBytes

__all__ = ["GZIPPED", "Body", "TextBody", "envelope", "gunzip", "gzipped", "is_gzip", "takes_gzip"]

PREFIX = 5  # bytes before each message of a stream: flags, and its length
GZIPPED = 1  # flag of an envelope
WORTHWHILE = 1500  # bytes; what fits into one packet gains nothing
LEVEL = 1
GZIP = 16 + zlib.MAX_WBITS
ENCODINGS = ("gzip", "identity")
NEVER = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*")
SMALL, PROMPT = 16 * 1024, 0.5  # bytes and seconds of a body that is taken though nobody reads it
QUANTUM = 4  # characters of base64 that are three bytes
PADDED = re.compile(rb"[^=]+=*")
Receive = Callable[[], Awaitable[Any]]


class Body:
    """The body of one request. Bytes are asked for piece by piece, so that what is too large is never taken."""

    def __init__(self, receive: Receive, declared: int | None) -> None:
        self.receive = receive
        self.declared = declared
        self.buffer = bytearray()
        self.is_over = False

    async def more(self) -> None:
        message = await self.receive()
        if message["type"] == "http.disconnect":
            raise asyncio.CancelledError
        self.is_over = not message["more_body"]
        self.take(message["body"])

    def take(self, data: bytes) -> None:
        self.buffer += data

    async def pass_over(self) -> None:
        """Takes a small body that nobody reads: a proxy that still sends it would take an early answer for a break."""
        left = SMALL
        if self.declared is not None and self.declared > SMALL:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PROMPT):
                while not self.is_over and left >= 0:
                    message = await self.receive()
                    if message["type"] == "http.disconnect":
                        return
                    self.is_over = not message["more_body"]
                    left -= len(message["body"])

    async def whole(self, most: int) -> bytes:
        """All of it; raises MessageTooLarge."""
        if self.declared is not None and self.declared > most:
            raise MessageTooLarge(self.declared, most)
        while not self.is_over:
            await self.more()
            if len(self.buffer) > most:
                raise MessageTooLarge(len(self.buffer), most)
        return bytes(self.buffer)

    async def message(self, most: int, *, is_compressed: bool) -> bytes | None:
        """Its one message, unpacked; None where there is none. Raises MessageTooLarge or BadRequest."""
        found = await self.enveloped(most)
        if found is None:
            return None
        flags, data = found
        if flags & ~GZIPPED or (flags and not is_compressed):
            raise BadRequest("request", f"has an envelope with the flags {flags}; expected {'0 or 1' if is_compressed else '0'}")
        return gunzip(data, most) if flags else data

    async def enveloped(self, most: int) -> tuple[int, bytes] | None:
        """The flags and the bytes of its one message, None where there is none; raises MessageTooLarge or BadRequest."""
        if not await self.has(1):
            return None
        if not await self.has(PREFIX):
            raise BadRequest("request", "ends within the five bytes before its message")
        flags, length = self.buffer[0], int.from_bytes(self.buffer[1:PREFIX], "big")
        if length > most:
            raise MessageTooLarge(length, most)
        if not await self.has(PREFIX + length):
            raise BadRequest("request", f"ends after {len(self.buffer) - PREFIX} of the {length} bytes of its message")
        if await self.has(PREFIX + length + 1):
            raise BadRequest("request", "goes on after its message; expected one message")
        return flags, bytes(self.buffer[PREFIX:])

    async def has(self, size: int) -> bool:
        """Whether there is so much of it."""
        while len(self.buffer) < size and not self.is_over:
            await self.more()
        return len(self.buffer) >= size


class TextBody(Body):
    """A body in base64, of one piece or several."""

    def __init__(self, receive: Receive, declared: int | None) -> None:
        super().__init__(receive, declared)
        self.rest = b""

    def take(self, data: bytes) -> None:
        """Raises BadRequest."""
        self.rest += data
        ready = len(self.rest) - len(self.rest) % QUANTUM
        whole, self.rest = self.rest[:ready], self.rest[ready:]
        try:
            for piece in PADDED.findall(whole):
                self.buffer += base64.b64decode(piece, validate=True)
        except binascii.Error:
            raise BadRequest("request", "is no base64") from None
        if self.is_over and self.rest:
            raise BadRequest("request", "is base64 that ends too early")


def envelope(flags: int, data: bytes) -> bytes:
    return bytes([flags]) + len(data).to_bytes(4, "big") + data


def is_gzip(headers: Mapping[str, str], name: str) -> bool:
    """Whether a header says that messages are compressed; raises UnknownEncoding."""
    encoding = headers.get(name, "identity").strip().lower()
    if encoding not in ENCODINGS:
        raise UnknownEncoding(name, ENCODINGS)
    return encoding == "gzip"


def takes_gzip(headers: Mapping[str, str], name: str) -> bool:
    """Whether a header says that answers may be compressed."""
    for item in headers.get(name, "").split(","):
        encoding, _, weight = item.partition(";")
        if encoding.strip().lower() == "gzip":
            return not NEVER.fullmatch(weight)
    return False


def gunzip(data: bytes, most: int) -> bytes:
    """Never makes more than that; raises MessageTooLarge, or BadRequest where it is cut or none."""
    stream = zlib.decompressobj(GZIP)
    try:
        result = stream.decompress(data, most + 1)
    except zlib.error:
        raise BadRequest("request", "is no gzip, though it is said to be") from None
    if len(result) > most:
        raise MessageTooLarge(len(result), most)
    if not stream.eof:
        raise BadRequest("request", "is gzip that ends too early")
    if stream.unused_data:
        raise BadRequest("request", "goes on after the end of its gzip")
    return result


def gzipped(data: bytes) -> bytes | None:
    """None where it is not worthwhile."""
    if len(data) < WORTHWHILE:
        return None
    if isinstance(data, SharedBytes):
        if data.compressed is None:
            data.compressed = compressed(data)
        return data.compressed
    return compressed(data)


def compressed(data: bytes) -> bytes:
    stream = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
    return stream.compress(data) + stream.flush()
