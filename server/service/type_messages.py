"""Types of values as messages: what a schema declares, with its bounds under some rules, and how a typed message has it."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from machiavel import v1
from machiavel.engines import Rules
from machiavel.engines.fields import (
    Choice,
    Each,
    Flag,
    Item,
    Items,
    ItemSet,
    Kind,
    Limit,
    ListOf,
    Nullable,
    Number,
    PairOf,
    PerSeat,
    RecordOf,
    SeatNumber,
    Seats,
    Text,
    Type,
    limit_of,
)
from machiavel.server.service.messages import is_hole, is_row, value_of

__all__ = ["Cell", "ThingKinds", "cells_of", "type_message"]

LARGEST = (1 << 31) - 1  # of an int32
KINDS: Mapping[type[Type], str] = {
    Number: "NUMBER",
    Flag: "FLAG",
    SeatNumber: "SEAT",
    Choice: "CHOICE",
    Item: "THING",
    ItemSet: "THINGS",
    Items: "THINGS",
    Seats: "SEATS",
    PerSeat: "BY_SEAT",
    ListOf: "LIST",
    PairOf: "PAIR",
    RecordOf: "RECORD",
    Each: "EACH",
    Text: "TEXT",
}


class ThingKinds:
    """The kinds of things that types name, each under a name of its own."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.by_name: dict[str, tuple[Kind, tuple[str, ...]]] = {}

    def copy(self) -> "ThingKinds":
        """The same kinds, and room for more."""
        result = ThingKinds(self.rules)
        result.by_name = dict(self.by_name)
        return result

    def name(self, kind: Kind) -> str:
        """The name of a kind: its own, with a number behind it where another has that name, too."""
        texts = tuple(map(str, kind.numbers(self.rules)))
        number = 1
        while True:
            name = kind.name if number == 1 else f"{kind.name} {number}"
            known = self.by_name.setdefault(name, (kind, texts))
            if known[1] == texts:
                if not known[0].look.shape:  # a card may be spoken of before it is seen to lie somewhere
                    self.by_name[name] = kind, texts
                return name
            number += 1


class Cell(NamedTuple):
    """A place of a message: the field, and whether an item of it is meant."""

    field: Any
    is_item: bool = False

    @property
    def is_list(self) -> bool:
        return bool(self.field.is_repeated) and not self.is_item

    @property
    def message(self) -> Any:
        """The message that stands there; None for a single value or a list."""
        return None if self.is_list else self.field.message_type


def cells_of(descriptor: Any) -> dict[str, Cell]:
    return {} if descriptor is None else {field.name: Cell(field) for field in descriptor.fields}


def type_message(kind: Type | None, kinds: ThingKinds, cell: Cell | None = None) -> v1.ValueType:
    """`cell` is where a typed message has the value; None: nowhere."""
    result = v1.ValueType()
    if kind is None:
        return result
    shape = kind
    while isinstance(shape, Nullable):
        result.nullable, shape = True, shape.of
    cell = unwrapped(result, shape, cell)
    shape = shape if isinstance(shape, Each) else shape.shape()
    name = next((KINDS[one] for one in type(shape).__mro__ if one in KINDS), "")
    described = shape.describe()
    if not name and described["type"] == "items":
        name = "THINGS"
    if name:
        result.kind = v1.ValueKind.Value(f"VALUE_KIND_{name}")
    put_details(result, shape, kinds)
    for inner, inside in insides(shape, cell):
        result.inside.append(type_message(inner, kinds, inside))
    if isinstance(shape, RecordOf):
        cells = cells_of(None if cell is None else cell.message)
        for field, one in shape.fields.items():
            left_out = v1.LeftOut.LEFT_OUT_FOLLOWS if field in set(shape.optional) else v1.LeftOut.LEFT_OUT_NEVER
            result.fields.append(v1.SchemaField(name=field, type=type_message(one, kinds, cells.get(field)), left_out=left_out))
    return result


def unwrapped(result: v1.ValueType, shape: Type, cell: Cell | None) -> Cell | None:
    """The place of the value itself, where a message of one field stands for it; how it stands there is noted."""
    if cell is None:
        return None
    message = cell.message
    if message is not None and (is_row(message) or is_hole(message)) and not isinstance(shape, RecordOf | Each):
        result.wire.field = message.fields[0].name
        return Cell(message.fields[0])
    if isinstance(shape, PairOf) and message is not None:
        result.wire.pair.extend(field.name for field in message.fields)
    if isinstance(shape, Choice) and cell.field.enum_type is not None:
        result.wire.enum_prefix = cell.field.enum_type.values[0].name.removesuffix("UNSPECIFIED")
    return cell


def put_details(result: v1.ValueType, shape: Any, kinds: ThingKinds) -> None:
    """Bounds, names and kinds, of whatever type has them."""
    rules = kinds.rules
    if isinstance(shape, Number):
        result.least, result.most = bound(shape.least, rules), bound(shape.largest, rules)
        if shape.step != 1:
            result.step = shape.step
    if isinstance(shape, Number | Choice):
        result.die = shape.is_die
    if isinstance(shape, Choice) and shape.suits_of is not None:
        result.suits_of = kinds.name(shape.suits_of)
    if isinstance(shape, SeatNumber):
        result.nullable = result.nullable or shape.none is not None
    if isinstance(shape, Choice):
        result.names.extend(map(value_of, (name for name in shape.names if name != "")))
        result.nullable = result.nullable or "" in shape.names
    kind = getattr(shape, "kind", None)
    if isinstance(kind, Kind):
        result.thing = kinds.name(kind)
    if result.kind == v1.ValueKind.VALUE_KIND_THINGS:
        result.any_order = isinstance(shape, ItemSet) or shape.ordered(["b", "a"]) == ["a", "b"]
    for name in ("count", "longest"):
        limit = getattr(shape, name, None)
        if limit is not None and not isinstance(shape, Number):
            setattr(result, name, bound(limit, rules))


def insides(shape: Any, cell: Cell | None) -> Iterator[tuple[Type, Cell | None]]:
    """The types of what is in it, each with its place."""
    if isinstance(shape, PairOf):
        fields = [None, None] if cell is None or cell.message is None else [Cell(field) for field in cell.message.fields]
        yield from zip((shape.first, shape.second), fields, strict=True)
    elif isinstance(shape, PerSeat | ListOf):
        yield shape.of, Cell(cell.field, is_item=True) if cell is not None and cell.is_list else None
    elif isinstance(shape, Each):
        yield shape.of, None


def bound(limit: Limit, rules: Rules) -> int:
    return max(-LARGEST, min(LARGEST, limit_of(limit, rules)))
