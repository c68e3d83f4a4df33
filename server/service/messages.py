"""JSON of the engines as messages of the API, and back, by the names of their fields."""

import math
from collections.abc import Mapping
from typing import Any

from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct, Value

from machiavel.server.service.refusals import BadRequest
from machiavel.v1 import BondSpy, Cards, CitadelPlace, Deck, Numbers, SeatCard, Texts, WhistTrick, WhistTricks

__all__ = ["put", "read", "struct_of", "value_of"]

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


def read_object(message: Message, path: str) -> dict[str, Any]:
    kind = message.DESCRIPTOR.name
    found: dict[str, Any] = {}
    field: Any
    for field in message.DESCRIPTOR.fields:
        name, here = field.name, f"{path}.{field.name}"
        may_lack = name in LEFT_OUT.get(kind, ()) or (kind in SPARSE and name not in NEVER_LEFT_OUT.get(kind, ()))
        if name in ZERO_LEFT_OUT.get(kind, ()) and not getattr(message, name):
            continue
        if is_map(field):
            found[name] = dict(getattr(message, name))
        elif field.is_repeated:
            found[name] = [one(field, item, f"{here}[{number}]") for number, item in enumerate(getattr(message, name))]
        elif field.has_presence and not message.HasField(name):
            found[name] = None
        else:
            found[name] = one(field, getattr(message, name), here)
        if may_lack and found[name] in (None, [], {}) and not (found[name] == {} and field.message_type and not is_map(field)):
            del found[name]
    if kind == "AgencyView" and not (found["leader"] or "order" in found or "phase" in found):
        found["leader"] = None  # seat 0, or not said
    return found


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
    name = message.DESCRIPTOR.full_name
    if name == STRUCT:
        message.MergeFrom(struct_of(data))
    elif name in ROWS:
        message.SetInParent()
        put_items(message, message.DESCRIPTOR.fields[0], data)
    elif name in HOLES:
        if data is not None:
            setattr(message, message.DESCRIPTOR.fields[0].name, data)
    elif name == PAIR:
        for field, value in zip(message.DESCRIPTOR.fields, data, strict=True):
            setattr(message, field.name, value)
    elif name == DECK:
        put_deck(message, data)
    else:
        put_object(message, data)


def put_object(message: Message, data: Mapping[str, Any]) -> None:
    message.SetInParent()
    for name, value in data.items():
        field: Any = message.DESCRIPTOR.fields_by_name[name]
        if value is None:
            continue
        if is_map(field):
            getattr(message, name).update(value)
        elif field.is_repeated:
            put_items(message, field, value)
        elif field.message_type is not None:
            put(getattr(message, name), value)
        elif field.enum_type is not None:
            setattr(message, name, field.enum_type.values_by_name[prefix(field) + value.upper()].number)
        else:
            setattr(message, name, value)


def put_items(message: Any, field: Any, items: Any) -> None:
    target = getattr(message, field.name)
    if field.message_type is None:
        target.extend(items)
        return
    for item in items:
        put(target.add(), item)


def put_deck(message: Any, data: Any) -> None:
    if isinstance(data, str):
        message.name = data
    else:
        message.tables.CopyFrom(struct_of(data))


def struct_of(data: Mapping[str, Any]) -> Struct:
    found = Struct()
    for key, value in data.items():
        found.fields[key].CopyFrom(value_of(value))
    return found


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
    found = Value()
    found.list_value.SetInParent()
    for item in data:
        found.list_value.values.append(value_of(item))
    return found
