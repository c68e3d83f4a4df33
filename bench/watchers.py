"""Many who watch one match: `python -m bench.watchers` prints how soon the last of them has a move, and what each costs.

A server runs in a process of its own, on loopback; so many callers with a token each share the watching, from processes of
their own, over gRPC. Meanwhile the match is played by persons, move by move. How long after a move was on disk the last write
to a watcher was done is measured in the server, which tells it among its metrics; its resident memory and its time stand in
/proc. That time is of those who had the event before, so whoever had not is counted as well. It ends with 1 where one had not,
or the last of them had to wait longer than 400 ms.
"""

import argparse
import asyncio
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from bench.service import listening, percentile
from machiavel.clients import AsyncClient, AsyncHostSession, connect_async
from machiavel.v1 import WatchMatchRequest

__all__ = ["behind", "too_late"]

SETTLING = 3.0  # seconds
STUCK = 120.0
LONGEST = 0.4  # seconds until the last watcher has an event
OPENING = 64  # streams of a process that are being opened at once
BUCKET = re.compile(r'machiavel_watched_seconds_bucket\{le="([^"]+)"\} (\S+)')


async def watch(address: str, tokens: Sequence[str], match: str, streams: int) -> None:
    """Opens the streams of some callers, says so, and tells after each line from stdin how many have had how much."""
    counts, opening = [0] * streams * len(tokens), asyncio.Semaphore(OPENING)
    async with AsyncExitStack() as stack:

        async def follow(number: int, service: AsyncClient, opened: asyncio.Event) -> None:
            await opening.acquire()
            async for _ in service.matches.WatchMatch(WatchMatchRequest(match=match), metadata=service.headers):
                if not opened.is_set():
                    opened.set()
                    opening.release()
                counts[number] += 1

        services = [await stack.enter_async_context(connect_async(address, token=token)) for token in tokens]
        events = [(service, asyncio.Event()) for service in services for _ in range(streams)]
        tasks = [asyncio.create_task(follow(number, *each)) for number, each in enumerate(events)]
        await asyncio.gather(*(event.wait() for _, event in events))
        print("open", flush=True)
        while await asyncio.to_thread(sys.stdin.readline):
            print(json.dumps(Counter(counts)), flush=True)
        for task in tasks:
            task.cancel()


def resident(pid: int) -> int:
    """Bytes."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return 1024 * int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


def busy(pid: int) -> float:
    """Seconds of the processors so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def buckets(metrics: str) -> dict[float, int]:
    """How many events the last watcher had after so many seconds at most."""
    with urllib.request.urlopen(f"http://{metrics}/metrics") as answer:
        text = answer.read().decode()
    return {float(bound): int(float(count)) for bound, count in BUCKET.findall(text)}


async def play_one(host: AsyncHostSession, seats: int) -> None:
    """One move of whoever is asked."""
    for seat in range(seats):
        table = host.at(seat)
        position = (await table.get()).position
        if seat in position.seats_to_move and position.moves:
            await table.play(position.moves[0].text)
            return


async def until_idle(pid: int) -> None:
    """Until the server has nothing more to write."""
    while True:
        before = busy(pid)
        await asyncio.sleep(0.2)
        if busy(pid) - before < 0.05:
            return


