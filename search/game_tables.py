"""What a game brings for the search, in its `search.toml`, and what holds in a game that says nothing."""

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from machiavel.engines import IncompatibleEngine, UnknownGame, load
from machiavel.engines.table_reader import TableReader
from machiavel.search.cached_by_game import cached_by_game

__all__ = ["ANY_GAME", "GameTables", "part_of", "tables_of"]

PARTS = ("defaults", "levels", "styles", "calibration", "ratings")
ANY_GAME = ""  # stands for a game that says nothing: what it has is in `fallback.toml`


class GameTables(TableReader):
    """Takes values out of the tables of a game."""

    def error(self, path: str, problem: str) -> IncompatibleEngine:
        return IncompatibleEngine(self.source, f"search.toml: {path} {problem}")

    def by_players(self) -> Iterator[tuple[int, "GameTables"]]:
        """The tables that are named for a number of players, such as `2`."""
        known = {str(players): players for players in load(self.source).players} if list(self) else {}
        for key in self:
            if key in known:
                yield known[key], self.table(key)
        self.done(known)


def tables_of(game: str) -> GameTables:
    """All that a game says; nothing where no such game is installed. Raises IncompatibleEngine for tables nobody reads."""
    try:
        tables = GameTables(game, data_of(game))
    except UnknownGame:
        return GameTables(game, {})
    tables.done(PARTS)
    return tables


def part_of(game: str, part: str) -> GameTables:
    """One of its tables, with nothing in it where the game has none."""
    tables = tables_of(game)
    return tables.table(part) if part in tables else GameTables(game, {})


@cached_by_game
def data_of(game: str) -> Mapping[str, Any]:
    if game == ANY_GAME:
        return tomllib.loads(files("machiavel.search").joinpath("fallback.toml").read_text(encoding="utf-8"))
    return load(game).plugin.search_data()
