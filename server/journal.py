"""Journals: the rows of a run, kept as they come, so that a run that was broken off goes on where it was.

A row is a line of JSON. Before the rows a header says what run they belong to. A journal is a file; whoever uses one knows it as
a `Journal`, so that a database may be another backing.
"""

import contextlib
import fcntl
import json
import mmap
import os
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from machiavel.engines import GameError

__all__ = [
    "BadJournal",
    "FileJournal",
    "Journal",
    "JournalKind",
    "MemoryJournal",
    "RowBlock",
    "Rows",
    "Tell",
    "difference",
    "ignore",
    "lines",
    "row_of",
    "rows_of",
    "values",
]

READ = 1 << 23  # bytes that are read at a time
NEWLINE = ord("\n")
SHOWN = 100  # characters of a value in a message
Tell = Callable[[str], object]


def ignore(message: str) -> None:
    """Does nothing with a message: for callers who show none."""


class BadJournal(GameError):
    """A journal cannot be read, or belongs to another run."""


@dataclass(frozen=True)
class JournalKind:
    """What the journals of one kind have in common."""

    name: str  # of the runs, such as `tournament`
    # Tells a row from all others: where a key comes twice the first row counts. None: every row counts.
    key: Callable[[Any], Hashable | None] = lambda _: None
    is_headed: bool = True  # False: journals of earlier releases have no header, and are taken as they are
    is_synced: bool = False  # whether rows are on disk, not only with the system, before they count
    is_whole: Callable[[bytes], bool] = lambda row: row.endswith(b"\n")  # False: it was being written when everything stopped
    # The fields of an old header as today's; may raise BadJournal.
    complete: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda fields: fields


@dataclass(frozen=True)
class RowBlock:
    """Some rows, one after the other."""

    line: int  # of the first, the journal's first line being 1
    text: bytes
    ends: NDArray[np.int64]  # where each row ends in the text

    def rows(self) -> Iterator[tuple[int, bytes]]:
        """Each row with the number of its line."""
        begin = 0
        for line, end in enumerate(self.ends.tolist(), self.line):
            yield line, self.text[begin:end]
            begin = end


class Journal(Protocol):
    """The rows of one run, in the order in which they were added. Any number may read; one at a time may add."""

    kind: JournalKind
    name: str  # for messages

    def header(self) -> Mapping[str, Any]:
        """The fields that say what it belongs to; none, where its kind asks for none. Raises BadJournal."""

    def blocks(self) -> Iterator[RowBlock]:
        """All rows, many at a time; a last row that is being written is none. Raises OSError."""

    def open(self, header: Mapping[str, Any] | None = None, tell: Tell = ignore) -> AbstractContextManager[None]:
        """Takes the journal for adding; a new one gets the header, which is its whole first row.

        A last row that was broken off is cut off, and `tell` is told so. Raises BadJournal where the journal belongs to another
        run, is no journal of its kind, or somebody else adds to it, and then changes nothing; OSError. ValueError: it is new, its
        kind has headers, and none is given.
        """

    def append(self, rows: bytes) -> None:
        """Adds whole rows. A journal that is not open is opened for this alone."""

    def keep(self, order: NDArray[np.int64]) -> None:
        """Keeps these rows alone, by their numbers from 0, in this order; all of it happens or nothing. The journal is open."""


# ---- Reading ----


def lines(journal: Journal) -> Iterator[tuple[int, bytes]]:
    """Each row as it stands there, with the number of its line."""
    for block in journal.blocks():
        yield from block.rows()


