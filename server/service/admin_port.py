"""The operator's way in: a Unix socket of its own, which no other user of the machine may open."""

import asyncio
import contextlib
import os
import socket
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from machiavel.server.service.admin_service import ADMIN, AdminService
from machiavel.server.service.call_interceptor import CallInterceptor, Tokens, UnknownMethods
from machiavel.server.service.config import BadConfig
from machiavel.server.service.listener import listener
from machiavel.v1.admin_service_pb2_grpc import add_AdminServiceServicer_to_server

if TYPE_CHECKING:
    from machiavel.server.service.app import Server

__all__ = ["AdminPort"]

OWNER_ALONE = 0o600
LAST = 1.0  # seconds for calls under way at the end


class AdminPort:
    """Has shares of its own, so that no crowd keeps the operator out."""

    def __init__(self, server: "Server", path: Path) -> None:
        self.path = path
        self.has_path = False
        self.calls = CallInterceptor(server.config, Tokens({}), server.telemetry, (ADMIN,), server.clock)
        self.server: Any = listener(self.calls, UnknownMethods(self.calls), [])
        add_AdminServiceServicer_to_server(AdminService(server, None), self.server)

    async def open(self) -> None:
        """Raises BadConfig."""
        await asyncio.to_thread(check_free, self.path)
        before = os.umask(0o177)
        try:
            self.server.add_insecure_port(f"unix:{self.path}")
            self.has_path = True
            self.path.chmod(OWNER_ALONE)
        except (RuntimeError, OSError):
            problem = "cannot be had; expected a path in a folder that this server may write to"
            raise BadConfig(f"admin: {self.path}: {problem}") from None
        finally:
            os.umask(before)
        await self.server.start()

    async def close(self) -> None:
        await self.server.stop(LAST)
        if self.has_path:
            with contextlib.suppress(OSError):
                self.path.unlink()


def check_free(path: Path) -> None:
    """gRPC would take the place of whatever is there; raises BadConfig."""
    try:
        kind = path.lstat().st_mode
    except OSError:
        return
    if not stat.S_ISSOCK(kind):
        raise BadConfig(f"admin: {path}: is there, and is no socket; expected another path")
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as probe:
        try:
            probe.connect(str(path))
        except OSError:  # left by a server that is gone
            return
    raise BadConfig(f"admin: {path}: another server listens there; expected another path")
