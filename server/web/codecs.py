"""The two forms of a message: bytes of protobuf, and JSON."""

from collections.abc import Callable
from functools import partial
from typing import Any

from machiavel.server.service.shared_answers import SharedBytes, writing
from machiavel.server.web.json_messages import read_json, write_json

__all__ = ["FORMS", "reader", "writer"]

FORMS = ("json", "proto")


def reader(form: str, kind: Any) -> Callable[[bytes], Any]:
    """What makes a message of that class out of bytes."""
    return partial(read_json, message_class=kind) if form == "json" else kind.FromString


def writer(form: str) -> Callable[[Any], bytes]:
    return writing(write_json if form == "json" else protobuf, SharedBytes)


def protobuf(message: Any) -> bytes:
    result: bytes = message.SerializeToString()
    return result
