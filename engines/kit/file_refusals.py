"""What an author's file is refused for: with file, line, and what to write instead."""

import sys
from pathlib import Path

from machiavel.engines.errors import BadGameFile
from machiavel.engines.phrases import Wording, load_phrases

__all__ = ["author_place", "refused"]

KIT = Path(__file__).resolve().parent


def refused(key: str, path: str, line: int, /, **parts: object) -> BadGameFile:
    """The error whose text is `refusals.KEY`."""
    return BadGameFile(path, line or None, wording(key, **parts))


def wording(key: str, /, **parts: object) -> Wording:
    return load_phrases("machiavel.engines.kit").wording(f"refusals.{key}", **parts)


def author_place() -> tuple[str, int]:
    """The file and line outside the kit that is being executed."""
    frame = sys._getframe(1)  # noqa: SLF001 - the one way to know where a declaration stands
    while frame.f_back is not None and Path(frame.f_code.co_filename).parent in {KIT, Path(__file__).parent}:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno
