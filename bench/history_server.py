"""A server for `bench.histories`: killed and started again at one address, with its files in reach of whoever spoils them."""

import asyncio
import json
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

__all__ = ["HistoryServer"]

LAUNCH = (sys.executable, "-m", "bench.shifted_server", "serve")
NARROW = 20_000  # bytes that a file may still grow while the disk is said to be full


class HistoryServer:
    """One store, and one process at a time that serves from it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "matches.sqlite3"
        self.logs = tempfile.TemporaryDirectory()  # elsewhere: the folder's disk may be full
        self.log_path = Path(self.logs.name) / "server.log"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.process: asyncio.subprocess.Process | None = None
        self.draw = random.Random(1)

    def beside(self, end: str) -> Path:
        return Path(f"{self.path}{end}")

    async def start(self) -> str:
        """Until it listens; otherwise why it does not."""
        with self.log_path.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *LAUNCH,
                *("--listen", self.address, "--storage", f"sqlite:///{self.path}", "--json"),
                *("--think", "0.05", "--log-level", "warning"),
                stdout=subprocess.PIPE,
                stderr=log,
            )
        assert self.process.stdout is not None  # noqa: S101 - for mypy
        line = await self.process.stdout.readline()
        if line:
            assert json.loads(line)["address"] == self.address  # noqa: S101 - somebody else would answer
            return ""
        await self.process.wait()
        return self.log_lines()[-1]

    async def kill(self) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGKILL)
            await self.process.wait()
            self.process = None

    def log_lines(self) -> list[str]:
        return self.log_path.read_text(encoding="utf-8", errors="replace").splitlines() or [""]

    @property
    def faults_told(self) -> int:
        """Lines about its storage so far."""
        return sum('"storage_failed"' in line for line in self.log_lines())

    # ---- What others do to it ----

    async def remove_log(self) -> None:
        self.beside("-wal").unlink()

    async def cut_log(self) -> None:
        size = self.beside("-wal").stat().st_size
        os.truncate(self.beside("-wal"), self.draw.choice([0, 10, size // 3, size // 2, max(0, size - 5000)]))

    async def swap_file(self) -> None:
        """Another file in its place, or other bytes in the file."""
        other, size = self.beside(".other"), self.path.stat().st_size
        match self.draw.randrange(3):
            case 0:  # junk in a new file
                other.write_bytes(self.draw.randbytes(size))
                other.replace(self.path)
            case 1:  # junk in the same file
                with self.path.open("r+b") as file:
                    file.write(self.draw.randbytes(size))
            case _:  # an older copy over it, as somebody restores a backup who does not know how
                other.write_bytes(self.beside(".backup").read_bytes())
                with self.path.open("r+b") as file:
                    file.write(other.read_bytes())
                    file.truncate()
                other.unlink()

    async def fill_disk(self) -> None:
        """A while in which nothing more can be written: the file system's end where the store is on a small one, else a limit."""
        space = os.statvfs(self.path.parent)
        filler = self.beside(".filler")
        if space.f_bavail * space.f_frsize < 1 << 27:
            with filler.open("wb", buffering=0) as file, suppress(OSError):
                while True:
                    file.write(bytes(1 << 12))
            await asyncio.sleep(0.8)
            filler.unlink()
            return
        assert self.process is not None  # noqa: S101 - for mypy
        largest = max(self.beside(end).stat().st_size for end in ("", "-wal"))
        before = resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (largest // 2 + NARROW, before[1]))
        await asyncio.sleep(0.8)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, before)

    async def set_clock(self) -> None:
        assert self.process is not None  # noqa: S101 - for mypy
        self.process.send_signal(self.draw.choice([signal.SIGUSR1, signal.SIGUSR2]))
