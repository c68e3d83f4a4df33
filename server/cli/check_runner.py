"""Tries checks in a process of their own, and tells of those that took it down or never ended."""

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

__all__ = ["PLACE_BYTES", "WRITE_GOLDEN", "CheckResult", "CheckRunner", "WorkerDied", "finding_of"]

WORKER = (sys.executable, "-m", "machiavel.server.cli.check_worker")
PLACE_BYTES = 1 << 16  # of the file in which a worker tells where it is
WRITE_GOLDEN = "write-golden"  # in the place of a check's name
START = 120.0  # seconds in which a worker is ready
GRACE = 10  # seconds in which a worker that has no more tasks ends


class WorkerDied(Exception):
    """The process ended or was stopped before it answered; the message says how, `place` where it was."""

    def __init__(self, how: str, place: str) -> None:
        super().__init__(how)
        self.place = place


@dataclass
class CheckResult:
    """What came of a check over all its cases."""

    findings: list[dict[str, Any]] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)  # the reason, for each case in which there was nothing to check
    counts: Counter[str] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)  # what is no fault, and worth reading
    cases: int = 0
    deaths: int = 0
    seconds: float = 0.0


class CheckRunner:
    """Keeps a worker, and starts another one when it dies. `limit` is how many seconds a task may take."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._worker: subprocess.Popen[bytes] | None = None
        self._rest = b""
        self._folder = tempfile.TemporaryDirectory(prefix="machiavel-check-")
        self._place = Path(self._folder.name) / "place"
        self._place.write_bytes(bytes(PLACE_BYTES))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stop(is_clean=kind is None)
        self._folder.cleanup()

    def ask(self, task: Mapping[str, Any]) -> dict[str, Any]:
        """The worker's answer; raises WorkerDied."""
        try:
            worker = self._worker or self._start()
            if worker.stdin is None:
                raise RuntimeError("the worker has no input")
            worker.stdin.write(json.dumps(task).encode() + b"\n")
            worker.stdin.flush()
            answer: dict[str, Any] = json.loads(self._line(worker, self._limit))
        except (BrokenPipeError, EOFError):
            place = read_place(self._place)
            code = self._stop(is_clean=True)
            raise WorkerDied(f"the process ended {ending(code)}", place) from None
        except TimeoutError:
            place = read_place(self._place)
            self._stop(is_clean=False)
            raise WorkerDied(f"no answer within {self._limit:g} s, so it was stopped", place) from None
        return answer

    def try_check(self, result: CheckResult, task: Mapping[str, Any]) -> None:
        """Adds what a check finds in a case; a dead worker is a finding."""
        began = time.monotonic()
        result.cases += 1
        try:
            answer = self.ask(task)
        except WorkerDied as death:
            result.deaths += 1
            answer = {"error": f"{death}; {death.place or 'before any position'}"}
        if "error" in answer:
            result.findings.append(finding_of(task, answer["error"]))
        else:
            result.findings += [finding | {"trial": task["seed"]} for finding in answer["findings"]]
            result.counts.update(answer["counts"])
            result.told += [sentence for sentence in answer["told"] if sentence not in result.told]
            result.skipped += [answer["skipped"]] if answer["skipped"] else []
        result.seconds += time.monotonic() - began

    def _start(self) -> subprocess.Popen[bytes]:
        self._rest = b""
        self._worker = subprocess.Popen([*WORKER, str(self._place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
        self._line(self._worker, START)  # it is ready: what it imports takes none of the time of a check
        return self._worker

    def _line(self, worker: subprocess.Popen[bytes], limit: float) -> bytes:
        if worker.stdout is None:
            raise RuntimeError("the worker has no output")
        deadline = time.monotonic() + limit
        while b"\n" not in self._rest:
            ready, _, _ = select.select([worker.stdout], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError
            data = os.read(worker.stdout.fileno(), 1 << 16)
            if not data:
                raise EOFError
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _stop(self, *, is_clean: bool) -> int:
        """Ends the worker, and returns its exit code."""
        worker, self._worker = self._worker, None
        if worker is None:
            return 0
        if not is_clean:
            worker.kill()
        try:
            worker.communicate(timeout=GRACE)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.communicate()
        return worker.returncode


def ending(code: int) -> str:
    return f"by {signal.Signals(-code).name}" if code < 0 else f"with {code}"


def read_place(path: Path) -> str:
    return path.read_bytes().split(b"\x00", 1)[0].decode(errors="replace")


def finding_of(task: Mapping[str, Any], came: str, expected: str = "an answer") -> dict[str, Any]:
    """What there is to say of a check that did not answer."""
    found = {name: task[name] for name in ("check", "game", "players", "options")}
    return found | {"seed": None, "moves": [], "seat": None, "expected": expected, "came": came, "trial": task.get("seed", 0)}
