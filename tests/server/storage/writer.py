"""A process that writes events into a storage, one at a word, until it is killed.

`python -m tests.server.storage.writer FILE`: each line of stdin is a number of events to write, or `look`; each line of stdout
says what came of one of them, `kept 3` or `failed PROBLEM`.
"""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Self

from machiavel.server.storage import SqliteStorage, StorageFailed, Write
from tests.server.storage.entries import event, header

__all__ = ["Writer"]

ROOT = Path(__file__).resolve().parents[3]


class Writer:
    """The process, and what it was told is kept."""

    def __init__(self, path: Path) -> None:
        self.kept = 0
        command = [sys.executable, "-m", "tests.server.storage.writer", str(path)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        self.beginning = self.heard()

    def heard(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def ask(self, what: str) -> str:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{what}\n")
        self.process.stdin.flush()
        return self.heard()

    def write(self, most: int = 1) -> str:
        """The last answer; stops at the first that is no acknowledgement."""
        answer = ""
        for _ in range(most):
            answer = self.ask("write")
            if not answer.startswith("kept "):
                break
            self.kept = int(answer.removeprefix("kept "))
        return answer

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()


def serve(path: str) -> None:
    try:
        storage = SqliteStorage(path)
        if storage.load("a") is None:
            storage.write([Write("a", header("a"))])
        stored = storage.load("a")
        count = 0 if stored is None else len(stored.events)
    except StorageFailed as error:
        print("failed", error.problem, flush=True)
        return
    print("ready", count, flush=True)
    for line in sys.stdin:
        try:
            if line.strip() == "look":
                storage.look()
                print("looked", flush=True)
            else:
                stored = storage.load("a")
                assert stored is not None
                storage.write([Write("a", events=[event(len(stored.events) + 1)])])
                print("kept", len(stored.events) + 1, flush=True)
        except StorageFailed as error:
            print("failed", error.problem, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
