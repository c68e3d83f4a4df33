"""What the service tells about itself."""

import asyncio
import io
import json
import types
from typing import Any

from machiavel.server.service.call_interceptor import Call, CallInterceptor, Tokens
from machiavel.server.service.telemetry import Telemetry
from tests.server.clocks import FakeClock
from tests.server.service.hosted import config


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_storage_that_fails_says_the_same_once_in_five_seconds_and_anything_else_at_once() -> None:
    clock, stream = FakeClock(0), io.StringIO()
    telemetry = Telemetry(config(), stream, clock)
    for problem, seconds in (("full", 4.9), ("saved", 0.0), ("full", 0.1), ("full", 0.0), ("saved", 0.0)):
        telemetry.storage_failed(problem)
        clock.go_on(seconds)
    assert [line["problem"] for line in lines(stream)] == ["full", "saved", "full"]
    assert telemetry.registry.get_sample_value("machiavel_storage_faults_total") == 5


def test_a_call_is_measured_by_the_servers_clock() -> None:
    clock, stream, settings = FakeClock(0), io.StringIO(), config(log_level="info")
    calls = CallInterceptor(settings, Tokens({}), Telemetry(settings, stream, clock), (), clock)
    context: Any = types.SimpleNamespace(peer=lambda: "here", invocation_metadata=tuple)

    async def scenario() -> None:
        call = Call(calls, "/machiavel.v1.GameService/ListGames", context)
        clock.go_on(1.5)
        call.end("OK", "")

    asyncio.run(scenario())
    assert [line["ms"] for line in lines(stream)] == [1500.0]
