"""The pace of hosted tables: `python -m bench.hosted_pace` prints a Markdown table; exit code 1 where it is too slow.

Twenty callers set up fifty tables each, where bots alone play. Then nobody calls: what is measured is the server by itself. The
time between two moves of a match is that of the events it keeps, the CPU that of its process, all its threads together. Only
moves that one seat was asked for count, since several that are asked at once do not wait for each other. Bounds hold for what
is usual here, four seats of level3 in agency that think for a second; the server is on loopback.
"""

import argparse
import asyncio
import json
import os
import random
import secrets
import sqlite3
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from bench.service import listening, percentile
from machiavel.clients import connect_async

__all__ = ["intervals_of", "token_file", "too_slow"]

NANO = 1_000_000_000
TICK = os.sysconf("SC_CLK_TCK")
CREATING = 120.0  # seconds that a call may take
SHARES = (0.5, 0.9, 0.99, 0.999)
BEYOND = {0.5: 0.05, 0.99: 0.3}  # seconds from a move to the next beyond the think time, at most
CPU_A_MOVE = 0.0009  # seconds, at most


def token_file(folder: Path, callers: int) -> tuple[Path, list[str]]:
    """A file of tokens for so many callers, and the tokens."""
    tokens = [secrets.token_hex(16) for _ in range(callers)]
    path = folder / "tokens.toml"
    lines = [f'caller{number} = "{token}"\n' for number, token in enumerate(tokens)]
    path.write_text("[tokens]\n" + "".join(lines), encoding="utf-8")
    return path, tokens


def cpu_of(pid: int) -> float:
    """Seconds of CPU so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def resident(pid: int) -> int:
    """Bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def intervals_of(rows: Iterable[tuple[str, int, str]]) -> list[float]:
    """Seconds from one move of a match to its next, from its events in order: match, time in nanoseconds, JSON."""
    before: dict[str, int] = {}
    result = []
    for match, at, data in rows:
        what = json.loads(data)["what"]
        if what == "move":
            if match in before and at > before[match]:
                result.append((at - before[match]) / NANO)
            before[match] = at
        elif what in {"answer", "lapsed", "over"}:  # asked at once with others, or the end
            before.pop(match, None)
    return result


async def set_up(address: str, token: str, arguments: argparse.Namespace) -> None:
    """A caller's tables, each at a moment of its own."""
    seats = [arguments.bot] * arguments.players
    async with connect_async(address, token=token) as service:

        async def one() -> None:
            await asyncio.sleep(random.uniform(0, arguments.spread))
            await service.create_match(arguments.game, seats, think=arguments.think, timeout=CREATING)

        await asyncio.gather(*(one() for _ in range(arguments.tables // arguments.callers)))


async def run(arguments: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        file = Path(folder) / "matches.sqlite"
        path, tokens = token_file(Path(folder), arguments.callers)
        async with listening("--storage", f"sqlite:///{file}", "--tokens", str(path), *arguments.serve) as told:
            address, pid = told["address"], told["pid"]
            empty = resident(pid)
            await asyncio.gather(*(set_up(address, token, arguments) for token in tokens))
            await asyncio.sleep(arguments.warm)
            began, cpu = time.time_ns(), cpu_of(pid)
            await asyncio.sleep(arguments.seconds)
            cpu, until, full = cpu_of(pid) - cpu, time.time_ns(), resident(pid)
            with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
                query = "SELECT match, time, data FROM events WHERE time BETWEEN ? AND ? ORDER BY match, seq"
                rows = connection.execute(query, (began, until)).fetchall()
                (tables,) = connection.execute("SELECT count(*) FROM matches WHERE phase = 'playing'").fetchone()
        size = file.stat().st_size
    times, moves = intervals_of(rows), sum(json.loads(data)["what"] == "move" for _, _, data in rows)
    report(rows, times, moves, (until - began) / NANO, cpu)
    made = arguments.tables // arguments.callers * arguments.callers
    what = f"{made} tables of {arguments.players} {arguments.bot} in {arguments.game}, think {arguments.think:g} s"
    memory = f"{(full - empty) / made / 1024:.0f} KiB of memory a table ({empty >> 20} MiB, then {full >> 20} MiB)"
    disk = f"{size / made / 1024:.0f} KiB of disk"
    print(f"\n{what}, {arguments.callers} callers; {tables} still playing at the end; {memory}, {disk}\n")
    problems = too_slow(times, arguments.think, moves, cpu)
    if (moved := len({match for match, _, _ in rows})) < made:
        problems.append(f"{moved} tables were played; expected {made}")
    print("\n".join(f"- {one}" for one in problems))
    print(f"result: {len(problems)} bounds broken")
    return int(bool(problems))


def too_slow(times: Sequence[float], think: float, moves: int, cpu: float) -> list[str]:
    """What is beyond its bound, of the times from a move to the next and the CPU of all moves, in seconds."""
    if not times:
        return ["no table made a move"]
    result = []
    for share, beyond in BEYOND.items():
        took = percentile(times, share)
        if took > think + beyond:
            result.append(f"p{100 * share:g} of the time between moves is {took:.3f} s; expected at most {think + beyond:g} s")
    if cpu / moves > CPU_A_MOVE:
        result.append(f"a move takes {1000 * cpu / moves:.2f} ms of CPU; expected at most {1000 * CPU_A_MOVE:g} ms")
    return result


def report(rows: list[tuple[str, int, str]], times: Sequence[float], moves: int, seconds: float, cpu: float) -> None:
    if not times:
        return
    counts: dict[str, int] = defaultdict(int)
    for match, _, _ in rows:
        counts[match] += 1
    print(f"| tables | moves/s | CPU a move | cores | {' | '.join(f'p{100 * share:g}' for share in SHARES)} | most |")
    print("|--:|--:|--:|--:|" + "--:|" * (len(SHARES) + 1))
    cells = [f"{percentile(times, share):.3f} s" for share in SHARES]
    print(
        f"| {len(counts)} | {moves / seconds:.0f} | {1000 * cpu / moves:.2f} ms | {cpu / seconds:.2f} | {' | '.join(cells)} "
        f"| {max(times):.3f} s |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000, help="matches of bots alone, all at once (1000)")
    parser.add_argument("--callers", type=int, default=20, help="who set them up, in equal parts (20)")
    parser.add_argument("--game", default="agency", help="what is played (agency)")
    parser.add_argument("--players", type=int, default=4, help="seats of each match (4)")
    parser.add_argument("--bot", default="level3", help="who plays them (level3)")
    parser.add_argument("--think", type=float, default=1.0, help="how long each bot takes, in seconds (1)")
    parser.add_argument("--spread", type=float, default=10.0, help="in how many seconds they are set up (10)")
    parser.add_argument("--warm", type=float, default=5.0, help="seconds after that which do not count (5)")
    parser.add_argument("--seconds", type=float, default=30.0, help="seconds that count (30)")
    parser.add_argument("--folder", help="where the server keeps its matches meanwhile (the system's)")
    parser.add_argument("--serve", nargs=argparse.REMAINDER, default=[], help="what follows goes to the server")
    raise SystemExit(asyncio.run(run(parser.parse_args())))


if __name__ == "__main__":
    main()
