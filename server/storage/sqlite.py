"""Matches kept in one SQLite file: write-ahead log, synced before every answer."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from machiavel.server.storage.contract import (
    Conflict,
    Event,
    Header,
    LastActivity,
    Retention,
    SavedResponse,
    Step,
    StorageFailed,
    StoredMatch,
    Write,
    no_step,
)
from machiavel.server.storage.database_file import FAULTS, DatabaseFile
from machiavel.server.storage.kept_bytes import CALLER, counted, put_on, size_of_write, take_off
from machiavel.server.storage.schema import SHARED, NotOurs, version_of

__all__ = ["SqliteStorage"]

Result = TypeVar("Result")

HEADER = "match, account, created, host, code, setup, phase, summary, share"
OLDER = HEADER.replace("share", "''")  # of a database of an older release, which can only be read
LAST = "SELECT time FROM events WHERE events.match = matches.match ORDER BY seq DESC LIMIT 1"
COUNT = "UPDATE identity SET commits = commits + 1, matches = matches + ?, events = events + ? RETURNING commits"


class SqliteStorage:
    """Keeps matches in a file. After a fault it opens the file anew, and goes on once that is the one it knew, and whole."""

    def __init__(self, path: str | Path, step: Step = no_step, *, read_only: bool = False, alone: bool = True) -> None:
        """Makes the file where there is none; raises StorageFailed. `alone`: no other server may have it open."""
        self.path = Path(path).absolute()
        self.step = step
        self.file = DatabaseFile(self.path, read_only=read_only, alone=alone)
        self.bytes_kept = Counter[str]()  # by caller
        try:
            if read_only:
                self.look()
            else:
                self.bytes_kept = self.guarded(counted)
        except BaseException:
            self.close()
            raise

    @property
    def connection(self) -> sqlite3.Connection | None:
        """None after a fault, until the file is opened anew."""
        return self.file.connection

    def guarded(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Does something with the file; raises StorageFailed, after which it is opened anew."""
        try:
            return work(self.file.ready())
        except sqlite3.IntegrityError as error:
            self.file.roll_back()
            raise Conflict(str(error)) from None
        except StorageFailed as error:
            self.file.give_up(error)
            raise
        except (*FAULTS, NotOurs) as error:
            raise StorageFailed(f"{self.path}: {self.file.give_up(error)}") from None
        except BaseException:
            self.file.roll_back()
            raise

    def look(self) -> None:
        self.guarded(lambda _: None)

    def close(self) -> None:
        self.file.close()

    # ---- Writing ----

    def write(self, writes: Sequence[Write]) -> None:
        self.guarded(lambda connection: self.write_all(connection, writes))
        self.step("committed")

    def write_all(self, connection: sqlite3.Connection, writes: Sequence[Write]) -> None:
        connection.execute("BEGIN IMMEDIATE")
        sizes = Counter[str]()
        more = [add(connection, one, sizes) for one in writes]
        matches, events = (sum(column) for column in zip(*more, strict=True)) if more else (0, 0)
        ((commits,),) = connection.execute(COUNT, (matches, events)).fetchall()
        self.file.check_number(commits)
        self.step("written")
        connection.execute("COMMIT")
        self.file.committed(commits)
        self.bytes_kept.update(sizes)

    # ---- Reading ----

    def load(self, match: str) -> StoredMatch | None:
        return self.guarded(lambda connection: self.load_at_once(connection, match))

    def load_at_once(self, connection: sqlite3.Connection, match: str) -> StoredMatch | None:
        """As it is at one moment, whoever writes meanwhile."""
        connection.execute("BEGIN")
        try:
            return load(connection, match)
        finally:
            self.file.roll_back()

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
        rest = f"FROM matches WHERE {' AND '.join(where)} ORDER BY created DESC, match DESC LIMIT ?"
        rows = self.guarded(lambda one: one.execute(f"SELECT {header_in(one)} {rest}", (*values, most)).fetchall())
        return [Header(*row) for row in rows]

    def lasts(self, phase: str, before: int, after: tuple[int, str] | None, most: int) -> list[LastActivity]:
        where = "NOT deleted AND phase = ? AND created < ? AND (created, match) > (?, ?)"
        query = f"SELECT match, created, ifnull(({LAST}), created) FROM matches WHERE {where} ORDER BY created, match LIMIT ?"  # noqa: S608
        values = (phase, before, *(after or (-1, "")), most)
        return [LastActivity(*row) for row in self.guarded(lambda connection: connection.execute(query, values).fetchall())]

    def names(self) -> Iterator[str]:
        query = "SELECT match FROM matches WHERE NOT deleted ORDER BY match"
        return iter([row[0] for row in self.guarded(lambda connection: connection.execute(query).fetchall())])

    def kept(self) -> Mapping[str, int]:
        return dict(self.bytes_kept)

    def problem(self) -> str:
        """What is wrong with the file as a whole; empty: nothing. Reads all of it; raises StorageFailed."""
        return self.guarded(lambda _: self.file.problem())

    def belonging(self, account: str) -> list[str]:
        query = "SELECT match FROM matches WHERE account = ? ORDER BY match"
        return [row[0] for row in self.guarded(lambda connection: connection.execute(query, (account,)).fetchall())]

    def retention(self) -> Retention:
        over, idle = self.guarded(lambda connection: connection.execute("SELECT keep_over, keep_idle FROM identity").fetchone())
        return Retention(over, idle)


