"""What goes around every call: its id, who makes it, its place, its errors, its line in the log, its metrics."""

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextvars import ContextVar
from functools import partial
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from grpc._cython import cygrpc

from machiavel.engines import GameFault
from machiavel.search.entropy import drawn_bytes
from machiavel.server.clock import SYSTEM_CLOCK, Clock
from machiavel.server.draws import Draw
from machiavel.server.matches.faults import frames_of, kind_of
from machiavel.server.service import status
from machiavel.server.service.call_places import RETRY_AFTER, CallPlaces
from machiavel.server.service.call_turns import CallTurns
from machiavel.server.service.config import Config
from machiavel.server.service.fair_loop import FairLoop, caller_in, line, weight_of
from machiavel.server.service.guests import GUEST, GUEST_CALLS, GUEST_KIB, GUEST_PATIENCE, is_guest
from machiavel.server.service.proxies import Proxies, source_named
from machiavel.server.service.refusal_pace import RefusalPace
from machiavel.server.service.refusals import (
    BadRequest,
    BadToken,
    CallError,
    MessageTooLarge,
    Refusal,
    ShuttingDown,
    TooBusy,
    UnknownMethod,
)
from machiavel.server.service.shared_answers import writing
from machiavel.server.service.telemetry import Telemetry
from machiavel.server.service.worker_thread import RequestWorker
from machiavel.server.shares import Shares
from machiavel.server.storage import StorageFailed

__all__ = [
    "KIB",
    "REQUEST_ID",
    "Call",
    "CallInterceptor",
    "Tokens",
    "UnknownMethods",
    "account",
    "caller",
    "caller_now",
    "caller_of",
    "has_turn",
    "source_of",
]

Read = Callable[[bytes], Any]
Context = grpc.aio.ServicerContext[Any, Any]
REQUEST_ID = "x-request-id"
GOOD_ID = re.compile(r"[\w.:-]{1,64}", re.ASCII)
OPEN = ("/grpc.health.",)  # to whoever can reach the server
# Calls about matches of which the server alone knows all.
HOSTED = "/machiavel.v1.MatchService/"
EOF: Any = grpc.aio.EOF  # type: ignore[attr-defined]
KIB = 1024
ENDED_AT_ONCE = 2  # calls that are over before they have their answer, in one round of the event loop
GONE: Any = getattr(cygrpc, "ExecuteBatchError", ())  # what gRPC raises where the client has left meanwhile
STOPPED: Any = getattr(cygrpc, "_ServerStoppedError", ())  # and where the server has stopped
PATIENCE = 30.0  # seconds that a call may keep its place without a request
# What gRPC knows of a client's certificate, from the whole name down to what stands in for one.
SUBJECT = ("x509_subject", "x509_common_name", "x509_subject_alternative_name")
LONGEST_SUBJECT = 200

caller: ContextVar[str] = ContextVar("caller", default="")
has_turn: ContextVar[bool] = ContextVar("has_turn", default=False)  # before anything was done for it
client: ContextVar[str] = ContextVar("client", default="")  # as gRPC writes it; a proxy's, unless it says whom it calls for


def caller_of(context: Context) -> str:
    """Whose share of the work a call counts for: that of its token, its certificate, or else its address."""
    return caller.get() or source_named(client.get() or context.peer())


def caller_now() -> str:
    """The same inside a call."""
    return caller.get() or source_named(client.get())


def source_of(context: Context) -> str:
    """The address or network that a call comes from, whoever makes it."""
    return source_named(client.get() or context.peer())


def account() -> str:
    """Whose matches a call is about: its token's name; empty where everybody may call."""
    return caller.get()


def subject_of(context: Context) -> str:
    """Whom the certificate of the client is for; empty where there is none."""
    known = context.auth_context()
    for name in SUBJECT:
        if known.get(name):
            return ", ".join(value.decode("utf-8", "replace") for value in known[name])[:LONGEST_SUBJECT]
    return ""


def token_of(shown: str) -> tuple[str, bytes]:
    """Of what a caller shows: its kind, and what it is known by here."""
    scheme, _, token = shown.partition(" ")
    return scheme.lower(), hashlib.sha256(token.strip().encode("utf-8", "replace")).digest()


