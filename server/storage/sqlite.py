"""Matches kept in one SQLite file: write-ahead log, synced before every answer."""

import contextlib
import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from machiavel.server.storage.contract import (
    Conflict,
    Event,
    Header,
    LastActivity,
    SavedResponse,
    Step,
    StorageFailed,
    StoredMatch,
    Write,
    no_step,
)
from machiavel.server.storage.schema import MIGRATIONS, NotOurs, migrate, version_of

__all__ = ["SqliteStorage"]

Result = TypeVar("Result")

WAIT = 1.0  # seconds for a lock that somebody else holds
HEADER = "match, account, created, host, code, setup, phase, summary"
LAST = "SELECT time FROM events WHERE events.match = matches.match ORDER BY seq DESC LIMIT 1"


class SqliteStorage:
    """Keeps matches in a file. After a fault it opens the file anew, and goes on once that is the one it knew, and whole."""

    def __init__(self, path: str | Path, step: Step = no_step, *, read_only: bool = False, alone: bool = True) -> None:
        """Makes the file where there is none; raises StorageFailed. `alone`: no other server may have it open."""
        self.path = Path(path).absolute()
        self.step = step
        self.read_only = read_only
        self.connection: sqlite3.Connection | None = None
        self.identity: bytes | None = None
        self.place: tuple[int, int] = (0, 0)
        self.size = 0
        self.lock = None if read_only or not alone else self.locked()
        try:
            self.guarded(lambda _: None)
        except BaseException:
            self.close()
            raise

    def locked(self) -> int:
        """Held for as long as this process lives, however it ends."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StorageFailed(f"{self.path}: cannot be written: {error.strerror}") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = holder_of(lock)
            os.close(lock)
            raise StorageFailed(f"{self.path}: another server{holder} keeps its matches there") from None
        with contextlib.suppress(OSError):  # it is told to others, and nothing depends on it
            os.truncate(lock, 0)
            os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
        return lock

    # ---- The file ----

    def guarded(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Does something with the file; raises StorageFailed, after which it is opened anew."""
        try:
            if self.connection is None:
                self.open()
            else:
                self.look()
            assert self.connection is not None  # noqa: S101 - for the type
            result = work(self.connection)
            with contextlib.suppress(OSError):  # the next look tells
                self.size = max(self.size, self.path.stat().st_size)
            return result
        except sqlite3.IntegrityError as error:
            self.roll_back()
            raise Conflict(str(error)) from None
        except (sqlite3.Error, OSError, NotOurs, StorageFailed) as error:
            self.drop()
            if isinstance(error, StorageFailed):
                raise
            raise StorageFailed(f"{self.path}: {getattr(error, 'strerror', None) or error}") from None
        except BaseException:
            self.roll_back()
            raise

    def open(self) -> None:
        mode = "ro" if self.read_only else "rwc" if self.identity is None else "rw"
        if mode == "rwc":
            # Nobody but its owner reads what is in a deal.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        if self.path.stat().st_size < self.size:
            raise NotOurs("has been cut short")
        uri = f"{self.path.as_uri()}?mode={mode}"
        self.connection = connection = sqlite3.connect(uri, uri=True, timeout=WAIT, isolation_level=None, check_same_thread=False)
        if self.read_only:
            if version_of(connection) != len(MIGRATIONS):
                raise NotOurs("has tables of an older release; a server that starts with it brings them up to date")
        else:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            if self.identity is None:
                migrate(connection)
        (identity,) = connection.execute("SELECT id FROM identity").fetchone()
        if self.identity not in (None, identity):
            raise NotOurs("is another database than before")
        self.identity = identity
        about = self.path.stat()
        self.place, self.size = (about.st_dev, about.st_ino), about.st_size

    def look(self) -> None:
        """An open file goes on working when it is moved away, and a log is written without a look at the file that was cut."""
        about = self.path.stat()
        if (about.st_dev, about.st_ino) != self.place:
            raise NotOurs("is another file than before")
        if about.st_size < self.size:
            raise NotOurs("has been cut short")
        self.size = about.st_size

    def roll_back(self) -> None:
        if self.connection is not None and self.connection.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")

    def drop(self) -> None:
        self.roll_back()
        connection, self.connection = self.connection, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()

    def close(self) -> None:
        self.drop()
        lock, self.lock = self.lock, None
        if lock is not None:
            os.close(lock)

    # ---- Writing ----

    def write(self, writes: Sequence[Write]) -> None:
        self.guarded(lambda connection: self.write_all(connection, writes))
        self.step("committed")

    def write_all(self, connection: sqlite3.Connection, writes: Sequence[Write]) -> None:
        connection.execute("BEGIN IMMEDIATE")
        for one in writes:
            add(connection, one)
        self.step("written")
        connection.execute("COMMIT")

    # ---- Reading ----

    def load(self, match: str) -> StoredMatch | None:
        return self.guarded(lambda connection: load(connection, match))

    def by_code(self, code: bytes) -> str | None:
        return self.one("SELECT match FROM matches WHERE code = ?", code)

    def by_creation(self, account: str, request: bytes) -> str | None:
        return self.one("SELECT match FROM creations WHERE account = ? AND request = ?", account, request)

    def one(self, query: str, *values: object) -> str | None:
        row = self.guarded(lambda connection: connection.execute(query, values).fetchone())
        return None if row is None else str(row[0])

    def listed(self, account: str | None, phase: str | None, before: tuple[int, str] | None, most: int) -> list[Header]:
        where, values = ["NOT deleted"], list[object]()
        for condition, given in (("account = ?", account), ("phase = ?", phase)):
            if given is not None:
                where.append(condition)
                values.append(given)
        if before is not None:
            where.append("(created, match) < (?, ?)")
            values += before
        query = f"SELECT {HEADER} FROM matches WHERE {' AND '.join(where)} ORDER BY created DESC, match DESC LIMIT ?"  # noqa: S608
        rows = self.guarded(lambda connection: connection.execute(query, (*values, most)).fetchall())
        return [Header(*row) for row in rows]

    def lasts(self, phase: str, before: int, after: tuple[int, str] | None, most: int) -> list[LastActivity]:
        where = "NOT deleted AND phase = ? AND created < ? AND (created, match) > (?, ?)"
        query = f"SELECT match, created, ifnull(({LAST}), created) FROM matches WHERE {where} ORDER BY created, match LIMIT ?"  # noqa: S608
        values = (phase, before, *(after or (-1, "")), most)
        return [LastActivity(*row) for row in self.guarded(lambda connection: connection.execute(query, values).fetchall())]

    def names(self) -> Iterator[str]:
        query = "SELECT match FROM matches WHERE NOT deleted ORDER BY match"
        return iter([row[0] for row in self.guarded(lambda connection: connection.execute(query).fetchall())])


