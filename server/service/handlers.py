"""The handlers of the services, in one place for every way in."""

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["Handlers"]


class Handlers:
    """Stands where generated code expects a server of gRPC: hands its handlers on, and keeps them by path."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.by_path: dict[str, Any] = {}

    def add_generic_rpc_handlers(self, handlers: Sequence[Any]) -> None:
        self.server.add_generic_rpc_handlers(handlers)

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Any]) -> None:
        self.server.add_registered_method_handlers(service, handlers)
        self.by_path |= {f"/{service}/{name}": handler for name, handler in handlers.items()}
