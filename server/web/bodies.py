"""Bodies of requests, read no further than they are wanted, and what is compressed in them."""

import asyncio
import gzip
import zlib
from collections.abc import Awaitable, Callable
from typing import Any

from machiavel.server.service.refusals import BadRequest, MessageTooLarge

__all__ = ["Body", "gunzip", "gzipped"]

PREFIX = 5  # bytes before each message of a stream: flags, and its length
WORTHWHILE = 1500  # bytes; what fits into one packet gains nothing
LEVEL = 1
GZIP = 16 + zlib.MAX_WBITS


class Body:
    """The body of one request. Bytes are asked for one by one, so that what is too large is never taken."""

    def __init__(self, receive: Callable[[], Awaitable[Any]], declared: int | None) -> None:
        self.receive = receive
        self.declared = declared
        self.buffer = bytearray()
        self.is_over = False

    async def more(self) -> None:
        message = await self.receive()
        if message["type"] == "http.disconnect":
            raise asyncio.CancelledError
        self.buffer += message["body"]
        self.is_over = not message["more_body"]

    async def whole(self, most: int) -> bytes:
        """All of it; raises MessageTooLarge."""
        if self.declared is not None and self.declared > most:
            raise MessageTooLarge(self.declared, most)
        while not self.is_over:
            await self.more()
            if len(self.buffer) > most:
                raise MessageTooLarge(len(self.buffer), most)
        return bytes(self.buffer)

    async def enveloped(self, most: int) -> tuple[int, bytes] | None:
        """The flags and the bytes of the one message that there is, None where there is none; raises BadRequest."""
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
    return gzip.compress(data, LEVEL, mtime=0)