def add(connection: sqlite3.Connection, one: Write, sizes: Counter[str]) -> tuple[int, int]:
    """By how many matches and events there are more then; `sizes` learns by how much more is kept for its caller."""
    header, match = one.header, one.match
    if one.purge or one.delete or one.rewritten is not None:
        take_off(connection, match, sizes)
    if one.purge:
        return purge(connection, match)
    if one.rewritten is not None:
        more_events = rewrite(connection, one.rewritten)
        put_on(connection, match, sizes)
        return 0, more_events
    if header is not None:
        about = (header.host, header.code, header.setup, header.phase, header.summary, header.share)
        values = (match, header.account, header.created, *about)
        connection.execute(f"INSERT INTO matches ({HEADER}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)  # noqa: S608
    row = connection.execute(f"SELECT account, {CALLER} FROM matches WHERE match = ? AND NOT deleted", (match,)).fetchone()  # noqa: S608
    if row is None:
        raise sqlite3.IntegrityError(f"there is no match {match}")
    sizes[row[1]] += size_of_write(one)
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
    more = len(events)
    if one.delete:
        more -= connection.execute("DELETE FROM events WHERE match = ?", (match,)).rowcount
        connection.execute("DELETE FROM answers WHERE match = ?", (match,))
        stripped = "setup = '{}', summary = '{}', code = NULL, phase = 'over', deleted = 1"
        connection.execute(f"UPDATE matches SET {stripped} WHERE match = ?", (match,))  # noqa: S608
    return int(header is not None), more


def purge(connection: sqlite3.Connection, match: str) -> tuple[int, int]:
    """By how many matches and events there are more then: by fewer than none."""
    tables = ("answers", "creations", "matches", "events")
    removed = {table: connection.execute(f"DELETE FROM {table} WHERE match = ?", (match,)).rowcount for table in tables}  # noqa: S608
    return -removed["matches"], -removed["events"]


def rewrite(connection: sqlite3.Connection, stored: StoredMatch) -> int:
    """By how many events there are more then."""
    header, match = stored.header, stored.header.match
    values = (header.setup, header.phase, header.summary, match)
    changed = connection.execute("UPDATE matches SET setup = ?, phase = ?, summary = ? WHERE match = ? AND NOT deleted", values)
    if not changed.rowcount:
        raise sqlite3.IntegrityError(f"there is no match {match}")
    removed = connection.execute("DELETE FROM events WHERE match = ?", (match,)).rowcount
    events = [(match, event.seq, event.time, event.data) for event in stored.events]
    connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", events)
    connection.execute("DELETE FROM answers WHERE match = ?", (match,))
    answers = [(match, one.actor, one.request, one.digest, one.response) for one in stored.answers]
    connection.executemany("INSERT INTO answers VALUES (?, ?, ?, ?, ?)", answers)
    return len(events) - removed


def header_in(connection: sqlite3.Connection) -> str:
    """Its columns."""
    return HEADER if version_of(connection) >= SHARED else OLDER


def load(connection: sqlite3.Connection, match: str) -> StoredMatch | None:
    row = connection.execute(f"SELECT {header_in(connection)}, deleted FROM matches WHERE match = ?", (match,)).fetchone()  # noqa: S608
    if row is None:
        return None
    *header, deleted = row
    events = connection.execute("SELECT seq, time, data FROM events WHERE match = ? ORDER BY seq", (match,)).fetchall()
    answers = connection.execute("SELECT actor, request, digest, response FROM answers WHERE match = ?", (match,)).fetchall()
    return StoredMatch(Header(*header), [Event(*one) for one in events], [SavedResponse(*one) for one in answers], bool(deleted))
