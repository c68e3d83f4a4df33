"""The channel over HTTP for plain code: the one for asyncio, in a thread of its own."""

import asyncio
import contextlib
import threading
import weakref
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import CancelledError
from typing import Any, TypeVar

import grpc

from machiavel.clients.connection import Metadata, Tls
from machiavel.clients.http_channel import CLOSED, TURNS, AsyncHttpChannel, HttpCallError

__all__ = ["HttpChannel"]

Result = TypeVar("Result")


class HttpChannel:
    """Threads may share it. Its thread begins with the first call."""

    def __init__(self, target: str, tls: Tls | None = None) -> None:
        self.channel = AsyncHttpChannel(target, tls)
        self.lock = threading.Lock()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.thread: threading.Thread | None = None
        self.finalizer: Any = None
        self.is_closed = False

    def unary_unary(self, method: str, *serializers: Any, **named: Any) -> Callable[..., Any]:
        """What a stub calls; gives the answer."""
        inner = self.channel.unary_unary(method, *serializers, **named)

        def ask(request: Any, timeout: float | None = None, metadata: Metadata = ()) -> Any:
            return self.run(inner(request, timeout=timeout, metadata=metadata))

        return ask

    def unary_stream(self, method: str, *serializers: Any, **named: Any) -> Callable[..., "HttpStream"]:
        """What a stub calls; gives a stream."""
        inner = self.channel.unary_stream(method, *serializers, **named)

        def ask(request: Any, timeout: float | None = None, metadata: Metadata = ()) -> HttpStream:
            return HttpStream(self, inner(request, timeout=timeout, metadata=metadata))

        return ask

    def close(self) -> None:
        with self.lock:
            loop, was_closed, self.is_closed = self.loop, self.is_closed, True
        if loop is None or was_closed or self.thread is None:  # another thread may be closing it
            return
        asyncio.run_coroutine_threadsafe(self.channel.close(), loop).result()
        if self.finalizer is not None and self.finalizer.detach():
            loop.call_soon_threadsafe(loop.stop)
        self.thread.join()

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Does it in the thread of the channel, and waits; whoever is interrupted there cancels it."""
        try:
            future = asyncio.run_coroutine_threadsafe(work, self.running())
        except (RuntimeError, ValueError) as error:  # its loop is closed, or it is
            work.close()
            raise ValueError("Cannot invoke RPC on closed channel!") from error
        try:
            return future.result()
        except CancelledError:
            raise HttpCallError(grpc.StatusCode.CANCELLED, CLOSED) from None
        except BaseException:
            future.cancel()
            raise

    def running(self) -> asyncio.AbstractEventLoop:
        """The loop of its thread; raises ValueError once it is closed."""
        with self.lock:
            if self.is_closed:
                raise ValueError("the channel is closed")
            if self.loop is None:
                self.loop = asyncio.new_event_loop()
                self.thread = threading.Thread(target=serve, args=(self.loop,), name="machiavel-client", daemon=True)
                self.thread.start()
                self.finalizer = weakref.finalize(self, self.loop.call_soon_threadsafe, self.loop.stop)
            return self.loop


def serve(loop: asyncio.AbstractEventLoop) -> None:
    """Runs a loop until it is stopped, and ends what is left in it."""
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(end())
        loop.close()


async def end() -> None:
    """Cancels all that is under way, what was asked for at the last moment included."""
    own = asyncio.current_task()
    for _ in range(TURNS):
        for task in asyncio.all_tasks() - {own}:
            task.cancel()
        await asyncio.sleep(0)


class HttpStream:
    """The answers of a call, as they come."""

    def __init__(self, channel: HttpChannel, stream: Any) -> None:
        self.channel = channel
        self.stream = stream

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        try:
            return self.channel.run(anext(self.stream))
        except StopAsyncIteration:
            raise StopIteration from None

    def cancel(self) -> None:
        """Ends it, from any thread."""
        loop = self.channel.loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # it is closed
                loop.call_soon_threadsafe(self.stream.cancel)
