"""Reading views that came from outside: what every game's reader begins with."""

from collections.abc import Mapping
from typing import Any

from machiavel.engines.errors import BadView
from machiavel.engines.plugin import Rules

__all__ = ["ViewReader", "checked_number"]


class ViewReader:
    """A view being read: an object from JSON, of which nothing has been checked."""

    def __init__(self, rules: Rules, data: Mapping[str, Any]) -> None:
        self.rules = rules
        self.players = rules.players
        self.data = data

    def number(self, field: str, least: int, most: int) -> int:
        return checked_number(field, self.data[field], least, most)

    def items(self, field: str, value: object, count: int | None = None) -> list[Any]:
        if not isinstance(value, list) or (count is not None and len(value) != count):
            raise BadView(field, f"is {value!r}; expected a list" + ("" if count is None else f" of {count}"))
        return value

    def seats(self, field: str, value: object) -> list[int]:
        seats = [checked_number(field, seat, 0, self.players - 1) for seat in self.items(field, value)]
        if len(set(seats)) < len(seats):
            raise BadView(field, f"names a seat twice: {seats}")
        return seats


def checked_number(field: str, value: object, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadView(field, f"is {value!r}; expected a whole number from {least} to {most}")
    return value
