"""A crowd of questions, each with a second: `python -m bench.crowd` prints a Markdown table; its server is on loopback.

So many questions are asked at once, each with a deadline that gRPC knows. What comes of them: an answer in time, an answer that
came too late, a refusal at the door (within a tenth of the deadline), or one after a wait. `--load` keeps the cores busy besides,
with so many processes that do nothing but count.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path

from bench.hosted_pace import token_file
from bench.service import listening, mid_match, percentile
from machiavel.clients import AsyncClient, ServiceError, connect_async
from machiavel.v1 import State

DOOR = 0.1  # the part of the deadline within which a refusal counts as one at the door
COUNT = "while True: pass"


async def ask(service: AsyncClient, state: State, deadline: float) -> tuple[str, float]:
    """What became of one question, and when."""
    await asyncio.sleep(0)  # all of them are there before the first one is sent
    began = time.perf_counter()
    try:
        await service.recommend_move(state, timeout=deadline)
        kind = "answered in time"
    except ServiceError as error:
        kind = error.reason or "too late"
    took = time.perf_counter() - began
    if kind.isupper():
        kind += " at once" if took < DOOR * deadline else " after a wait"
    return kind, took


def end_all(processes: list[subprocess.Popen[bytes]]) -> None:
    for one in processes:
        one.kill()


async def run(arguments: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, tokens = token_file(Path(folder), arguments.callers)
        async with listening("--tokens", str(path), *arguments.serve) as told, AsyncExitStack() as stack:
            services = [await stack.enter_async_context(connect_async(told["address"], token=one)) for one in tokens]
            state = await mid_match(services[0], arguments.game)
            for service in services:
                await service.legal_moves(state)
            besides = [subprocess.Popen([sys.executable, "-c", COUNT]) for _ in range(arguments.load)]
            stack.callback(end_all, besides)
            print(f"| round | {arguments.questions} questions of {arguments.callers} callers | p50 | last |\n|--:|---|--:|--:|")
            for number in range(arguments.rounds):
                await asyncio.sleep(arguments.pause)
                asked = [ask(services[one % len(services)], state, arguments.deadline) for one in range(arguments.questions)]
                heard = await asyncio.gather(*asked)
                counts, times = Counter(kind for kind, _ in heard), [took for _, took in heard]
                line = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
                print(f"| {number + 1} | {line} | {percentile(times, 0.5):.2f} s | {max(times):.2f} s |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=128, help="questions at once (128)")
    parser.add_argument("--callers", type=int, default=4, help="who ask them (4)")
    parser.add_argument("--deadline", type=float, default=1.0, help="of each, in seconds (1)")
    parser.add_argument("--rounds", type=int, default=5, help="how often (5)")
    parser.add_argument("--pause", type=float, default=3.0, help="seconds before each round (3)")
    parser.add_argument("--load", type=int, default=0, help="processes that keep the cores busy besides (0)")
    parser.add_argument("--game", default="agency", help="what is asked about (agency)")
    parser.add_argument("--serve", nargs=argparse.REMAINDER, default=[], help="what follows goes to the server")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
