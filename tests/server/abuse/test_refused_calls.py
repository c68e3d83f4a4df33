"""What a refused call held is free at once, not when Python next looks for garbage."""

import asyncio
import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from machiavel.server.service.call_interceptor import Call
from tests.server.abuse.beside_attackers import LATE, WAYS, attacked, small_server


@pytest.fixture(autouse=True)
def without_looks() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


def calls_left() -> int:
    return sum(type(one) is Call for one in gc.get_objects())


@pytest.mark.parametrize("attack", ["records", "guesses", "forms"])
@pytest.mark.parametrize("way", WAYS)
def test_a_call_that_has_its_answer_is_gone(tmp_path: Path, way: str, attack: str) -> None:
    async def until_many() -> None:
        async with attacked(server, way, attack) as scene, asyncio.timeout(LATE):
            while sum(scene.tally.done.values()) < 30:
                await asyncio.sleep(0.02)

    async def until_none() -> None:
        async with asyncio.timeout(LATE):
            while calls_left():
                await asyncio.sleep(0.1)

    with small_server(tmp_path) as server:
        asyncio.run(until_many())
        asyncio.run(until_none())
