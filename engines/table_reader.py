"""Reading the tables of a TOML file: each error names the key and says what would be right."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from types import UnionType
from typing import Any, Self

from machiavel.engines.errors import GameError

__all__ = ["TableReader"]


class TableReader(ABC):
    """Takes values out of tables, key by key, checking each."""

    def __init__(self, source: str, tables: Mapping[str, Any], path: str = "") -> None:
        self.source = source
        self._tables = tables
        self._path = path
        self._taken: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._tables

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def bad(self, key: str, problem: str) -> GameError:
        """The error of a key of this table."""
        return self.error(self._path + key, problem)

    @abstractmethod
    def error(self, path: str, problem: str) -> GameError:
        """The error of a key anywhere in the tables."""

    def take(self, key: str, kind: type | UnionType, expected: str, default: Any = None) -> Any:
        """The value of a key, of that kind; without a default it must be there."""
        self._taken.add(key)
        if key not in self._tables:
            if default is None:
                raise self.bad(key, f"is missing; expected {expected}")
            return default
        value = self._tables[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.bad(key, f"is {value!r}; expected {expected}")
        return value

    def number(self, key: str, least: int, most: int, default: int | None = None) -> int:
        expected = f"a whole number from {least} to {most}"
        value: int = self.take(key, int, expected, default)
        if not least <= value <= most:
            raise self.bad(key, f"is {value}; expected {expected}")
        return value

    def real(self, key: str, least: float, most: float, default: float | None = None) -> float:
        expected = f"a number from {least} to {most}"
        value: float = self.take(key, int | float, expected, default)
        if isinstance(value, bool) or not least <= value <= most:
            raise self.bad(key, f"is {value!r}; expected {expected}")
        return value

    def text(self, key: str, expected: str, default: str | None = None) -> str:
        value: str = self.take(key, str, expected, default)
        return value

    def choice(self, key: str, choices: tuple[str, ...], default: str | None = None) -> str:
        value = self.text(key, f"one of {', '.join(choices)}", default)
        if key in self._tables and value not in choices:
            raise self.bad(key, f"is {value!r}; expected one of {', '.join(choices)}")
        return value

    def table(self, key: str, expected: str = "a table") -> Self:
        return type(self)(self.source, self.take(key, Mapping, expected), f"{self._path}{key}.")

    def tables(self, key: str, expected: str = "an array of tables") -> list[Self]:
        value = self.take(key, list, expected)
        for number, table in enumerate(value):
            if not isinstance(table, Mapping):
                raise self.bad(f"{key}[{number}]", f"is {table!r}; expected a table")
        return [type(self)(self.source, table, f"{self._path}{key}[{number}].") for number, table in enumerate(value)]

    def done(self, known: Iterable[str] = ()) -> None:
        """Raises an error for a key that nobody took, and that is not known otherwise."""
        expected = {*known, *self._taken}
        for key in self._tables:
            if key not in expected:
                raise self.bad(str(key), f"is unknown; keys here: {', '.join(sorted(expected))}")
