"""Kill -9 and spoiled files under random traffic: `python -m bench.histories` prints a table; exit code 1 for a violation.

Persons play and bots answer at several tables, watched by host and seat, while the server is killed again and again,
or its files are spoiled and it is killed then. After each start a checker holds the matches against what was acknowledged: every
move once, in order; the same bytes for a call that is repeated; every watcher without a gap. A fault may cost what was
acknowledged only where the server says so: then it does not start, and goes on with what is left, or with a backup.

With `--folder` on a file system with less than 128 MB to spare, a full disk is a full disk; otherwise it is a limit on the size
of files. The server is on loopback. Meanwhile stderr tells how far it is.
"""

import argparse
import asyncio
import collections
import contextlib
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import grpc

from bench.history_server import HistoryServer
from bench.history_table import BrokenHistory, HistoryTable
from machiavel.server.matches.backups import accept_what_is_left, back_up, restore
from machiavel.server.storage import StorageFailed
from machiavel.v1.match_service_pb2_grpc import MatchServiceStub

__all__ = ["Histories", "parsed"]

FAULTS = {
    "log removed": HistoryServer.remove_log,
    "log cut short": HistoryServer.cut_log,
    "file swapped": HistoryServer.swap_file,
    "disk full": HistoryServer.fill_disk,
    "clock set by a day": HistoryServer.set_clock,
}
RECONNECT = [(f"grpc.{which}_reconnect_backoff_ms", 100) for which in ("initial", "min", "max")]
TOGETHER = 8  # matches that are held against what was acknowledged at a time
HARMLESS = {"kill -9", "disk full", "clock set by a day"}  # nothing may be lost, told or not


