"""Requests of the web door, and what is wrong with them: bits, fields, nesting, numbers, envelopes, headers, compression."""

import base64
import gzip
import json
import random
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from google.protobuf.message import Message

__all__ = ["FORMS", "WebRequest", "dumped", "mutated", "mutated_bytes", "mutated_json", "request"]

# For calls with one answer, and for streams.
FORMS: Mapping[bool, tuple[str, ...]] = {
    False: ("json", "proto", "grpc-web", "grpc-web-text", "grpc-web+json"),
    True: ("connect+json", "connect+proto", "grpc-web", "grpc-web-text", "grpc-web+json"),
}
TEXTS = ("", "?", "agency", "whist", "G8", "é\x00\n", "lair:3", "ismcts:seed=1", "level99", "-1", "\u2028😀", "null")
WORDS = (*TEXTS, "9" * 300, "S" * 5000)
NUMBERS = (0, 1, -1, 2.5, 1e308, 10**9, 2**31, -(2**31), 2**53 + 1, 2**63, 2**64, 10**400, 1e-320)
LONGEST_LIST = 4 << 20  # bytes of JSON
TIMEOUTS = ("0", "1", "20", "99999999999", "-1", "1e3", "", "x", "٣", "20 ")
TYPES = (
    "",
    "text/plain",
    "application/json; charset=utf-16",
    "application/JSON",
    "application/connect+proto",
    "application/grpc",
    "application/grpc-web+thrift",
    "application/x-www-form-urlencoded",
    "x" * 3000,
)
OTHERS = ("authorization", "x-request-id", "origin", "x-forwarded-for", "x-grpc-web", "expect")
ODD = ("", "Bearer", "Bearer x", "null", "https://evil.example", "é", "a, b", "100-continue", "y" * 5000)


