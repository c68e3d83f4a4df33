"""Which games there are: engines found by entry point, and files that the host chose, checked and kept."""

import threading
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from machiavel.engines._face import Game
from machiavel.engines.distributions import entries
from machiavel.engines.errors import BadGameFile, IncompatibleEngine, UnknownGame, said
from machiavel.engines.plugin import Engine

__all__ = ["add_file", "added_files", "file_of", "games", "load"]

_loaded: dict[str, Game] = {}
_files: dict[str, Path] = {}  # by the name of the game; those stand in _loaded, too
_texts: dict[str, bytes] = {}  # what the files held
_adding = threading.Lock()


def games() -> tuple[str, ...]:
    """The names of all installed games, and of those whose files were added."""
    return tuple(sorted({entry.name for entry in entries()} | _files.keys()))


def load(name: str) -> Game:
    """Return the game of that name; raises UnknownGame, or IncompatibleEngine where its engine does not fulfil the contract."""
    if name not in _loaded:
        result = entries(name)
        if not result:
            raise UnknownGame(name, games())
        if len({entry.value for entry in result}) > 1:
            raise IncompatibleEngine(name, f"several distributions bring it: {', '.join(sorted(e.value for e in result))}")
        try:
            plugin = result[0].load()
        except (ImportError, AttributeError) as error:
            raise IncompatibleEngine(name, f"its entry point {result[0].value} cannot be imported: {error}") from error
        if not isinstance(plugin, Engine):
            raise IncompatibleEngine(name, f"its entry point is {type(plugin).__name__}, not an Engine")
        _loaded[name] = Game(plugin)
    return _loaded[name]


def add_file(path: str | Path, *, instead: bool = False) -> Game:
    """The game of a Python file, which `load` and `games` then know by its name, in this process alone.

    Only the host of the process chooses files: no path may come from the wire, for the file is run. The same file again gives
    the same Game, or, where its text has changed since, a new one in its place. Raises what `load_file` does, and BadGameFile
    where an installed game, or that of another file, has the name already; with `instead`, the file's game takes its place.
    """
    from machiavel.engines.kit.loading import load_file  # noqa: PLC0415 - who adds no file needs none of it

    with _adding:
        where = Path(path).resolve()
        same = next((name for name, kept in _files.items() if kept == where), None)
        text = text_of(where)
        if same is not None and _texts[same] == text:
            return _loaded[same]
        game = load_file(path)
        known = _files.get(game.name)
        if not instead and known != where and (known is not None or entries(game.name)):
            key = "name_installed" if known is None else "name_of_file"
            raise BadGameFile(str(path), None, said(key, name=game.name, path=known))
        if same not in {None, game.name}:
            del _loaded[same], _files[same], _texts[same]
        _loaded[game.name], _files[game.name], _texts[game.name] = game, where, text
        return game


def text_of(path: Path) -> bytes:
    """What a file holds; nothing where it cannot be read, of which `load_file` tells."""
    from machiavel.engines.kit.source import beginning  # noqa: PLC0415

    try:
        return beginning(path)
    except OSError:
        return b""


def added_files() -> Mapping[str, Path]:
    """Where the games are from that `add_file` added, by name: absolute paths, for workers that add them, too."""
    return MappingProxyType(_files)


def file_of(name: str) -> Path | None:
    """The file that the game of that name is from; None where it is an installed one."""
    return _files.get(name)