class Tokens:
    """Who may call, by token; nobody is asked for one where there are none."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names: dict[bytes, str] = {}
        self.replace(names)

    def replace(self, names: Mapping[str, str]) -> None:
        """From the next call on these hold. Kept and looked up by their hashes, which nobody can bring close to another's."""
        self.names = {hashlib.sha256(token.encode()).digest(): name for token, name in names.items()}

    def shown(self, metadata: Mapping[str, Any]) -> bytes | None:
        """What the token of a call is known by here, None where everybody may call; raises BadToken."""
        if not self.names:
            return None
        scheme, digest = token_of(str(metadata.get("authorization", "")))
        if scheme != "bearer" or digest not in self.names:
            raise BadToken
        return digest


class CallInterceptor(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]
    """Wraps every call of the services. Belongs to one event loop.

    Requests are read here, as bytes: gRPC by itself would call what cannot be read UNKNOWN and log its contents, would leave a
    call without a request waiting for ever, and would refuse what is too large without details.
    """

    def __init__(
        self,
        config: Config,
        tokens: Tokens,
        telemetry: Telemetry,
        services: tuple[str, ...],
        clock: Clock = SYSTEM_CLOCK,
        *,
        shares: Shares | None = None,
        worker: RequestWorker | None = None,
    ) -> None:
        """Without a worker, large requests are read on the event loop like all others."""
        self.tokens = tokens
        self.telemetry = telemetry
        self.services = services
        self.clock = clock
        self.worker = worker
        self.asks_certificates = bool(config.tls_clients)
        self.largest = config.message_kib * KIB
        self.guests = config.guests
        self.draw: Draw = bytes if config.rehearsal else drawn_bytes
        self.shares = shares or Shares(clock=clock)
        self.places = CallPlaces(config, self.shares)
        self.turns = CallTurns(pressure=self.pressure)
        self.ends = CallTurns(ENDED_AT_ONCE)
        self.pace = RefusalPace(clock)
        self.proxies = Proxies(config.web_proxies)

    def line_of(self, context: Any) -> str:
        """In whose line a call waits for its turn, at a glance: nobody is let in by this."""
        metadata = dict(context.invocation_metadata() or ())
        shown = metadata.get("authorization")
        if shown is None and self.guests:
            return GUEST
        name = "" if shown is None else self.tokens.names.get(token_of(str(shown))[1], "")
        if not name and self.asks_certificates:
            name = subject_of(context)
        return name or source_named(self.proxies.peer(context.peer(), str(metadata.get("x-forwarded-for", ""))))

    def order(self, loop: asyncio.AbstractEventLoop) -> None:
        """From now on the loop, where it can, takes first what is done for callers with few calls."""
        if isinstance(loop, FairLoop):
            loop.fair.pressure = self.pressure

    def pressure(self, whose: str) -> int:
        """How many small calls' work there is in a line: under way, in line, and refused without having been told."""
        calls = self.places.under_way(whose) + self.turns.waiting_of(whose)
        return weight_of(whose) * calls + self.pace.waiting_of(caller_in(whose))

    async def intercept_service(
        self, continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]], details: grpc.HandlerCallDetails
    ) -> Any:
        handler = await continuation(details)
        method = str(details.method)
        if not handler.response_streaming:
            return grpc.stream_unary_rpc_method_handler(self.unary(method, handler), None, handler.response_serializer)
        return grpc.stream_stream_rpc_method_handler(self.stream(method, handler), None, writing(handler.response_serializer))

    def unary(self, method: str, handler: Any) -> Any:
        async def handle(_: object, context: Context) -> Any:
            call = Call(self, method, context)
            try:
                call.admit()
                answer = await handler.unary_unary(await call.request(handler.request_deserializer), context)
            except Exception as error:  # noqa: BLE001
                await call.refuse(error)
            except BaseException:
                await call.leave()
                raise
            call.end("OK", "")
            return answer

        return handle

    def stream(self, method: str, handler: Any) -> Any:
        async def handle(_: object, context: Context) -> AsyncIterator[Any]:
            call = Call(self, method, context)
            answers = None
            try:
                call.admit()
                if handler.request_streaming:
                    answers = handler.stream_stream(call.requests(handler.request_deserializer), context)
                else:
                    answers = handler.unary_stream(await call.request(handler.request_deserializer), context)
                async for answer in answers:
                    call.is_sending = True
                    yield answer
                    del answer  # an idle stream keeps nothing
                    call.is_sending = False
                    if call.dismissal is not None:
                        raise call.dismissal
            except Exception as error:  # noqa: BLE001
                await call.refuse(error)
            except BaseException:
                await call.leave()
                raise
            finally:
                if answers is not None:
                    await answers.aclose()
            call.end("OK", "")

        return handle

    def dismiss(self) -> None:
        """Ends all calls under way, as those of a server that shuts down."""
        for call in self.places.calls():
            call.dismiss(ShuttingDown())

    def dismiss_strangers(self) -> None:
        """Ends the calls under way of those whose token is none any more."""
        for call in self.places.calls():
            if call.token is not None and call.token not in self.tokens.names:
                call.dismiss(BadToken())


