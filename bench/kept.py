"""What a long measurement has found so far, a line each in a file, so that it may be broken off and gone on with."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

__all__ = ["Kept", "counted"]

TOLD_EVERY = 10.0  # seconds


class Kept:
    """Values by what was asked; both are JSON. Without a file nothing is kept, and everything found anew."""

    def __init__(self, path: Path | None) -> None:
        self._values: dict[str, Any] = {}
        self._file = None if path is None else path.open("ab+")
        if self._file is not None:
            self._file.seek(0)
            lines = self._file.read()
            self._file.truncate(lines.rfind(b"\n") + 1)  # the last may have been broken off
            for line in lines[: lines.rfind(b"\n") + 1].splitlines():
                asked, found = json.loads(line)
                self._values[key(asked)] = found

    def value(self, asked: Mapping[str, Any], find: Callable[[], Any]) -> Any:
        """Known already, or found now."""
        name = key(asked)
        if name not in self._values:
            self._values[name] = json.loads(json.dumps(find()))
            if self._file is not None:
                self._file.write(json.dumps([asked, self._values[name]]).encode() + b"\n")
                self._file.flush()
        return self._values[name]


def key(asked: Mapping[str, Any]) -> str:
    return json.dumps(asked, sort_keys=True)


def counted(count: int, name: str) -> Iterator[int]:
    """0, 1, …; now and then a line on stderr says how far it is."""
    begun = told = time.monotonic()
    for number in range(count):
        yield number
        now = time.monotonic()
        if now - told > TOLD_EVERY:
            told = now
            left = (now - begun) / (number + 1) * (count - number - 1)
            sys.stderr.write(f"{name}: {number + 1} of {count}, {left / 60:.0f} min left\n")
