"""How the service keeps its promises: `python -m bench.service` prints Markdown tables, against a server of its own on loopback.

What a call of GameService costs (`bench.handlers`), whether answers come before their deadline, how fairly callers share, how
soon a cancelled search frees its place, and how long calls take, idle and while all cores search. On a machine that has other
work the clock tells little.
"""

import argparse
import asyncio
import contextlib
import json
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from bench import handlers
from machiavel.clients import AsyncClient, ServiceError, connect_async
from machiavel.engines import games
from machiavel.v1 import State

__all__ = ["SERVE", "listening", "mid_match", "percentile", "serving", "serving_both", "timed"]

SERVE = [sys.executable, "-m", "machiavel.server.cli", "serve", "--listen", "127.0.0.1:0", "--json", "--log-level", "error"]
SERVE += ["--storage", "memory:"]
DEADLINES = (0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
CALLERS = (1, 2, 4, 8)
IN_FLIGHT = 32


@contextlib.asynccontextmanager
async def serving(*arguments: str) -> AsyncIterator[str]:
    async with listening(*arguments) as told:
        yield told["address"]


@contextlib.asynccontextmanager
async def serving_both(*arguments: str) -> AsyncIterator[tuple[str, str]]:
    """The address, and the URL of the door."""
    async with listening("--web", "127.0.0.1:0", *arguments) as told:
        yield told["address"], told["web"]


@contextlib.asynccontextmanager
async def listening(*arguments: str) -> AsyncIterator[dict[str, Any]]:
    process = await asyncio.create_subprocess_exec(*SERVE, *arguments, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None  # noqa: S101 - for mypy
        yield json.loads(await process.stdout.readline()) | {"pid": process.pid}
    finally:
        process.terminate()
        await process.wait()


async def mid_match(service: AsyncClient, game: str, players: int = 3, plies: int = 30) -> State:
    """A match in which there is a choice."""
    state = await service.new_state(game, players, seed=7)
    while state.ply < plies or len((await service.legal_moves(state, state.seat_to_move))[0].moves) < 3:
        answer = await service.recommend_move(state, bot="random:seed=1")
        state = (await service.apply_move(state, answer.move.text)).state
    return state


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


async def deadlines(address: str, game: str, seconds: float) -> None:
    """A row for each deadline and number of callers, each caller with a connection of its own."""
    print("| deadline | callers | answers | in time | time used | least share of the work |\n|--:|--:|--:|--:|--:|--:|")
    for deadline in DEADLINES:
        for callers in CALLERS:
            rows = await asyncio.gather(*(ask_again(address, game, deadline, seconds) for _ in range(callers)))
            good = [answer for row in rows for answer in row if answer is not None]
            total = sum(map(len, rows))
            work = [sum(answer[1] for answer in row if answer is not None) for row in rows]
            used = statistics.mean(answer[0] / deadline for answer in good) if good else 0.0
            least = min(work) * callers / sum(work) if sum(work) else 0.0
            print(f"| {deadline:g} s | {callers} | {total} | {len(good) / total:.2%} | {used:.1%} | {least:.2f} |", flush=True)


async def ask_again(address: str, game: str, deadline: float, seconds: float) -> list[tuple[float, int] | None]:
    """For so many seconds, one question after another: its time and iterations, None where it was not answered in time."""
    result: list[tuple[float, int] | None] = []
    async with connect_async(address) as service:
        state = await mid_match(service, game)
        until = time.monotonic() + seconds
        while time.monotonic() < until or len(result) < 2:
            try:
                answer = await service.recommend_move(state, timeout=deadline)
            except ServiceError:
                result.append(None)
            else:
                result.append((answer.elapsed.ToNanoseconds() / 1e9, answer.recommendation.iterations))
    return result


async def cancels(game: str, count: int) -> None:
    """From leaving a stream to the answer of the next question, which waits for its place."""
    result = []
    async with serving("--searches", "1", "--queue", "4") as address, connect_async(address) as service:
        state = await mid_match(service, game)
        for _ in range(count):
            stream = service.analyze_moves(state, seconds=30, interval=0.02)
            await anext(stream)
            began = time.perf_counter()
            await stream.aclose()
            await service.recommend_move(state, iterations=1)
            result.append(time.perf_counter() - began)
    report("cancel, then the next answer", result)


async def latencies(address: str, game: str, count: int) -> None:
    async with connect_async(address) as service, grpc.aio.insecure_channel(address) as channel:
        state = await mid_match(service, game)
        move = (await service.legal_moves(state, state.seat_to_move))[0].moves[0].text
        report("ApplyMove, idle", [await timed(service.apply_move(state, move)) for _ in range(count)])
        began = time.perf_counter()
        await asyncio.gather(*(repeat(service, state, move, count // 8) for _ in range(IN_FLIGHT)))
        rate = IN_FLIGHT * (count // 8) / (time.perf_counter() - began)
        print(f"| ApplyMove, {IN_FLIGHT} in flight | {rate:,.0f} calls/s | | |", flush=True)
        health = health_pb2_grpc.HealthStub(channel)
        tasks = [asyncio.create_task(search(address, state)) for _ in range(4)]
        await asyncio.sleep(0.5)
        report("Health, all cores searching", [await timed(health.Check(health_pb2.HealthCheckRequest())) for _ in range(count)])
        report("ApplyMove, all cores searching", [await timed(service.apply_move(state, move)) for _ in range(count)])
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def repeat(service: AsyncClient, state: State, move: str, count: int) -> None:
    for _ in range(count):
        await service.apply_move(state, move)


async def search(address: str, state: State) -> None:
    async with connect_async(address) as service:
        while True:
            await service.recommend_move(state, seconds=5)


async def timed(call: object) -> float:
    began = time.perf_counter()
    await call  # type: ignore[misc]
    return time.perf_counter() - began


def report(name: str, seconds: Sequence[float]) -> None:
    p50, p99 = (1000 * percentile(seconds, share) for share in (0.5, 0.99))
    print(f"| {name} | {p50:.2f} ms | {p99:.2f} ms | {len(seconds)} |", flush=True)


async def run(arguments: argparse.Namespace) -> None:
    async with serving() as address:
        print("| call | p50 | p99 | calls |\n|---|--:|--:|--:|")
        await latencies(address, arguments.game, arguments.calls)
        await cancels(arguments.game, arguments.cancels)
        print()
        await deadlines(address, arguments.game, arguments.seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default=games()[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="for each row of the table of deadlines (10)")
    parser.add_argument("--calls", type=int, default=500, help="for each latency (500)")
    parser.add_argument("--cancels", type=int, default=50, help="streams to leave (50)")
    arguments = parser.parse_args()
    handlers.report([sys.executable], handlers.ROUNDS, seconds=2.0)
    print()
    asyncio.run(run(arguments))


if __name__ == "__main__":
    main()