class WebRequest(NamedTuple):
    """One request of HTTP."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


def request(path: str, message: Message, form: str, write_json: Callable[[Message], bytes]) -> WebRequest:
    """A good one."""
    data = write_json(message) if form.endswith("json") else message.SerializeToString()
    return framed(path, data, form)


def framed(path: str, data: bytes, form: str) -> WebRequest:
    headers = {"content-type": f"application/{form}"}
    if form not in {"json", "proto"}:
        data = b"\0" + len(data).to_bytes(4, "big") + data
    if form.startswith("grpc-web"):
        headers["grpc-timeout"] = "200m"
    else:
        headers["connect-timeout-ms"] = "200"
    return WebRequest("POST", path, headers, base64.b64encode(data) if form == "grpc-web-text" else data)


def mutated(path: str, message: Message, form: str, write_json: Callable[[Message], bytes], draw: random.Random) -> WebRequest:
    """With something wrong in its message, its body or its headers, or in several of them."""
    if form.endswith("json"):
        data = write_json(message)
        if draw.random() < 0.7:
            data = dumped(mutated_json(json.loads(data), draw), draw)
    else:
        data = mutated_fields(message, draw) if draw.random() < 0.5 else message.SerializeToString()
        if draw.random() < 0.03:
            data = nested_bytes(draw)
    if draw.random() < 0.3:
        data = mutated_bytes(data, draw)
    if draw.random() < 0.01:
        data += draw.randbytes(1) * draw.choice((200 << 10, 300 << 10, 900 << 10))
    result = framed(path, data, form)
    if draw.random() < 0.1:
        result = result._replace(body=mutated_bytes(result.body, draw))
    return result if draw.random() < 0.8 else mutated_headers(result, draw)


# ---- JSON ----


def mutated_json(data: Any, draw: random.Random) -> Any:
    """With something else in a place or two."""
    for _ in range(draw.choice((1, 1, 2))):
        data = changed(data, draw)
    return data


def changed(data: Any, draw: random.Random) -> Any:
    if isinstance(data, dict) and data and draw.random() < 0.85:
        name = draw.choice(list(data))
        kind = draw.random()
        if kind < 0.08:
            return {key: value for key, value in data.items() if key != name}
        if kind < 0.16:
            return {**data, draw.choice((f"{name}x", "a_b", "", "\ud800", "__proto__", name.upper())): data[name]}
        return {**data, name: changed(data[name], draw)}
    if isinstance(data, list) and data and draw.random() < 0.85:
        at = draw.randrange(len(data))
        kind = draw.random()
        if kind < 0.1:
            return data[:at] + data[at + 1 :]
        if kind < 0.2:
            return [*data, data[at]]
        if kind < 0.23:
            return [data[at]] * min(draw.choice((1000, 20_000)), 1 + LONGEST_LIST // len(json.dumps(data[at])))
        return [*data[:at], changed(data[at], draw), *data[at + 1 :]]
    return something(draw)


def something(draw: random.Random) -> Any:
    """Any JSON: of another kind, too big, too deep."""
    kind = draw.randrange(10)
    if kind < 3:
        return draw.choice(WORDS)
    if kind < 6:
        return draw.choice(NUMBERS)
    if kind == 6:
        return draw.choice((None, True, False, [], {}, [[]], {"a": {}}, "\ud800x", float("nan"), float("inf")))
    if kind == 7:
        return nested(draw.choice((3, 29, 31, 60, 150)), draw)
    if kind == 8:
        return [draw.choice((0, "x", None, {}))] * draw.choice((100, 30_000))
    return {f"k{number}": number for number in range(draw.choice((3, 3000)))}


def nested(depth: int, draw: random.Random) -> Any:
    result: Any = 1
    for _ in range(depth):
        result = [result] if draw.random() < 0.5 else {"a": result}
    return result


def dumped(data: Any, draw: random.Random) -> bytes:
    """As text that now and then is no good JSON."""
    text = json.dumps(data, ensure_ascii=draw.random() < 0.5, separators=draw.choice(((",", ":"), (", ", ": "))))
    kind = draw.random()
    if kind < 0.02:
        text = text.replace("{", '{"a":1,"a":2,', 1)
    elif kind < 0.03:
        text = "[" * draw.choice((90, 5000, 200_000)) + text
    elif kind < 0.04:
        text = "1" * draw.choice((20, 5000, 100_000))
    return text.encode("utf-8", "surrogatepass") if kind > 0.05 else text.encode("utf-16", "surrogatepass")


# ---- Binary ----


def mutated_bytes(data: bytes, draw: random.Random) -> bytes:
    """With bits turned, bytes put in or taken out, or cut short."""
    result = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 5))):
        at = draw.randrange(len(result) + 1)
        kind = draw.randrange(5)
        if kind == 0:
            result[at:at] = draw.randbytes(draw.randrange(1, 9))
        elif kind == 1:
            del result[at : at + draw.randrange(1, 9)]
        elif kind == 2 and draw.random() < 0.3:
            del result[at:]
        elif at < len(result):
            result[at] = draw.randrange(256) if kind == 3 else result[at] ^ 1 << draw.randrange(8)
    return bytes(result)


def mutated_fields(message: Message, draw: random.Random) -> bytes:
    """Well formed, and wrong in a field or two."""
    result = type(message)()
    result.CopyFrom(message)
    for _ in range(draw.choice((1, 1, 2))):
        part = draw.choice(parts(result))
        fields = [field for field in part.DESCRIPTOR.fields if field.message_type is None]
        known = part.ListFields()
        if known and (not fields or draw.random() < 0.25):
            part.ClearField(draw.choice(known)[0].name)
        elif fields:
            field = draw.choice(fields)
            value = value_of(field, draw)
            if not field.is_repeated:
                setattr(part, field.name, value)
            else:
                values = getattr(part, field.name)
                values.extend([value] * draw.choice((1, 1, 1, 20_000)))
    return result.SerializeToString()


def parts(message: Any) -> list[Any]:
    """The message and all that is set in it."""
    result = [message]
    for field, value in message.ListFields():
        if field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for item in value if field.is_repeated else [value]:
                result += parts(item)
    return result


def value_of(field: Any, draw: random.Random) -> Any:
    if field.enum_type is not None:
        return draw.choice((0, 1, 3, 99, -1))
    kind = field.type
    if kind == field.TYPE_STRING:
        return draw.choice(WORDS)
    if kind == field.TYPE_BYTES:
        return draw.randbytes(9)
    if kind == field.TYPE_BOOL:
        return draw.random() < 0.5
    if kind == field.TYPE_DOUBLE:
        return draw.choice((0.0, float("nan"), float("inf"), -1e308))
    most = 2**31 if kind == field.TYPE_INT32 else 2**63
    return draw.choice((0, 1, 2, 7, 100, -1, most - 1, -most))


def nested_bytes(draw: random.Random) -> bytes:
    """A message in a message in a message."""
    result = b""
    for _ in range(draw.choice((50, 99, 101, 3000))):
        result = bytes([draw.choice((1, 2, 4, 15)) << 3 | 2]) + varint(len(result)) + result
    return result


def varint(value: int) -> bytes:
    result = bytearray()
    while value > 127:
        result.append(value & 127 | 128)
        value >>= 7
    return bytes([*result, value])


# ---- HTTP ----


def mutated_headers(good: WebRequest, draw: random.Random) -> WebRequest:
    headers = dict(good.headers)
    kind = draw.randrange(12)
    if kind == 0:
        headers["content-type"] = draw.choice(TYPES)
    elif kind == 1:
        headers[draw.choice(("connect-timeout-ms", "grpc-timeout"))] = draw.choice(TIMEOUTS)
    elif kind == 2:
        headers["connect-protocol-version"] = draw.choice(("1", "2", "", "x" * 999))
    elif kind == 3:
        headers["content-encoding"] = draw.choice(("gzip", "br", "deflate", "identity", "gzip, gzip"))
    elif kind == 4:
        compressed = gzip.compress(draw.choice((good.body, bytes(draw.choice((100, 9 << 20))))), 1)
        body = draw.choice(
            (compressed, compressed, compressed[: draw.randrange(len(compressed))], mutated_bytes(compressed, draw))
        )
        return good._replace(headers={**headers, "content-encoding": "gzip"}, body=body)
    elif kind == 5:
        flags = bytes([draw.choice((0, 1, 2, 3, 128, 255))])
        length = draw.choice((0, 1, len(good.body), 2**31, 2**32 - 1)).to_bytes(4, "big")
        more = draw.choice((b"", good.body))
        headers["connect-content-encoding"] = headers["grpc-encoding"] = draw.choice(("gzip", "identity", "x"))
        return good._replace(headers=headers, body=flags + length + good.body[5:] + more)
    elif kind == 6:
        headers[draw.choice(("accept-encoding", "connect-accept-encoding", "grpc-accept-encoding"))] = draw.choice(
            ("gzip", "gzip;q=0", "br, gzip;q=0.5", "*", ",,;", "x" * 999)
        )
    elif kind == 7:
        headers[draw.choice(OTHERS)] = draw.choice(ODD)
    elif kind == 8:
        headers["host"] = draw.choice(("evil.example", "", "localhost", "127.0.0.1:1", "[::1]", "a b"))
    elif kind == 9:
        return good._replace(method=draw.choice(("GET", "PUT", "HEAD", "OPTIONS", "DELETE", "PATCH", "BREW")))
    elif kind == 10:
        path = good.path
        return good._replace(
            path=draw.choice(
                (f"{path}s", path.lower(), f"{path}?a=1", f"{path}/", f"/{path}", "/", "/%00", "/healthz", "/..", "*")
            )
        )
    else:
        headers |= {f"x-{number}": "v" * 50 for number in range(draw.choice((5, 200)))}
    return good._replace(headers=headers)
