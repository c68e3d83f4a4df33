"""The file beside the database that says which server has it, and how far the database had come when that last wrote."""

import contextlib
import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

from machiavel.server.storage.contract import StorageDenied

__all__ = ["LockFile", "Mark", "mark_beside"]

MARK = 32  # where the mark begins, behind the process
LENGTH = 160  # bytes of it, so that one write replaces it whole


@dataclass(frozen=True)
class Mark:
    """How far a database had come: all of this was acknowledged."""

    identity: bytes
    commits: int
    file: tuple[int, int, int]  # the main file's inode, size, and time of its last change in nanoseconds

    def to_bytes(self) -> bytes:
        text = " ".join([self.identity.hex(), str(self.commits), *map(str, self.file)])
        return f"{text:<{LENGTH - 1}}\n".encode()


def mark_of(text: bytes) -> Mark | None:
    """None for a file without one, as earlier releases left it."""
    try:
        identity, commits, *about = text[MARK:].split()
        inode, size, time = map(int, about)
        return Mark(bytes.fromhex(identity.decode()), int(commits), (inode, size, time))
    except ValueError:
        return None


def mark_beside(database: Path) -> Mark | None:
    """How far a database had come, whoever has it; None where nobody knows. Raises OSError."""
    try:
        return mark_of(Path(f"{database}.lock").read_bytes())
    except FileNotFoundError:
        return None


class LockFile:
    """Held for as long as this process lives, however it ends."""

    def __init__(self, database: Path) -> None:
        """Raises StorageDenied where another server holds it."""
        self.path = Path(f"{database}.lock")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StorageDenied(f"{database}: cannot be written: {error.strerror}") from None
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = self.holder()
            os.close(self.file)
            raise StorageDenied(f"{database}: another server{holder} keeps its matches there") from None
        with contextlib.suppress(OSError):  # it is told to others, and nothing depends on it
            os.pwrite(self.file, f"{os.getpid():<{MARK - 1}}\n".encode(), 0)

    def holder(self) -> str:
        """The process that has it, as far as it is known."""
        with contextlib.suppress(OSError):
            process = os.pread(self.file, MARK, 0).strip()
            if process.isdigit():
                return f" (process {process.decode()})"
        return ""

    @property
    def is_there(self) -> bool:
        """Whether others would find it taken: it may have been removed."""
        try:
            return os.path.samestat(self.path.stat(), os.fstat(self.file))
        except OSError:
            return False

    def mark(self) -> Mark | None:
        return mark_of(os.pread(self.file, MARK + LENGTH, 0))

    def set_mark(self, mark: Mark) -> None:
        """Not synced: it is for a process that is killed, and may be behind where the power fails. Raises OSError."""
        os.pwrite(self.file, mark.to_bytes(), MARK)

    def clear(self) -> None:
        """Whatever stands in the database from here on is what it should be. Raises OSError."""
        os.pwrite(self.file, b" " * (LENGTH - 1) + b"\n", MARK)

    def close(self) -> None:
        os.close(self.file)