class Histories:
    """Tables that play at a server that comes and goes."""

    def __init__(self, folder: Path, tables: int, number: int) -> None:
        self.server = HistoryServer(folder)
        self.draw = self.server.draw = random.Random(number)
        self.size = tables
        self.up = asyncio.Event()
        self.count: dict[str, int] = collections.Counter()
        self.tables: list[HistoryTable] = []
        self.over: list[HistoryTable] = []
        self.work: list[asyncio.Task[None]] = []
        self.channel = grpc.aio.insecure_channel(self.server.address, options=RECONNECT)
        self.matches = MatchServiceStub(self.channel)

    async def until_up(self) -> None:
        await self.up.wait()

    # ---- Tables ----

    async def go_on(self, number: int) -> None:
        """One match after the other."""
        while True:
            table = self.tables[number] = HistoryTable(self)
            await table.play()
            self.over.append(table)
            self.count["matches"] += 1

    async def begin(self) -> None:
        """New tables; those before are given up."""
        await self.end()
        self.tables, self.over = [HistoryTable(self) for _ in range(self.size)], []
        self.work = [asyncio.create_task(self.go_on(number)) for number in range(self.size)]

    async def end(self) -> None:
        for one in self.work:
            one.cancel()
        ended = await asyncio.gather(*self.work, return_exceptions=True)
        self.work = []
        for outcome in ended:
            if isinstance(outcome, Exception):
                raise outcome

    async def traffic(self, seconds: float) -> None:
        """For so long; raises what went wrong at a table."""
        done, _ = await asyncio.wait(self.work, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        for one in done:
            one.result()

    # ---- The server ----

    async def start(self) -> str:
        """Why it does not, where it does not."""
        refused = await self.server.start()
        if not refused:
            self.up.set()
        return refused

    async def kill(self) -> None:
        self.up.clear()
        await self.server.kill()
        self.count["kills"] += 1

    async def check(self) -> None:
        """Two of the matches that are over, and all that are played."""
        over = self.draw.sample(self.over, min(2, len(self.over)))
        await asyncio.gather(*(table.check() for table in [*self.tables, *over]))

    async def check_all(self) -> None:
        """Every match since something was lost."""
        known = [*self.over, *self.tables]
        for first in range(0, len(known), TOGETHER):
            await asyncio.gather(*(table.check() for table in known[first : first + TOGETHER]))

    # ---- What is done to it ----

    async def kill_again_and_again(self, times: int) -> None:
        for number in range(times):
            await self.traffic(self.draw.uniform(0.1, 1.0))
            await self.kill()
            self.must_start(await self.start())
            await self.check()
            say(f"{number + 1} of {times} kills, {self.count['acknowledged']} calls acknowledged")

    def must_start(self, refused: str) -> None:
        if refused:
            raise BrokenHistory(f"it does not start: {refused}")

    async def spoil(self, name: str, times: int) -> None:
        for number in range(times):
            before = self.server.faults_told
            backup = self.server.beside(".backup")
            if name == "file swapped":
                backup.unlink(missing_ok=True)
                await asyncio.to_thread(back_up, self.server.path, backup)
            await self.traffic(self.draw.uniform(0.2, 0.8))
            await FAULTS[name](self.server)
            await self.traffic(self.draw.uniform(0.0, 1.5))
            await self.kill()
            self.count[f"{name}: told while it served"] += self.server.faults_told > before
            refused = await self.start()
            if not refused:
                await self.check()
            elif name in HARMLESS:
                self.must_start(refused)
            else:
                self.count[f"{name}: told at the start"] += 1
                await self.go_on_with_what_there_is(backup)
            say(f"{name}: {number + 1} of {times}{f', told: {refused}' if refused else ''}")

    async def go_on_with_what_there_is(self, backup: Path) -> None:
        saved, path = self.server.beside(".saved"), self.server.path
        try:
            if saved.exists():
                await asyncio.to_thread(restore, saved, path)
                saved.unlink()
                self.count["saved by the server"] += 1
                self.must_start(await self.start())
                await self.check()  # nothing of it was lost
                return
            report = await asyncio.to_thread(accept_what_is_left, path)
        except StorageFailed:
            report = await asyncio.to_thread(restore, backup, path)
        if report.problems:
            raise BrokenHistory(f"what is left does not replay: {report.problems[0]}")
        await self.begin()
        self.must_start(await self.start())

    async def run(self, arguments: argparse.Namespace) -> None:
        self.must_start(await self.start())
        await self.begin()
        for name in ["kill -9", *FAULTS]:
            times = arguments.kills if name == "kill -9" else arguments.faults
            if not times or (arguments.only and name not in arguments.only):
                continue
            before, began = collections.Counter(self.count), time.monotonic()
            if name == "kill -9":
                await self.kill_again_and_again(times)
            else:
                await self.spoil(name, times)
            await self.check_all()
            self.tell(name, times, before, time.monotonic() - began)
        await self.end()
        await self.kill()
        copy = self.server.beside(".last")
        report = await asyncio.to_thread(back_up, self.server.path, copy)
        if report.problems:
            raise BrokenHistory(f"a match does not replay: {report.problems[0]}")
        print(f"\nresult: nothing lost without a word, {report.matches} matches replay, {report.commits} commits", flush=True)

    def tell(self, name: str, times: int, before: "collections.Counter[str]", seconds: float) -> None:
        more = {key: count - before[key] for key, count in self.count.items()}
        numbers = [more.get(key, 0) for key in ("acknowledged", "moves", "repeated", "watched", "matches")]
        told = [str(more.get(f"{name}: told {when}", "–")) for when in ("while it served", "at the start")]
        cells = [name, str(times), *(f"{one:,}" for one in numbers), *told, "0", f"{seconds:.0f}"]
        print(f"| {' | '.join(cells)} |", flush=True)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


HEAD = """\
| what | times | calls acknowledged | moves | repeated | events watched | matches over | told while it served \
| told at the start | lost without a word | seconds |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"""


def parsed(argv: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.histories", description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--faults", type=int, default=20, help="of each kind")
    parser.add_argument("--only", action="append", choices=["kill -9", *FAULTS])
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--number", type=int, default=1, help="of the traffic and the times; another one, another run")
    parser.add_argument("--folder", type=Path, help="where the store is; otherwise a temporary one")
    return parser.parse_args(argv)


def main() -> None:
    arguments = parsed()
    with contextlib.ExitStack() as stack:
        folder = arguments.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        print(HEAD, flush=True)
        histories: Histories | None = None

        async def run() -> None:
            nonlocal histories
            histories = Histories(folder, arguments.tables, arguments.number)
            try:
                await histories.run(arguments)
            finally:
                await histories.server.kill()
                await histories.channel.close(None)

        try:
            asyncio.run(run())
        except BrokenHistory as error:
            sys.exit(f"violation: {error}")


if __name__ == "__main__":
    main()
