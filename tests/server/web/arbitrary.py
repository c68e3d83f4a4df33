"""Messages of any kind, with anything in them."""

from collections.abc import Callable
from typing import Any

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

from machiavel.v1 import bot_service_pb2, game_service_pb2, match_service_pb2, server_service_pb2, tournament_service_pb2

__all__ = ["SERVICES", "fill", "messages", "requests_and_responses"]

SERVICES = [
    service
    for module in (bot_service_pb2, game_service_pb2, match_service_pb2, server_service_pb2, tournament_service_pb2)
    for service in module.DESCRIPTOR.services_by_name.values()
]
DEEP = 5
BIG = 1 << 53


def requests_and_responses() -> list[type[Message]]:
    """Of all calls."""
    return [
        GetMessageClass(kind)
        for service in SERVICES
        for method in service.methods
        for kind in (method.input_type, method.output_type)
    ]


@st.composite
def messages(draw: Callable[[Any], Any], kinds: list[type[Message]]) -> Message:
    """A message of one of these kinds."""
    message: Message = draw(st.sampled_from(kinds))()
    fill(draw, message, 0)
    return message


def fill(draw: Callable[[Any], Any], message: Any, depth: int) -> None:
    descriptor = message.DESCRIPTOR
    if descriptor.full_name in SPECIAL:
        SPECIAL[descriptor.full_name](draw, message)
        return
    fields = [field for field in descriptor.fields if depth < DEEP or field.message_type is None]
    for field in draw(st.lists(st.sampled_from(fields), unique_by=lambda field: field.name)) if fields else ():
        value = getattr(message, field.name)
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            fill_map(draw, field, value, depth)
        elif field.is_repeated:
            for _ in range(draw(st.integers(0, 3))):
                if field.message_type is not None:
                    fill(draw, value.add(), depth + 1)
                else:
                    value.append(draw(values(field)))
        elif field.message_type is not None:
            value.SetInParent()
            fill(draw, value, depth + 1)
        else:
            setattr(message, field.name, draw(values(field)))


def fill_map(draw: Callable[[Any], Any], field: Any, entries: Any, depth: int) -> None:
    key, value = (field.message_type.fields_by_name[name] for name in ("key", "value"))
    for one in draw(st.lists(values(key), max_size=3)):
        if value.message_type is None:
            entries[one] = draw(values(value))
        else:
            fill(draw, entries[one], depth + 1)


def values(field: Any) -> st.SearchStrategy[Any]:
    if field.enum_type is not None:
        return st.sampled_from([*field.enum_type.values_by_number, 99])
    return {
        field.TYPE_BOOL: st.booleans(),
        field.TYPE_STRING: st.text(max_size=5),
        field.TYPE_BYTES: st.binary(max_size=5),
        field.TYPE_DOUBLE: st.floats(allow_nan=False) | st.just(float("nan")),  # of which there are many, JSON knows one
        field.TYPE_INT32: st.integers(-(1 << 31), (1 << 31) - 1),
        field.TYPE_INT64: st.integers(-(1 << 63), (1 << 63) - 1),
    }[field.type]


def fill_duration(draw: Callable[[Any], Any], message: Any) -> None:
    message.FromNanoseconds(draw(st.integers(-(10**15), 10**15)))


def fill_timestamp(draw: Callable[[Any], Any], message: Any) -> None:
    message.FromNanoseconds(draw(st.integers(-(10**18), 10**19)))


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-BIG, BIG) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=5), inside, max_size=3),
    max_leaves=5,
)


def fill_struct(draw: Callable[[Any], Any], message: Any) -> None:
    message.update(draw(st.dictionaries(st.text(max_size=5), plain, max_size=3)))


def fill_value(draw: Callable[[Any], Any], message: Any) -> None:
    data = draw(plain)
    if data is None:
        message.null_value = 0
    elif isinstance(data, bool):
        message.bool_value = data
    elif isinstance(data, int | float):
        message.number_value = data
    elif isinstance(data, str):
        message.string_value = data
    elif isinstance(data, dict):
        message.struct_value.SetInParent()
        message.struct_value.update(data)
    else:
        message.list_value.SetInParent()
        message.list_value.extend(data)


SPECIAL: dict[str, Callable[[Callable[[Any], Any], Any], None]] = {
    "google.protobuf.Duration": fill_duration,
    "google.protobuf.Timestamp": fill_timestamp,
    "google.protobuf.Struct": fill_struct,
    "google.protobuf.Value": fill_value,
}
