"""Which games there are: engines found by entry point, checked and kept."""

from machiavel.engines._face import Game
from machiavel.engines.distributions import entries
from machiavel.engines.errors import IncompatibleEngine, UnknownGame
from machiavel.engines.plugin import Engine

__all__ = ["games", "load"]

_loaded: dict[str, Game] = {}


def games() -> tuple[str, ...]:
    """The names of all installed games."""
    return tuple(sorted({entry.name for entry in entries()}))


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
