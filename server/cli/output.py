"""Where a command writes: results on stdout, for people or as JSON lines; progress on stderr."""

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from rich.console import Console

__all__ = ["json_line", "people", "quiet_stdout", "say_error"]


def people(*, plain: bool = False) -> Console:
    """The console for people; colours, boxes and width as the terminal has them."""
    return Console(highlight=False, markup=False, emoji=False, color_system=None if plain else "auto")


def json_line(value: Mapping[str, Any]) -> None:
    """One object on one line, at once."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def say_error(message: str) -> None:
    line = " ".join(message.split())
    sys.stderr.write(f"machiavel: error: {line}\n")
    sys.stderr.flush()


def quiet_stdout() -> None:
    """Nobody reads any more: what is still buffered must not fail at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
