"""What a tournament costs besides thinking: matches a second and core, records included.

`python -m bench.tournament` prints a Markdown table. A worker's part is to play a batch and to write its lines (the best
of some runs). The whole is the command from its start to its report, with its worker and the journal on disk. Seconds are of CPU
time, of all processes together.
"""

import argparse
import contextlib
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from machiavel.engines import games, load
from machiavel.server.tournaments.batches import Batch, play_batch
from machiavel.server.tournaments.plan import Plan, make_plan
from machiavel.server.tournaments.tournament_run import setup_of

BATCH = 4096


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default=games()[0])
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--bots", nargs="+", default=["random", "greedy"], help="each alone at all seats (random greedy)")
    parser.add_argument("--games", type=int, default=204_800, help="for each figure (204,800)")
    parser.add_argument(
        "--memory", nargs="+", type=int, default=(), metavar="N", help="peaks of memory over so many games instead"
    )
    arguments = parser.parse_args()
    if arguments.memory:
        memory(arguments)
        return
    game = load(arguments.game)
    rules = game.make_rules(arguments.players)
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
    """Of the command: from its start to its report, seconds of CPU time of all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(command(plan.game, plan.bots[0], plan.players, games, folder), stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return games / (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def command(game: str, bot: str, players: int, games: int, folder: str) -> list[str]:
    flags = ["--bots", bot, "--players", str(players), "--deals", str(games), "--seed", "7"]
    run = [sys.executable, "-m", "machiavel.server.cli", "tournament", game, *flags]
    return [*run, "--executor", "processes:1", "--output", folder]


def memory(arguments: argparse.Namespace) -> None:
    """Peaks of what the command's process holds, its workers aside: its own, and with the pages of files it reads."""
    print(f"| {arguments.game}, {arguments.players} players, {arguments.bots[-1]} | private, MB | with files, MB |")
    print("|--:|--:|--:|")
    for count in arguments.memory:
        with tempfile.TemporaryDirectory() as folder:
            line = command(arguments.game, arguments.bots[-1], arguments.players, count, folder)
            process = subprocess.Popen(line, stdout=subprocess.DEVNULL)
            own = whole = 0
            while process.poll() is None:
                with contextlib.suppress(OSError, KeyError):
                    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
                    result = {line.split()[0]: int(line.split()[1]) for line in lines if line.endswith("kB")}
                    own, whole = max(own, result["RssAnon:"] // 1024), max(whole, result["VmHWM:"] // 1024)
                time.sleep(0.05)
            print(f"| {count:,} games | {own} | {whole} |", flush=True)


if __name__ == "__main__":
    main()
