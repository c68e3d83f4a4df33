"""Tables: how a game looks in the terminal. A table is given a seat's views as JSON, and never the match itself."""

from machiavel.server.cli.tables.setting import Seen, ShownField, Table, TableSetting

__all__ = ["Seen", "ShownField", "Table", "TableSetting"]
