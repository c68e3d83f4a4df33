"""Many calls at once, while the server is at something else."""

import asyncio
import time
from collections import Counter
from pathlib import Path

from bench.abuse.callers import CallRefused
from tests.server.abuse.beside_attackers import Scene, attacked, small_server

CALLS = 1500  # more than gRPC keeps by itself for a server that is slow
AWAY = 1.0  # seconds


def test_no_call_is_cancelled_by_lot_however_many_wait(tmp_path: Path) -> None:
    ended: Counter[str] = Counter()

    async def look(scene: Scene) -> None:
        try:
            await scene.looks()
        except CallRefused as error:
            ended[error.reason or error.code] += 1
        else:
            ended["OK"] += 1

    async def crowd() -> None:
        async with attacked(server, "gRPC", "bots") as scene:
            server.loop.call_soon_threadsafe(time.sleep, AWAY)
            await asyncio.gather(*(look(scene) for _ in range(CALLS)))

    with small_server(tmp_path) as server:
        asyncio.run(crowd())
    assert set(ended) <= {"OK", "TOO_BUSY"}, ended
    assert ended["OK"]
