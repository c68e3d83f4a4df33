"""Hosted matches by the hundred: `python -m bench.hosted_matches` prints a Markdown table; its server is on loopback.

Bots play so many matches at once, while people at tables of their own answer as soon as they are asked: how long their PlayMove
takes, whether health answers, and whether every match comes to its end with a record that replays to the result. People and the
server share the machine; where it has other work the clock tells little. How late the bench's own loop is stands in a row of its
own: so much of the other rows may be the bench. Meanwhile stderr tells how far it is.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from bench.service import percentile, serving, timed
from machiavel.clients import (
    AsyncClient,
    AsyncHostSession,
    MatchOver,
    NotToMove,
    ServiceError,
    StaleVersion,
    commitment,
    connect_async,
)
from machiavel.engines import games
from machiavel.server.service import wire
from machiavel.v1 import MatchPhase

STUCK = 120.0  # seconds without a single move, after which a match counts as stuck
LOOK, TELL, TICK = 5.0, 10.0, 0.05  # seconds between two looks at a match, two lines of progress, two looks at the loop


@dataclass
class WatchLog:
    """What was measured so far."""

    plays: list[float] = field(default_factory=list)  # seconds
    health: list[float] = field(default_factory=list)
    creates: list[float] = field(default_factory=list)
    loop: list[float] = field(default_factory=list)
    versions: dict[str, int] = field(default_factory=dict)  # of the bots' matches, at the last look
    unhealthy: int = 0
    late: int = 0
    refused: list[str] = field(default_factory=list)
    finished: int = 0
    moves: int = 0
    stuck: list[str] = field(default_factory=list)


def seats_of(arguments: argparse.Namespace) -> list[str]:
    return [arguments.bots[number % len(arguments.bots)] for number in range(arguments.players)]


async def create(service: AsyncClient, seen: WatchLog, game: str, seats: Sequence[str], think: float) -> AsyncHostSession:
    began = time.perf_counter()
    host = await service.create_match(game, seats, think=think, timeout=60)
    seen.creates.append(time.perf_counter() - began)
    return host


async def follow(host: AsyncHostSession, seen: WatchLog) -> None:
    """Until the match is over, or stuck; then its record must replay."""
    version, since = -1, time.monotonic()
    while True:
        snapshot = await host.get(timeout=60)
        seen.versions[host.match] = snapshot.version
        if snapshot.match.phase == MatchPhase.MATCH_PHASE_OVER:
            break
        if snapshot.version != version:
            version, since = snapshot.version, time.monotonic()
        if time.monotonic() - since > STUCK:
            seen.stuck.append(host.match)
            return
        await asyncio.sleep(LOOK)
    response = await host.record(timeout=60)
    state = await asyncio.to_thread(wire.read_state, response.record)
    if state.utilities != tuple(response.match.utilities) or commitment(response) != host.created.commitment:
        seen.refused.append(f"{host.match}: the record is of another match")
    seen.finished += 1
    seen.moves += len(state.moves)


async def person(address: str, seen: WatchLog, arguments: argparse.Namespace, done: asyncio.Event) -> None:
    """One table after another, with a connection of one's own."""
    number, games, seats = 0, arguments.games, ["person", *seats_of(arguments)[1:]]
    async with connect_async(address) as service:
        while not done.is_set():
            host = await create(service, seen, games[number % len(games)], seats, arguments.think)
            table = host.at(0)
            number += 1
            async for position in table.turns():
                if done.is_set():
                    break
                try:
                    seen.plays.append(await timed(table.play(position.moves[0].text)))
                except (NotToMove, StaleVersion, MatchOver):
                    seen.late += 1  # somebody's foil had settled it already
                except ServiceError as error:
                    seen.refused.append(str(error))
            await host.delete(timeout=60)


async def ask_health(address: str, seen: WatchLog, done: asyncio.Event) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        while not done.is_set():
            began = time.perf_counter()
            try:
                answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=5)
                seen.unhealthy += answer.status != health_pb2.HealthCheckResponse.SERVING
            except grpc.RpcError:
                seen.unhealthy += 1
            seen.health.append(time.perf_counter() - began)
            await asyncio.sleep(0.1)


