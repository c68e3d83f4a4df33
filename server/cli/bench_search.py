"""`machiavel bench search`: how fast the search is, beside bare playouts of the same worlds."""

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table as Grid

from machiavel.engines import View
from machiavel.search import SearchParameters
from machiavel.search.parameters import VARIANTS
from machiavel.search.search_run import Search, root_moves
from machiavel.server.cli.arguments import add_json
from machiavel.server.cli.bench_cases import USUAL_SECONDS, add_cases, cases, drawn_seed
from machiavel.server.cli.options import add_options
from machiavel.server.cli.output import json_line, people

__all__ = ["add_bench"]

EPILOG = """\
An iteration is a world, a descent, a playout and the way back up; a playout here is a world and random play, to the same end.
Both are measured in turns, from the first decision of a fresh deal; share is the iterations a second by the playouts a second.
Playouts are uniform, without prior and inference.

examples:
  machiavel bench search --game agency --players 4
  machiavel bench search --game whist --iterations 200000 --seed 7 --json
  machiavel bench search --players 2 --threads 2 --variant multi
"""

TURNS = 8  # of each
WARM_UP = 200
MEGABYTES = 256
SEED_RANGE = 1 << 63


def add_bench(benches: Any) -> None:
    parser = benches.add_parser(
        "search",
        help="iterations of the search, beside bare playouts",
        description="Iterations a second of the search, beside bare playouts of the same worlds.",
        epilog=EPILOG,
    )
    add_cases(parser, every_game=True)
    parser.add_argument("--variant", choices=VARIANTS, default="single", help="kind of search (single)")
    add_options(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    start = drawn_seed(arguments)
    todo = list(cases(arguments, None))
    results = []
    with Progress(console=Console(stderr=True), transient=True, disable=not Console(stderr=True).is_terminal) as progress:
        task = progress.add_task("search", total=len(todo) * 2 * TURNS)
        for game, players, options in todo:
            progress.update(task, description=f"{game.name}, {players} players")
            state = game.new(players, seed=start, **options)
            candidate = measure(state.view(min(state.seats_to_move)), arguments, start, lambda: progress.advance(task))
            results.append(candidate)
            if arguments.json:
                json_line(results[-1])
    if not arguments.json:
        show(results)
    return 0


def measure(view: View, arguments: argparse.Namespace, start: int, tell: Callable[[], object]) -> dict[str, Any]:
    searches, bare = ([search_of(view, arguments, start + thread) for thread in range(arguments.threads)] for _ in range(2))
    with ThreadPoolExecutor(arguments.threads) as pool:
        for search in bare:
            search.play_worlds(WARM_UP)
        iterations = playouts = 0
        search_took = playouts_took = 0.0
        for turn in range(TURNS):
            began = time.perf_counter()
            list(pool.map(lambda search, turn=turn: go_on(search, arguments, turn), searches))
            search_took += time.perf_counter() - began
            tell()
            done = sum(search.iterations for search in searches) - iterations
            iterations += done
            # As many playouts as there were iterations, which take less time.
            began = time.perf_counter()
            list(pool.map(lambda search, done=done: search.play_worlds(done // arguments.threads), bare))
            playouts_took += time.perf_counter() - began
            playouts += done // arguments.threads * arguments.threads
            tell()
    return {
        "bench": "search",
        "game": view.game.name,
        "players": view.rules.players,
        "threads": arguments.threads,
        "variant": arguments.variant,
        "iterations_per_s": round(iterations / search_took, 1),
        "playouts_per_s": round(playouts / playouts_took, 1),
        "share": round(iterations / search_took / (playouts / playouts_took), 3),
        "seed": start,
        "iterations": iterations,
    }


def search_of(view: View, arguments: argparse.Namespace, start: int) -> Search:
    plain = SearchParameters(
        variant=arguments.variant,
        exploration=0.7,
        policy="uniform",
        prior=0.0,
        cutoff=0,
        inference=False,
        seed=start % SEED_RANGE,
    )
    return Search(view, root_moves(view), plain.for_game(view.game), MEGABYTES << 20)


def go_on(search: Search, arguments: argparse.Namespace, turn: int) -> None:
    if arguments.iterations is None:
        search.run(None, time.monotonic() + (arguments.seconds or USUAL_SECONDS) / TURNS)
        return
    share = arguments.iterations / arguments.threads
    search.run(max(1, round(share * (turn + 1) / TURNS)), None)


def show(results: list[dict[str, Any]]) -> None:
    grid = Grid(box=None, padding=(0, 1), pad_edge=False)
    for name in ("game", "players", "iterations/s", "playouts/s", "share", "iterations"):
        grid.add_column(name, justify="left" if name == "game" else "right")
    for result in results:
        whole = (f"{result[name]:,.0f}" for name in ("iterations_per_s", "playouts_per_s"))
        grid.add_row(result["game"], str(result["players"]), *whole, f"{result['share']:.2f}", f"{result['iterations']:,}")
    one = results[0]
    console = people()
    console.print(f"{one['variant']}, threads: {one['threads']}, seed: {one['seed']}", style="bold")
    console.print(grid)
