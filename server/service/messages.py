"""JSON of the engines as messages of the API, and back, by the names of their fields."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct, Value

from machiavel.server.service.refusals import BadRequest
from machiavel.v1 import Deck, SeatCard

__all__ = ["NOTHING_UNSET", "Unset", "is_hole", "is_row", "plain", "put", "read", "struct_of", "value_of"]

Put = Callable[[Any, Any], None]  # fills a message with JSON

PAIR, DECK, STRUCT = (kind.DESCRIPTOR.full_name for kind in (SeatCard, Deck, Struct))


class Unset(Mapping[str, "Unset"]):
    """Which fields of a message are left out of its JSON where they are unset or empty; all others are null or empty there.

    By field it has what holds for the messages in it. In `at_zero` are those that have no presence, and of which 0 tells nothing;
    in `null_at_zero` those of which 0 is null where none of some others is set.
    """

    def __init__(
        self,
        names: Iterable[str],
        inside: Mapping[str, "Unset"],
        at_zero: Iterable[str] = (),
        null_at_zero: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.names, self.inside = frozenset(names), inside
        self.at_zero, self.null_at_zero = frozenset(at_zero), null_at_zero or {}
        self.parts: dict[str, Sequence[Part]] = {}  # found out once for every kind of message

    def __getitem__(self, name: str) -> "Unset":
        return self.inside[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.inside)

    def __len__(self) -> int:
        return len(self.inside)

    # Told apart as objects.
    __hash__ = object.__hash__
    __eq__ = object.__eq__


NOTHING_UNSET = Unset((), {})


# ---- To JSON ----


def read(message: Message, path: str, unset: Unset = NOTHING_UNSET) -> Any:
    """The JSON of a message that is an object; raises BadRequest for what the type lets through and cannot be."""
    return read_struct(message, path) if message.DESCRIPTOR.full_name == STRUCT else read_object(message, path, unset)


def read_inside(message: Message, path: str, unset: Unset) -> Any:
    """The JSON of a message in another one."""
    descriptor = message.DESCRIPTOR
    if descriptor.full_name == STRUCT:
        return read_struct(message, path)
    if descriptor.full_name == PAIR:
        return [getattr(message, field.name) for field in descriptor.fields]
    if descriptor.full_name == DECK:
        return read_deck(message, path)
    if is_row(descriptor):
        row: Any = descriptor.fields[0]
        return [one(row, item, f"{path}[{number}]", unset) for number, item in enumerate(getattr(message, row.name))]
    if is_hole(descriptor):
        name = descriptor.fields[0].name
        return getattr(message, name) if message.HasField(name) else None
    return read_object(message, path, unset)


# Messages of one field stand for something simpler in JSON, for neither lists nor nulls can stand in a list of a message.


def is_row(descriptor: Any) -> bool:
    """Whether it stands for a list."""
    return len(descriptor.fields) == 1 and bool(descriptor.fields[0].is_repeated)


def is_hole(descriptor: Any) -> bool:
    """Whether it stands for a value or null."""
    return len(descriptor.fields) == 1 and not descriptor.fields[0].is_repeated and bool(descriptor.fields[0].has_presence)


def read_struct(message: Any, path: str) -> dict[str, Any]:
    return {key: plain(value, f"{path}.{key}") for key, value in message.fields.items()}


class Part(NamedTuple):
    """A field of a message, and what its JSON does with it."""

    name: str
    field: Any
    is_map: bool
    is_repeated: bool
    has_presence: bool
    may_lack: bool  # where it is unset or empty
    may_be_empty: bool  # and then it is there all the same
    is_left_out_at_zero: bool
    inside: Unset


def parts_of(descriptor: Any, unset: Unset) -> Sequence[Part]:
    """Found out once for every kind of message: to ask a descriptor takes longer than to read a field."""
    parts = unset.parts.get(descriptor.full_name)
    if parts is None:
        parts = unset.parts[descriptor.full_name] = [part_of(field, unset) for field in descriptor.fields]
    return parts


def part_of(field: Any, unset: Unset) -> Part:
    name, may_lack = field.name, field.name in unset.names
    has_no_presence = not field.has_presence and not field.is_repeated
    return Part(
        name,
        field,
        is_map(field),
        field.is_repeated,
        field.has_presence,
        may_lack,
        field.message_type is not None and not is_map(field),
        # An enumeration has nothing to say with 0.
        may_lack and has_no_presence and (field.enum_type is not None or name in unset.at_zero),
        unset.get(name, NOTHING_UNSET),
    )


def read_object(message: Message, path: str, unset: Unset) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for part in parts_of(message.DESCRIPTOR, unset):
        name, field = part.name, part.field
        if part.is_left_out_at_zero and not getattr(message, name):
            continue
        value: Any
        if part.is_map:
            value = dict(getattr(message, name))
        elif part.is_repeated:
            items = getattr(message, name)
            value = [one(field, item, f"{path}.{name}[{number}]", part.inside) for number, item in enumerate(items)]
        elif part.has_presence and not message.HasField(name):
            value = None
        else:
            value = one(field, getattr(message, name), f"{path}.{name}", part.inside)
        if part.may_lack and value in (None, [], {}) and not (value == {} and part.may_be_empty):
            continue
        result[name] = value
    for name, others in unset.null_at_zero.items():
        if not result[name] and not any(other in result for other in others):
            result[name] = None
    return result


def one(field: Any, value: Any, path: str, unset: Unset) -> Any:
    if field.message_type is not None:
        return read_inside(value, path, unset)
    if field.enum_type is not None:
        known = field.enum_type.values_by_number.get(value)
        if known is None or known.number == 0:
            names = ", ".join(other.name for other in field.enum_type.values if other.number)
            raise BadRequest(path, f"is {known.name if known else value}; expected one of {names}")
        return known.name.removeprefix(prefix(field)).lower()
    return value


def prefix(field: Any) -> str:
    """`AGENCY_PHASE_` of AgencyPhase: what the names of its values begin with."""
    return str(field.enum_type.values[0].name).removesuffix("UNSPECIFIED")


def is_map(field: Any) -> bool:
    return field.message_type is not None and bool(field.message_type.GetOptions().map_entry)


def read_deck(message: Any, path: str) -> Any:
    if message.WhichOneof("source") == "tables":
        return read_struct(message.tables, f"{path}.tables")
    if not message.name:
        raise BadRequest(path, "is empty; expected a name or tables")
    return message.name


def plain(value: Value, path: str) -> Any:
    """A value of a Struct; whole numbers are whole, for a Struct knows no others than floats."""
    kind = value.WhichOneof("kind")
    if kind is None or kind == "null_value":
        return None
    if kind == "number_value":
        if not math.isfinite(value.number_value):
            raise BadRequest(path, f"is {value.number_value}; expected a finite number")
        return int(value.number_value) if value.number_value.is_integer() else value.number_value
    if kind == "struct_value":
        return read_struct(value.struct_value, path)
    if kind == "list_value":
        return [plain(item, f"{path}[{number}]") for number, item in enumerate(value.list_value.values)]
    return value.string_value if kind == "string_value" else value.bool_value


# ---- From JSON ----


def put(message: Any, data: Any) -> None:
    """Fill a message that is an object with JSON of the house; what is null stays unset."""
    (put_struct if message.DESCRIPTOR.full_name == STRUCT else put_object)(message, data)


@cache
def putter_of(descriptor: Any) -> Put:
    """How messages of a kind are filled."""
    name = descriptor.full_name
    if name == STRUCT:
        return put_struct
    if name == PAIR:
        return partial(put_pair, tuple(field.name for field in descriptor.fields))
    if name == DECK:
        return put_deck
    if is_row(descriptor):
        return partial(put_row, filler_of(descriptor.fields[0]))
    if is_hole(descriptor):
        return partial(put_hole, descriptor.fields[0].name)
    return put_object


@cache
def fillers_of(descriptor: Any) -> Mapping[str, Put]:
    """By field, how it is filled; found out once, as `parts_of` is."""
    return {field.name: filler_of(field) for field in descriptor.fields}


def filler_of(field: Any) -> Put:
    name = field.name
    if is_map(field):
        return lambda message, value: getattr(message, name).update(value)
    if field.is_repeated and field.message_type is None:
        return lambda message, value: getattr(message, name).extend(value)
    if field.is_repeated:
        return partial(put_messages, name, putter_of(field.message_type))
    if field.message_type is not None:
        putter = putter_of(field.message_type)
        return lambda message, value: putter(getattr(message, name), value)
    if field.enum_type is not None:
        numbers = {one.name.removeprefix(prefix(field)).lower(): one.number for one in field.enum_type.values}
        return lambda message, value: setattr(message, name, numbers[value])
    return lambda message, value: setattr(message, name, value)


def put_object(message: Message, data: Mapping[str, Any]) -> None:
    message.SetInParent()
    fillers = fillers_of(message.DESCRIPTOR)
    for name, value in data.items():
        if value is not None:
            fillers[name](message, value)


def put_messages(name: str, putter: Put, message: Message, items: Iterable[Any]) -> None:
    add = getattr(message, name).add
    for item in items:
        putter(add(), item)


def put_struct(message: Struct, data: Mapping[str, Any]) -> None:
    message.MergeFrom(struct_of(data))


def put_row(filler: Put, message: Message, items: Iterable[Any]) -> None:
    message.SetInParent()
    filler(message, items)


def put_hole(name: str, message: Message, value: Any) -> None:
    if value is not None:
        setattr(message, name, value)


def put_pair(names: Sequence[str], message: Message, values: Sequence[Any]) -> None:
    for name, value in zip(names, values, strict=True):
        setattr(message, name, value)


def put_deck(message: Any, data: Any) -> None:
    if isinstance(data, str):
        message.name = data
    else:
        message.tables.CopyFrom(struct_of(data))


def struct_of(data: Mapping[str, Any]) -> Struct:
    message = Struct()
    for key, value in data.items():
        message.fields[key].CopyFrom(value_of(value))
    return message


def value_of(data: Any) -> Value:
    if data is None:
        return Value(null_value=0)  # type: ignore[arg-type]
    if isinstance(data, bool):
        return Value(bool_value=data)
    if isinstance(data, int | float):
        return Value(number_value=data)
    if isinstance(data, str):
        return Value(string_value=data)
    if isinstance(data, Mapping):
        return Value(struct_value=struct_of(data))
    message = Value()
    message.list_value.SetInParent()
    for item in data:
        message.list_value.values.append(value_of(item))
    return message