async def look_at_loop(seen: WatchLog) -> None:
    """How late this process comes to what is due."""
    while True:
        began = time.perf_counter()
        await asyncio.sleep(TICK)
        seen.loop.append(time.perf_counter() - began - TICK)


async def tell_progress(seen: WatchLog, matches: int) -> None:
    """Of what is known anyway."""
    began, before = time.monotonic(), 0
    while True:
        await asyncio.sleep(TELL)
        events = sum(seen.versions.values())
        worst = f"{1000 * max(seen.plays):.1f} ms" if seen.plays else "none yet"
        since, rate = time.monotonic() - began, (events - before) / TELL
        line = f"{since:5.0f} s: {seen.finished} of {matches} matches over, {rate:.0f} moves/s, worst PlayMove {worst}"
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
        before = events


def report(name: str, seconds: Sequence[float]) -> None:
    if seconds:
        cells = [f"{1000 * value:.1f} ms" for value in (*(percentile(seconds, share) for share in (0.5, 0.99)), max(seconds))]
        print(f"| {name} | {' | '.join(cells)} | {len(seconds)} |", flush=True)


async def run(arguments: argparse.Namespace) -> int:
    seen, done = WatchLog(), asyncio.Event()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        file = Path(folder) / "matches.sqlite"
        async with serving("--storage", f"sqlite:///{file}", *arguments.serve) as address, connect_async(address) as service:
            began = time.monotonic()
            seats = seats_of(arguments)
            hosts = await asyncio.gather(
                *(
                    create(service, seen, arguments.games[number % len(arguments.games)], seats, arguments.think)
                    for number in range(arguments.matches)
                )
            )
            people = [asyncio.create_task(person(address, seen, arguments, done)) for _ in range(arguments.people)]
            health = asyncio.create_task(ask_health(address, seen, done))
            besides = [asyncio.create_task(work) for work in (look_at_loop(seen), tell_progress(seen, arguments.matches))]
            await asyncio.gather(*(follow(host, seen) for host in hosts))
            took = time.monotonic() - began
            done.set()
            for task in besides:
                task.cancel()
            await asyncio.gather(*people, health)
            listed = {match.match async for match in service.list_matches(page_size=100)}
            lost = [host.match for host in hosts if host.match not in listed]
        size = os.path.getsize(file)  # noqa: PTH202
    print("| call | p50 | p99 | most | calls |\n|---|--:|--:|--:|--:|")
    report(f"PlayMove, {arguments.people} people", seen.plays)
    report("CreateMatch", seen.creates)
    report("Health", seen.health)
    report("the bench's own loop, late by", seen.loop)
    print(
        f"\n{seen.finished} of {arguments.matches} matches over in {took:.0f} s, {seen.moves} moves of bots "
        f"({seen.moves / took:.0f}/s), {size >> 20} MiB; lost {len(lost)}, stuck {len(seen.stuck)}, "
        f"refused {len(seen.refused)}, unhealthy {seen.unhealthy}"
    )
    for line in [*lost, *seen.stuck, *seen.refused][:10]:
        print(f"- {line}")
    return int(bool(lost or seen.stuck or seen.refused or seen.unhealthy) or seen.finished < arguments.matches)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=300, help="matches of bots alone, all at once (300)")
    parser.add_argument("--people", type=int, default=10, help="people, each at one table after another (10)")
    parser.add_argument("--games", nargs="+", default=games(), help="what is played, in turn (all)")
    parser.add_argument("--players", type=int, default=3, help="seats of each match (3)")
    parser.add_argument("--bots", nargs="+", default=("level3", "level1", "greedy"), help="who plays (level3 level1 greedy)")
    parser.add_argument("--think", type=float, default=0.5, help="how long each bot takes, in seconds (0.5)")
    parser.add_argument("--folder", help="where the server keeps its matches meanwhile (the system's)")
    parser.add_argument("--serve", nargs=argparse.REMAINDER, default=[], help="what follows goes to the server")
    raise SystemExit(asyncio.run(run(parser.parse_args())))


if __name__ == "__main__":
    main()