def row_of(value: Any) -> bytes:
    """A value as a row."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def values(journal: Journal) -> Iterator[tuple[int, Any]]:
    """What each row says, with the number of its line; raises BadJournal."""
    for line, text in lines(journal):
        try:
            yield line, json.loads(text)
        except (ValueError, RecursionError):
            raise BadJournal(f"{journal.name}: line {line}: is no JSON; it was changed, or its disk is damaged") from None


def may_be_row(text: bytes) -> bool:
    """Whether a line is a row, or, where its end is missing, begins like an object or a list."""
    if not text.endswith(b"\n"):
        return text.startswith((b"{", b"["))
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


class Rows:
    """All rows of a small journal as values, each key once."""

    def __init__(self, journal: Journal) -> None:
        """Raises BadJournal, OSError."""
        self.journal = journal
        self.values: list[Any] = []
        self._by_key: dict[Hashable, Any] = {}
        for _, value in values(journal):
            self._take(value)

    def get(self, key: Hashable) -> Any:
        """The value of a key; None where there is none."""
        return self._by_key.get(key)

    def add(self, value: Any) -> bool:
        """Adds a value; False, and nothing changes, where its key is there."""
        text = row_of(value)
        value = json.loads(text)
        if self._is_known(value):
            return False
        self.journal.append(text)
        self._take(value)
        return True

    def _is_known(self, value: Any) -> bool:
        key = self._key(value)
        return key is not None and key in self._by_key

    def _take(self, value: Any) -> None:
        if not self._is_known(value):
            self.values.append(value)
            self._by_key[self._key(value)] = value

    def _key(self, value: Any) -> Hashable | None:
        try:
            return self.journal.kind.key(value)
        except (AttributeError, IndexError, KeyError, TypeError):
            return None  # who reads the value says what is wrong with it


def rows_of(journal: Journal, header: Mapping[str, Any] | None = None, tell: Tell = ignore) -> Rows:
    """The rows of a run that is gone on with, or begun; raises BadJournal, OSError."""
    with journal.open(header, tell):
        return Rows(journal)


# ---- Headers ----


def fields_of(kind: JournalKind, row: Any) -> Mapping[str, Any] | None:
    """The fields of a header, `{"KIND": {…}}` or `{"type": "KIND", …}`; None for another row."""
    if not isinstance(row, dict):
        return None
    result = row.get(kind.name)
    if isinstance(result, dict):
        return result
    return row if row.get("type") == kind.name else None


def header_in(journal: Journal, text: bytes) -> Mapping[str, Any]:
    """The fields of the header that a first line is, with today's names; raises BadJournal."""
    try:
        result = fields_of(journal.kind, json.loads(text))
    except (ValueError, RecursionError):
        result = None
    if result is not None:
        try:
            return journal.kind.complete(result)
        except BadJournal as error:
            raise BadJournal(f"{journal.name}: {error}") from None
    if journal.kind.is_headed:
        raise BadJournal(f"{journal.name}: its first line is no {journal.kind.name}")
    return {}


def check(journal: Journal, wanted: Mapping[str, Any]) -> None:
    """Raises BadJournal where the journal belongs to another run than this header's."""
    result = journal.header()
    fields = fields_of(journal.kind, json.loads(row_of(wanted)))
    if result and fields is not None and result != fields:
        raise BadJournal(f"{journal.name}: holds another {journal.kind.name}: {difference(result, fields)}; take another place")


def require_no_header(journal: Journal) -> None:
    """Raises ValueError where the journals of this kind have headers."""
    if journal.kind.is_headed:
        raise ValueError(f"{journal.name}: is new; expected a header, with which a {journal.kind.name} begins")


def difference(result: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """The first field in which they differ, and how; a digest only where all else is the same."""
    for name in sorted({**result, **wanted}, key=lambda one: one == "digest"):
        before, now = result.get(name), wanted.get(name)
        if before == now:
            continue
        if isinstance(before, Mapping) and isinstance(now, Mapping):
            return difference(before, now)
        return f"{name} {shown(before)}, not {shown(now)}"
    return "nothing"


def shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} …"


# ---- A file ----


