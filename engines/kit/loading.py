"""Games out of Python files."""

from pathlib import Path

from machiavel.engines._face import Game
from machiavel.engines.kit.checker import load_source
from machiavel.engines.kit.engine import KitEngine

__all__ = ["load_file"]


def load_file(path: str | Path, *, mode: str | None = None) -> Game:
    """The game of a Python file, ready to be played; it is registered nowhere (`registry.add_file` does that).

    The file is run as Python runs it. Nothing is compiled before rules are made; `mode` is then llvm, gcc or interpreted, or
    None: the best there is. Raises BadGameFile, with the line where there is one: there is no such file, it is no Python, it
    raises an error, it holds no game or several, or its game declares what the kit does not allow.
    """
    return Game(KitEngine(load_source(path), mode))
