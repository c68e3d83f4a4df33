"""What a tournament costs besides thinking: matches a second and core, records included.

`python -m bench.tournament` prints a Markdown table. A worker's part is to play a batch and to write the lines of the ledger;
the whole is a tournament on one process, with its ledger on disk. Seconds are of CPU time for a worker's part (the best of some
runs), and by the clock on the wall for the whole.
"""

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from machiavel.engines import load
from machiavel.server.tournaments.batches import Batch, play_batch
from machiavel.server.tournaments.executors import open_pool
from machiavel.server.tournaments.ledger import Ledger, read_results
from machiavel.server.tournaments.plan import Plan, make_plan
from machiavel.server.tournaments.tournament import Tournament, setup_of

BATCH = 4096


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="agency")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--bots", nargs="+", default=["random", "greedy"], help="each alone at all seats (random greedy)")
    parser.add_argument("--games", type=int, default=40_960, help="for each figure (40,960)")
    parser.add_argument("--options", type=json.loads, default={}, help="options of the game, as JSON")
    parser.add_argument(
        "--memory", nargs="+", type=int, default=(), metavar="N", help="peaks of memory over so many games instead"
    )
    arguments = parser.parse_args()
    if arguments.memory:
        memory(arguments)
        return
    game = load(arguments.game)
    rules = game.make_rules(arguments.players, **arguments.options)
    columns = ("plies", "bytes a record", "a worker's part, matches/s", "the whole, matches/s")
    print(f"| {game.name}, {arguments.players} players | {' | '.join(columns)} |")
    print("|---|--:|--:|--:|--:|")
    for bot in arguments.bots:
        plan = make_plan(game, rules, [bot], 7)
        plies, size, worker = of_a_worker(plan, arguments.games)
        print(f"| {bot} | {plies:.0f} | {size:,.0f} | {worker:,.0f} | {of_the_whole(plan, arguments.games):,.0f} |", flush=True)


def of_a_worker(plan: Plan, games: int) -> tuple[float, float, float]:
    """Mean plies, mean bytes of a line, matches a second."""
    setup = setup_of(plan, {})
    plies = size = count = 0
    best = float("inf")
    for first in range(0, games, BATCH):
        deals = np.arange(first, first + BATCH)
        batch = Batch(deals, np.zeros(BATCH, np.int64), np.zeros((BATCH, plan.players), np.int64))
        begun = time.process_time()
        block = play_batch(setup, batch)
        best = min(best, time.process_time() - begun)
        plies, size, count = plies + int(block.plies.sum()), size + len(block.lines), count + BATCH
    return plies / count, size / count, BATCH / best


def of_the_whole(plan: Plan, games: int) -> float:
    with tempfile.TemporaryDirectory() as name, Ledger.open(Path(name), plan) as ledger, open_pool("processes:1") as pool:
        tournament = Tournament(plan, games, ledger, pool, setup_of(plan, {}), read_results(Path(name))[0])
        return games / tournament.run().progress.seconds


def memory(arguments: argparse.Namespace) -> None:
    """Peaks of what the command's process holds, its workers aside: its own, and with the pages of files it reads."""
    print(f"| {arguments.game}, {arguments.players} players, {arguments.bots[-1]} | private, MB | with files, MB |")
    print("|--:|--:|--:|")
    for games in arguments.memory:
        with tempfile.TemporaryDirectory() as folder:
            flags = ["--bots", arguments.bots[-1], "--players", str(arguments.players), "--deals", str(games)]
            command = [sys.executable, "-m", "machiavel.server.cli", "tournament", arguments.game, *flags]
            process = subprocess.Popen([*command, "--executor", "processes:1", "--output", folder], stdout=subprocess.DEVNULL)
            own = whole = 0
            while process.poll() is None:
                with contextlib.suppress(OSError, KeyError):
                    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
                    found = {line.split()[0]: int(line.split()[1]) for line in lines if line.endswith("kB")}
                    own, whole = max(own, found["RssAnon:"] // 1024), max(whole, found["VmHWM:"] // 1024)
                time.sleep(0.05)
            print(f"| {games:,} games | {own} | {whole} |", flush=True)


if __name__ == "__main__":
    main()
