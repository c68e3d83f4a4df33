"""`machiavel bench playouts`: how fast matches are played at random."""

import argparse
import hashlib
import itertools
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table as Grid

from machiavel.engines import Game
from machiavel.server.cli.arguments import add_json
from machiavel.server.cli.bench_cases import USUAL_SECONDS, add_cases, cases, drawn_seed, usual_game
from machiavel.server.cli.options import add_options
from machiavel.server.cli.output import json_line, people

__all__ = ["add_bench"]

EPILOG = """\
examples:
  machiavel bench playouts --game agency --players 4
  machiavel bench playouts --game agency --players 2 --seconds 10 --threads 4 --until horizon
  machiavel bench playouts --game agency --players 3 --iterations 100000 --seed 7 --json
"""

CHUNK = 2000  # playouts a thread does before it looks up; a few tens of milliseconds


def add_bench(benches: Any) -> None:
    parser = benches.add_parser(
        "playouts",
        help="whole matches at random, deal included",
        description="Matches (or their first rounds) at random from the deal on, in bulk and without the GIL.",
        epilog=EPILOG,
    )
    add_cases(parser)
    parser.add_argument(
        "--until",
        choices=("end", "horizon"),
        default="end",
        help="whole matches, or to the game's horizon, such as a round (end)",
    )
    add_options(parser)
    add_json(parser)
    parser.set_defaults(run=run)


@dataclass
class Work:
    """What the threads of one measurement share."""

    game: Game
    players: int
    until: str
    seed: int
    options: Mapping[str, Any]
    iterations: int | None
    deadline: float
    numbers: Iterator[int] = field(default_factory=itertools.count)
    lock: threading.Lock = field(default_factory=threading.Lock)
    stop: threading.Event = field(default_factory=threading.Event)
    playouts: int = 0
    plies: int = 0
    error: BaseException | None = None

    def next_chunk(self) -> tuple[int, int] | None:
        """The seed and size of the next chunk, the same for any number of threads; None when all is given out."""
        if self.stop.is_set() or time.perf_counter() >= self.deadline:
            return None
        with self.lock:
            number = next(self.numbers)
        size = CHUNK if self.iterations is None else min(CHUNK, self.iterations - number * CHUNK)
        if size <= 0:
            return None
        digest = hashlib.blake2b(f"{self.seed}/{number}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") >> 1, size

    def run(self) -> None:
        try:
            while (chunk := self.next_chunk()) is not None:
                chunk_seed, size = chunk
                result = self.game.playouts(size, chunk_seed, players=self.players, until=self.until, **self.options)
                plies = int(result.plies.sum())
                with self.lock:
                    self.playouts += size
                    self.plies += plies
        except BaseException as error:  # noqa: BLE001
            self.error = error
            self.stop.set()


def run(arguments: argparse.Namespace) -> int:
    start = drawn_seed(arguments)
    results = []
    for game, players, options in cases(arguments, usual_game()):
        result = measure(game, players, options, arguments, start)
        results.append(result)
        if arguments.json:
            json_line(result)
    if not arguments.json:
        show(results)
    return 0


def measure(game: Game, players: int, options: Mapping[str, Any], arguments: argparse.Namespace, start: int) -> dict[str, Any]:
    # What is made once, such as rules, is made before the clock runs.
    game.playouts(1, start, players=players, until=arguments.until, **options)
    limit = float("inf") if arguments.iterations is not None else (arguments.seconds or USUAL_SECONDS)
    began = time.perf_counter()
    work = Work(game, players, arguments.until, start, options, arguments.iterations, began + limit)
    threads = [threading.Thread(target=work.run, daemon=True) for _ in range(arguments.threads)]
    for thread in threads:
        thread.start()
    try:
        wait(work, threads, began)
    finally:
        work.stop.set()
        for thread in threads:
            thread.join()
    if work.error is not None:
        raise work.error
    took = time.perf_counter() - began
    return {
        "bench": "playouts",
        "game": game.name,
        "players": players,
        "options": {name: str(value) if isinstance(value, Path) else value for name, value in options.items()},
        "threads": arguments.threads,
        "until": arguments.until,
        "playouts": work.playouts,
        "seconds": round(took, 6),
        "playouts_per_s": round(work.playouts / took, 1),
        "plies_per_s": round(work.plies / took, 1),
        "seed": start,
    }


def wait(work: Work, threads: list[threading.Thread], began: float) -> None:
    """Waits for the threads; tells a terminal how far they are."""
    if not sys.stderr.isatty():
        for thread in threads:
            thread.join()
        return
    with Progress(console=Console(stderr=True), transient=True) as progress:
        total = work.iterations or work.deadline - began
        task = progress.add_task(f"{work.game.name}, {work.players} players", total=total)
        while any(thread.is_alive() for thread in threads):
            threads[0].join(0.1)
            progress.update(task, completed=work.playouts if work.iterations else time.perf_counter() - began)


def show(results: list[dict[str, Any]]) -> None:
    grid = Grid(box=None, padding=(0, 1), pad_edge=False)
    for name in ("players", "playouts", "seconds", "playouts/s", "plies/s"):
        grid.add_column(name, justify="right")
    for result in results:
        whole = (f"{result[name]:,.0f}" for name in ("playouts_per_s", "plies_per_s"))
        grid.add_row(str(result["players"]), f"{result['playouts']:,}", f"{result['seconds']:.2f}", *whole)
    one = results[0]
    console = people()
    console.print(f"{one['game']}, until the {one['until']}, threads: {one['threads']}, seed: {one['seed']}", style="bold")
    console.print(grid)
