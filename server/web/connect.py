"""The Connect protocol: calls with one answer as plain POST requests, streams in envelopes."""

import base64
import json
import re
from collections.abc import Mapping
from typing import Any

import grpc
from google.protobuf import symbol_database
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc.status_pb2 import Status

from machiavel.server.service.refusals import BadRequest
from machiavel.server.service.status import DETAILS
from machiavel.server.web.bodies import GZIPPED, envelope, gunzip, gzipped, is_gzip, takes_gzip
from machiavel.server.web.context import Aborted
from machiavel.server.web.exchange import Exchange
from machiavel.server.web.json_messages import json_of

__all__ = ["NAMES", "ConnectStream", "ConnectUnary", "error_json"]

# What each status is called, and what it is to HTTP.
NAMES: Mapping[grpc.StatusCode, tuple[str, int]] = {
    grpc.StatusCode.CANCELLED: ("canceled", 499),
    grpc.StatusCode.UNKNOWN: ("unknown", 500),
    grpc.StatusCode.INVALID_ARGUMENT: ("invalid_argument", 400),
    grpc.StatusCode.DEADLINE_EXCEEDED: ("deadline_exceeded", 504),
    grpc.StatusCode.NOT_FOUND: ("not_found", 404),
    grpc.StatusCode.ALREADY_EXISTS: ("already_exists", 409),
    grpc.StatusCode.PERMISSION_DENIED: ("permission_denied", 403),
    grpc.StatusCode.RESOURCE_EXHAUSTED: ("resource_exhausted", 429),
    grpc.StatusCode.FAILED_PRECONDITION: ("failed_precondition", 400),
    grpc.StatusCode.ABORTED: ("aborted", 409),
    grpc.StatusCode.OUT_OF_RANGE: ("out_of_range", 400),
    grpc.StatusCode.UNIMPLEMENTED: ("unimplemented", 501),
    grpc.StatusCode.INTERNAL: ("internal", 500),
    grpc.StatusCode.UNAVAILABLE: ("unavailable", 503),
    grpc.StatusCode.DATA_LOSS: ("data_loss", 500),
    grpc.StatusCode.UNAUTHENTICATED: ("unauthenticated", 401),
}
JSON = "application/json"
LAST = 2  # flag of the envelope that ends a stream
TIMEOUT = re.compile(r"\d{1,10}", re.ASCII)


def error_object(aborted: Aborted) -> dict[str, Any]:
    """An error as JSON, with each detail as bytes and to be read."""
    result: dict[str, Any] = {"code": NAMES[aborted.code][0], "message": aborted.message}
    data = aborted.trailers.get(DETAILS)
    if isinstance(data, bytes):
        result["details"] = [detail_object(detail) for detail in Status.FromString(data).details]
    return result


def detail_object(detail: AnyMessage) -> dict[str, Any]:
    name = detail.type_url.rpartition("/")[2]
    message = symbol_database.Default().GetSymbol(name).FromString(detail.value)
    value = base64.b64encode(detail.value).decode().rstrip("=")
    return {"type": name, "value": value, "debug": json_of(message)}


def error_json(aborted: Aborted) -> bytes:
    return as_json(error_object(aborted))


def as_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def seconds_of(headers: Mapping[str, str]) -> float | None:
    """What `connect-timeout-ms` gives; raises BadRequest."""
    if headers.get("connect-protocol-version", "1") != "1":
        raise BadRequest("connect-protocol-version", "is none that is spoken here; expected 1, or none")
    text = headers.get("connect-timeout-ms")
    if text is None:
        return None
    if not TIMEOUT.fullmatch(text):
        raise BadRequest("connect-timeout-ms", "is no time; expected milliseconds, of at most ten digits")
    return int(text) / 1000


class ConnectUnary:
    """A call with one answer: bodies are messages, errors are JSON with a status of HTTP."""

    def __init__(self, exchange: Exchange, form: str) -> None:
        self.exchange = exchange
        self.form = form

    def seconds(self) -> float | None:
        return seconds_of(self.exchange.headers)

    async def read(self, most: int) -> bytes | None:
        is_compressed = is_gzip(self.exchange.headers, "content-encoding")
        data = await self.exchange.body.whole(most)
        return gunzip(data, most) if is_compressed else data

    async def begin(self) -> None:
        """Nothing goes out before the answer."""

    async def message(self, data: bytes) -> None:
        headers = {"content-type": f"application/{self.form}"}
        if takes_gzip(self.exchange.headers, "accept-encoding") and (smaller := gzipped(data)) is not None:
            data, headers["content-encoding"] = smaller, "gzip"
        await self.exchange.respond(200, headers, data)

    async def end(self, aborted: Aborted | None, status: int | None = None) -> None:
        """`status` is HTTP's, where it is not that of the error's code."""
        if aborted is not None:
            headers = {"content-type": JSON}
            if aborted.code is grpc.StatusCode.UNAUTHENTICATED:
                headers["www-authenticate"] = "Bearer"
            await self.exchange.respond(status or NAMES[aborted.code][1], headers, error_json(aborted))


class ConnectStream:
    """A call with a stream of answers: each message in an envelope, and one at the end that tells of errors."""

    def __init__(self, exchange: Exchange, form: str) -> None:
        self.exchange = exchange
        self.form = form
        self.compresses = takes_gzip(exchange.headers, "connect-accept-encoding")

    def seconds(self) -> float | None:
        return seconds_of(self.exchange.headers)

    async def read(self, most: int) -> bytes | None:
        return await self.exchange.body.message(most, is_compressed=is_gzip(self.exchange.headers, "connect-content-encoding"))

    async def begin(self) -> None:
        headers = {"content-type": f"application/connect+{self.form}"}
        if self.compresses:
            headers["connect-content-encoding"] = "gzip"
        await self.exchange.begin(200, headers)

    async def message(self, data: bytes) -> None:
        smaller = gzipped(data) if self.compresses else None
        await self.exchange.write(envelope(0, data) if smaller is None else envelope(GZIPPED, smaller))

    async def end(self, aborted: Aborted | None, status: int | None = None) -> None:  # noqa: ARG002 - always 200
        if not self.exchange.is_begun:
            await self.begin()
        await self.exchange.finish(envelope(LAST, as_json({} if aborted is None else {"error": error_object(aborted)})))
