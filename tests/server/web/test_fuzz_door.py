"""Whatever comes through the door, the answer is honest, and the server goes on."""

import asyncio

import pytest

from bench.web_fuzz import fuzz
from bench.web_requests import good_requests
from tests.server.service.hosted import hosted
from tests.server.web.arbitrary import SERVICES

COUNT = 800


def test_changed_requests_of_every_call_get_honest_codes(capfd: pytest.CaptureFixture[str]) -> None:
    with hosted(web="127.0.0.1:0", seconds=0.05, seconds_most=0.2) as server:
        good = asyncio.run(good_requests(server.address, ["kuhn", "whist"]))
        counts = asyncio.run(fuzz(str(server.server.web_address), good, COUNT, seed=7))
    calls = {f"/{service.full_name}/{method.name}" for service in SERVICES for method in service.methods}
    assert {one.path for one in good} == calls
    assert counts.total() == COUNT
    assert counts["200"] > COUNT / 50
    assert counts["invalid_argument"] > COUNT / 10
    assert not capfd.readouterr().err
