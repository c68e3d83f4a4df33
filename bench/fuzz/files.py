"""A file in memory, written again and again."""

import atexit
import tempfile
from pathlib import Path

__all__ = ["OneFile"]

MEMORY = Path("/dev/shm")  # noqa: S108 - a file there costs no disk; without it, where temporary files lie


class OneFile:
    """A path in a folder of its own, which goes at the end of the process."""

    def __init__(self, name: str) -> None:
        self.folder = tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None)
        atexit.register(self.folder.cleanup)
        self.path = str(Path(self.folder.name) / name)

    def write(self, data: bytes) -> str:
        """The path, with these bytes and nothing beside it."""
        for other in Path(self.folder.name).iterdir():
            other.unlink()
        Path(self.path).write_bytes(data)
        return self.path
