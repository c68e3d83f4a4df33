"""Writes ProtoJSON: what an answer says, for programs without the generated messages."""

import base64
import json
import math
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import ListValue, Struct, Value
from google.protobuf.timestamp_pb2 import Timestamp

from machiavel.server.web._json_transcoder import JsonField, MessageTable

__all__ = ["json_of", "write_json"]

Write = Callable[[Any], Any]  # the JSON of a message or a value

BILLION = 1_000_000_000
ABSENT = object()
encode = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"), allow_nan=False).encode


def write_json(message: Message) -> bytes:
    """The message as JSON in UTF-8, on one line; equal messages give equal bytes.

    What is 0, empty or false is written all the same, unless it can be absent: who has no stubs need not know what lacks.
    """
    if message.DESCRIPTOR.full_name in SPECIAL:
        return text_of(json_of(message))
    return table_of(message.DESCRIPTOR).write(message.SerializeToString(deterministic=True))


def text_of(value: Any) -> bytes:
    return encode(value).encode()


def json_of(message: Message) -> Any:
    """The message as what `json` writes; what is empty in it may be shared, so change nothing."""
    return writer_of(message.DESCRIPTOR)(message)


# ---- Out of serialized messages, which is ten times as quick ----

TABLES: dict[str, MessageTable] = {}


def table_of(descriptor: Any) -> MessageTable:
    """How messages of a kind are written; found out once."""
    table = TABLES.get(descriptor.full_name)
    if table is None:
        table = TABLES[descriptor.full_name] = MessageTable()  # a message may hold others of its own kind
        table.fill([written_field(field) for field in descriptor.fields])
    return table


def written_field(field: Any) -> JsonField:
    kind, names, table = kind_of(field), None, None
    write: Callable[[bytes], bytes] | None = None
    if kind == "message":
        table = table_of(field.message_type)
    elif kind == "enum":
        names = {value.number: text_of(value.name) for value in field.enum_type.values}
    elif field.message_type is not None:
        read, special = message_factory.GetMessageClass(field.message_type).FromString, SPECIAL[field.message_type.full_name]
        write = partial(written, read, special)
    elif kind == "other":
        write = in_base64
    is_map = field.message_type is not None and field.message_type.GetOptions().map_entry
    label = text_of(field.json_name) + b":"
    return JsonField(field.number, label, kind, field.is_repeated, is_map, field.has_presence, names, write, table)


def kind_of(field: Any) -> str:
    if field.message_type is not None:
        return "other" if field.message_type.full_name in SPECIAL else "message"
    return {
        field.TYPE_BOOL: "bool",
        field.TYPE_INT32: "int32",
        field.TYPE_INT64: "int64",
        field.TYPE_DOUBLE: "double",
        field.TYPE_STRING: "string",
        field.TYPE_ENUM: "enum",
        field.TYPE_BYTES: "other",
    }[field.type]


def written(read: Write, write: Write, data: bytes) -> bytes:
    return text_of(write(read(data)))


def in_base64(data: bytes) -> bytes:
    return b'"%s"' % base64.b64encode(data)


# ---- As what `json` writes ----


@cache
def writer_of(descriptor: Any) -> Write:
    """How messages of a kind are written; found out once."""
    special = SPECIAL.get(descriptor.full_name)
    if special is not None:
        return special
    fields: dict[Any, tuple[str, Write | None]] = {}
    unset: dict[str, Any] = {}  # in the order of the .proto file, which is to be read
    optional: list[str] = []

    def write(message: Any) -> dict[str, Any]:
        result = unset.copy()
        for field, value in message.ListFields():
            name, convert = fields[field]
            result[name] = value if convert is None else convert(value)
        for name in optional:
            if result[name] is ABSENT:
                del result[name]
        return result

    for field in descriptor.fields:
        fields[field] = (field.json_name, field_writer(field))
        unset[field.json_name] = ABSENT if field.has_presence else zero(field)
        if field.has_presence:
            optional.append(field.json_name)
    return write


def zero(field: Any) -> Any:
    """What an unset field without presence is in JSON."""
    if field.is_repeated:
        return {} if field.message_type is not None and field.message_type.GetOptions().map_entry else []
    one = value_writer(field)
    return one(field.default_value) if one is not None else field.default_value


