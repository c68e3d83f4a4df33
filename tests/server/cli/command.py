"""Runs the command: in this process with its input given, or in a process of its own."""

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from machiavel.server.cli import main

COMMAND = [sys.executable, "-m", "machiavel.server.cli"]


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


class Runner:
    """Runs commands in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: str, entries: str | list[str] = "") -> Ran:
        """Each argument may be several, separated by blanks."""
        text = entries if isinstance(entries, str) else "".join(f"{entry}\n" for entry in entries)
        self._monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        self._capsys.readouterr()
        code = main([word for argument in arguments for word in argument.split()])
        out, err = self._capsys.readouterr()
        return Ran(code, out, err)


def environment(**changes: str) -> dict[str, str]:
    """This process's environment, with an English locale, a terminal that is known, and hosted matches that leave no file."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LC_")}
    return kept | {"LANG": "C.UTF-8", "TERM": "xterm-256color", "PYTHONUTF8": "1", "MACHIAVEL_STORAGE": "memory:"} | changes


def run_process(*arguments: str, entries: str = "", timeout: float = 120) -> Ran:
    done = subprocess.run(
        [*COMMAND, *arguments],
        input=entries,
        capture_output=True,
        text=True,
        timeout=timeout,
        env=environment(),
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
