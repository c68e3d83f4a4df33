"""What an author's file is refused for: with file, line, and what to write instead."""

import sys
from functools import cache
from pathlib import Path

from machiavel.engines.errors import GameError
from machiavel.engines.phrases import Phrases, Wording, load_phrases

__all__ = ["BadSource", "author_place", "kit_phrases", "refused"]

KIT = Path(__file__).resolve().parent


class BadSource(GameError):
    """A game's file cannot be used; `problem` says why, and what would be right. Line 0 is the file as a whole."""

    def __init__(self, path: str, line: int, problem: str) -> None:
        super().__init__(kit_phrases().wording("refusals.whole", path=path, line=line or "", problem=problem))
        self.path = path
        self.line = line
        self.problem = problem


@cache
def kit_phrases() -> Phrases:
    """The texts of the kit itself."""
    return load_phrases("machiavel.engines.kit")


def refused(key: str, path: str, line: int, /, **parts: object) -> BadSource:
    """The error whose text is `refusals.KEY`."""
    return BadSource(path, line, wording(key, **parts))


def wording(key: str, /, **parts: object) -> Wording:
    return kit_phrases().wording(f"refusals.{key}", **parts)


def author_place() -> tuple[str, int]:
    """The file and line outside the kit that is being executed."""
    frame = sys._getframe(1)  # noqa: SLF001 - the one way to know where a declaration stands
    while frame.f_back is not None and Path(frame.f_code.co_filename).parent in {KIT, Path(__file__).parent}:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno
