"""The two forms of a message: bytes of protobuf, and JSON."""

from collections.abc import Callable
from typing import Any

from google.protobuf import json_format

from machiavel.server.service.refusals import BadRequest

__all__ = ["FORMS", "reader", "writer"]

FORMS = ("proto", "json")


def reader(form: str, message: Any) -> Callable[[bytes], Any]:
    """What makes a message of that class out of bytes."""
    if form == "proto":
        result: Callable[[bytes], Any] = message.FromString
        return result

    def read(data: bytes) -> Any:
        try:
            return json_format.Parse(data, message())
        except (json_format.ParseError, UnicodeDecodeError, RecursionError) as error:
            raise BadRequest("request", f"is no JSON of this call: {error}") from None

    return read


def writer(form: str) -> Callable[[Any], bytes]:
    if form == "proto":
        return lambda message: message.SerializeToString()
    return lambda message: json_format.MessageToJson(message, indent=None).encode()
