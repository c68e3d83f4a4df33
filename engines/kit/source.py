"""An author's file: read, imported as a module of its own, its class found and described."""

import ast
import difflib
import hashlib
import itertools
import sys
import traceback
import types
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from machiavel.engines.errors import BadGameFile
from machiavel.engines.kit.declarations import Game
from machiavel.engines.kit.file_refusals import refused
from machiavel.engines.kit.game_description import METHODS, GameDescription, describe, luck_events

__all__ = ["GameSource", "beginning", "read_source"]

# What may be imported besides the kit: nothing whose text could change the rules unseen.
NEAR = 0.8  # a name that is nearly that of a method of every game
ALLOWED = {"__future__", "collections.abc", "enum", "math", "typing", "machiavel.kit"}
LARGEST = 1_000_000
numbers = itertools.count()


@dataclass(frozen=True)
class GameSource:
    """A file with one game in it, read and imported."""

    path: str
    text: str
    digest: str  # of the text: a key of caches, never of rules
    tree: ast.Module
    module: types.ModuleType
    description: GameDescription

    @property
    def reads_ply(self) -> bool:
        """Whether any line looks at `self.ply`; where none does, how many moves were played changes nothing."""
        return any(isinstance(node, ast.Attribute) and node.attr == "ply" for node in ast.walk(self.tree))


def read_source(path: str | Path) -> GameSource:
    """Read and import an author's file; raises BadGameFile with the line for what is wrong with it."""
    file = str(Path(path).absolute())
    try:
        raw = beginning(Path(path))
    except FileNotFoundError:
        raise refused("no_file", file, 0) from None
    except IsADirectoryError:
        raise refused("folder", file, 0) from None
    except OSError as error:
        raise refused("unreadable", file, 0, why=error.strerror or str(error)) from None
    if len(raw) > LARGEST:
        raise refused("text_too_large", file, 0, most=LARGEST)
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise refused("no_text", file, 0) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # the checker says more
            tree = ast.parse(text, file)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 0
        raise refused("bad_syntax", file, line, why=getattr(error, "msg", None) or str(error)) from None
    check_imports(tree, file)
    module = imported(text, file)
    node, game = game_class(tree, module, file)
    description = describe(game, file, node.lineno, luck_events(tree, file))
    check_methods(node, tree, file)
    return GameSource(file, text, hashlib.sha256(raw).hexdigest(), tree, module, description)


def check_methods(game: ast.ClassDef, tree: ast.Module, path: str) -> None:
    """Refuse methods that nobody would ever call, where the author surely thinks that somebody does."""
    called = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in game.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        if node.name == "__init__":
            raise refused("own_init", path, node.lineno)
        near = difflib.get_close_matches(node.name, METHODS, 1, NEAR)
        if node.name not in METHODS and node.name not in called and near:
            raise refused("never_called", path, node.lineno, name=node.name, near=near[0])


def beginning(path: Path) -> bytes:
    """What a file holds, as far as it matters: a byte more than is read as a game tells that it is too large."""
    with path.open("rb") as file:
        return file.read(LARGEST + 1)


def check_imports(tree: ast.Module, path: str) -> None:
    """Refuse modules that the file would depend on: a game is one file."""
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = ["." * node.level + (node.module or "")]
            if node.module == "machiavel":
                names = [f"machiavel.{alias.name}" for alias in node.names]
        for name in names:
            if name not in ALLOWED:
                raise refused("bad_import", path, node.lineno, module=name, known=", ".join(sorted(ALLOWED)))  # type: ignore[attr-defined]


def imported(text: str, path: str) -> types.ModuleType:
    """The file executed as a module with a name of its own."""
    module = types.ModuleType(f"_machiavel_game_{next(numbers)}")
    module.__file__ = path
    sys.modules[module.__name__] = module
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            code = compile(text, path, "exec", dont_inherit=True)
        exec(code, module.__dict__)  # noqa: S102 - the host chose the file
    except BadGameFile:
        del sys.modules[module.__name__]
        raise
    except (Exception, SystemExit) as error:
        del sys.modules[module.__name__]
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
        line = frames[-1].lineno if frames else 0
        raise refused("import_failed", path, line or 0, why=f"{type(error).__name__}: {error}") from error
    return module


def game_class(tree: ast.Module, module: types.ModuleType, path: str) -> tuple[ast.ClassDef, type[Game]]:
    """The one class of the file that is a game and no base of another."""
    found: list[tuple[ast.ClassDef, Any]] = []
    for node in tree.body:
        value = getattr(module, node.name, None) if isinstance(node, ast.ClassDef) else None
        if isinstance(node, ast.ClassDef) and isinstance(value, type) and issubclass(value, Game):
            found.append((node, value))
    leaves = [pair for pair in found if not any(other is not pair[1] and issubclass(other, pair[1]) for _, other in found)]
    if not leaves:
        raise refused("no_game", path, 0)
    if len(leaves) > 1:
        raise refused("two_games", path, leaves[1][0].lineno, first=leaves[0][0].name, second=leaves[1][0].name)
    return leaves[0]
