"""Values of ProtoJSON: what a text, a number or a name in JSON is in a field, and what is wrong with it."""

import base64
import binascii
import json
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

__all__ = ["Convert", "WrongValue", "converter_of", "decimal", "key_converter", "shown", "text"]

Convert = Callable[[Any], Any]  # the value of a field, of JSON

NUMBER = re.compile(r"-?(0|[1-9]\d{0,39})(\.\d{1,99})?([eE][+-]?\d{1,4})?", re.ASCII)
BASE64 = re.compile(r"[\w+/-]*={0,2}", re.ASCII)
NOT_FINITE = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
INT32, INT64 = (-(1 << 31), (1 << 31) - 1), (-(1 << 63), (1 << 63) - 1)
UINT32, UINT64 = (0, (1 << 32) - 1), (0, (1 << 64) - 1)
SHOWN = 40  # characters of what somebody sent


class WrongValue(Exception):
    """A value that cannot be; who hands it on says where, from the inside out."""

    def __init__(self, problem: str, *path: str) -> None:
        self.problem = problem
        self.path = [*path]

    def where(self) -> str:
        return "".join(reversed(self.path)).removeprefix(".") or "request"


def shown(value: Any) -> str:
    """What was sent, in an error: its beginning, or what kind of thing it is."""
    if isinstance(value, str):
        return repr(cut(value))
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int | float):
        return cut(str(value))
    return "a list" if isinstance(value, list) else "an object"


def cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


@cache
def converter_of(field: Any) -> Convert:
    """How a value of a field is read; raises WrongValue."""
    if field.enum_type is not None:
        return enum_converter(field.enum_type)
    return {
        field.TYPE_BOOL: boolean,
        field.TYPE_STRING: text,
        field.TYPE_BYTES: data_of,
        field.TYPE_DOUBLE: decimal,
        field.TYPE_INT32: integer_converter(*INT32),
        field.TYPE_INT64: integer_converter(*INT64),
        field.TYPE_UINT32: integer_converter(*UINT32),
        field.TYPE_UINT64: integer_converter(*UINT64),
    }[field.type]


def key_converter(field: Any) -> Convert:
    return {"true": True, "false": False}.__getitem__ if field.type == field.TYPE_BOOL else converter_of(field)


def boolean(value: Any) -> bool:
    if value is True or value is False:
        return bool(value)
    raise WrongValue(f"is {shown(value)}; expected true or false")


def text(value: Any) -> str:
    if type(value) is not str:
        raise WrongValue(f"is {shown(value)}; expected a text")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise WrongValue("has half a character (a lone surrogate); expected whole ones") from None
    return value


def data_of(value: Any) -> bytes:
    if type(value) is str and BASE64.fullmatch(value):
        digits = value.rstrip("=").replace("-", "+").replace("_", "/")
        if len(digits) % 4 != 1:
            try:
                return base64.b64decode(digits + "=" * (-len(digits) % 4), validate=True)
            except binascii.Error:
                pass
    raise WrongValue(f"is {shown(value)}; expected bytes in base64")


def decimal(value: Any) -> float:
    if type(value) is str:
        if value in NOT_FINITE:
            return NOT_FINITE[value]
        value = float(value) if NUMBER.fullmatch(value) else None
    if type(value) is float or type(value) is int:
        try:
            result = float(value)
        except OverflowError:
            result = float("inf")
        if result - result == 0:
            return result
    raise WrongValue("is no number that can be; expected a number")


def integer_converter(least: int, most: int) -> Callable[[Any], int]:
    def convert(value: Any) -> int:
        if type(value) is int and least <= value <= most:
            return int(value)
        given = value
        if type(value) is str and NUMBER.fullmatch(value):
            value = int(value) if value.removeprefix("-").isdigit() else float(value)
        if type(value) is float and value.is_integer():
            value = int(value)
        if type(value) is int and least <= value <= most:
            return int(value)
        raise WrongValue(f"is {shown(given)}; expected a whole number from {least} to {most}")

    return convert


def enum_converter(enum_type: Any) -> Convert:
    numbers: dict[Any, int] = {value.name: value.number for value in enum_type.values}
    number_of = integer_converter(*INT32)
    if enum_type.full_name == "google.protobuf.NullValue":
        return lambda _: 0
    names = ", ".join(value.name for value in enum_type.values if not value.name.endswith("_UNSPECIFIED"))

    def convert(value: Any) -> int:
        if type(value) is str:
            if value in numbers:
                return numbers[value]
        else:
            with suppress(WrongValue):
                return number_of(value)
        raise WrongValue(f"is {shown(value)}; expected one of {names}")

    return convert
