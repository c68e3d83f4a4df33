"""Where `--record` writes a match."""

from pathlib import Path

from machiavel.engines import Record
from machiavel.server.cli.arguments import UsageError
from machiavel.server.cli.hosting import try_record, write_record

__all__ = ["checked_record", "save"]


def checked_record(text: str, overwrite: bool) -> Path:
    """Where the record goes; finds out before the match, not after it, that it cannot be written."""
    path = Path(text)
    if not text:
        raise UsageError("--record: the name of the file is empty")
    if path.is_dir():
        raise UsageError(f"--record {text}: is a folder; expected a file")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"--record {text}: there is no folder {path.parent}")
    if path.exists() and not path.is_file():
        raise UsageError(f"--record {text}: is no ordinary file")
    if path.exists() and not overwrite:
        raise UsageError(f"--record {text}: exists already; choose another name, or replace it with --overwrite")
    try:
        try_record(path)
    except OSError as error:
        raise UsageError(f"--record {text}: cannot be written: {error.strerror or error}") from error
    return path


def save(path: Path, record: Record) -> None:
    try:
        write_record(path, record)
    except OSError as error:
        raise UsageError(f"--record {path}: cannot be written: {error.strerror or error}") from error
