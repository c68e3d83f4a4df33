"""Sounds of the page: off until they are wanted, made there, fetched from nowhere, and within what browsers allow."""

from collections.abc import Iterator

import pytest

from machiavel.engines import load
from tests.page.browser import driven
from tests.server.service.hosted import hosted


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with hosted(think=0.02, web="127.0.0.1:0") as server:
        assert server.server.web_address is not None
        yield server.server.web_address


def test_a_match_is_silent_until_sounds_are_turned_on_and_after_they_are_turned_off(address: str) -> None:
    seen = driven("sounds", address, game=str(load("whist").plugin.titles["en"]))

    assert seen["faults"] == []  # no broken policy, nothing asked for elsewhere
    assert seen["off"]["started"] == len(seen["off"]["contexts"]) == len(seen["off"]["fetched"]) == 0
    assert seen["tried"]["contexts"] == ["running"] and seen["tried"]["started"] >= 2
    assert any("instrument" in path for path in seen["files"]) and all(path.startswith("/assets/") for path in seen["files"])
    assert seen["on"]["kinds"] == ["AudioBufferSourceNode", "OscillatorNode"]  # cards rustle, turns ring
    # After a reload nothing sounds, nor waits to, before somebody has pressed something.
    assert seen["reloaded"]["started"] == 0
    assert seen["again"]["started"] > 0
    assert seen["tried"]["silent"] == seen["on"]["silent"] == seen["again"]["silent"] == 0
    assert seen["quiet"] == 0
