"""The database file as a server has it open, with its log: opened, looked at before and after each commit, given up, closed.

SQLite notices neither that a file was removed nor that it was cut or replaced, and answers as if all were well. So nothing counts
as kept before a look at the files. When a connection ends, SQLite would put the log into the main file, which must not happen
with a log that somebody has cut: a second connection that may only read stops that, for as long as it is open.
"""

import contextlib
import os
import sqlite3
from pathlib import Path

from machiavel.server.clock import SYSTEM_CLOCK
from machiavel.server.storage.lock_file import LockFile, Mark, mark_beside
from machiavel.server.storage.log_file import LogFile, LogRemoved, look_at
from machiavel.server.storage.rescue import save_copy
from machiavel.server.storage.schema import NotOurs, migrate, version_of
from machiavel.server.storage.soundness import (
    DatabaseStanding,
    DataLost,
    require_all,
    restoring,
    standing_of,
    told_damage,
    ways_on,
)

__all__ = ["FAULTS", "DatabaseFile"]

# The last is what Python says where SQLite's own words of a damaged file are no UTF-8.
FAULTS = (sqlite3.Error, OSError, UnicodeDecodeError)
WAIT = 1.0  # seconds for a lock that somebody else holds
ONLY_COPY = "make room there, and leave the server running: it has the only copy, and tries again every second"
CHECKPOINT = 1000 * 4096  # bytes in the log from which on it is put into the main file


class StillRead(Exception):
    """Others read there, and so the log cannot go into the main file."""


class FileRemoved(NotOurs):
    """Another file, or none, stands in the main file's place."""


