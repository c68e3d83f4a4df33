"""What stands in for grpc.aio's context in a call that came over HTTP: the few things that calls ask of it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NoReturn

import grpc

from machiavel.server.service.call_turns import CallTurns
from machiavel.server.service.refusals import NoTime

__all__ = ["Aborted", "WebContext"]

GRACE = 1.0  # seconds after the deadline for an answer that is being sent


class Aborted(Exception):
    """The call ends with a status that is no success."""

    def __init__(self, code: grpc.StatusCode, message: str, trailers: Mapping[str, str | bytes]) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.trailers = trailers


class WebContext:
    """One call.

    `read` gives the next message as bytes, and at last grpc.aio.EOF. `cut` ends the connection; `refused` lets who comes have it.
    """

    def __init__(
        self,
        headers: Mapping[str, str],
        peer: str,
        certificate: Mapping[str, list[bytes]],
        seconds: float | None = None,
        ends: CallTurns | None = None,
    ) -> None:
        """In `ends` calls take turns whose deadline has passed, or whose client is gone: many are at the same moment."""
        self.headers = headers
        self.caller_peer = peer
        self.certificate = certificate
        self.loop = asyncio.get_running_loop()
        self.end = None if seconds is None else self.loop.time() + seconds
        self.read: Callable[[], Awaitable[Any]]
        self.cut: Callable[[], None]
        self.refused: Callable[[], None]
        self.call: Any = None
        self.timer: asyncio.TimerHandle | None = None
        self.ends = ends
        self.is_gone = self.is_closed = False

    def begun(self, call: Any) -> None:
        """From now on the deadline ends the call."""
        self.call = call
        if self.end is not None:
            self.timer = self.loop.call_at(self.end, self.expire)

    def expire(self) -> None:
        self.in_turn(self.dismiss)

    def dismiss(self) -> bool:
        if self.is_closed:
            return False
        self.call.dismiss(NoTime("the deadline has passed", "more time, or less to do"))
        self.timer = self.loop.call_later(GRACE, self.cut)  # for who does not read what is being sent
        return True

    def lost(self) -> None:
        """The client is gone."""
        self.is_gone = True
        if self.call is not None:
            self.in_turn(self.give_up)

    def give_up(self) -> bool:
        return self.call is not None and self.call.task is not None and self.call.task.cancel()

    def in_turn(self, end: Callable[[], bool]) -> None:
        if self.ends is None:
            end()
        else:
            self.ends.when(self.call.share or self.call.source, end)

    def close(self) -> None:
        """The call has its answer: the deadline means nothing any more."""
        self.is_closed = True
        if self.timer is not None:
            self.timer.cancel()

    def release(self) -> None:
        """Nothing is asked of it any more; what knows each other would stay until the next look for garbage."""
        self.close()
        del self.read, self.cut, self.refused
        self.call = None

    # ---- What grpc.aio's context has ----

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return tuple(self.headers.items())

    def peer(self) -> str:
        return self.caller_peer

    def auth_context(self) -> Mapping[str, list[bytes]]:
        return self.certificate

    def time_remaining(self) -> float | None:
        return None if self.end is None else max(0.0, self.end - self.loop.time())

    def done(self) -> bool:
        return self.is_gone

    async def abort(
        self, code: grpc.StatusCode, details: str, trailing_metadata: tuple[tuple[str, str | bytes], ...] = ()
    ) -> NoReturn:
        raise Aborted(code, details, dict(trailing_metadata))
