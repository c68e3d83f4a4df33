"""The standard health service: whether each service takes calls."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from machiavel.server.service.refusals import UnknownService

__all__ = ["Health"]

Context = grpc.aio.ServicerContext[Any, Any]
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
UNKNOWN = health_pb2.HealthCheckResponse.SERVICE_UNKNOWN


class Health(health_pb2_grpc.HealthServicer):  # type: ignore[misc]
    """All services serve until the server shuts down; then none does, and who watches is told so and let go.

    While the server is draining none does, either; who watches is told, and goes on watching.
    """

    def __init__(self, services: Iterable[str]) -> None:
        self.services = ("", *services)  # without a name: the server as a whole
        self.closed = asyncio.Event()
        self.draining = False
        self.changed = asyncio.Event()  # another one after each change

    @property
    def is_serving(self) -> bool:
        return not (self.draining or self.closed.is_set())

    def set_draining(self, draining: bool) -> None:
        self.draining = draining
        self.tell()

    def tell(self) -> None:
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()

    def status(self, name: str) -> Any:
        if name not in self.services:
            return UNKNOWN
        return SERVING if self.is_serving else NOT_SERVING

    async def Check(self, request: Any, context: Context) -> Any:  # noqa: ARG002, N802
        if request.service not in self.services:
            raise UnknownService(request.service, tuple(name for name in self.services if name))
        return health_pb2.HealthCheckResponse(status=self.status(request.service))

    async def List(self, request: Any, context: Context) -> Any:  # noqa: ARG002, N802
        statuses = {name: health_pb2.HealthCheckResponse(status=self.status(name)) for name in self.services}
        return health_pb2.HealthListResponse(statuses=statuses)

    async def Watch(self, request: Any, context: Context) -> AsyncIterator[Any]:  # noqa: ARG002, N802
        last = None
        while True:
            changed, status = self.changed, self.status(request.service)  # it may change while a message goes out
            if status != last:
                last = status
                yield health_pb2.HealthCheckResponse(status=status)
            elif self.closed.is_set():
                return
            else:
                await changed.wait()

    def close(self) -> None:
        self.closed.set()
        self.tell()
