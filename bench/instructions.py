"""Instructions an iteration of the search, counted by valgrind, which no other work on the machine disturbs.

`python -m bench.instructions` prints a Markdown table for every game and number of players: the first decision of a match, one
tree, plain search, so many iterations less the first few. What Python does between slices, which depends on the clock, is not
counted. Needs valgrind.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from machiavel.engines import games, load
from machiavel.search import SearchParameters
from machiavel.search.search_run import Search, root_moves

FEW = 256
SEED = 7


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=None, help="which games (all)")
    parser.add_argument("--players", nargs="+", type=int, default=None, help="how many players (every possible number)")
    parser.add_argument("--iterations", type=int, default=50_000)
    parser.add_argument("--run", nargs=3, metavar=("GAME", "PLAYERS", "ITERATIONS"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        search(arguments.run[0], int(arguments.run[1]), int(arguments.run[2]))
        return 0
    if shutil.which("valgrind") is None:
        parser.error("valgrind is not installed")
    print(f"| game | players | instructions an iteration at {arguments.iterations:,} |")
    print("|---|--:|--:|")
    for name in arguments.games or games():
        for players in arguments.players or load(name).players:
            if players in load(name).players:
                counts = [counted(name, players, iterations) for iterations in (FEW, arguments.iterations)]
                print(f"| {name} | {players} | {(counts[1] - counts[0]) / (arguments.iterations - FEW):,.0f} |", flush=True)
    return 0


def search(name: str, players: int, iterations: int) -> None:
    state = load(name).new(players, seed=SEED)
    view = state.view(min(state.seats_to_move))
    plain = SearchParameters("single", exploration=0.7, policy="uniform", prior=0.0, cutoff=0, inference=False, seed=1)
    Search(view, root_moves(view), plain.for_game(view.game), 64 << 20).run(iterations, None)


def counted(name: str, players: int, iterations: int) -> int:
    """Instructions of the iterations of a process that searches so much."""
    with TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=out", "--toggle-collect=*_descent_advance"]
        command += [sys.executable, "-m", "bench.instructions"]
        ran = subprocess.run(
            [*command, "--run", name, str(players), str(iterations)],
            check=True,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])},
            stderr=subprocess.PIPE,
            text=True,
        )
    matched = re.search(r"Collected : (\d+)", ran.stderr)
    if matched is None:
        raise RuntimeError(f"valgrind counted nothing: {ran.stderr[-500:]}")
    return int(matched[1])


if __name__ == "__main__":
    sys.exit(main())
