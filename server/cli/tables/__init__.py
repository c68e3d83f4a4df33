"""Tables: how a game looks in the terminal. A table is given a seat's views as JSON, and never the match itself."""

from collections.abc import Callable, Mapping

from machiavel.server.cli.tables.agency import AgencyTable
from machiavel.server.cli.tables.bond import BondTable
from machiavel.server.cli.tables.citadel import CitadelTable
from machiavel.server.cli.tables.fallback import FallbackTable
from machiavel.server.cli.tables.setting import Seen, Setting, Table

__all__ = ["TABLES", "Seen", "Setting", "Table", "make_table"]

TABLES: Mapping[str, Callable[[Setting], Table]] = {"agency": AgencyTable, "bond": BondTable, "citadel": CitadelTable}


def make_table(game: str, setting: Setting) -> Table:
    """The table of a game; one that fits any game where it has none of its own."""
    return TABLES.get(game, FallbackTable)(setting)
