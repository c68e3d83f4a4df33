"""What a call costs in the Python client: `python -m bench.clients` prints a Markdown table, against a server on loopback.

Rounds of GetState and of a short stream go over gRPC and over HTTP by turns. A figure is the median time of a call, a ratio the
median of the ratios of rounds that stood beside each other.
"""

import argparse
import asyncio
import statistics
import time

from bench.service import mid_match, serving_both
from machiavel.clients import AsyncClient, Client, connect, connect_async
from machiavel.v1 import State


def plain(service: Client, state: State, calls: int) -> float:
    times = []
    for _ in range(calls):
        begun = time.perf_counter()
        service.get_state(state)
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def streams(service: Client, state: State, calls: int) -> float:
    times = []
    for _ in range(calls):
        begun = time.perf_counter()
        for _ in service.analyze_moves(state, bot="ismcts:seed=1", iterations=1):
            continue
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


async def by_asyncio(service: AsyncClient, state: State, calls: int) -> float:
    times = []
    for _ in range(calls):
        begun = time.perf_counter()
        await service.get_state(state)
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def row(name: str, pairs: list[tuple[float, float]]) -> str:
    native, http = (1000 * statistics.median(times) for times in zip(*pairs, strict=True))
    return f"| {name} | {native:.2f} ms | {http:.2f} ms | {statistics.median(two / one for one, two in pairs):.2f} |"


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--calls", type=int, default=100, help="in a round")
    arguments = parser.parse_args()
    rounds, calls = arguments.rounds, arguments.calls
    async with serving_both() as (address, url), connect_async(address) as native, connect_async(url) as http:
        state = await mid_match(native, "agency")
        of_asyncio = [(await by_asyncio(native, state, calls), await by_asyncio(http, state, calls)) for _ in range(rounds)]

        def in_plain_code() -> list[list[tuple[float, float]]]:
            with connect(address) as one, connect(url) as two:
                return [[(ask(one, state, calls), ask(two, state, calls)) for _ in range(rounds)] for ask in (plain, streams)]

        of_calls, of_streams = await asyncio.to_thread(in_plain_code)
    print("| call | gRPC | HTTP | ratio |\n|---|--:|--:|--:|")
    print(row("GetState, plain code", of_calls))
    print(row("GetState, asyncio", of_asyncio))
    print(row("AnalyzeMoves of one iteration, plain code", of_streams))


if __name__ == "__main__":
    asyncio.run(main())
