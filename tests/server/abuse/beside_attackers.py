"""A small server, callers who attack it, and a polite one beside them."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.abuse.attacks import ATTACKS, Attacker, AttackTally, Target, mid_match, of_people
from bench.abuse.callers import RawCaller, caller_of
from machiavel.v1 import CreateMatchResponse, GetStateRequest, MatchSettings, Record
from tests.server.service.hosted import Hosted, hosted

__all__ = ["LATE", "WAYS", "Scene", "attacked", "place_of", "small_server", "token_of"]

WAYS = ("gRPC", "door")
LATE = 20.0  # seconds; attacks last three times as long, so whoever waits for their end comes too late
LASTS = 60.0
ATTACKERS = ("ann", "ben")


@dataclass
class Scene:
    """What a polite caller has before it."""

    server: Hosted
    polite: RawCaller
    shown: CreateMatchResponse  # the polite caller's own match, which everybody may watch
    target: Target
    tally: AttackTally

    async def looks(self) -> None:
        """A small call."""
        request = GetStateRequest(record=Record.FromString(self.target.record))
        await self.polite.call("GameService/GetState", request, LATE)

    async def until_done(self, reason: str, times: int) -> None:
        """Until the attackers have met with it so often."""
        async with asyncio.timeout(LASTS):
            while self.tally.done[reason] < times:
                await asyncio.sleep(0.02)


@contextmanager
def small_server(folder: Path, **settings: Any) -> Iterator[Hosted]:
    """With a token for each who calls."""
    tokens = folder / "tokens.toml"
    tokens.write_text("[tokens]\n" + "".join(f'{name} = "{token_of(name)}"\n' for name in (*ATTACKERS, "polite")))
    tokens.chmod(0o600)
    with hosted(web="127.0.0.1:0", tokens=str(tokens), **settings) as server:
        yield server


def token_of(name: str) -> str:
    return f"{name}-{'0123456789' * 3}"


def place_of(server: Hosted, way: str) -> str:
    return server.address if way == "gRPC" else str(server.server.web_address)


@contextlib.asynccontextmanager
async def attacked(server: Hosted, way: str, name: str) -> AsyncGenerator[Scene, None]:
    """While the attackers attack. They come the same way as the polite caller."""
    place, tally = place_of(server, way), AttackTally()
    callers = [caller_of(place, token_of(who)) for who in (*ATTACKERS, "polite")]
    polite = callers[-1]
    made = await polite.call("MatchService/CreateMatch", of_people(settings=MatchSettings(spectators=True)))
    shown = CreateMatchResponse.FromString(made)
    target = await mid_match(polite, shown.match.match)
    until = time.monotonic() + LASTS
    attackers = [Attacker(caller, number, target, until, tally) for number, caller in enumerate(callers[:-1])]
    tasks = [asyncio.create_task(ATTACKS[name].run(attacker)) for attacker in attackers]
    try:
        yield Scene(server, polite, shown, target, tally)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for caller in callers:
            await caller.close()
