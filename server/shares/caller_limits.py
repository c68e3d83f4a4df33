"""Limits by name: what the operator allows each caller at most, from the tables `[callers.NAME]`."""

from collections.abc import Mapping
from typing import Any

__all__ = ["DEFAULT", "LIMITS", "BadLimits", "CallerLimits"]

DEFAULT = "default"  # the table for callers that have none
LIMITS: Mapping[str, str] = {
    "calls": "calls under way, open watches aside",
    "watchers": "open watches of matches and tournaments",
    "searches": "searches at once",
    "waiting": "searches that wait for a place",
    "bots": "searches of hosted bots at once",
    "matches": "hosted matches under way",
    "tournaments": "tournaments under way or in line",
    "kept_megabytes": "matches that are kept, in MiB",
    "parsing_kib": "large requests being read, in KiB",
}
MOST = 10**9


class BadLimits(Exception):
    """Tables of limits that cannot be; the message says where, and what would be right."""


class CallerLimits:
    """What each caller may have at most. The tables may be replaced at any time; what is taken already stays."""

    def __init__(self, tables: Mapping[str, Mapping[str, int]] | None = None) -> None:
        self.tables = dict(tables or {})

    @staticmethod
    def parse(data: Any) -> "CallerLimits":
        """Of what stands under `callers` in a TOML file; raises BadLimits."""
        if not isinstance(data, Mapping):
            raise BadLimits("callers: expected tables [callers.NAME]")
        for name, table in data.items():
            if not isinstance(table, Mapping):
                raise BadLimits(f"callers.{name}: expected a table [callers.{name}] with lines LIMIT = NUMBER")
            for limit, most in table.items():
                if limit not in LIMITS:
                    raise BadLimits(f"callers.{name}.{limit}: is unknown; expected one of {', '.join(LIMITS)}")
                if type(most) is not int or not 0 <= most <= MOST:
                    raise BadLimits(f"callers.{name}.{limit}: is {most!r}; expected a whole number from 0 to {MOST}")
        return CallerLimits({name: dict(table) for name, table in data.items()})

    def replace(self, other: "CallerLimits") -> None:
        self.tables = other.tables

    def most(self, caller: str, resource: str) -> int | None:
        """None where there is no limit but the server's."""
        if not self.tables:
            return None
        return self.tables.get(self.table(caller, resource), {}).get(resource)

    def name(self, caller: str, resource: str) -> str:
        """Of the limit, as a refusal tells it."""
        return f"callers.{self.table(caller, resource)}.{resource}"

    def table(self, caller: str, resource: str) -> str:
        """Whose table says it: the caller's own before the one for all others."""
        return caller if resource in self.tables.get(caller, {}) else DEFAULT