class FileJournal:
    """A journal in a file of its own."""

    def __init__(self, path: Path, kind: JournalKind) -> None:
        self.path = path
        self.kind = kind
        self.name = str(path)
        self._file: IO[bytes] | None = None

    @property
    def is_begun(self) -> bool:
        """Whether there is a line that was written to its end."""
        if not self.path.exists():
            return False
        with self.path.open("rb") as file:
            return file.readline().endswith(b"\n")

    def header(self) -> Mapping[str, Any]:
        try:
            with self.path.open("rb") as file:
                return header_in(self, file.readline())
        except OSError as error:
            raise BadJournal(f"{self.path}: {error.strerror or error}") from None

    def blocks(self) -> Iterator[RowBlock]:
        for _, block in self._blocks():
            yield block

    def _blocks(self) -> Iterator[tuple[int, RowBlock]]:
        """With the place of the first byte."""
        with self.path.open("rb") as file:
            at, line = self._begin(file)
            text = b""
            while more := file.read(READ):
                text += more
                ends = np.flatnonzero(np.frombuffer(text, np.uint8) == NEWLINE) + 1
                if len(ends):
                    yield at, RowBlock(line, text, ends)
                    at, line, text = at + int(ends[-1]), line + len(ends), text[ends[-1] :]

    def _begin(self, file: IO[bytes]) -> tuple[int, int]:
        """Goes to the first row: where it begins, and on which line."""
        first = file.readline()
        if first and (self.kind.is_headed or header_in(self, first)):
            return len(first), 2
        file.seek(0)
        return 0, 1

    @contextlib.contextmanager
    def open(self, header: Mapping[str, Any] | None = None, tell: Tell = ignore) -> Iterator[None]:
        if header is None and not self.is_begun:
            require_no_header(self)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.closing(self._taken(self.path.open("ab"))) as file:
            self._check(header)
            self._mend(file, tell)
            if header is not None and not self.is_begun:
                file.write(row_of(header))
                self._sync(file)
            self._file = file
            try:
                yield
            finally:
                self._file.close()  # which `keep` may have replaced
                self._file = None

    def append(self, rows: bytes) -> None:
        if self._file is None:
            with self.open():
                self.append(rows)
        else:
            self._file.write(rows)
            self._sync(self._file)

    def keep(self, order: NDArray[np.int64]) -> None:
        if self._file is None:
            raise ValueError(f"{self.path}: is not open")
        with self.path.open("rb") as source:
            begin, _ = self._begin(source)
            edges = np.concatenate([[begin], *(at + block.ends for at, block in self._blocks())])
            part = self.path.with_name(f".{self.path.name}.part")
            target = self._taken(part.open("wb"))
            try:
                source.seek(0)
                target.write(source.read(begin))
                if len(order):
                    with mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ) as rows:
                        for run in np.split(order, np.flatnonzero(np.diff(order) != 1) + 1):
                            target.write(rows[edges[run[0]] : edges[run[-1] + 1]])
                target.flush()
                os.fsync(target.fileno())
                part.replace(self.path)
            except BaseException:
                target.close()
                raise
        self._file.close()
        self._file = target

    def _taken(self, file: IO[bytes]) -> IO[bytes]:
        """The file, which is closed to all others that would add to it; raises BadJournal."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise BadJournal(f"{self.path}: another command is adding to it") from None
        return file

    def _sync(self, file: IO[bytes]) -> None:
        file.flush()
        if self.kind.is_synced:
            os.fsync(file.fileno())

    def _check(self, header: Mapping[str, Any] | None) -> None:
        """Raises BadJournal where the file is no journal of this kind, or another run's."""
        with self.path.open("rb") as file:
            first = file.readline()
        if not first:
            return
        is_written = first.endswith(b"\n")
        if is_written and header is not None:
            check(self, header)
        if not self.kind.is_headed:
            if not may_be_row(first):
                raise BadJournal(f"{self.path}: its first line is no row of JSON; take another place")
        elif is_written:
            self.header()
        elif header is None or not row_of(header).startswith(first):
            raise BadJournal(f"{self.path}: its first line is no {self.kind.name}, nor the beginning of one; take another place")

    def _mend(self, file: IO[bytes], tell: Tell) -> None:
        """Cuts off what was being written when everything stopped."""
        size = self.path.stat().st_size
        if not size:
            return
        with self.path.open("rb") as source, mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ) as rows:
            first, end = rows.find(b"\n") + 1, rows.rfind(b"\n") + 1
            while end > first and not self.kind.is_whole(rows[(begin := rows.rfind(b"\n", 0, end - 1) + 1) : end]):
                end = begin
        if end < size:
            file.truncate(end)
            os.fsync(file.fileno())
            tell(f"{self.path}: its end was not written whole, and is cut off ({size - end} bytes)")


# ---- Memory ----


class MemoryJournal:
    """A journal of this process alone, for a run of which nothing is to be kept."""

    def __init__(self, kind: JournalKind) -> None:
        self.kind = kind
        self.name = "memory"
        self._header: Mapping[str, Any] | None = None
        self._rows: list[bytes] = []

    def header(self) -> Mapping[str, Any]:
        return {} if self._header is None else header_in(self, row_of(self._header))

    def blocks(self) -> Iterator[RowBlock]:
        if self._rows:
            ends = np.cumsum([len(row) for row in self._rows], dtype=np.int64)
            yield RowBlock(1 if self._header is None else 2, b"".join(self._rows), ends)

    @contextlib.contextmanager
    def open(self, header: Mapping[str, Any] | None = None, tell: Tell = ignore) -> Iterator[None]:  # noqa: ARG002 - nothing is ever cut
        if header is not None:
            if self._header is None:
                self._header = header
            check(self, header)
        elif self._header is None:
            require_no_header(self)
        yield

    def append(self, rows: bytes) -> None:
        if self._header is None:
            require_no_header(self)
        self._rows += rows.splitlines(keepends=True)

    def keep(self, order: NDArray[np.int64]) -> None:
        self._rows = [self._rows[number] for number in order.tolist()]