class UnknownMethods(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]
    """Refuses calls of methods that there are not. What they are called is nobody's word but the caller's, so no log has it."""

    def __init__(self, calls: CallInterceptor) -> None:
        self.calls = calls

    async def intercept_service(self, continuation: object, details: grpc.HandlerCallDetails) -> Any:  # noqa: ARG002
        async def handle(_: object, context: Context) -> AsyncIterator[Any]:
            await Call(self.calls, "unknown", context).refuse(UnknownMethod(self.calls.services))
            yield

        return grpc.stream_stream_rpc_method_handler(handle)


def forget(error: BaseException) -> None:
    """Lets go of the frames of an error and of those it came from: they hold the request, and all that was made of it."""
    known: BaseException | None = error
    while known is not None and known.__traceback__ is not None:
        known.__traceback__ = None
        if isinstance(known, Refusal):
            known.error.__traceback__ = None
        known = known.__cause__ or known.__context__


def forget_later(error: BaseException, _: object) -> None:
    forget(error)
    error.__context__ = None


def message_of(data: bytes, read: Read, largest: int) -> Any:
    if len(data) > largest:
        raise MessageTooLarge(len(data), largest)
    try:
        return read(data)
    except DecodeError:
        raise BadRequest("request", "is no message of this call; expected protobuf, with texts in UTF-8") from None


