"""The port: gRPC's own server, but for calls of methods that there are not."""

import asyncio
from collections.abc import Sequence
from typing import Any

from grpc._cython import cygrpc
from grpc.aio._server import Server

__all__ = ["Listener"]

UNKNOWN = "unknown"


class Doorkeeper(cygrpc.AioServer):  # type: ignore[misc]
    """Hands calls of unknown methods over by itself, without a look at what they are called.

    gRPC reads that name as UTF-8 in the very loop that takes all calls; a caller who sends something else would end the server.
    """

    unknown: Any
    loop: asyncio.AbstractEventLoop

    async def _request_call(self) -> None:
        under_way = set()
        while True:
            state = await super()._request_call()
            handled = cygrpc._handle_rpc(UNKNOWN, None, (self.unknown,), state, self.loop, False)  # noqa: SLF001
            task = self.loop.create_task(cygrpc._schedule_rpc_coro(handled, state, self.loop, UNKNOWN))  # noqa: SLF001
            under_way.add(task)
            task.add_done_callback(under_way.discard)


class Listener(Server):
    """A server of grpc.aio in the running loop; `unknown` is the interceptor that finds the handler of unknown methods."""

    def __init__(self, interceptor: Any, unknown: Any, options: Sequence[tuple[str, Any]]) -> None:
        self._loop = asyncio.get_running_loop()
        self._server = Doorkeeper(self._loop, None, (), (interceptor,), tuple(options), None)
        self._server.unknown = unknown
        self._server.loop = self._loop
