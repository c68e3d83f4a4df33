"""Reads ProtoJSON: what a request says, as a message, and what is wrong with it and where."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, NoReturn, TypeVar

from google.protobuf.message import Message
from google.protobuf.struct_pb2 import ListValue, Struct, Value

from machiavel.server.service.refusals import BadRequest
from machiavel.server.web.json_values import Convert, WrongValue, converter_of, decimal, key_converter, shown, text

__all__ = ["read_json"]

Fill = Callable[[Any, Any], None]  # puts JSON into a message
Kind = TypeVar("Kind", bound=Message)

DEEPEST = 30  # lists and objects inside each other, in a Struct: what is binary reaches its own bound a little later
MOST_DAYS = 315_576_000_000  # seconds of the longest Duration
DURATION = re.compile(r"(-?)(\d{1,12})(?:\.(\d{1,9}))?s", re.ASCII)
TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)", re.ASCII)


def read_json(data: bytes, message_class: type[Kind]) -> Kind:
    """The message that JSON in UTF-8 stands for; raises BadRequest, which names the field by its path."""
    try:
        value = json.loads(data.decode(), object_pairs_hook=object_of, parse_constant=refuse_constant)
    except UnicodeDecodeError:
        raise BadRequest("request", "is no UTF-8; expected JSON in UTF-8") from None
    except json.JSONDecodeError as error:
        problem = f"is no JSON: {error.msg} at line {error.lineno}, column {error.colno}; expected an object, such as {{}}"
        raise BadRequest("request", problem) from None
    except (RecursionError, ValueError) as error:
        problem = "is nested too deep" if isinstance(error, RecursionError) else "has a number of thousands of digits"
        raise BadRequest("request", f"{problem}; expected JSON of this message") from None
    except WrongValue as error:
        raise BadRequest("request", error.problem) from None
    message = message_class()
    try:
        filler_of(message_class.DESCRIPTOR)(message, value)
    except WrongValue as error:
        raise BadRequest(error.where(), error.problem) from None
    return message


# ---- JSON ----


def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise WrongValue(f"has {shown(twice)} twice in one object; expected it once")
    return result


def refuse_constant(name: str) -> NoReturn:
    raise WrongValue(f'has {name} without quotes, which is no JSON; expected a number, or "{name}" where it may be')


# ---- Messages ----


@cache
def filler_of(descriptor: Any) -> Fill:
    """How messages of a kind are filled; found out once."""
    special = SPECIAL.get(descriptor.full_name)
    if special is not None:
        return special
    fillers: dict[str, tuple[str, Fill]] = {}
    others: dict[str, str] = {}  # a field may be called as in the .proto file as well
    fields: Iterable[Any] = descriptor.fields

    def fill(message: Any, data: Any) -> None:
        if type(data) is not dict:
            raise WrongValue(f"is {shown(data)}; expected an object")
        for name, value in data.items():
            known = fillers.get(name)
            if known is None:
                if name not in others:
                    raise WrongValue(unknown(fillers), f".{shown(name)[1:-1]}")
                if others[name] in data:
                    raise WrongValue(f"stands there as {others[name]} too; expected one of the two", f".{name}")
                known = fillers[others[name]]
            if value is None and known[1] not in TAKES_NULL:
                continue
            try:
                known[1](message, value)
            except WrongValue as error:
                error.path.append(known[0])
                raise
        if choices:
            check_choices(data)

    def check_choices(data: Mapping[str, Any]) -> None:
        given: dict[str, str] = {}
        for name, value in data.items():
            if value is None and fillers[others.get(name, name)][1] not in TAKES_NULL:
                continue
            choice = choices.get(others.get(name, name))
            if choice is None:
                continue
            if choice in given:
                raise WrongValue(f"stands beside {given[choice]}; expected one of the two", f".{snake[others.get(name, name)]}")
            given[choice] = name

    snake = {field.json_name: field.name for field in fields}
    choices = {field.json_name: oneof.name for oneof in descriptor.oneofs if len(oneof.fields) > 1 for field in oneof.fields}
    for field in fields:
        fillers[field.json_name] = (f".{field.name}", field_filler(field))
        if field.name != field.json_name:
            others[field.name] = field.json_name
    return fill


def unknown(names: Iterable[str]) -> str:
    listed = ", ".join(names)
    return f"is no field of this message; expected {f'one of {listed}' if listed else 'none, for it has no fields'}"


def field_filler(field: Any) -> Fill:
    name, kind = field.name, field.message_type
    if kind is not None and kind.GetOptions().map_entry:
        return map_filler(name, kind.fields_by_name["key"], kind.fields_by_name["value"])
    if field.is_repeated:
        return items_filler(name, kind) if kind is not None else values_filler(name, converter_of(field))
    if kind is not None:
        return message_filler(name, kind)
    convert = converter_of(field)

    def fill(message: Any, value: Any) -> None:
        setattr(message, name, convert(value))

    return fill


def message_filler(name: str, kind: Any) -> Fill:
    # Not looked for yet: a message may hold others of its own kind.
    def fill(message: Any, value: Any) -> None:
        inside = getattr(message, name)
        inside.SetInParent()
        filler_of(kind)(inside, value)

    if kind.full_name == Value.DESCRIPTOR.full_name:
        TAKES_NULL.add(fill)
    return fill


def items_filler(name: str, kind: Any) -> Fill:
    takes_null = kind.full_name == Value.DESCRIPTOR.full_name

    def fill(message: Any, values: Any) -> None:
        add, put = getattr(message, name).add, filler_of(kind)
        for number, value in enumerate(rows(values)):
            try:
                if value is None and not takes_null:
                    raise WrongValue("is null; expected an object")
                put(add(), value)
            except WrongValue as error:
                error.path.append(f"[{number}]")
                raise

    return fill


def values_filler(name: str, convert: Convert) -> Fill:
    def fill(message: Any, values: Any) -> None:
        result = []
        for number, value in enumerate(rows(values)):
            try:
                result.append(convert(value))
            except WrongValue as error:
                error.path.append(f"[{number}]")
                raise
        getattr(message, name).extend(result)

    return fill


def rows(values: Any) -> list[Any]:
    if type(values) is not list:
        raise WrongValue(f"is {shown(values)}; expected a list")
    return values


def map_filler(name: str, key_field: Any, value_field: Any) -> Fill:
    key_of, kind = key_converter(key_field), value_field.message_type
    convert = None if kind is not None else converter_of(value_field)

    def fill(message: Any, values: Any) -> None:
        if type(values) is not dict:
            raise WrongValue(f"is {shown(values)}; expected an object")
        entries = getattr(message, name)
        for key, value in values.items():
            try:
                known = key_of(key)
                if known in entries:
                    raise WrongValue("stands there twice; expected it once")
                if convert is not None:
                    entries[known] = convert(value)
                else:
                    filler_of(kind)(entries[known], value)
            except WrongValue as error:
                error.path.append(f".{shown(key)[1:-1]}")
                raise

    return fill


# ---- What stands in JSON for something else ----


def fill_duration(message: Any, value: Any) -> None:
    found = DURATION.fullmatch(value) if type(value) is str else None
    if found is None or int(found[2]) > MOST_DAYS:
        raise WrongValue(f'is {shown(value)}; expected seconds as a text, such as "1.5s"')
    sign = -1 if found[1] else 1
    message.seconds = sign * int(found[2])
    message.nanos = sign * int((found[3] or "").ljust(9, "0"))


def fill_timestamp(message: Any, value: Any) -> None:
    try:
        if type(value) is not str or TIMESTAMP.fullmatch(value) is None:
            raise ValueError
        message.FromJsonString(value)
    except ValueError:
        raise WrongValue(f'is {shown(value)}; expected a time such as "2026-01-31T12:00:00Z"') from None


def fill_struct(message: Any, value: Any) -> None:
    put_struct(message, value, 0)


def fill_list(message: Any, value: Any) -> None:
    put_list(message, value, 0)


def fill_value(message: Any, value: Any) -> None:
    put_value(message, value, 0)


def put_struct(message: Any, data: Any, depth: int) -> None:
    if type(data) is not dict:
        raise WrongValue(f"is {shown(data)}; expected an object")
    message.SetInParent()
    fields = message.fields
    for key, value in data.items():
        try:
            put_value(fields[text(key)], value, depth + 1)
        except WrongValue as error:
            error.path.append(f".{shown(key)[1:-1]}")
            raise


def put_list(message: Any, data: Any, depth: int) -> None:
    message.SetInParent()
    add = message.values.add
    for number, value in enumerate(rows(data)):
        try:
            put_value(add(), value, depth + 1)
        except WrongValue as error:
            error.path.append(f"[{number}]")
            raise


def put_value(message: Any, value: Any, depth: int) -> None:
    if depth > DEEPEST:
        raise WrongValue(f"is nested more than {DEEPEST} deep; expected less")
    kind = type(value)
    if kind is str:
        message.string_value = text(value)
    elif kind is bool:
        message.bool_value = value
    elif value is None:
        message.null_value = 0
    elif kind is dict:
        put_struct(message.struct_value, value, depth)
    elif kind is list:
        put_list(message.list_value, value, depth)
    else:
        message.number_value = decimal(value)


SPECIAL: Mapping[str, Fill] = {
    "google.protobuf.Duration": fill_duration,
    "google.protobuf.Timestamp": fill_timestamp,
    Struct.DESCRIPTOR.full_name: fill_struct,
    ListValue.DESCRIPTOR.full_name: fill_list,
    Value.DESCRIPTOR.full_name: fill_value,
}
TAKES_NULL: set[Fill] = set()
