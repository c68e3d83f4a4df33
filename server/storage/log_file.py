"""SQLite's write-ahead log (`-wal`), looked at from outside: whether a commit stands in the file that others will find.

The format is https://www.sqlite.org/walformat.html. SQLite itself would never know: it writes to a file that was removed, or
beyond the end of one that was cut, as to any other.
"""

import os
import struct
from collections.abc import Iterator
from pathlib import Path

from machiavel.server.storage.schema import NotOurs

__all__ = ["LogFile", "LogRemoved", "look_at"]

HEADER = struct.Struct(">6I")  # magic, format, page size, count of checkpoints, salts
FRAME = struct.Struct(">4I")  # page, size of the database after a commit or 0, salts
HEADER_BYTES, FRAME_BYTES = 32, 24
MAGIC = 0x377F0682  # the last bit tells the order of bytes
READ = 1 << 20  # bytes at once, at least a frame


class LogRemoved(NotOurs):
    """The log is no longer at its place, and whoever has it open has all of it still."""


def look_at(path: Path, before: os.stat_result) -> os.stat_result:
    """The file, which must be the same; raises NotOurs, LogRemoved where it is away."""
    try:
        about = path.stat()
    except OSError as error:
        raise LogRemoved(f"its {path.name} cannot be found: {error.strerror}") from None
    if not os.path.samestat(about, before):
        raise LogRemoved(f"its {path.name} is another file than before")
    if about.st_nlink != 1:
        raise NotOurs(f"its {path.name} has {about.st_nlink} names (hard links); remove the others")
    return about


class LogFile:
    """Follows the log from commit to commit."""

    def __init__(self, path: Path, count: int) -> None:
        """`count`: how many frames of it hold, which SQLite knows that has opened it."""
        self.path = path
        self.file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self.about = os.fstat(self.file)
        self.header = os.pread(self.file, HEADER_BYTES, 0)
        self.end = 0  # of the last commit
        self.tail = b""  # its last frame
        if count:
            frame = FRAME_BYTES + HEADER.unpack_from(self.header)[2]
            self.end = HEADER_BYTES + count * frame
            self.tail = os.pread(self.file, frame, self.end - frame)

    def close(self) -> None:
        os.close(self.file)

    def look(self) -> None:
        """Whether it is where it was, and holds what it held; raises NotOurs."""
        if look_at(self.path, self.about).st_size < self.end:
            raise NotOurs(f"its {self.path.name} was cut short while it served")

    def follow(self) -> None:
        """After a commit, which must stand in it; raises NotOurs."""
        self.look()
        header = os.pread(self.file, HEADER_BYTES, 0)
        if header != self.header:  # SQLite begins it anew once all of it is in the main file
            if len(header) < HEADER_BYTES or HEADER.unpack_from(header)[0] | 1 != MAGIC | 1:
                raise NotOurs(f"its {self.path.name} was written by somebody else, or cut short, while it served")
            self.header, self.end, self.tail = header, HEADER_BYTES, b""
        frame = FRAME_BYTES + HEADER.unpack_from(header)[2]
        if self.tail and os.pread(self.file, frame, self.end - frame) != self.tail:
            raise NotOurs(f"its {self.path.name} was written by somebody else, or cut short, while it served")
        end = self.end
        for begin, size in self.frames(header, frame):
            if size:
                end = begin + frame
        if end == self.end:
            raise NotOurs(f"its {self.path.name} does not hold what was written; was it cut short?")
        self.end, self.tail = end, os.pread(self.file, frame, end - frame)

    def frames(self, header: bytes, frame: int) -> Iterator[tuple[int, int]]:
        """Frames of this log behind the last commit: where each begins, and the size that it sets."""
        salts = HEADER.unpack_from(header)[4:]
        begin = self.end
        while text := os.pread(self.file, max(1, READ // frame) * frame, begin):
            for at in range(0, len(text) - frame + 1, frame):
                _, size, *own = FRAME.unpack_from(text, at)
                if (*own,) != salts:
                    return
                yield begin + at, size
            if len(text) < frame:
                return
            begin += len(text) - len(text) % frame