async def run(arguments: argparse.Namespace) -> int:
    callers, streams = arguments.callers, arguments.watchers // arguments.callers
    tokens = [secrets.token_hex(16) for _ in range(callers)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tokens.toml"
        file.write_text("[tokens]\n" + "".join(f'caller{number} = "{token}"\n' for number, token in enumerate(tokens)))
        more = ["--tokens", str(file), "--metrics", "127.0.0.1:0", "--storage", f"sqlite:///{folder}/m.sqlite", *arguments.serve]
        async with listening(*more) as told, connect_async(told["address"], token=tokens[0]) as service:
            pid = int(told["pid"])
            host = await service.create_match(arguments.game, ["person"] * arguments.players, spectators=True)
            before = resident(pid)
            began = time.monotonic()
            command = [sys.executable, "-m", "bench.watchers", "--address", told["address"], "--match", host.match]
            processes = []
            for number in range(arguments.processes):
                one = [*command, "--watchers", str(streams), "--tokens", *tokens[number :: arguments.processes]]
                processes.append(await asyncio.create_subprocess_exec(*one, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
            for process in processes:
                assert process.stdout is not None  # noqa: S101 - for mypy
                line = await asyncio.wait_for(process.stdout.readline(), STUCK)
                if line != b"open\n":
                    return 1
            opened = time.monotonic() - began
            await asyncio.sleep(SETTLING)
            each = (resident(pid) - before) / 1024 / (callers * streams)
            spent, plays, seen, late = busy(pid), list[float](), buckets(told["metrics"]), 0
            for _ in range(arguments.moves):
                late += behind(await had(processes))
                start = time.monotonic()
                await play_one(host, arguments.players)
                plays.append(time.monotonic() - start)
                await until_idle(pid)
                await asyncio.sleep(arguments.pause)
            spent = busy(pid) - spent
            await until_idle(pid)
            after = {bound: count - seen.get(bound, 0) for bound, count in buckets(told["metrics"]).items()}
            grown = (resident(pid) - before) / 1024 / (callers * streams)
            messages = await had(processes)
            for process in processes:
                await asyncio.wait_for(process.communicate(b""), STUCK)
    read = sum(number * streams for number, streams in messages.items())
    report(arguments, after, read, plays)
    print(
        f"\n{callers * streams} streams of {callers} callers opened in {opened:.1f} s; {each:.1f} KiB a watcher once open, "
        f"{grown:.1f} KiB after {arguments.moves} moves; {1e6 * spent / max(1, read):.0f} µs of the server a message; "
        f"{late} times one had not had the event before a move, and {behind(messages)} have not had the last one\n"
    )
    problems = too_late(after, arguments.moves, late + behind(messages))
    print("\n".join(f"- {one}" for one in problems))
    print(f"result: {len(problems)} bounds broken")
    return int(bool(problems))


def too_late(after: Mapping[float, int], moves: int, late: int) -> list[str]:
    """What is beyond its bound, of the events that the last watcher had within so many seconds."""
    result = []
    events, soon = max(after.values(), default=0), after.get(LONGEST, 0)
    if events < moves:
        result.append(f"{events} events are measured of {moves} moves; expected all")
    if soon < events:
        result.append(f"{events - soon} of {events} events took longer than {1000 * LONGEST:g} ms; expected none")
    if late:
        result.append(f"{late} times a watcher was behind; expected none")
    return result


def report(arguments: argparse.Namespace, after: dict[float, int], read: int, plays: Sequence[float]) -> None:
    events = max(after.values())
    print("| the last watcher had it within | events |\n|--:|--:|")
    for bound, count in after.items():
        if count and count - max((other for least, other in after.items() if least < bound), default=0):
            print(f"| {bound:g} s | {count} of {events} |")
    print(f"\n{arguments.game}: {events} events, {read} messages read")
    print(f"the move itself, all seats asked for it: p50 {1000 * percentile(plays, 0.5):.0f} ms, most {1000 * max(plays):.0f} ms")


async def had(processes: Sequence[asyncio.subprocess.Process]) -> Counter[int]:
    """How many streams have had how many messages."""
    result: Counter[int] = Counter()
    for process in processes:
        assert process.stdin is not None  # noqa: S101 - for mypy
        assert process.stdout is not None  # noqa: S101
        process.stdin.write(b"\n")
        line = await asyncio.wait_for(process.stdout.readline(), STUCK)
        result.update({int(number): streams for number, streams in json.loads(line).items()})
    return result


def behind(messages: Mapping[int, int]) -> int:
    """How many streams have had fewer messages than others."""
    return sum(messages.values()) - messages[max(messages)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="agency", help="what is played (agency)")
    parser.add_argument("--players", type=int, default=4, help="seats, each a person's (4)")
    parser.add_argument("--watchers", type=int, default=2000, help="streams in all (2000)")
    parser.add_argument("--callers", type=int, default=20, help="callers that share them (20)")
    parser.add_argument("--processes", type=int, default=2, help="processes that the callers are in (2)")
    parser.add_argument("--moves", type=int, default=20, help="moves that are watched (20)")
    parser.add_argument("--pause", type=float, default=0.3, help="seconds between two moves, once all have the last one (0.3)")
    parser.add_argument("--serve", nargs=argparse.REMAINDER, default=[], help="what follows goes to the server")
    for inner in ("address", "match"):
        parser.add_argument(f"--{inner}", help=argparse.SUPPRESS)
    parser.add_argument("--tokens", nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.address:
        asyncio.run(watch(arguments.address, arguments.tokens, arguments.match, arguments.watchers))
        return
    raise SystemExit(asyncio.run(run(arguments)))


if __name__ == "__main__":
    main()
