"""What the door costs beside native gRPC: `python -m bench.web` prints a Markdown table, against a server of its own on loopback.

h2load (of Debian's nghttp2-client) asks natively and through the door by turns, binary and JSON, over one connection and over 16,
each with one request at a time. A run's figure is the median time of its requests; a row's ratio is the median of the ratios of
runs that stood beside each other. The server is one process behind both doors.
"""

import argparse
import asyncio
import re
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from google.protobuf.message import Message

from bench.service import mid_match, serving_both
from machiavel.clients import connect_async
from machiavel.engines import games
from machiavel.server.web.json_messages import write_json
from machiavel.v1 import GetStateRequest, GetViewRequest, Limits, RecommendMoveRequest

CONNECTIONS = (1, 16)
BOUNDS = {"binary": 1.0, "JSON": 1.25}
ITERATIONS = 200
SUCCEEDED = re.compile(r"(\d+) succeeded")


class Way(NamedTuple):
    """How a call is made: what stands in the table, how h2load asks, what it sends."""

    name: str
    flags: Sequence[str]
    url: str
    body: bytes


async def requests(address: str, game: str) -> dict[str, tuple[str, Message]]:
    """By its name in the table, the path of each call and what is asked."""
    async with connect_async(address) as service:
        state = await mid_match(service, game)
        view = (await service.get_view(state, state.seat_to_move)).view
        bot, limits = "ismcts:seed=1", Limits(iterations=ITERATIONS)
        await service.recommend_move(view, bot=bot, iterations=ITERATIONS, explain=True)
    return {
        "GetState": ("GameService/GetState", GetStateRequest(record=state.record)),
        "GetView": ("GameService/GetView", GetViewRequest(record=state.record, seat=state.seat_to_move)),
        f"RecommendMove, explained, {ITERATIONS} iterations": (
            "BotService/RecommendMove",
            RecommendMoveRequest(view=view, bot=bot, limits=limits, explain=True),
        ),
    }


def ways(address: str, web: str, path: str, message: Message) -> tuple[Way, Way, Way]:
    """Natively, then through the door."""
    data = message.SerializeToString()
    native = ("-H", "content-type: application/grpc", "-H", "te: trailers")
    through = ("--h1", "-H", "content-type: application/")
    return (
        Way("native", native, f"http://{address}/machiavel.v1.{path}", b"\0" + len(data).to_bytes(4, "big") + data),
        Way("binary", (*through[:-1], f"{through[-1]}proto"), f"{web}/machiavel.v1.{path}", data),
        Way("JSON", (*through[:-1], f"{through[-1]}json"), f"{web}/machiavel.v1.{path}", write_json(message)),
    )


def run(way: Way, connections: int, count: int, folder: Path) -> float:
    """The median time of a request, in ms."""
    body, log = folder / "body", folder / "log"
    body.write_bytes(way.body)
    log.unlink(missing_ok=True)
    load = ("h2load", f"-n{count}", f"-c{connections}", "-m1", f"-d{body}", f"--log-file={log}", *way.flags, way.url)
    told = subprocess.run(load, check=True, capture_output=True, text=True).stdout
    found = SUCCEEDED.search(told)
    if found is None or int(found[1]) != count:
        raise SystemExit(f"{way.name}: not all of {count} requests succeeded:\n{told}")
    lines = (line.split() for line in log.read_text().splitlines())
    return statistics.median(int(microseconds) for _, _, microseconds in lines) / 1000


def compare(three: tuple[Way, Way, Way], connections: int, count: int, rounds: int) -> dict[str, list[float]]:
    """By name, the times of all rounds."""
    result: dict[str, list[float]] = {way.name: [] for way in three}
    with tempfile.TemporaryDirectory() as folder:
        for way in three:
            run(way, connections, max(connections, count // 4), Path(folder))
        for number in range(rounds):
            # Whoever comes first in one round comes last in another.
            shift = number % 3
            for way in [*three[shift:], *three[:shift]]:
                result[way.name].append(run(way, connections, count, Path(folder)))
    return result


async def bench(arguments: argparse.Namespace) -> bool:
    """Whether all ratios are within their bounds."""
    good = True
    async with serving_both() as (address, web):
        print("| call | connections | native | binary | ratio | JSON | ratio |\n|---|--:|--:|--:|--:|--:|--:|")
        for name, (path, message) in (await requests(address, arguments.game)).items():
            if arguments.only and not name.startswith(arguments.only):
                continue
            count = arguments.requests // 4 if "iterations" in name else arguments.requests
            for connections in CONNECTIONS:
                three = ways(address, web, path, message)
                times = await asyncio.to_thread(compare, three, connections, count, arguments.rounds)
                row = f"| {name} | {connections} | {statistics.median(times['native']):.2f} ms "
                for form, bound in BOUNDS.items():
                    ratio = statistics.median(one / other for one, other in zip(times[form], times["native"], strict=True))
                    row += f"| {statistics.median(times[form]):.2f} ms | {ratio:.2f} "
                    good &= ratio <= bound
                print(f"{row}|", flush=True)
    return good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default=games()[0])
    parser.add_argument("--rounds", type=int, default=15, help="of each row (15)")
    parser.add_argument("--requests", type=int, default=400, help="of each run; a quarter of them where it thinks (400)")
    parser.add_argument("--only", default="", help="the call, by how it begins: GetState")
    arguments = parser.parse_args()
    if shutil.which("h2load") is None:
        parser.error("h2load is missing; install nghttp2-client")
    if not asyncio.run(bench(arguments)):
        raise SystemExit("a ratio is beyond its bound: 1.0 for binary, 1.25 for JSON")


if __name__ == "__main__":
    main()
