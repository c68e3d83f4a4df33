"""Copies of a database: one made while a server writes, one put in its place, and what is left of it taken as it is."""

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from machiavel.server.storage.contract import StorageFailed
from machiavel.server.storage.database_file import FAULTS
from machiavel.server.storage.lock_file import LockFile, Mark, mark_beside
from machiavel.server.storage.rescue import saved_copies
from machiavel.server.storage.schema import COUNTED, MIGRATIONS, NotOurs, version_of
from machiavel.server.storage.soundness import DatabaseStanding, broken_page_in, damage_in, restoring, standing_of, ways_on
from machiavel.server.storage.sqlite import SqliteStorage

__all__ = [
    "Leftover",
    "accept",
    "commits_acknowledged",
    "copy_of",
    "lost_since",
    "name_finally",
    "opened_copy",
    "put_in_place",
    "renew_identity",
    "taken",
]

COUNT_ANEW = "UPDATE identity SET matches = (SELECT count(*) FROM matches), events = (SELECT count(*) FROM events)"
SIDES = ("-wal", "-shm")


@dataclass(frozen=True)
class Leftover:
    """What a database holds that has lost something."""

    standing: DatabaseStanding | None  # None: nothing
    lost: int  # commits that were acknowledged, and are gone
    aside: Path | None  # where everything stands as it was


def lost_since(mark: Mark | None, standing: DatabaseStanding) -> int:
    """How many commits were acknowledged there, and are not in what is there now."""
    if mark is None:
        return 0
    return max(0, mark.commits - (standing.commits if standing.identity == mark.identity else 0))


@contextlib.contextmanager
def failures_of(path: Path) -> Iterator[None]:
    """Raises StorageFailed for what goes wrong."""
    try:
        yield
    except (*FAULTS, NotOurs) as error:
        raise StorageFailed(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def connected(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=5.0, isolation_level=None)


def commits_acknowledged(path: Path) -> Mark | None:
    """How far a server has come there; read before the database, that is never behind it. Raises StorageFailed."""
    with failures_of(path):
        return mark_beside(path)


def copy_of(source: Path, target: Path) -> DatabaseStanding:
    """Copies a database as it is at one moment, whoever writes to it, into a new file that stands alone; raises StorageFailed.

    The copy is looked through, but not replayed: `opened_copy` is for that.
    """
    with failures_of(target):
        os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    try:
        with failures_of(source), contextlib.closing(connected(source, "ro")) as before:
            standing = standing_of(before)
            if standing is None:
                raise NotOurs("holds nothing")
            with contextlib.closing(connected(target, "rw")) as copy:
                before.backup(copy)  # in one step, which sees one moment
                copy.execute("PRAGMA journal_mode = DELETE")
                if damage := damage_in(copy):
                    raise NotOurs(damage)
                standing = standing_of(copy)
        synced(target)
    except BaseException:
        target.unlink()
        raise
    assert standing is not None  # noqa: S101 - for the type
    return standing


@contextlib.contextmanager
def opened_copy(path: Path) -> Iterator[SqliteStorage]:
    """A copy to be read, whatever release made it; the file stays as it is. Raises StorageFailed."""
    with failures_of(path), contextlib.closing(connected(path, "ro")) as connection:
        is_current = version_of(connection) == len(MIGRATIONS)
    if is_current:
        with contextlib.closing(SqliteStorage(path, read_only=True)) as storage:
            yield storage
        return
    newer = path.with_name(f"{path.name}.newer")
    try:
        with failures_of(newer):
            for end in ("", *SIDES):  # left by one that was killed
                Path(f"{newer}{end}").unlink(missing_ok=True)
            copy_secretly(path, newer)
        with contextlib.closing(SqliteStorage(newer, alone=False)) as storage:
            yield storage
    finally:
        for end in ("", *SIDES):
            Path(f"{newer}{end}").unlink(missing_ok=True)


@contextlib.contextmanager
def taken(path: Path) -> Iterator[LockFile]:
    """No server has the database meanwhile; raises StorageFailed."""
    with contextlib.closing(LockFile(path.absolute())) as lock:
        yield lock


def put_in_place(copy: Path, path: Path, lock: LockFile) -> Path | None:
    """Moves a copy to where a server finds it; what stood there goes aside, and where it is. Raises StorageFailed."""
    with failures_of(path):
        aside = move_aside(path)
        give_to_owner(copy, lock, aside if aside is not None and aside.exists() else path.parent)
        Path(f"{path}-shm").unlink(missing_ok=True)
        copy.replace(path)
        synced(path.parent)
        lock.clear()
    return aside


def give_to_owner(copy: Path, lock: LockFile, before: Path) -> None:
    """Where root puts it there, it is the server's user who reads it next."""
    if os.geteuid() == 0:
        owner = before.stat()
        os.chown(copy, owner.st_uid, owner.st_gid)
        os.chown(lock.path, owner.st_uid, owner.st_gid)


def renew_identity(copy: Path) -> None:
    """What goes on from here is another database: what goes on from there is never taken for it. Raises StorageFailed."""
    with failures_of(copy), contextlib.closing(connected(copy, "rw")) as connection:
        connection.execute("UPDATE identity SET id = randomblob(16)")


def move_aside(path: Path) -> Path | None:
    """With its log, which goes first: alone it would be taken for the log of what is put there next."""
    aside = free_name(path)
    moved = False
    for end in ("-wal", ""):
        with contextlib.suppress(FileNotFoundError):
            Path(f"{path}{end}").replace(f"{aside}{end}")
            moved = True
    synced(path.parent)
    return aside if moved else None


def free_name(path: Path) -> Path:
    number = 1
    while any(Path(f"{path}.before-{number}{end}").exists() for end in ("", "-wal")):
        number += 1
    return Path(f"{path}.before-{number}")


def accept(path: Path, lock: LockFile) -> Leftover:
    """From here on what the database holds is all that it should hold; raises StorageFailed where its pages are damaged."""
    mark = lock.mark()
    before = mark.commits if mark else 0
    with failures_of(path):
        if saved := saved_copies(path):
            raise NotOurs(f"a server saved all of it in {saved[0]}: {restoring(path, saved[0])}; or move that away first")
        if not path.exists() or not path.stat().st_size:
            way = restoring(path, "BACKUP")
            raise NotOurs(f"nothing is left there; restore a backup ({way}), or remove {lock.path} to begin anew")
        with contextlib.closing(connected(path, "ro")) as connection:
            if broken := broken_page_in(connection):
                raise NotOurs(f"{broken}; {ways_on(path, with_the_rest=False)}")
        aside = free_name(path)
        for end in ("", "-wal"):
            with contextlib.suppress(FileNotFoundError):
                copy_secretly(Path(f"{path}{end}"), Path(f"{aside}{end}"))
        with contextlib.closing(connected(path, "rw")) as connection:
            if version_of(connection) >= COUNTED:
                connection.execute(COUNT_ANEW)
            standing = standing_of(connection)
        lock.clear()
    return Leftover(standing, max(0, before - standing.commits) if standing else before, aside)


def copy_secretly(source: Path, target: Path) -> None:
    """Into a new file that nobody but its owner reads, from its first byte on; raises OSError."""
    with source.open("rb") as before:
        file = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(file, "wb") as copy:
            shutil.copyfileobj(before, copy, 1 << 20)


def name_finally(part: Path, target: Path) -> None:
    """Gives a file its name, unless somebody has taken that meanwhile; on disk when it returns. Raises StorageFailed."""
    with failures_of(target):
        os.link(part, target)
        part.unlink()
        synced(target.parent)


def synced(path: Path) -> None:
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
