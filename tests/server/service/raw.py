"""Bytes of HTTP/2, made by hand."""

import struct

__all__ = ["DATA", "EMPTY", "END_HEADERS", "END_STREAM", "HEADERS", "PREFACE", "SETTINGS", "begun", "frame"]

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, SETTINGS = 0, 1, 4
END_STREAM, END_HEADERS = 1, 4
EMPTY = bytes(5)  # a message without fields


def frame(kind: int, flags: int, stream: int, content: bytes) -> bytes:
    return struct.pack(">I", len(content))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + content


def header(name: bytes, value: bytes) -> bytes:
    """One that is spelled out, as RFC 7541, 6.2.2 has it."""
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


def begun(stream: int, path: bytes, *more: tuple[bytes, bytes]) -> bytes:
    """The headers of a call."""
    fields = [(b":method", b"POST"), (b":scheme", b"http"), (b":path", path), (b":authority", b"here"), (b"te", b"trailers")]
    fields += [(b"content-type", b"application/grpc"), *more]
    return frame(HEADERS, END_HEADERS, stream, b"".join(header(*field) for field in fields))
