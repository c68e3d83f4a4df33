"""gRPC-Web: messages in envelopes, and the trailers of gRPC as the last of them; all of it in base64 where that is asked for."""

import base64
import re
from collections.abc import Mapping
from urllib.parse import quote

from machiavel.server.service.refusals import BadRequest
from machiavel.server.web.bodies import GZIPPED, TextBody, envelope, gzipped, is_gzip, takes_gzip
from machiavel.server.web.context import Aborted
from machiavel.server.web.exchange import Exchange

__all__ = ["GrpcWeb", "GrpcWebText"]

TRAILERS = 0x80  # flag of the last envelope
TIMEOUT = re.compile(r"(\d{1,8})([HMSmun])", re.ASCII)
SECONDS = {"H": 3600.0, "M": 60.0, "S": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}
PRINTABLE = "".join(map(chr, range(0x20, 0x7F))).replace("%", "")


def seconds_of(headers: Mapping[str, str]) -> float | None:
    """What `grpc-timeout` gives; raises BadRequest."""
    text = headers.get("grpc-timeout")
    if text is None:
        return None
    found = TIMEOUT.fullmatch(text)
    if not found:
        raise BadRequest("grpc-timeout", "is no time; expected at most eight digits and one of H, M, S, m, u, n, as 500m")
    return int(found[1]) * SECONDS[found[2]]


def trailers_of(aborted: Aborted | None) -> bytes:
    lines = {"grpc-status": "0"}
    if aborted is not None:
        lines = {"grpc-status": str(aborted.code.value[0]), "grpc-message": quote(aborted.message, safe=PRINTABLE)}
        for name, value in aborted.trailers.items():
            lines[name] = base64.b64encode(value).decode().rstrip("=") if isinstance(value, bytes) else value
    return "".join(f"{name}: {value}\r\n" for name, value in lines.items()).encode()


class GrpcWeb:
    """A call with one answer or a stream of them."""

    kind = "application/grpc-web"

    def __init__(self, exchange: Exchange, form: str) -> None:
        self.exchange = exchange
        self.form = form
        self.compresses = takes_gzip(exchange.headers, "grpc-accept-encoding")
        self.held = b""  # an answer that goes out with its trailers, where there is only one

    def seconds(self) -> float | None:
        return seconds_of(self.exchange.headers)

    async def read(self, most: int) -> bytes | None:
        return await self.exchange.body.message(most, is_compressed=is_gzip(self.exchange.headers, "grpc-encoding"))

    def headers(self) -> dict[str, str]:
        return {"content-type": f"{self.kind}+{self.form}", **({"grpc-encoding": "gzip"} if self.compresses else {})}

    async def begin(self) -> None:
        await self.exchange.begin(200, self.headers())

    async def message(self, data: bytes) -> None:
        smaller = gzipped(data) if self.compresses else None
        message = self.coded(envelope(0, data) if smaller is None else envelope(GZIPPED, smaller))
        if self.exchange.is_begun:
            await self.exchange.write(message)
        else:
            self.held = message

    async def end(self, aborted: Aborted | None, status: int | None = None) -> None:  # noqa: ARG002 - always 200
        last = self.coded(envelope(TRAILERS, trailers_of(aborted)))
        if self.exchange.is_begun:
            await self.exchange.finish(last)
        else:
            await self.exchange.respond(200, self.headers(), self.held + last)

    def coded(self, data: bytes) -> bytes:
        return data


class GrpcWebText(GrpcWeb):
    """The same in base64, envelope by envelope."""

    kind = "application/grpc-web-text"

    def __init__(self, exchange: Exchange, form: str) -> None:
        super().__init__(exchange, form)
        exchange.body = TextBody(exchange.body.receive, exchange.body.declared)

    def coded(self, data: bytes) -> bytes:
        return base64.b64encode(data)