def holder_of(lock: int) -> str:
    """The process that has the lock, as far as it is known."""
    with contextlib.suppress(OSError):
        process = os.pread(lock, 32, 0).strip()
        if process.isdigit():
            return f" (process {process.decode()})"
    return ""


def add(connection: sqlite3.Connection, one: Write) -> None:
    header, match = one.header, one.match
    if header is not None:
        values = (match, header.account, header.created, header.host, header.code, header.setup, header.phase, header.summary)
        connection.execute(f"INSERT INTO matches ({HEADER}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)  # noqa: S608
    row = connection.execute("SELECT account FROM matches WHERE match = ? AND NOT deleted", (match,)).fetchone()
    if row is None:
        raise sqlite3.IntegrityError(f"there is no match {match}")
    events = [(match, event.seq, event.time, event.data) for event in one.events]
    connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", events)
    for answer in (one.answer, one.creation):
        if answer is not None:
            row_of_answer = (match, answer.actor, answer.request, answer.digest, answer.response)
            connection.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?)", row_of_answer)
    if one.creation is not None:
        connection.execute("INSERT INTO creations VALUES (?, ?, ?)", (row[0], one.creation.request, match))
    if one.phase is not None:
        connection.execute("UPDATE matches SET phase = ? WHERE match = ?", (one.phase, match))
    if one.summary is not None:
        connection.execute("UPDATE matches SET summary = ? WHERE match = ?", (one.summary, match))
    if one.delete:
        connection.execute("DELETE FROM events WHERE match = ?", (match,))
        connection.execute("DELETE FROM answers WHERE match = ?", (match,))
        stripped = "setup = '{}', summary = '{}', code = NULL, phase = 'over', deleted = 1"
        connection.execute(f"UPDATE matches SET {stripped} WHERE match = ?", (match,))  # noqa: S608


def load(connection: sqlite3.Connection, match: str) -> StoredMatch | None:
    row = connection.execute(f"SELECT {HEADER}, deleted FROM matches WHERE match = ?", (match,)).fetchone()  # noqa: S608
    if row is None:
        return None
    *header, deleted = row
    events = connection.execute("SELECT seq, time, data FROM events WHERE match = ? ORDER BY seq", (match,)).fetchall()
    answers = connection.execute("SELECT actor, request, digest, response FROM answers WHERE match = ?", (match,)).fetchall()
    return StoredMatch(Header(*header), [Event(*one) for one in events], [SavedResponse(*one) for one in answers], bool(deleted))
