"""Whatever bytes are sent, the answer is an honest code with details, and the server goes on."""

import random
from collections import Counter
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from bench.web_mutations import mutated_bytes
from machiavel.clients.errors import from_call
from tests.server.service.good_requests import good_requests
from tests.server.service.hosted import Hosted

HONEST = {
    grpc.StatusCode.OK,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.UNIMPLEMENTED,
}
WORDS = ("", "?", "agency", "whist", "G8", "9" * 300, "é\x00\n", "lair:3", "ismcts:seed=1", "level99", "-1", "S" * 5000)


# ---- Mutations ----


def parts(message: Any) -> list[Any]:
    """The message and all that is set in it."""
    result = [message]
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for item in value if field.is_repeated else [value]:
            result += parts(item)
    return result


def mutate_fields(message: Message, draw: random.Random) -> bytes:
    """A message that is well formed, and wrong in a field or two."""
    result = type(message)()
    result.CopyFrom(message)
    for _ in range(draw.choice((1, 1, 2))):
        part = draw.choice(parts(result))
        fields = [field for field in part.DESCRIPTOR.fields if field.message_type is None]
        if not fields or draw.random() < 0.2:
            set_fields = part.ListFields()
            if set_fields:
                part.ClearField(draw.choice(set_fields)[0].name)
            continue
        field = draw.choice(fields)
        value = wrong_value(field, draw)
        if field.is_repeated:
            values = getattr(part, field.name)
            if values and draw.random() < 0.5:
                del values[draw.randrange(len(values))]
            else:
                values.append(value)
        else:
            setattr(part, field.name, value)
    return result.SerializeToString()


def wrong_value(field: Any, draw: random.Random) -> Any:
    if field.enum_type is not None:
        return draw.choice((0, 1, 3, 99))
    kind = field.cpp_type
    if kind == field.CPPTYPE_STRING:
        return draw.choice(WORDS)
    if kind == field.CPPTYPE_BOOL:
        return draw.random() < 0.5
    if kind in {field.CPPTYPE_DOUBLE, field.CPPTYPE_FLOAT}:
        return draw.choice((0.0, float("nan"), float("inf"), -1e308))
    return draw.choice((0, 1, 2, 7, 100, -1, 2**31 - 1, -(2**31)))


def fuzz(server: Hosted, count: int, seed: int) -> Counter[tuple[str, grpc.StatusCode]]:
    draw = random.Random(seed)
    good = good_requests()
    counts: Counter[tuple[str, grpc.StatusCode]] = Counter()
    with grpc.insecure_channel(server.address) as channel:
        for number in range(count):
            path, message = draw.choice(good)
            data = message.SerializeToString()
            if number % 3 == 0:
                data = mutated_bytes(data, draw)
            elif number % 3 == 1:
                data = mutate_fields(message, draw)
            else:
                data = draw.choice((mutated_bytes(mutate_fields(message, draw), draw), draw.randbytes(draw.randrange(200))))
            if number % 100 == 0:
                path = draw.choice((path + "s", path.lower(), path.replace("v1", "v2"), "/", f"/{draw.random()}"))
            elif number % 100 == 1:
                data += draw.randbytes(draw.choice((200 << 10, 300 << 10, 900 << 10)))
            code = send(channel, path, data)
            assert code in HONEST, (path, data.hex(), code)
            counts[path.partition(".v1.")[2], code] += 1
    return counts


def send(channel: grpc.Channel, path: str, data: bytes) -> grpc.StatusCode:
    """The status of a call with these bytes; an error must say what it is and, where the request is wrong, where."""
    is_stream = path.endswith(("AnalyzeMoves", "ReviewGame"))
    make: Any = channel.unary_stream if is_stream else channel.unary_unary
    call = make(path, request_serializer=bytes, response_deserializer=bytes)
    try:
        answer = call(data, timeout=0.25)
        if is_stream:
            list(answer)
    except grpc.RpcError as error:
        failure = from_call(error)
        code = failure.code
        # That its time is up, a client finds out by itself.
        assert failure.reason or code is grpc.StatusCode.DEADLINE_EXCEEDED, (path, data.hex(), code, str(failure))
        assert failure.fields or code is not grpc.StatusCode.INVALID_ARGUMENT, (path, data.hex(), failure.reason)
        return code
    return grpc.StatusCode.OK


def test_mutated_and_random_messages_get_honest_codes(server: Hosted) -> None:
    result = fuzz(server, 1500, 1)
    codes = Counter({code: sum(count for (_, other), count in result.items() if other is code) for _, code in result})
    assert codes[grpc.StatusCode.OK] > 100
    assert codes[grpc.StatusCode.INVALID_ARGUMENT] > 100
    assert codes[grpc.StatusCode.UNIMPLEMENTED] > 3
    assert codes[grpc.StatusCode.RESOURCE_EXHAUSTED] > 3
    assert fuzz(server, 30, 2)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_hundred_thousand_messages_leave_the_server_as_it_was(server: Hosted) -> None:
    from pathlib import Path

    def megabytes() -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) / 256

    fuzz(server, 5000, 3)
    before = megabytes()
    codes: Counter[str] = Counter()
    for seed in range(20):
        for (_, code), count in fuzz(server, 5000, 100 + seed).items():
            codes[code.name] += count
    after = megabytes()
    print(f"{sum(codes.values()):,} messages: {dict(codes.most_common())}; {before:.0f} MiB before, {after:.0f} MiB after")
    assert after < before + 50
