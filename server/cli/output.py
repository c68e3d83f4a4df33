"""Where a command writes: results on stdout, for people or as JSON lines; progress on stderr."""

import json
import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TextIO, cast

from rich import _wrap
from rich.console import Console

__all__ = ["json_line", "people", "quiet_stdout", "say_error", "say_warning", "visible"]

# rich breaks lines at any blank, those that must not break as well; of this name it takes its words.
_wrap.re_word = re.compile("[^\\S\N{NO-BREAK SPACE}]*[\\S\N{NO-BREAK SPACE}]+[^\\S\N{NO-BREAK SPACE}]*")
TRAILING = re.compile(r"[ \t]+$", re.MULTILINE)


class PlainConsole(Console):
    """A console that leaves a broken pipe to the command, which has an exit code for it."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


class TrimmedStream:
    """A stream without the blanks at the ends of lines that fill a table up."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(TRAILING.sub("", text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def people(*, plain: bool = False) -> Console:
    """The console for people; colours, boxes and width as the terminal has them."""
    file = None if sys.stdout.isatty() else cast(TextIO, TrimmedStream(sys.stdout))
    return PlainConsole(file=file, highlight=False, markup=False, emoji=False, color_system=None if plain else "auto")


def json_line(value: Mapping[str, Any]) -> None:
    """One object on one line, at once."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def visible(text: str) -> str:
    """The text as a terminal may be given it: what does not print is escaped."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


def say_error(message: str) -> None:
    say("error", message)


def say_warning(message: str) -> None:
    """Something is wrong, and the command goes on."""
    say("warning", message)


def say(kind: str, message: str) -> None:
    line = visible(" ".join(message.split()))
    with suppress(OSError):  # nowhere is left to say it
        sys.stderr.write(f"machiavel: {kind}: {line}\n")
        sys.stderr.flush()


def quiet_stdout() -> None:
    """Nobody reads any more: what is still buffered must not fail at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
