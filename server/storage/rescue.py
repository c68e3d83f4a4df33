"""What a server saves of a database that was taken away while it had it open: then it has the last copy."""

import contextlib
import os
import sqlite3
from pathlib import Path

__all__ = ["save_copy", "saved_copies"]


def saved_copies(path: Path) -> list[Path]:
    """What servers saved of this database and nobody removed, the newest first."""
    first = Path(f"{path}.saved")
    found = [one for one in path.parent.glob("*.saved*") if one == first or one.name.removeprefix(f"{first.name}-").isdigit()]
    return sorted(found, key=lambda one: int(one.name.rpartition("-")[2]) if one != first else 1, reverse=True)


def save_copy(connection: sqlite3.Connection, path: Path) -> Path:
    """Copies all that a connection sees into a new file beside the database; raises OSError, sqlite3.Error."""
    newest = next(iter(saved_copies(path)), None)
    number = 1 if newest is None else 2 if newest.suffix == ".saved" else int(newest.name.rpartition("-")[2]) + 1
    target = Path(f"{path}.saved" if number == 1 else f"{path}.saved-{number}")
    part = Path(f"{path}.saving")
    part.unlink(missing_ok=True)
    try:
        file = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with contextlib.closing(sqlite3.connect(part)) as copy:
                connection.backup(copy)
            os.fsync(file)
        finally:
            os.close(file)
        part.replace(target)
        sync(path.parent)
    finally:
        part.unlink(missing_ok=True)  # half of it would only take the room for another try
    return target


def sync(folder: Path) -> None:
    file = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)
