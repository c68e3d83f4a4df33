"""The two forms of a message: bytes of protobuf, and JSON."""

from collections.abc import Callable
from functools import partial
from typing import Any

from machiavel.server.web.json_messages import read_json, write_json

__all__ = ["FORMS", "reader", "writer"]

FORMS = ("proto", "json")


def reader(form: str, message: Any) -> Callable[[bytes], Any]:
    """What makes a message of that class out of bytes."""
    if form == "proto":
        result: Callable[[bytes], Any] = message.FromString
        return result
    return partial(read_json, message_class=message)


def writer(form: str) -> Callable[[Any], bytes]:
    if form == "proto":
        return lambda message: message.SerializeToString()
    return write_json
