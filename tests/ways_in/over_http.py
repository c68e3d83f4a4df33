"""Connect and gRPC-Web as their specifications have them, with nothing but Python's HTTP/1.1."""

import base64
import json
import ssl
import struct
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from urllib.parse import unquote

from google.protobuf.json_format import MessageToJson, Parse
from google.protobuf.message import Message
from google.rpc import status_pb2

from tests.ways_in.way import LEAVES_AFTER, LEFT, Case, Outcome

__all__ = ["ConnectWay", "GrpcWebWay"]

CODES = (
    "OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED "
    "FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED"
).split()
WAIT = 400.0  # seconds; longer than any test has a stream be quiet
END, TRAILERS = 2, 0x80  # flags of the last frame


def milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))


def framed(data: bytes) -> bytes:
    return struct.pack(">BI", 0, len(data)) + data


def connected(host: str, tls: ssl.SSLContext | None) -> HTTPConnection:
    return HTTPConnection(host, timeout=WAIT) if tls is None else HTTPSConnection(host, timeout=WAIT, context=tls)


class Frames:
    """The frames of an answer, as they come."""

    def __init__(self, response: HTTPResponse, text: bool) -> None:
        self.response = response
        self.text = text
        self.encoded = b""
        self.data = b""

    def read(self, size: int) -> bytes:
        while len(self.data) < size:
            more = self.response.read1(1 << 16)
            if not more:
                raise EOFError(f"{len(self.data)} of {size} bytes")
            self.data += self.plain(more)
        result, self.data = self.data[:size], self.data[size:]
        return result

    def plain(self, more: bytes) -> bytes:
        """Text comes as pieces of Base64, each with a padding of its own."""
        if not self.text:
            return more
        self.encoded += more
        whole = len(self.encoded) // 4 * 4
        pieces, self.encoded = self.encoded[:whole], self.encoded[whole:]
        return b"".join(base64.b64decode(pieces[at : at + 4], validate=True) for at in range(0, whole, 4))

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        while True:
            flags, size = struct.unpack(">BI", self.read(5))
            yield flags, self.read(size)
            if flags & (END | TRAILERS):
                assert not self.data + self.response.read(), "something stands behind the last frame"
                return


class ConnectWay:
    """The Connect protocol, with JSON or binary messages."""

    def __init__(self, host: str, codec: str, tls: ssl.SSLContext | None = None) -> None:
        self.host = host
        self.tls = tls
        self.codec = codec

    def written(self, message: Message) -> bytes:
        return MessageToJson(message).encode() if self.codec == "json" else message.SerializeToString()

    def read(self, case: Case, data: bytes) -> Message:
        return Parse(data, case.answer_class()) if self.codec == "json" else case.answer_class.FromString(data)

    def run(self, case: Case) -> Outcome:
        connection = connected(self.host, self.tls)
        headers = case.headers | {"connect-protocol-version": "1"}
        if case.timeout is not None:
            headers["connect-timeout-ms"] = str(milliseconds(case.timeout))
        kind = f"application/connect+{self.codec}" if case.streams else f"application/{self.codec}"
        data = self.written(case.request)
        connection.request("POST", case.path, framed(data) if case.streams else data, headers | {"content-type": kind})
        if case.leaves_after == 0:
            time.sleep(LEAVES_AFTER)
            connection.close()
            return Outcome(LEFT)
        try:
            response = connection.getresponse()
            assert response.headers["content-type"] == (kind if case.streams or response.status == 200 else "application/json")
            return self.stream(case, response) if case.streams else self.unary(case, response)
        finally:
            connection.close()

    def unary(self, case: Case, response: HTTPResponse) -> Outcome:
        data = response.read()
        return Outcome("OK", answers=[self.read(case, data)]) if response.status == 200 else failed(json.loads(data), [])

    def stream(self, case: Case, response: HTTPResponse) -> Outcome:
        assert response.status == 200
        answers: list[Message] = []
        for flags, data in Frames(response, text=False):
            if flags & END:
                error = json.loads(data).get("error")
                return failed(error, answers) if error else Outcome("OK", answers=answers)
            answers.append(self.read(case, data))
            if len(answers) == case.leaves_after:
                return Outcome(LEFT, answers=answers)
        raise AssertionError


def failed(error: dict[str, object], answers: list[Message]) -> Outcome:
    """What a Connect error says; `debug` of its details is for readers."""
    details = error.get("details", [])
    assert isinstance(details, list)
    assert all(one["debug"] for one in details)
    values = [(one["type"], base64.b64decode(one["value"] + "=" * (-len(one["value"]) % 4))) for one in details]
    code = str(error["code"]).upper()
    return Outcome("CANCELLED" if code == "CANCELED" else code, str(error.get("message", "")), values, answers)


class GrpcWebWay:
    """gRPC-Web, as bytes or as text."""

    def __init__(self, host: str, text: bool, tls: ssl.SSLContext | None = None) -> None:
        self.host = host
        self.tls = tls
        self.text = text

    def run(self, case: Case) -> Outcome:
        connection = connected(self.host, self.tls)
        kind = f"application/grpc-web{'-text' * self.text}+proto"
        headers = case.headers | {"content-type": kind, "accept": kind, "x-grpc-web": "1"}
        if case.timeout is not None:
            headers["grpc-timeout"] = f"{milliseconds(case.timeout)}m"
        body = framed(case.request.SerializeToString())
        connection.request("POST", case.path, base64.b64encode(body) if self.text else body, headers)
        if case.leaves_after == 0:
            time.sleep(LEAVES_AFTER)
            connection.close()
            return Outcome(LEFT)
        try:
            response = connection.getresponse()
            assert (response.status, response.headers["content-type"]) == (200, kind)
            return self.answers(case, response)
        finally:
            connection.close()

    def answers(self, case: Case, response: HTTPResponse) -> Outcome:
        answers: list[Message] = []
        if "grpc-status" in response.headers:  # an error alone may stand in the headers
            assert not response.read()
            return ended(dict(response.headers), answers)
        for flags, data in Frames(response, self.text):
            if flags & TRAILERS:
                lines = [line.partition(":") for line in data.decode("ascii").split("\r\n") if line]
                return ended({name.strip().lower(): value.strip() for name, _, value in lines}, answers)
            answers.append(case.answer_class.FromString(data))
            if len(answers) == case.leaves_after:
                return Outcome(LEFT, answers=answers)
        raise AssertionError


def ended(trailers: dict[str, str], answers: list[Message]) -> Outcome:
    trailers = {name.lower(): value for name, value in trailers.items()}
    code = CODES[int(trailers["grpc-status"])]
    text = trailers.get("grpc-status-details-bin", "")
    status = status_pb2.Status.FromString(base64.b64decode(text + "=" * (-len(text) % 4)))
    details = [(one.TypeName(), one.value) for one in status.details]
    return Outcome(code, unquote(trailers.get("grpc-message", "")), details, answers)