class DatabaseFile:
    """Opened by `ready`; after `give_up` it may be opened anew, once it is the one that is known, and whole."""

    def __init__(self, path: Path, *, read_only: bool, alone: bool) -> None:
        """Raises StorageFailed. `alone`: no other server may have it open."""
        self.path = path
        self.read_only = read_only
        self.alone = alone and not read_only
        self.lock = LockFile(path) if self.alone else None
        self.connection: sqlite3.Connection | None = None
        self.reader: sqlite3.Connection | None = None
        self.known: DatabaseStanding | None = None
        self.about: os.stat_result | None = None  # the main file, after our own last change
        self.index: os.stat_result | None = None
        self.log: LogFile | None = None
        self.damage = ""  # of the files as they were when `damaged` was noted
        self.damaged: object = None
        self.unsaved: Exception | None = None  # what was, or may be, taken away, of which the connection has the only copy
        self.unsaved_text = ""
        self.try_again = 0.0
        self.copy: Path | None = None  # made while others kept the log from going into the main file
        self.clock = SYSTEM_CLOCK

    # ---- Opening ----

    def ready(self) -> sqlite3.Connection:
        """The connection, after a look; raises NotOurs, StorageFailed, or one of FAULTS."""
        if self.unsaved is not None:
            self.look_again(self.unsaved)
        if self.alone and (self.lock is None or not self.lock.is_there):
            self.lock_again()
        if self.connection is None:
            self.open()
        else:
            self.look()
        assert self.connection is not None  # noqa: S101 - for the type
        return self.connection

    def look_again(self, cause: Exception) -> None:
        """Whether what was taken away is back; raises what there was where it is not."""
        try:
            self.look()
        except (NotOurs, OSError) as error:
            if isinstance(cause, OSError):
                self.unsaved = error if isinstance(error, LogRemoved | FileRemoved | OSError) else None
                raise
            raise cause from None
        self.unsaved = None

    def lock_again(self) -> None:
        lock, self.lock = self.lock, None
        if lock is not None:
            lock.close()
        self.lock = LockFile(self.path)
        if self.known is not None and self.about is not None:
            self.set_mark()

    def connect(self, mode: str) -> sqlite3.Connection:
        uri = f"{self.path.as_uri()}?mode={mode}"
        connection = sqlite3.connect(uri, uri=True, timeout=WAIT, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")  # what was erased must not stay in pages that are free
        return connection

    def open(self) -> None:
        if self.read_only:
            self.open_to_read()
            return
        mark = self.known or (self.lock.mark() if self.lock else None)
        before = self.stat()
        if before is not None and self.about is not None and before.st_size < self.about.st_size:
            raise DataLost("has been cut short")
        is_new = before is None or not before.st_size
        if is_new and mark is not None and mark.commits:
            raise DataLost(f"is gone, and {mark.commits} commits were kept there")
        if is_new:
            # Nobody but its owner reads what is in a deal.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            before, mark = self.path.stat(), None
        else:
            self.open_reader()
        self.connection = connection = self.connect("rw")
        standing = standing_of(connection)
        if mark is not None:
            require_all(standing, mark)
        if not is_new and (mark is None or not self.is_as_it_was(mark)):
            self.look_through(connection)
        connection.execute("PRAGMA journal_mode = WAL")
        if self.known is None or standing is None:
            migrate(connection)
        self.known = standing_of(connection)
        if self.reader is None:
            self.open_reader()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # as far as nobody reads there
        _, frames, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if frames < 0:
            raise NotOurs("is being written to by somebody else")
        self.log = LogFile(self.beside("-wal"), frames)
        self.index = self.beside("-shm").stat()
        self.about = before
        self.changed()

    def look_through(self, connection: sqlite3.Connection) -> None:
        """Raises NotOurs where something is wrong; files that stay as they are are not looked through again."""
        files = [about_of(self.stat(end)) for end in ("", "-wal")]
        if self.damaged != files:
            self.damage, self.damaged = told_damage(connection, self.path), files
        if self.damage:
            raise NotOurs(self.damage)

    def problem(self) -> str:
        """What is wrong with all of it, whoever writes meanwhile; empty: nothing. May raise NotOurs, or one of FAULTS."""
        mark = mark_beside(self.path)  # before the database: that is never behind it
        connection = self.ready()
        connection.execute("BEGIN")
        try:
            if mark is not None:
                require_all(standing_of(connection), mark)
            return told_damage(connection, self.path)
        except NotOurs as error:
            return self.text_of(error)
        finally:
            self.roll_back()

    def open_to_read(self) -> None:
        self.connection = connection = self.connect("ro")
        if not version_of(connection):
            raise NotOurs("is empty")
        self.known = standing_of(connection)
        self.about = self.path.stat()

    def open_reader(self) -> None:
        self.reader = self.connect("ro")
        self.reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()

    def is_as_it_was(self, mark: DatabaseStanding | Mark) -> bool:
        """Whether nobody has written to the main file since, as far as its time and size tell."""
        before = mark.file if isinstance(mark, Mark) else about_of(self.about)
        return before == about_of(self.stat())

    def beside(self, end: str) -> Path:
        return Path(f"{self.path}{end}")

    def stat(self, end: str = "") -> os.stat_result | None:
        try:
            return self.beside(end).stat()
        except FileNotFoundError:
            return None

    # ---- Looking ----

    def look(self) -> None:
        """Whether the files are those that are open, and hold what they held; raises NotOurs."""
        self.look_at_main()
        if self.log is not None and self.index is not None:
            self.log.look()
            look_at(self.beside("-shm"), self.index)

    def look_at_main(self) -> None:
        assert self.about is not None  # noqa: S101 - for the type
        about = self.require_same(self.stat())
        if self.read_only:
            return
        if about.st_nlink != 1:
            raise NotOurs(f"has {about.st_nlink} names (hard links), and its log stands beside one of them; remove the others")
        if about_of(about) != about_of(self.about):
            raise NotOurs("was written by somebody else")

    def require_same(self, about: os.stat_result | None) -> os.stat_result:
        """The main file as it is now, which must be the one that is open, and no shorter; raises NotOurs."""
        assert self.about is not None  # noqa: S101 - for the type
        if about is None:
            raise FileRemoved("is gone while it served")
        if not os.path.samestat(about, self.about):
            raise FileRemoved("is another file than before")
        if about.st_size < self.about.st_size:
            raise NotOurs("has been cut short")
        return about

    # ---- After a commit ----

    def check_number(self, commits: int) -> None:
        """Whether the commit that is being made is the one after the last that is known; raises NotOurs."""
        if self.known is not None and commits != self.known.commits + 1:
            raise NotOurs(f"is at commit {commits - 1}, and {self.known.commits} are known; somebody else wrote there")

    def committed(self, commits: int) -> None:
        """Before anybody is told; raises NotOurs, OSError."""
        assert self.known is not None  # noqa: S101 - for the type
        assert self.log is not None  # noqa: S101 - for the type
        self.look()
        self.log.follow()
        self.known = DatabaseStanding(self.known.identity, commits)
        if self.log.end > CHECKPOINT:
            self.checkpoint()
        else:
            self.set_mark()

    def checkpoint(self, mode: str = "PASSIVE") -> None:
        """Puts the log into the main file, as far as nobody reads from it."""
        assert self.connection is not None  # noqa: S101 - for the type
        with contextlib.suppress(sqlite3.Error):  # all of it is in the log, and will be tried again
            self.connection.execute(f"PRAGMA wal_checkpoint({mode})")
        self.changed()
        self.look()

    def changed(self) -> None:
        """The main file was written, by us; raises NotOurs where it is another one by now, and OSError."""
        self.require_same(about := self.stat())
        self.about = about
        self.set_mark()

    def set_mark(self) -> None:
        if self.lock is not None and self.known is not None:
            self.lock.set_mark(Mark(self.known.identity, self.known.commits, about_of(self.about)))

    # ---- Giving up, and the end ----

    def roll_back(self) -> None:
        if self.connection is not None and self.connection.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")

    def give_up(self, error: Exception) -> str:
        """After a fault: ends the connection, once what was taken away is saved; what there was, for the log."""
        self.roll_back()
        if self.connection is None or self.read_only:
            self.drop()
            return self.text_of(error)
        cause = self.unsaved or self.removal(error)
        if cause is None or (self.known is not None and not self.known.commits):
            self.drop()
            return self.text_of(error)
        if isinstance(cause, OSError):
            self.unsaved = cause
            return self.text_of(cause)
        if self.clock.monotonic() >= self.try_again:
            try:
                saved = self.save(cause)
            except FAULTS as fault:
                self.unsaved = cause
                self.unsaved_text = f"{self.text_of(cause)}; what it held could not be saved: {self.text_of(fault)}; {ONLY_COPY}"
            except StillRead as fault:
                self.unsaved = cause
                self.unsaved_text = f"{self.text_of(cause)}; {fault}"
            else:
                self.drop()
                return f"{self.text_of(cause)}{saved}"
            self.try_again = self.clock.monotonic() + WAIT
        return self.unsaved_text

    def text_of(self, error: Exception) -> str:
        text = str(getattr(error, "strerror", None) or error)
        return f"{text}; {ways_on(self.path)}" if isinstance(error, DataLost) else text

    def removal(self, error: Exception) -> Exception | None:
        """What was taken away, whatever else went wrong, or why nobody can tell; None: nothing."""
        if not isinstance(error, LogRemoved | FileRemoved):
            if self.log is None:  # it is being opened, and perhaps another one than was known
                return None
            try:
                self.look()
            except (LogRemoved, FileRemoved) as other:
                return other
            except OSError as other:
                return other
            except NotOurs:
                return None
            return None
        return error

    def save(self, cause: Exception) -> str:
        """Where it was saved; raises StillRead, or one of FAULTS, after which whoever has it open has the only copy."""
        assert self.connection is not None  # noqa: S101 - for the type
        if isinstance(cause, LogRemoved):
            try:
                return self.save_log()
            except StillRead:
                if self.copy is None:
                    self.copy = save_copy(self.connection, self.path)
                raise StillRead(f"it is saved once nobody else reads there, and until then in {self.copy}") from None
            except (*FAULTS, NotOurs):
                pass  # then into a file of its own
        target = self.copy or save_copy(self.connection, self.path)
        return f"; all that it held was saved: {restoring(self.path, target)}"

    def save_log(self) -> str:
        """Whoever has a removed log open has all of it: it goes into the main file. Raises NotOurs, StillRead, FAULTS."""
        assert self.connection is not None  # noqa: S101 - for the type
        if self.lock is not None and not self.lock.is_there:
            raise NotOurs("another server may have it")
        self.look_at_main()
        try:
            busy, frames, done = self.connection.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
        finally:
            self.changed()  # some of it is there
        if busy or frames != done:
            raise StillRead
        for end in ("-wal", "-shm"):  # of whatever stands there now, nothing belongs to this database
            with contextlib.suppress(FileNotFoundError):
                self.beside(end).replace(self.beside(f"{end}.aside"))
        if self.copy is not None:
            self.copy.unlink(missing_ok=True)
        return "; all that it held was saved into the main file"

    def drop(self) -> None:
        """Ends the connection, and leaves the files as they are."""
        self.roll_back()
        self.unsaved = self.copy = None
        self.try_again = 0.0
        for name in ("connection", "reader", "log"):  # in this order
            one = getattr(self, name)
            setattr(self, name, None)
            if one is not None:
                with contextlib.suppress(sqlite3.Error, OSError):
                    one.close()

    def close(self) -> None:
        """Puts the log into the main file, and lets go of everything."""
        if self.connection is not None and not self.read_only:
            self.try_again = 0.0
            try:
                self.look()
            except (NotOurs, OSError) as error:
                self.give_up(error)
            else:
                self.close_whole()
        self.drop()
        lock, self.lock = self.lock, None
        if lock is not None:
            lock.close()

    def close_whole(self) -> None:
        self.roll_back()
        reader, self.reader = self.reader, None
        connection, self.connection = self.connection, None
        for one in (reader, connection):
            if one is not None:
                with contextlib.suppress(sqlite3.Error):
                    one.close()
        with contextlib.suppress(OSError, NotOurs):  # the mark is as it was, and the next start compares
            self.changed()


def about_of(about: os.stat_result | None) -> tuple[int, int, int]:
    return (0, 0, 0) if about is None else (about.st_ino, about.st_size, about.st_mtime_ns)
