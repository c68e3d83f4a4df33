"""JSON of the engines as messages of the API, and back, by the names of their fields."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct, Value

from machiavel.server.service.refusals import BadRequest
from machiavel.v1 import BondSpy, Cards, CitadelPlace, Deck, Numbers, SeatCard, Texts, WhistTrick, WhistTricks

__all__ = ["put", "read", "struct_of", "value_of"]

Put = Callable[[Any, Any], None]  # fills a message with JSON

# Messages that stand for something simpler in JSON.
ROWS = {kind.DESCRIPTOR.full_name for kind in (Texts, Cards, Numbers, WhistTrick, WhistTricks)}  # a list
HOLES = {kind.DESCRIPTOR.full_name for kind in (BondSpy, CitadelPlace)}  # a value or null
PAIR, DECK, STRUCT = (kind.DESCRIPTOR.full_name for kind in (SeatCard, Deck, Struct))

# What is left out of the JSON where it is unset or empty; everything else that is unset is null.
SPARSE = {
    *("AgencyOptions", "BondOptions", "CitadelOptions", "WhistOptions"),
    *("AgencyLayout", "BondLayout", "CitadelLayout", "CitadelTurnLayout", "CitadelDiceLayout", "WhistLayout", "WhistRoundLayout"),
    *("BondView", "BondBacks", "BondPile", "BondAttack"),
}
LEFT_OUT = {
    "AgencyView": {
        *("ply", "round", "trick", "reserve", "phase", "leader", "to_move", "agents", "medals", "order", "last", "stake", "pile"),
        *(
            "segments",
            "plan_points",
            "greens",
            "yellows",
            "tricks",
            "latest",
            "seen",
            "half",
            "look",
            "hand_counts",
            "last_round",
        ),
        *("winners", "gone"),
    },
    "AgencyTrick": {"trick", "order", "cards", "gave", "received", "stake", "martha", "jean"},
    "CitadelView": {
        *("ply", "turn", "mover", "locations", "throws", "dice", "result"),
        *("phase", "under_way", "rerolls", "discards", "powers", "characters"),
    },
    "WhistView": {"ply", "seen", "voids", "past", "to_move", "hand_counts", "winners"},
}
NEVER_LEFT_OUT = {"BondView": {"seat"}}
# Numbers and choices without presence: 0 is left out, too, where 0 cannot be meant or follows from the rest.
ZERO_LEFT_OUT = {
    "AgencyView": {"ply", "round", "trick", "reserve", "phase"},
    "AgencyTrick": {"trick"},
    "CitadelView": {"phase"},
}


# ---- To JSON ----


def read(message: Message, path: str) -> Any:
    """The JSON of a message; raises BadRequest for what the type lets through and cannot be."""
    name = message.DESCRIPTOR.full_name
    if name == STRUCT:
        return {key: plain(value, f"{path}.{key}") for key, value in message.fields.items()}  # type: ignore[attr-defined]
    if name in ROWS:
        row: Any = message.DESCRIPTOR.fields[0]
        return [one(row, item, f"{path}[{number}]") for number, item in enumerate(getattr(message, row.name))]
    if name in HOLES:
        field = message.DESCRIPTOR.fields[0]
        return getattr(message, field.name) if message.HasField(field.name) else None
    if name == PAIR:
        return [getattr(message, field.name) for field in message.DESCRIPTOR.fields]
    if name == DECK:
        return read_deck(message, path)
    return read_object(message, path)


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


@cache
def parts_of(descriptor: Any) -> tuple[Part, ...]:
    """Found out once for every kind of message: to ask a descriptor takes longer than to read a field."""
    return tuple(part_of(descriptor.name, field) for field in descriptor.fields)


def part_of(kind: str, field: Any) -> Part:
    name = field.name
    return Part(
        name,
        field,
        is_map(field),
        field.is_repeated,
        field.has_presence,
        name in LEFT_OUT.get(kind, ()) or (kind in SPARSE and name not in NEVER_LEFT_OUT.get(kind, ())),
        field.message_type is not None and not is_map(field),
        name in ZERO_LEFT_OUT.get(kind, ()),
    )


def read_object(message: Message, path: str) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for part in parts_of(message.DESCRIPTOR):
        name, field = part.name, part.field
        if part.is_left_out_at_zero and not getattr(message, name):
            continue
        value: Any
        if part.is_map:
            value = dict(getattr(message, name))
        elif part.is_repeated:
            items = getattr(message, name)
            value = [one(field, item, f"{path}.{name}[{number}]") for number, item in enumerate(items)]
        elif part.has_presence and not message.HasField(name):
            value = None
        else:
            value = one(field, getattr(message, name), f"{path}.{name}")
        if part.may_lack and value in (None, [], {}) and not (value == {} and part.may_be_empty):
            continue
        result[name] = value
    if message.DESCRIPTOR.name == "AgencyView" and not (result["leader"] or "order" in result or "phase" in result):
        result["leader"] = None  # seat 0, or not said
    return result


def one(field: Any, value: Any, path: str) -> Any:
    if field.message_type is not None:
        return read(value, path)
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
        return read(message.tables, f"{path}.tables")
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
        return read(value.struct_value, path)
    if kind == "list_value":
        return [plain(item, f"{path}[{number}]") for number, item in enumerate(value.list_value.values)]
    return value.string_value if kind == "string_value" else value.bool_value


# ---- From JSON ----


def put(message: Any, data: Any) -> None:
    """Fill a message with JSON of the house; what is null stays unset."""
    putter_of(message.DESCRIPTOR)(message, data)


@cache
def putter_of(descriptor: Any) -> Put:
    """How messages of a kind are filled."""
    name = descriptor.full_name
    if name == STRUCT:
        return put_struct
    if name in ROWS:
        return partial(put_row, filler_of(descriptor.fields[0]))
    if name in HOLES:
        return partial(put_hole, descriptor.fields[0].name)
    if name == PAIR:
        return partial(put_pair, tuple(field.name for field in descriptor.fields))
    if name == DECK:
        return put_deck
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
