"""Tables: how a game looks in the terminal. A table is given a seat's views as JSON, and never the match itself."""

from collections.abc import Callable, Mapping

from machiavel.server.cli.tables.agency import AgencyTable
from machiavel.server.cli.tables.bond import BondTable
from machiavel.server.cli.tables.citadel import CitadelTable
from machiavel.server.cli.tables.fallback import FallbackTable
from machiavel.server.cli.tables.setting import Seen, Table, TableSetting

__all__ = ["TABLES", "Seen", "Table", "TableSetting", "make_table"]

TABLES: Mapping[str, Callable[[TableSetting], Table]] = {"agency": AgencyTable, "bond": BondTable, "citadel": CitadelTable}


def make_table(game: str, setting: TableSetting) -> Table:
    """The table of a game; one that fits any game where it has none of its own."""
    return TABLES.get(game, FallbackTable)(setting)
