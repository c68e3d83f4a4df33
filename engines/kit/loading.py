"""Games out of Python files: the file is run, the one class of a game in it is found, and an engine is made of it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from machiavel.engines._face import Game as FaceGame
from machiavel.engines.errors import BadGameFile, said
from machiavel.engines.kit.declarations import Game

__all__ = ["game_class", "load_file"]


def load_file(path: str | Path) -> FaceGame:
    """The game of a Python file, ready to be played; it is registered nowhere (`registry.add_file` does that).

    The file is run as Python runs it. Nothing is compiled before rules are made. Raises BadGameFile, with the line where there is
    one: there is no such file, it is no Python, it raises an error, it holds no game or several, or its game declares what the
    kit does not allow.
    """
    from machiavel.engines.kit.engine import KitEngine

    where = Path(path)
    return FaceGame(KitEngine(game_class(where), where))


def game_class(path: Path) -> type[Game]:
    """The one class in a file that is a game; raises BadGameFile."""
    module = run(path)
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Game) and value.__module__ == module.__name__
    ]
    found = list(dict.fromkeys(found))
    if not found:
        raise BadGameFile(str(path), None, said("no_game_class"))
    if len(found) > 1:
        raise BadGameFile(str(path), None, said("game_classes", names=", ".join(one.__name__ for one in found)))
    return found[0]


def run(path: Path) -> ModuleType:
    """The module that a file makes, under a name that no other file has."""
    try:
        content = path.read_bytes()
    except OSError as error:
        key = "no_such_file" if isinstance(error, FileNotFoundError) else "unreadable_file"
        raise BadGameFile(str(path), None, said(key, why=error.strerror or str(error))) from None
    name = f"machiavel_game_{sha256(str(path.resolve()).encode()).hexdigest()[:16]}"
    spec = spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise BadGameFile(str(path), None, said("no_python_file"))
    module = module_from_spec(spec)
    before = sys.modules.get(name)
    sys.modules[name] = module  # as Python itself does: dataclasses and pickles look there
    try:
        with told(path):
            exec(compile(content, str(path), "exec"), vars(module))
    except BadGameFile:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        raise
    return module


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Whatever goes wrong while a file is run becomes a BadGameFile with its line."""
    try:
        yield
    except BadGameFile:
        raise
    except SyntaxError as error:
        own = error.filename in {None, str(path)}
        raise BadGameFile(str(path), error.lineno if own else None, said("syntax", why=error.msg)) from None
    except Exception as error:
        raise BadGameFile(str(path), line_in(path, error), said("raises", error=type(error).__name__, why=str(error))) from error


def line_in(path: Path, error: BaseException) -> int | None:
    """The last line of the file that an error came through."""
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
