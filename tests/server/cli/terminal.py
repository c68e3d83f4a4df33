"""The command in a pseudo-terminal."""

import os
import pty
import select
import subprocess
import sys
import termios
import time

from tests.server.cli.command import COMMAND, environment

PATIENCE = 60.0
# Whoever opens a terminal first in a new session is the one its Ctrl-C goes to; what a shell has started in the background
# ignores it.
TAKE_TERMINAL = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.close(os.open(os.ttyname(0), os.O_RDWR))
os.execv(sys.argv[1], sys.argv[1:])
"""
CTRL_C, CTRL_D = b"\x03", b"\x04"


class Terminal:
    """A command in a pseudo-terminal."""

    def __init__(self, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        self.before = termios.tcgetattr(theirs)
        self._theirs = theirs
        self._process = subprocess.Popen(
            [sys.executable, "-c", TAKE_TERMINAL, *COMMAND, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(COLUMNS="100", LINES="40"),
            start_new_session=True,
        )
        self.text = ""
        self.answered = 0

    def wait_for(self, wanted: str, after: int = 0) -> None:
        deadline = time.monotonic() + PATIENCE
        while wanted not in self.text[after:]:
            assert self._read(deadline - time.monotonic()), f"no {wanted!r} in {self.text!r}"

    def look(self) -> None:
        """What it has shown meanwhile."""
        while self._read(0.05):
            pass

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._ours], [], [], max(0, seconds))
        if not ready:
            return False
        self.text += os.read(self._ours, 65536).decode(errors="replace")
        return True

    def send(self, keys: bytes) -> None:
        os.write(self._ours, keys)

    def answer(self, text: str) -> None:
        """An entry, once it is asked for."""
        self.wait_for("> ", after=self.answered)
        self.answered = len(self.text)
        self.send(text.encode() + b"\r")

    def end(self) -> int:
        code = self._process.wait(PATIENCE)
        while self._read(0.1):
            pass
        return code

    def is_clean(self) -> bool:
        """Whether keys are echoed as before, the cursor is seen and no other screen is left open."""
        cursor = self.text.rfind("\x1b[?25h") >= self.text.rfind("\x1b[?25l")
        screen = self.text.rfind("\x1b[?1049l") >= self.text.rfind("\x1b[?1049h")
        return cursor and screen and termios.tcgetattr(self._theirs) == self.before

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._ours)
        os.close(self._theirs)