class Call:
    """One call, from its arrival to its line in the log."""

    def __init__(self, calls: CallInterceptor, method: str, context: Context) -> None:
        self.calls = calls
        self.method = method
        self.context = context
        caller.set("")  # a connection of HTTP may hand on who called over it last
        self.peer = context.peer()  # once the call is over gRPC may no longer be asked: it would crash
        self.metadata = dict(context.invocation_metadata() or ())
        given = str(self.metadata.get(REQUEST_ID, ""))
        self.id = given if GOOD_ID.fullmatch(given) else calls.draw(8).hex()
        self.began = calls.clock.monotonic()
        self.task = asyncio.current_task()
        self.is_open = method.startswith(OPEN)
        self.is_guest = calls.guests and method in GUEST_CALLS and "authorization" not in self.metadata
        self.largest = min(calls.largest, GUEST_KIB * KIB) if self.is_guest else calls.largest
        self.patience = GUEST_PATIENCE if self.is_guest else PATIENCE
        self.source = source_named(self.peer)  # so that nobody has more for more connections
        self.share = ""  # whose share of the work it counts for, once it is known
        self.line = line.get()
        self.token: bytes | None = None
        self.dismissal: CallError | None = None
        self.is_sending = False  # a message, before which gRPC takes no status
        begun = getattr(context, "begun", None)  # of a call over HTTP, whose deadline is kept here
        if begun is not None:
            begun(self)

    def admit(self) -> None:
        """Takes a place; raises BadToken or TooBusy."""
        if not self.is_open:
            is_guest.set(self.is_guest)
            self.token = None if self.is_guest else self.calls.tokens.shown(self.metadata)
            name = GUEST if self.is_guest else self.calls.tokens.names.get(self.token or b"", "")
            if not name and self.calls.asks_certificates:
                name = subject_of(self.context)
            caller.set(name)
            client.set(self.calls.proxies.peer(self.peer, str(self.metadata.get("x-forwarded-for", ""))))
            self.source = source_named(client.get())
            self.share = caller_of(self.context)
            self.calls.shares.seen(self.share)
        self.calls.places.take(self)

    async def request(self, read: Read) -> Any:
        """The request; raises BadRequest, MessageTooLarge or TooBusy."""
        if not self.is_open:
            if not has_turn.get():
                await self.calls.turns.turn(self.share)
            if self.calls.worker is not None:
                await self.room(self.calls.worker)
        try:
            async with asyncio.timeout(self.patience):
                data = await self.data()
        except TimeoutError:
            raise BadRequest("request", f"is missing after {self.patience:g} s; expected one message at once") from None
        if data is EOF:
            await self.calls.ends.turn(self.share or self.source)
            if self.context.done():
                raise asyncio.CancelledError  # as many are at once whose deadline was the same
            raise BadRequest("request", "is missing; expected one message")
        return await self.parsed(data, read)

    async def room(self, worker: RequestWorker) -> None:
        """Waits until the request may be read, and is idle meanwhile; raises TooBusy."""
        self.calls.places.wait(self)
        try:
            async with asyncio.timeout(self.patience):
                await worker.room(self.share)
        except TimeoutError:
            raise TooBusy("large requests of yours wait", RETRY_AFTER) from None

    async def requests(self, read: Read) -> AsyncIterator[Any]:
        while (data := await self.data()) is not EOF:
            yield await self.parsed(data, read)

    async def data(self) -> Any:
        """The next message as it came, or EOF."""
        self.calls.places.wait(self)
        try:
            result = await self.context.read()
        except STOPPED:
            raise ShuttingDown from None
        self.calls.places.begin(self)
        return result

    async def parsed(self, data: bytes, read: Read) -> Any:
        """Raises BadRequest, MessageTooLarge or TooBusy."""
        work, worker = partial(message_of, data, read, self.largest), self.calls.worker
        if worker is None or len(data) > self.largest:
            return work()
        return await worker.parse(work, len(data), caller_of(self.context))

    async def refuse(self, error: Exception) -> None:
        """Ends the call with the status of an error."""
        cause, field = (error.error, error.field) if isinstance(error, Refusal) else (error, "")
        if status.reason_of(cause) == "FAULT":
            self.calls.telemetry.fault(self.id, self.method, kind_of(error), frames_of(error))
        if isinstance(cause, StorageFailed):
            self.calls.telemetry.storage_failed(cause.problem)
        if isinstance(cause, GameFault):
            self.calls.telemetry.game_fault(self.id, self.method, cause.game, kind_of(cause), frames_of(cause))
            if self.method.startswith(HOSTED):
                cause = cause.without_details()
        forget(error)
        if getattr(cause, "retry_after", None) is not None:
            await self.wait_for_refusal()
        details = status.status_of(cause, field, self.id)
        self.end(status.code_of(cause).name, status.reason_of(cause))
        try:
            await self.context.abort(
                status.code_of(cause), details.message, ((REQUEST_ID, self.id), (status.DETAILS, details.SerializeToString()))
            )
        except BaseException as abort:
            if self.task is not None:
                # gRPC keeps this error with the call, and its frames keep the call.
                self.task.add_done_callback(partial(forget_later, abort))
            if isinstance(abort, GONE):
                raise asyncio.CancelledError from None  # there is nobody to be told, and nothing to be logged
            raise

    async def wait_for_refusal(self) -> None:
        """Waits until it may be told that there is no room for it; it has none meanwhile."""
        self.calls.places.leave(self)
        refused = getattr(self.context, "refused", None)  # of a call over HTTP, whose connection may be wanted
        if refused is not None:
            refused()
        try:
            await self.calls.pace.turn(self.share or self.source, self.context.time_remaining())
        except asyncio.CancelledError:
            if self.dismissal is None or self.context.done():
                self.end("CANCELLED", "")
                raise

    def dismiss(self, error: CallError) -> None:
        """Ends the call with that error."""
        self.dismissal = error
        if self.task is not None and not self.is_sending:
            self.task.cancel()

    async def leave(self) -> None:
        """Ends a call that was cancelled, by its caller or by `dismiss`."""
        if self.dismissal is not None and not self.context.done():
            await self.refuse(self.dismissal)
        self.end("CANCELLED", "")

    def end(self, code: str, reason: str) -> None:
        self.calls.places.leave(self)
        seconds = self.calls.clock.monotonic() - self.began
        self.calls.telemetry.call(self.method, code, reason, seconds, request=self.id, caller=caller.get())
