"""What answers each request of HTTP: a call of the services, a page, or what is wrong with it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import grpc

from machiavel.search.entropy import drawn_bytes
from machiavel.server.service import status
from machiavel.server.service.call_interceptor import REQUEST_ID, Call, CallInterceptor, has_turn
from machiavel.server.service.fair_loop import line, line_for
from machiavel.server.service.refusals import (
    BadRequest,
    CallError,
    ForeignHost,
    ForeignOrigin,
    NoTime,
    UnknownMethod,
)
from machiavel.server.web import codecs
from machiavel.server.web.connect import ConnectStream, ConnectUnary, error_json
from machiavel.server.web.context import Aborted, WebContext
from machiavel.server.web.exchange import Exchange, Scope
from machiavel.server.web.grpc_web import GrpcWeb, GrpcWebText
from machiavel.server.web.origins import Origins
from machiavel.server.web.page_answers import DoorPage
from machiavel.server.web.pages import LANDMARKS

__all__ = ["Application"]

Dialect = ConnectUnary | ConnectStream | GrpcWeb
READS = ("GET", "HEAD")
EOF = grpc.aio.EOF  # type: ignore[attr-defined]


@dataclass(frozen=True)
class ContentType:
    """What speaks a type of content, in which form its messages are, and for which calls it is."""

    speaker: Callable[[Exchange, str], Dialect]
    form: str
    of_answers: bool
    of_streams: bool


CONTENT_TYPES: Mapping[str, ContentType] = {
    "application/json": ContentType(ConnectUnary, "json", of_answers=True, of_streams=False),
    "application/proto": ContentType(ConnectUnary, "proto", of_answers=True, of_streams=False),
    "application/connect+json": ContentType(ConnectStream, "json", of_answers=False, of_streams=True),
    "application/connect+proto": ContentType(ConnectStream, "proto", of_answers=False, of_streams=True),
    "application/grpc-web": ContentType(GrpcWeb, "proto", of_answers=True, of_streams=True),
    "application/grpc-web+proto": ContentType(GrpcWeb, "proto", of_answers=True, of_streams=True),
    "application/grpc-web+json": ContentType(GrpcWeb, "json", of_answers=True, of_streams=True),
    "application/grpc-web-text": ContentType(GrpcWebText, "proto", of_answers=True, of_streams=True),
    "application/grpc-web-text+proto": ContentType(GrpcWebText, "proto", of_answers=True, of_streams=True),
}
UTF_8 = {"", "utf-8", "utf8", "us-ascii"}  # charsets that are read as UTF-8 alike
NONE = ContentType(ConnectUnary, "json", of_answers=False, of_streams=False)


@dataclass(frozen=True)
class Method:
    """A method of a service, and what makes its answers, by the form of the messages."""

    path: str
    streams: bool
    handlers: Mapping[str, Callable[[object, Any], Any]]
    writers: Mapping[str, Callable[[Any], bytes]]

    def takes(self, kind: ContentType) -> bool:
        return kind.of_streams if self.streams else kind.of_answers


class Application:
    """Speaks ASGI. The calls are those of gRPC, made through the same interceptor."""

    def __init__(
        self, calls: CallInterceptor, handlers: Mapping[str, Any], origins: Origins, pages: Mapping[str, DoorPage]
    ) -> None:
        self.calls = calls
        self.methods = {path: method_of(path, handler, calls) for path, handler in handlers.items()}
        self.origins = origins
        self.pages = pages

    async def __call__(
        self, scope: Scope, receive: Callable[[], Awaitable[Any]], send: Callable[[dict[str, Any]], Awaitable[None]]
    ) -> None:
        exchange = Exchange(scope, receive, send)
        name = exchange.headers.get("content-type", "").partition(";")[0].strip().lower()
        kind = CONTENT_TYPES.get(name, NONE) if charset_of(exchange) in UTF_8 else NONE
        dialect = kind.speaker(exchange, kind.form)
        method = self.methods.get(exchange.path)
        try:
            if await self.has_turn(exchange) and await self.is_let_in(exchange):
                await self.serve(exchange, dialect, method, is_right_type=method is not None and method.takes(kind))
        except Exception as error:  # noqa: BLE001
            if exchange.is_begun:
                exchange.connection.cut()
            await self.refuse(dialect, error, method.path if method else "unknown")

    async def has_turn(self, exchange: Exchange) -> bool:
        """Waits for the caller's turn, in whose line all stands that is done for the request; false: who asked is gone."""
        caller = self.line_of(exchange)
        whose = line_for(caller, exchange.path)
        line.set(whose)
        exchange.connection.asked_by(caller)
        if not exchange.connection.takes_turn():
            await self.calls.turns.turn(whose)
        if exchange.connection.transport.is_closing():
            exchange.connection.leave_unanswered()
            return False
        has_turn.set(True)
        return True

    def line_of(self, exchange: Exchange) -> str:
        """In whose line a request waits for its turn."""
        return self.calls.line_of(WebContext(exchange.headers, self.origins.peer(exchange), exchange.connection.certificate))

    async def is_let_in(self, exchange: Exchange) -> bool:
        """Answers who comes under a wrong name, from a page that may not call, or to ask whether it may."""
        page = self.pages.get(exchange.path)
        if page is not None and page.is_open:
            return True
        try:
            self.origins.check_host(exchange)
            self.origins.check_origin(exchange)
        except (ForeignHost, ForeignOrigin) as error:
            await self.refuse(ConnectUnary(exchange, "json"), error)
            return False
        if exchange.method == "OPTIONS" and "access-control-request-method" in exchange.headers:
            await exchange.respond(204, self.origins.preflight(exchange), b"")
            return False
        return True

    async def serve(self, exchange: Exchange, dialect: Dialect, method: Method | None, *, is_right_type: bool) -> None:
        page = self.pages.get(exchange.path)
        if page is not None:
            await self.show(page, exchange)
        elif method is None:
            await self.refuse(dialect, self.nothing_at(exchange), http_status=404)
        elif exchange.method != "POST":
            await self.refuse_verb(exchange, ("POST",), method.path)
        elif not is_right_type:
            expected = ", ".join(name for name, kind in CONTENT_TYPES.items() if method.takes(kind))
            exchange.more_headers["accept-post"] = expected
            wrong = BadRequest("content-type", f"{wrong_type(exchange, method)}; expected one of {expected}")
            await self.refuse(ConnectUnary(exchange, "json"), wrong, method.path, 415)
        else:
            await self.call(method, dialect)

    def nothing_at(self, exchange: Exchange) -> CallError:
        if exchange.method == "POST":
            service = exchange.path.removeprefix("/").partition("/")[0]
            own = tuple(sorted(path.removeprefix(f"/{service}/") for path in self.methods if path.startswith(f"/{service}/")))
            return UnknownMethod(self.calls.services, service, own)
        return BadRequest("path", f"has nothing; expected {', '.join(LANDMARKS)}, or POST /machiavel.v1.SERVICE/METHOD")

    async def show(self, page: DoorPage, exchange: Exchange) -> None:
        if exchange.method not in READS:
            await self.refuse_verb(exchange, READS)
            return
        place = f"{self.origins.scheme(exchange)}://{exchange.headers.get('host', '')}"
        answer = page.answer(place, exchange.headers)
        await exchange.respond(answer.status, answer.headers, answer.content)

    async def call(self, method: Method, dialect: Dialect) -> None:
        """Raises BadRequest, NoTime, or a fault of our own."""
        exchange, seconds = dialect.exchange, dialect.seconds()
        if seconds is not None:
            seconds -= exchange.waited
        if seconds is not None and seconds <= 0:
            raise NoTime("the deadline leaves no time", "more time, or none given")
        context = self.context_of(dialect, seconds, streams=method.streams)
        exchange.connection.on_lost = context.lost
        ended: Aborted | None = None
        try:
            await self.answer(method, dialect, context)
        except Aborted as aborted:
            ended = aborted.with_traceback(None)  # which holds this very frame
            exchange.more_headers[REQUEST_ID] = context.call.id
        except asyncio.CancelledError:
            if context.is_gone:
                return
            raise
        finally:
            exchange.connection.on_lost = None
            context.release()
        if ended is not None and not exchange.is_begun:
            await exchange.pass_over()
        await dialect.end(ended)

    async def answer(self, method: Method, dialect: Dialect, context: WebContext) -> None:
        """Raises Aborted."""
        handle, write = method.handlers[dialect.form], method.writers[dialect.form]
        if not method.streams:
            message = write(await handle(None, context))
            context.close()
            dialect.exchange.more_headers[REQUEST_ID] = context.call.id
            await dialect.message(message)
            return
        answers = handle(None, context)
        try:
            async for answer in answers:
                await dialect.message(write(answer))
                del answer  # an idle stream keeps nothing
        finally:
            await answers.aclose()

    def context_of(self, dialect: Dialect, seconds: float | None = None, *, streams: bool = False) -> WebContext:
        exchange = dialect.exchange
        peer, certificate = self.origins.peer(exchange), exchange.connection.certificate
        context = WebContext(exchange.headers, peer, certificate, seconds, self.calls.ends)
        is_read = False

        async def read() -> Any:
            """The one message of a request. Who gets a stream learns at once that it is open."""
            nonlocal is_read
            data = None if is_read else await dialect.read(context.call.largest)
            is_read = True
            exchange.connection.begin()
            if data is not None and streams:
                exchange.more_headers[REQUEST_ID] = context.call.id
                await dialect.begin()
            return EOF if data is None else data

        context.read, context.cut, context.refused = read, exchange.connection.cut, exchange.refuse
        return context

    async def refuse_verb(self, exchange: Exchange, verbs: tuple[str, ...], method: str = "unknown") -> None:
        exchange.more_headers["allow"] = ", ".join(verbs)
        wrong = BadRequest("method", f"is not what this path is for; expected {' or '.join(verbs)}")
        await self.refuse(ConnectUnary(exchange, "json"), wrong, method, 405)

    async def refuse(self, dialect: Dialect, error: Exception, method: str = "unknown", http_status: int | None = None) -> None:
        """Answers with an error that has come up outside of any call. `http_status` is where the error's is not meant."""
        context: Any = self.context_of(dialect)
        call = Call(self.calls, method, context)
        try:
            await call.refuse(error)
        except Aborted as aborted:
            dialect.exchange.more_headers[REQUEST_ID] = call.id
            context.release()
            if not dialect.exchange.is_begun:
                await dialect.exchange.pass_over()
            await dialect.end(aborted, http_status)

    def complaint(self, error: CallError) -> bytes:
        """The answer to what is no request; it has its line in the log, too."""
        known_by = drawn_bytes(8).hex()
        details = status.status_of(error, "", known_by)
        code = status.code_of(error)
        self.calls.telemetry.call("unknown", code.name, status.reason_of(error), 0.0, request=known_by, caller="")
        return error_json(Aborted(code, details.message, {status.DETAILS: details.SerializeToString()}))


def charset_of(exchange: Exchange) -> str:
    """How the body says its texts are written; empty where it does not say."""
    for part in exchange.headers.get("content-type", "").split(";")[1:]:
        name, _, value = part.partition("=")
        if name.strip().lower() == "charset":
            return value.strip().strip('"').lower()
    return ""


def wrong_type(exchange: Exchange, method: Method) -> str:
    if not exchange.headers.get("content-type"):
        return "is missing"
    if charset_of(exchange) not in UTF_8:
        return f"says charset={charset_of(exchange)[:40]}, and texts are UTF-8"
    return f"is none for a call {'that streams its answers' if method.streams else 'with one answer'}"


def method_of(path: str, handler: Any, calls: CallInterceptor) -> Method:
    request, streams = handler.request_deserializer.__self__, bool(handler.response_streaming)
    make = grpc.unary_stream_rpc_method_handler if streams else grpc.unary_unary_rpc_method_handler
    behavior = handler.unary_stream if streams else handler.unary_unary
    around = calls.stream if streams else calls.unary
    handlers = {form: around(path, make(behavior, codecs.reader(form, request), None)) for form in codecs.FORMS}
    return Method(path, streams, handlers, {form: codecs.writer(form) for form in codecs.FORMS})
