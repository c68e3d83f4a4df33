"""Objects that were compiled before, in a folder of the user's: one file a program, safe with many processes at once."""

import contextlib
import fcntl
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

__all__ = ["cache_folder", "cached", "key_of"]

FORMAT = b"machiavel kit 1\n"
MOST_BYTES = 64 * 2**20  # of all objects together; those not used for longest go first
SUFFIX = ".object"
UNFINISHED = ".part"
STALE = 3600  # seconds; what a process that died was writing


def cache_folder() -> Path | None:
    """MACHIAVEL_KIT_CACHE, or the user's cache folder; None where there is no home."""
    if told := os.environ.get("MACHIAVEL_KIT_CACHE"):
        return Path(told).expanduser().absolute()
    caches = os.environ.get("XDG_CACHE_HOME", "")
    try:
        home = Path(caches) if Path(caches).is_absolute() else Path.home() / ".cache"
    except RuntimeError:
        return None
    return home / "machiavel" / "kit"


def key_of(*parts: str) -> str:
    """A name for what is made from these texts alone."""
    result = hashlib.sha256(FORMAT)
    for part in parts:
        data = part.encode()
        result.update(f"{len(data)}:".encode() + data)
    return result.hexdigest()


def cached(key: str, make: Callable[[], bytes]) -> tuple[bytes, bool]:
    """What was kept under a key, or is made now and kept; and whether it was there.

    Processes that ask at once wait for the one that makes it. A folder that cannot be used is no error: then nothing is kept.
    """
    folder = usable(cache_folder())
    if folder is None:
        return make(), False
    path = folder / (key + SUFFIX)
    if (found := read(path)) is not None:
        return found, True
    with locked(folder / f"lock-{key[0]}"):
        if (found := read(path)) is not None:
            return found, True
        made = make()
        with contextlib.suppress(OSError):
            write(path, made)
            sweep(folder, path)
        return made, False


def usable(folder: Path | None) -> Path | None:
    """A folder in which nobody else can put code for us to run."""
    if folder is None:
        return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
    except OSError:
        return None
    is_ours = status.st_uid in {os.geteuid(), 0} and not status.st_mode & 0o022
    return folder if is_ours else None


def read(path: Path) -> bytes | None:
    """The object, if it is whole."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    start = len(FORMAT) + hashlib.sha256().digest_size
    image = data[start:]
    if data[:start] != FORMAT + hashlib.sha256(image).digest():
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return image


def write(path: Path, image: bytes) -> None:
    """It appears under its name as a whole."""
    number, name = tempfile.mkstemp(suffix=UNFINISHED, dir=path.parent)
    unfinished = Path(name)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(FORMAT + hashlib.sha256(image).digest() + image)
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise


def sweep(folder: Path, newest: Path) -> None:
    """Leaves the newest file, and of the others what was used last, as far as there is room."""
    files = list[tuple[float, int, Path]]()
    for path in folder.iterdir():
        if path.suffix in {SUFFIX, UNFINISHED} and path != newest:
            with contextlib.suppress(OSError):
                status = path.stat()
                files.append((status.st_mtime, status.st_size, path))
    status = newest.stat()
    room, now = MOST_BYTES - status.st_size, status.st_mtime
    for used, size, path in sorted(files, reverse=True):
        room -= size
        if room < 0 or (path.suffix == UNFINISHED and used < now - STALE):
            with contextlib.suppress(OSError):
                path.unlink()


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """One process or thread at a time, where the file system can do that."""
    try:
        file = path.open("ab")
    except OSError:
        yield
        return
    with file:
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
