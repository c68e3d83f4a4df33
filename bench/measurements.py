"""What a long measurement has found so far, a line each in a file, so that it may be broken off and gone on with."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from machiavel.server.journal import FileJournal, JournalKind, MemoryJournal, Rows, rows_of

__all__ = ["Measurements", "counted", "rows_at"]

TOLD_EVERY = 10.0  # seconds


KIND = JournalKind("measurement", key=lambda row: key(row[0]), is_headed=False)


class Measurements:
    """Values by what was asked; both are JSON. Without a file nothing is kept, and everything found anew."""

    def __init__(self, path: Path | None) -> None:
        self._rows = rows_at(path, KIND)

    def value(self, asked: Mapping[str, Any], find: Callable[[], Any]) -> Any:
        """Known already, or found now."""
        if self._rows.get(key(asked)) is None:
            self._rows.add([asked, find()])
        return self._rows.get(key(asked))[1]


def rows_at(path: Path | None, kind: JournalKind, header: Mapping[str, Any] | None = None) -> Rows:
    """What earlier runs have found, to be gone on with; without a file nothing is kept. Raises BadJournal."""
    journal = MemoryJournal(kind) if path is None else FileJournal(path, kind)
    return rows_of(journal, header, lambda message: sys.stderr.write(f"{message}\n"))


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
