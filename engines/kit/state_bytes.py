"""The bytes of states and views as Python numbers by name, and back, from where the layout says that each field stands."""

from collections.abc import Mapping, Sequence
from copy import copy
from itertools import repeat
from math import prod
from struct import Struct
from typing import Any

from machiavel.engines.kit.layout import StateLayout

__all__ = ["StateBytes", "hidden_name"]

HEADER_FIELDS = ("ply", "mover", "asked", "flags?", "seat")  # of a state, as kit_call.h has it
HEADER_FORMAT = "HbBBb2x"
CODES = {(1, False): "B", (2, False): "H", (4, False): "I", (8, False): "Q", (1, True): "b", (2, True): "h", (4, True): "i"}


def hidden_name(name: str) -> str:
    """What the struct of a view calls the numbers of what is hidden there; no field is named like that."""
    return f"{name}?"


class ByteFormat:
    """What stands in some bytes: names, formats, and how each value is made of the numbers in a row."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.format = f"<{HEADER_FORMAT}"
        self.rows: list[tuple[str, int, int, tuple[int, ...]]] = []  # name, first and last of the numbers, lengths
        self.names: list[str] = list(HEADER_FIELDS)
        self.count = len(HEADER_FIELDS)

    def add(self, name: str, lengths: Sequence[int], code: str, offset: int) -> None:
        gap = offset - Struct(self.format).size
        number = prod(lengths)
        self.format += f"{gap}x{number}{code}"
        self.rows.append((name, self.count, self.count + number, tuple(lengths)))
        self.count += number

    def finished(self) -> "ByteFormat":
        self.format += f"{self.size - Struct(self.format).size}x"
        self.struct = Struct(self.format)
        self.single = [(name, first) for name, first, _, lengths in self.rows if not lengths]
        self.lists = [(name, first, last) for name, first, last, lengths in self.rows if len(lengths) == 1]
        self.nested = [row for row in self.rows if len(row[3]) > 1]  # two deep: nothing is deeper
        return self

    def fields(self, content: bytes) -> dict[str, Any]:
        """The numbers by name, as lists where there are several."""
        values = self.struct.unpack(content)
        result: dict[str, Any] = dict(zip(HEADER_FIELDS, values, strict=False))
        for name, at in self.single:
            result[name] = values[at]
        for name, first, last in self.lists:
            result[name] = list(values[first:last])
        for name, first, last, (_, inner) in self.nested:
            result[name] = [list(values[at : at + inner]) for at in range(first, last, inner)]
        return result

    def content(self, fields: dict[str, Any]) -> bytes:
        """The bytes of these fields; those that are not named are 0."""
        values: list[int] = [fields.get(name, 0) for name in HEADER_FIELDS]
        for name, first, last, lengths in self.rows:
            value = fields.get(name)
            if value is None:
                values += repeat(0, last - first)
            elif not lengths:
                values.append(value)
            else:
                values += value if len(lengths) == 1 else [one for row in value for one in row]
        return self.struct.pack(*values)


class StateBytes:
    """What a compiled engine's module gives (`_glue.pxi`), for a game of the kit.

    Fields of the struct are those of the header, and those of the game. The struct of a view also has how many are hidden, for
    whatever may be: under `hidden_name`.
    """

    def __init__(self, capsule: object, layout: StateLayout) -> None:
        """`layout` is that for the most players."""
        self.capsule = capsule
        self.state, self.view = ByteFormat(layout.state_size), ByteFormat(layout.view_size)
        for layer in (self.state, self.view):
            for slot in layout.slots:
                layer.add(slot.name, slot.lengths, CODES.get((slot.width, slot.signed), "q"), slot.offset)
        for name, offset in layout.hidden_at.items():
            self.view.add(hidden_name(name), layout.slot(name).lengths, "B", offset)
        self.state.finished()
        self.view.finished()
        self.layout = layout
        self.blank = bytes(self.view.size)

    def of_players(self, layout: StateLayout, absent: Mapping[str, int]) -> "StateBytes":
        """The same for fewer players, of whom that is the layout: in an empty view what is nobody's holds `absent`, by field."""
        blank = self.view_fields(self.blank)
        for slot in layout.slots:
            blank[slot.name] = filled(blank[slot.name], slot.used, absent[slot.name])
        result = copy(self)
        result.layout, result.blank = layout, self.view_bytes(blank)
        return result

    def view_fields(self, view: bytes) -> dict[str, Any]:
        """The fields of a view, by name."""
        return self.view.fields(self.sized(view, self.view.size, "view"))

    def state_fields(self, state: bytes) -> dict[str, Any]:
        """The fields of a state, by name."""
        return self.state.fields(self.sized(state, self.state.size, "state"))

    def view_bytes(self, fields: dict[str, Any]) -> bytes:
        """The bytes of a view with these fields."""
        return self.view.content(fields)

    def state_bytes(self, fields: dict[str, Any]) -> bytes:
        """The bytes of a state with these fields."""
        return self.state.content(fields)

    def empty_view(self) -> bytes:
        """A view in which everything that may be 0 is so."""
        return self.blank

    def empty_state(self) -> bytes:
        return bytes(self.state.size)

    def sized(self, content: bytes, size: int, what: str) -> bytes:
        if len(content) != size:
            raise ValueError(f"a {what} has {size} bytes, not {len(content)}")
        return content


def filled(values: Any, used: Sequence[int], absent: int) -> Any:
    """The same with what is beyond those in use absent."""
    if not used:
        return values
    inside = [filled(value, used[1:], absent) for value in values[: used[0]]]
    return inside + [filled(value, [0] * (len(used) - 1), absent) if used[1:] else absent for value in values[used[0] :]]
