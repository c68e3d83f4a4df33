"""A server in a process of its own that keeps its matches in a file, and comes back at the same address."""

import contextlib
import json
import os
import random
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from tests.server.cli.command import environment

__all__ = ["LAUNCH", "Served"]

ROOT = Path(__file__).resolve().parents[3]
LAUNCH = (sys.executable, "-m", "tests.server.matches.launch")
PATIENCE = 300.0


def free_port() -> int:
    """One that stays free while a server is away: the system gives it to nobody who asks for any port, or connects from one."""
    given = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="ascii").split()
    others = [*range(10_000, int(given[0])), *range(int(given[1]) + 1, 1 << 16)] or [*range(10_000, 1 << 16)]
    while True:
        port: int = random.choice(others)
        with socket.socket() as result, contextlib.suppress(OSError):
            result.bind(("127.0.0.1", port))
            return port


class Served:
    """Started by `start`, as often as one likes; `with` ends it at last."""

    def __init__(self, file: Path, *arguments: str) -> None:
        self.address = f"127.0.0.1:{free_port()}"
        self.arguments = ("serve", "--listen", self.address, "--storage", f"sqlite:///{file}", "--json", *arguments)
        self.log = file.with_suffix(".log")
        self.process: subprocess.Popen[str] | None = None

    def start(self, *crash: str, command: Sequence[str] = LAUNCH, **variables: str) -> None:
        """Until it listens; `crash` as `launch` takes it."""
        whole: Mapping[str, Any] = environment(PYTHONPATH=str(ROOT), **variables)
        with self.log.open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [*command, *crash, *self.arguments], stdout=subprocess.PIPE, stderr=log, text=True, cwd=ROOT, env=dict(whole)
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.log.read_text(encoding="utf-8")
        assert json.loads(line)["address"] == self.address

    def died(self) -> int:
        """How it ended, once it has."""
        assert self.process is not None
        code = self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process = None
        return code

    def kill(self) -> None:
        if self.process is not None:
            os.kill(self.process.pid, 9)
            self.died()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
