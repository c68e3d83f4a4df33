"""What answers each request of HTTP: a call of the services, or a page."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import grpc

from machiavel.server.service.call_interceptor import REQUEST_ID, Call, CallInterceptor
from machiavel.server.service.refusals import BadRequest, CallError, UnknownMethod
from machiavel.server.web import codecs
from machiavel.server.web.connect import ConnectStream, ConnectUnary
from machiavel.server.web.context import Aborted, WebContext
from machiavel.server.web.exchange import Exchange, Scope

__all__ = ["Application"]

Dialect = Any
# What speaks each type of content, and in which form of messages; whether it is for calls with one answer, for streams, or both.
DIALECTS: Mapping[str, tuple[Any, str, bool, bool]] = {
    "application/json": (ConnectUnary, "json", True, False),
    "application/proto": (ConnectUnary, "proto", True, False),
    "application/connect+json": (ConnectStream, "json", False, True),
    "application/connect+proto": (ConnectStream, "proto", False, True),
}


@dataclass(frozen=True)
class Method:
    """A method of a service: what makes its answers, for each form that its messages may have."""

    path: str
    streams: bool
    handlers: Mapping[str, Callable[[object, Any], Any]]

    def types(self) -> tuple[str, ...]:
        return tuple(name for name, (_, _, unary, streams) in DIALECTS.items() if (streams if self.streams else unary))


class Application:
    """Speaks ASGI. The calls are those of gRPC, made through the same interceptor."""

    def __init__(self, calls: CallInterceptor, handlers: Mapping[str, Any]) -> None:
        self.calls = calls
        self.methods = {path: method_of(path, handler, calls) for path, handler in handlers.items()}

    async def __call__(
        self, scope: Scope, receive: Callable[[], Awaitable[Any]], send: Callable[[dict[str, Any]], Awaitable[None]]
    ) -> None:
        exchange = Exchange(scope, receive, send)
        kind = exchange.headers.get("content-type", "").partition(";")[0].strip().lower()
        speaker, form, unary, streams = DIALECTS.get(kind, (ConnectUnary, "json", False, False))
        dialect = speaker(exchange, form)
        method = self.methods.get(exchange.path)
        if method is None:
            await self.refuse(dialect, UnknownMethod(self.calls.services), "unknown", 404)
        elif exchange.method != "POST":
            exchange.more_headers["allow"] = "POST"
            await self.refuse(dialect, BadRequest("method", "is not what calls are made with; expected POST"), method.path, 405)
        elif not (streams if method.streams else unary):
            expected = ", ".join(method.types())
            exchange.more_headers["accept-post"] = expected
            await self.refuse(
                dialect, BadRequest("content-type", f"is none for this call; expected {expected}"), method.path, 415
            )
        else:
            await self.call(method, dialect)

    async def call(self, method: Method, dialect: Dialect) -> None:
        exchange = dialect.exchange
        try:
            seconds = dialect.seconds()
        except BadRequest as error:
            await self.refuse(dialect, error, method.path)
            return
        context = context_of(dialect, seconds)
        exchange.connection.on_lost = context.lost
        status: Aborted | None = None
        try:
            answers = method.handlers[dialect.form](None, context)
            if method.streams:
                async for answer in answers:
                    if not exchange.is_begun:
                        await dialect.begin()
                    await dialect.message(answer)
            else:
                answer = await answers
                exchange.more_headers[REQUEST_ID] = context.call.id
                await dialect.message(answer)
        except Aborted as aborted:
            status = aborted
        except asyncio.CancelledError:
            if context.is_gone:
                return
            raise
        finally:
            exchange.connection.on_lost = None
            context.close()
        await dialect.end(status)

    async def refuse(self, dialect: Dialect, error: CallError, method: str, status: int | None = None) -> None:
        """Answers with an error that no call has come to."""
        context = context_of(dialect, None)
        try:
            await Call(self.calls, method, context).refuse(error)
        except Aborted as aborted:
            await dialect.end(aborted, status)


def context_of(dialect: Dialect, seconds: float | None) -> WebContext:
    exchange = dialect.exchange
    context: WebContext
    is_read = False

    async def read() -> Any:
        nonlocal is_read
        if is_read:
            return grpc.aio.EOF  # type: ignore[attr-defined]
        is_read = True
        data = await dialect.read(context.call.largest)
        return grpc.aio.EOF if data is None else data  # type: ignore[attr-defined]

    host, port = exchange.client
    peer = f"ipv6:[{host}]:{port}" if ":" in host else f"ipv4:{host}:{port}"
    context = WebContext(exchange.headers, peer, exchange.connection.certificate, read, exchange.connection.cut, seconds)
    return context


def method_of(path: str, handler: Any, calls: CallInterceptor) -> Method:
    request = handler.request_deserializer.__self__
    make = grpc.unary_stream_rpc_method_handler if handler.response_streaming else grpc.unary_unary_rpc_method_handler
    behavior = handler.unary_stream if handler.response_streaming else handler.unary_unary
    around = calls.stream if handler.response_streaming else calls.unary
    handlers = {}
    for form in codecs.FORMS:
        handle = around(path, make(behavior, codecs.reader(form, request), None))
        written = written_stream if handler.response_streaming else written_answer
        handlers[form] = partial(written, handle, codecs.writer(form))
    return Method(path, handler.response_streaming, handlers)


async def written_answer(handle: Any, write: Callable[[Any], bytes], _: object, context: WebContext) -> bytes:
    return write(await handle(None, context))


async def written_stream(handle: Any, write: Callable[[Any], bytes], _: object, context: WebContext) -> Any:
    answers = handle(None, context)
    try:
        async for answer in answers:
            yield write(answer)
    finally:
        await answers.aclose()
