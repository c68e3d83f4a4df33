"""HTTP by hand: requests as they are written, answers as they come."""

import base64
import http.client
import json
import socket
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from google.protobuf.message import Message
from google.rpc import error_details_pb2

from tests.server.service.hosted import Hosted

__all__ = [
    "CALL",
    "Answer",
    "Place",
    "Wire",
    "ask",
    "at",
    "call",
    "details_of",
    "enveloped",
    "envelopes",
    "question",
    "reason_of",
]

Place = tuple[str, int]
CALL = "/machiavel.v1."
LONG = {"interval": "0.02s", "limits": {"time": "60s"}}
WAIT = 60  # seconds, where something is wrong


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def at(server: Hosted) -> Place:
    """Where its door is."""
    door = server.server.door
    assert door is not None
    return "127.0.0.1", door.port


def ask(place: Place, verb: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None) -> Answer:
    """One request over a connection of its own."""
    connection = http.client.HTTPConnection(*place, timeout=WAIT)
    try:
        connection.request(verb, path, body, dict(headers or {}))
        response = connection.getresponse()
        return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())
    finally:
        connection.close()


def call(place: Place, method: str, message: Any = None, **headers: str) -> Answer:
    """A call in JSON; names of headers are written with `_`."""
    given = {"content-type": "application/json"} | {name.replace("_", "-"): value for name, value in headers.items()}
    return ask(place, "POST", CALL + method, json.dumps(message or {}).encode(), given)


def question(place: Place) -> bytes:
    """A request for a search that lasts, with answers soon."""
    state = call(place, "GameService/NewState", {"game": "whist", "options": {"players": 3}, "seed": "7"}).json["state"]
    return json.dumps({"record": state["record"]} | LONG).encode()


def enveloped(data: bytes, flags: int = 0) -> bytes:
    return struct.pack(">BI", flags, len(data)) + data


def envelopes(data: bytes) -> list[tuple[int, bytes]]:
    result = []
    while data:
        flags, length = struct.unpack_from(">BI", data)
        result.append((flags, data[5 : 5 + length]))
        data = data[5 + length :]
    return result


def reason_of(error: Any) -> str:
    """Why, as the JSON of an error has it to be read."""
    return str(error["details"][0]["debug"]["reason"])


def details_of(error: Any) -> list[Message]:
    """Its details out of their bytes."""
    known: list[Any] = [kind for kind in vars(error_details_pb2).values() if isinstance(kind, type)]
    kinds = {kind.DESCRIPTOR.full_name: kind for kind in known}
    return [kinds[one["type"]].FromString(base64.b64decode(one["value"] + "==")) for one in error["details"]]


class Wire:
    """A connection, as bytes."""

    def __init__(self, place: Place, receive_buffer: int = 0) -> None:
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(WAIT)
        try:
            self.socket.connect(place)
        except OSError:
            self.socket.close()
            raise
        self.file = self.socket.makefile("rb")

    def send(self, method: str, body: bytes = b"", kind: str = "application/json", **headers: Any) -> None:
        """A request; `content_length` may lie."""
        given = {"host": "localhost", "content-type": kind, "content-length": str(len(body))}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = "".join(f"{name}: {value}\r\n" for name, value in given.items())
        self.socket.sendall(f"POST {CALL}{method} HTTP/1.1\r\n{lines}\r\n".encode() + body)

    def head(self) -> Answer:
        """The next answer without its body."""
        line = self.file.readline()
        assert line, "the connection has ended"
        result = Answer(int(line.split()[1]))
        while (line := self.file.readline()) not in {b"\r\n", b""}:
            name, _, value = line.decode().partition(":")
            result.headers[name.lower()] = value.strip()
        return result

    def answer(self) -> Answer:
        result = self.head()
        result.body = b"".join(self.chunks()) if "transfer-encoding" in result.headers else self.rest(result)
        return result

    def rest(self, answer: Answer) -> bytes:
        return self.file.read(int(answer.headers["content-length"]))

    def chunks(self) -> Iterator[bytes]:
        while size := int(self.file.readline(), 16):
            data = self.file.read(size)
            self.file.readline()
            yield data
        self.file.readline()

    def is_over(self) -> bool:
        """Waits for the other end to close."""
        try:
            return self.file.read(1) == b""
        except ConnectionError:
            return True

    def close(self) -> None:
        self.file.close()
        self.socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