def field_writer(field: Any) -> Write | None:
    """None: as it is."""
    kind = field.message_type
    if kind is not None and kind.GetOptions().map_entry:
        return map_writer(kind.fields_by_name["key"], value_writer(kind.fields_by_name["value"]))
    one = value_writer(field)
    if not field.is_repeated:
        return one
    if one is None:
        return list
    return lambda values: [one(value) for value in values]


def map_writer(key: Any, one: Write | None) -> Write:
    name: Callable[[Any], str] = json.dumps if key.type == key.TYPE_BOOL else str
    if one is None:
        return lambda values: {name(key): values[key] for key in sorted(values)}
    return lambda values: {name(key): one(values[key]) for key in sorted(values)}


def value_writer(field: Any) -> Write | None:
    if field.message_type is not None:
        return message_writer(field.message_type)
    if field.enum_type is not None:
        return enum_writer(field.enum_type)
    if field.type in {field.TYPE_INT64, field.TYPE_UINT64}:
        return str
    if field.type == field.TYPE_BYTES:
        return lambda value: base64.b64encode(value).decode()
    return number if field.type == field.TYPE_DOUBLE else None


def message_writer(kind: Any) -> Write:
    # Not looked for yet: a message may hold others of its own kind.
    found: list[Write] = []

    def write(message: Any) -> Any:
        if not found:
            found.append(writer_of(kind))
        return found[0](message)

    return write


def enum_writer(enum_type: Any) -> Write:
    names = {value.number: value.name for value in enum_type.values}
    if enum_type.full_name == "google.protobuf.NullValue":
        return lambda _: None
    return lambda value: names.get(value, value)


def number(value: float) -> float | str:
    if value - value == 0:
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


# ---- What JSON has something else for ----


def write_duration(message: Duration) -> str:
    nanos = message.seconds * BILLION + message.nanos
    seconds, rest = divmod(abs(nanos), BILLION)
    return f"{'-' if nanos < 0 else ''}{seconds}{fraction(rest)}s"


def fraction(nanos: int) -> str:
    """Three, six or nine digits, or none."""
    if not nanos:
        return ""
    if nanos % 1000:
        return f".{nanos:09}"
    return f".{nanos // 1000:06}" if nanos % 1_000_000 else f".{nanos // 1_000_000:03}"


def write_timestamp(message: Timestamp) -> str:
    return message.ToJsonString()


def write_struct(message: Struct) -> dict[str, Any]:
    fields = message.fields
    return {name: write_value(fields[name]) for name in sorted(fields)}


def write_list(message: ListValue) -> list[Any]:
    return [write_value(value) for value in message.values]


def write_value(message: Any) -> Any:
    # As what is set alone; nothing set stands for null.
    for field, value in message.ListFields():
        return VALUES[field.number](value)
    return None


def plain(value: Any) -> Any:
    return value


VALUES: Mapping[int, Write] = {1: lambda _: None, 2: number, 3: plain, 4: plain, 5: write_struct, 6: write_list}


def write_any(message: AnyMessage) -> dict[str, Any]:
    """Of messages this process knows; of others their bytes."""
    if not message.type_url:
        return {}
    result: dict[str, Any] = {"@type": message.type_url}
    try:
        kind = descriptor_pool.Default().FindMessageTypeByName(message.TypeName())
    except KeyError:
        return {**result, "value": base64.b64encode(message.value).decode()}
    inside = json_of(message_factory.GetMessageClass(kind).FromString(message.value))
    return {**result, **inside} if kind.full_name not in SPECIAL else {**result, "value": inside}


SPECIAL: Mapping[str, Write] = {
    AnyMessage.DESCRIPTOR.full_name: write_any,
    Duration.DESCRIPTOR.full_name: write_duration,
    Timestamp.DESCRIPTOR.full_name: write_timestamp,
    Struct.DESCRIPTOR.full_name: write_struct,
    ListValue.DESCRIPTOR.full_name: write_list,
    Value.DESCRIPTOR.full_name: write_value,
}
