"""The schemas of games beside the messages of the API: what may be left out of one, and whether they say the same."""

from collections.abc import Iterator
from typing import Any

from machiavel.engines.fields import (
    Choice,
    Flag,
    Item,
    Items,
    ItemSet,
    ListOf,
    Nullable,
    Number,
    PairOf,
    PerSeat,
    RecordOf,
    SeatNumber,
    Seats,
    Type,
)
from machiavel.engines.layouts import LayoutSchema
from machiavel.engines.views import BY_SPECTATORS, FOLLOWS, FORGOTTEN, NEVER, ViewSchema
from machiavel.server.service.messages import NOTHING_UNSET, Unset, is_hole, is_row

__all__ = ["layout_mismatches", "unset_of_layout", "unset_of_view", "view_mismatches"]

# ---- What may be left out ----


def unset_of(kind: Type) -> Unset:
    """What holds for the messages of a value of that type."""
    while True:
        shape = kind.shape()
        inner = getattr(shape, "of", None)
        if isinstance(shape, RecordOf):
            inside = {name: unset_of(one) for name, one in shape.fields.items()}
            optional = frozenset(shape.optional)
            numbers = {name for name in optional if isinstance(shape.fields[name].shape(), Number)}
            return Unset(optional, {name: one for name, one in inside.items() if one is not NOTHING_UNSET}, numbers)
        if not isinstance(inner, Type):
            return NOTHING_UNSET
        kind = inner


def unset_of_view(schema: ViewSchema) -> Unset:
    fields = [one for one in schema.fields if one.left_out.kind not in {NEVER.kind, BY_SPECTATORS.kind}]
    told = {one.name for one in fields if one.left_out.kind in {FOLLOWS.kind, FORGOTTEN.kind} and not one.unsaid}
    inside = {one.name: unset_of(one.type) for one in schema.fields}
    return Unset(
        # A message says nothing of a choice with 0, so it is missing there.
        (one.name for one in schema.fields if one in fields or isinstance(one.type.shape(), Choice)),
        {name: one for name, one in inside.items() if one is not NOTHING_UNSET},
        (name for name in told if isinstance(schema.by_name[name].type.shape(), Number | SeatNumber)),
        {one.name: one.unsaid for one in fields if one.unsaid},
    )


def unset_of_layout(schema: LayoutSchema) -> Unset:
    return unset_of(schema.record)


# ---- Whether schema and messages say the same ----


def view_mismatches(schema: ViewSchema, descriptor: Any) -> list[str]:
    """Where a game's view and its message differ: fields that one of them lacks, or that are of other types."""
    types = {one.name: one.type for one in schema.fields}
    nullable = {one.name for one in schema.fields if one.own}
    return list(mismatches(types, nullable, descriptor, ""))


def layout_mismatches(schema: LayoutSchema, descriptor: Any) -> list[str]:
    return list(mismatches(schema.record.fields, set(), descriptor, ""))


def mismatches(types: Any, nullable: set[str], descriptor: Any, path: str) -> Iterator[str]:
    for name in sorted(set(types) ^ set(descriptor.fields_by_name)):
        yield f"{path}{name}: is in the {'schema' if name in types else 'message'} alone"
    for name in sorted(set(types) & set(descriptor.fields_by_name)):
        field, shape = descriptor.fields_by_name[name], types[name].shape()
        if isinstance(shape, Nullable) or (isinstance(shape, SeatNumber) and shape.none is not None) or name in nullable:
            shape = shape.of.shape() if isinstance(shape, Nullable) else shape
            if not field.has_presence:
                yield f"{path}{name}: may be null, but the message cannot say so; expected an optional field or a message"
        yield from field_mismatches(shape, field, f"{path}{name}")


def field_mismatches(shape: Type, field: Any, path: str) -> Iterator[str]:
    is_map = field.message_type is not None and field.message_type.GetOptions().map_entry
    if isinstance(shape, RecordOf) and not field.is_repeated and field.message_type is not None:
        yield from mismatches(shape.fields, set(), field.message_type, f"{path}.")
    elif isinstance(shape, RecordOf) and is_map:
        yield from ()  # of texts, by name
    elif isinstance(shape, Seats | Items | ItemSet | ListOf | PerSeat):
        yield from list_mismatches(shape, field, path)
    elif field.is_repeated or field.message_type is not None:
        yield f"{path}: is {type(shape).__name__}; the message has a {'list' if field.is_repeated else 'message'}"
    else:
        yield from scalar_mismatches(shape, field, path)


def list_mismatches(shape: Any, field: Any, path: str) -> Iterator[str]:
    if not field.is_repeated:
        if field.message_type is None or not is_row(field.message_type):
            yield f"{path}: is a list; expected a repeated field, or a message with one"
            return
        field = field.message_type.fields[0]
    inner = shape.of.shape() if isinstance(shape, ListOf | PerSeat) else None
    if inner is None:
        expected = {field.TYPE_INT32} if isinstance(shape, Seats) else {field.TYPE_STRING, field.TYPE_INT32}
        if field.type not in expected:
            yield f"{path}: is a list of {'seats' if isinstance(shape, Seats) else 'texts'}; the message has other items"
    elif field.message_type is None:
        yield from scalar_mismatches(inner, field, path)
    elif isinstance(inner, PairOf):
        if len(field.message_type.fields) != 2:
            yield f"{path}: is a list of pairs; expected messages of two fields"
    elif isinstance(inner, RecordOf):
        yield from mismatches(inner.fields, set(), field.message_type, f"{path}[].")
    elif isinstance(inner, Nullable):
        if not is_hole(field.message_type):
            yield f"{path}: may hold null; expected messages of one optional field"
    elif is_row(field.message_type):
        yield from list_mismatches(inner, field.message_type.fields[0], f"{path}[]")
    else:
        yield f"{path}: is a list of {type(inner).__name__}; the message has other items"


def scalar_mismatches(shape: Type, field: Any, path: str) -> Iterator[str]:
    if isinstance(shape, Choice) and field.enum_type is not None:
        names = {one.name for one in field.enum_type.values if one.number}
        prefix = field.enum_type.values[0].name.removesuffix("UNSPECIFIED")
        unknown = [name for name in shape.names if name and prefix + name.upper() not in names]
        if unknown:
            yield f"{path}: may be {', '.join(unknown)}, which the message cannot say"
    elif isinstance(shape, Flag):
        if field.type != field.TYPE_BOOL:
            yield f"{path}: is true or false; expected a bool"
    elif isinstance(shape, Number | SeatNumber):
        if field.type != field.TYPE_INT32:
            yield f"{path}: is a number; expected an int32"
    elif not isinstance(shape, Choice | Item) or field.type not in {field.TYPE_STRING, field.TYPE_INT32}:
        yield f"{path}: is {type(shape).__name__}; expected a string"
