"""What goes around every call: its id, who makes it, its errors, its line in the log, its metrics."""

import hashlib
import hmac
import re
import secrets
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from machiavel.server.service import status
from machiavel.server.service.refusals import BadRequest, BadToken, Refusal
from machiavel.server.service.telemetry import Telemetry

__all__ = ["Calls", "Tokens", "caller_of"]

Read = Callable[[bytes], Any]
Context = grpc.aio.ServicerContext[Any, Any]
REQUEST_ID = "x-request-id"
GOOD_ID = re.compile(r"[\w.:-]{1,64}", re.ASCII)
OPEN = ("/grpc.health.",)  # to whoever can reach the server

caller: ContextVar[str] = ContextVar("caller", default="")


def caller_of(context: Context) -> str:
    """Whose share of the work a call counts for: that of its token, or else of its connection."""
    return caller.get() or context.peer()


class Tokens:
    """Who may call, by token; nobody is asked for one where there are none."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = {hashlib.sha256(token.encode()).digest(): name for token, name in names.items()}

    def name(self, metadata: Mapping[str, Any]) -> str:
        """The name of the caller, empty where everybody may call; raises BadToken."""
        if not self.names:
            return ""
        scheme, _, token = str(metadata.get("authorization", "")).partition(" ")
        digest = hashlib.sha256(token.strip().encode("utf-8", "replace")).digest()
        found = [name for known, name in self.names.items() if hmac.compare_digest(known, digest)]
        if scheme.lower() != "bearer" or not found:
            raise BadToken
        return found[0]


class Calls(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]
    """Wraps every call of the services."""

    def __init__(self, tokens: Tokens, telemetry: Telemetry) -> None:
        self.tokens = tokens
        self.telemetry = telemetry

    async def intercept_service(
        self, continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]], details: grpc.HandlerCallDetails
    ) -> Any:
        handler = await continuation(details)
        if handler is None or handler.request_streaming:
            return handler
        method = str(details.method)
        if handler.response_streaming:
            behaviour = self.stream(method, handler.unary_stream, handler.request_deserializer)
            return grpc.unary_stream_rpc_method_handler(behaviour, None, handler.response_serializer)
        behaviour = self.unary(method, handler.unary_unary, handler.request_deserializer)
        return grpc.unary_unary_rpc_method_handler(behaviour, None, handler.response_serializer)

    # Requests come as bytes and are read here, since gRPC calls what cannot be read UNKNOWN, and logs it with its contents.

    def unary(self, method: str, behaviour: Any, read: Read) -> Any:
        async def handle(data: bytes, context: Context) -> Any:
            call = Call(self, method, context)
            try:
                call.admit()
                answer = await behaviour(message_of(data, read), context)
            except Exception as error:  # noqa: BLE001
                await call.refuse(error)
            except BaseException:
                call.end("CANCELLED", "")
                raise
            call.end("OK", "")
            return answer

        return handle

    def stream(self, method: str, behaviour: Any, read: Read) -> Any:
        async def handle(data: bytes, context: Context) -> AsyncIterator[Any]:
            call = Call(self, method, context)
            answers = None
            try:
                call.admit()
                answers = behaviour(message_of(data, read), context)
                async for answer in answers:
                    yield answer
            except Exception as error:  # noqa: BLE001
                await call.refuse(error)
            except BaseException:
                call.end("CANCELLED", "")
                raise
            finally:
                if answers is not None:
                    await answers.aclose()
            call.end("OK", "")

        return handle


def message_of(data: bytes, read: Read) -> Any:
    try:
        return read(data)
    except DecodeError:
        raise BadRequest("request", "is no message of this call; expected protobuf, with texts in UTF-8") from None


class Call:
    """One call, from its arrival to its line in the log."""

    def __init__(self, calls: Calls, method: str, context: Context) -> None:
        self.calls = calls
        self.method = method
        self.context = context
        self.metadata = dict(context.invocation_metadata() or ())
        given = str(self.metadata.get(REQUEST_ID, ""))
        self.id = given if GOOD_ID.fullmatch(given) else secrets.token_hex(8)
        self.began = time.monotonic()

    def admit(self) -> None:
        if not self.method.startswith(OPEN):
            caller.set(self.calls.tokens.name(self.metadata))

    async def refuse(self, error: Exception) -> None:
        """Ends the call with the status of an error."""
        if isinstance(error, grpc.aio.AbortError):
            self.end("ABORTED", "")
            raise error
        cause, field = (error.error, error.field) if isinstance(error, Refusal) else (error, "")
        if status.reason_of(cause) == "FAULT":
            self.calls.telemetry.fault(self.id, self.method, type(error).__name__, frames_of(error))
        found = status.status_of(cause, field, self.id)
        self.end(status.code_of(cause).name, status.reason_of(cause))
        await self.context.abort(
            status.code_of(cause), found.message, ((REQUEST_ID, self.id), (status.DETAILS, found.SerializeToString()))
        )

    def end(self, code: str, reason: str) -> None:
        seconds = time.monotonic() - self.began
        self.calls.telemetry.call(self.method, code, reason, seconds, request=self.id, caller=caller.get())


def frames_of(error: BaseException) -> list[str]:
    """Where an error came from. Neither its message nor any variable: either may hold a hidden card."""
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)]
