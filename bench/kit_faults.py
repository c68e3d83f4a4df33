"""How soon a search stops at a fault in a game's file: `python -m bench.kit_faults` prints a Markdown table of milliseconds.

Games in `tests/engines/kit/faults` that a search can meet a fault in are searched by eight threads, compiled and interpreted.
Told is the time from the beginning of the search to the error, the longest of all turns. Each runs in a process of its own, which
must be alive afterwards and search another game.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from machiavel.engines import GameFault, load
from machiavel.engines.kit.loading import load_file
from machiavel.search import Limits, SearchParameters, recommend

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "tests" / "engines" / "kit" / "faults"
# Nine that a search can meet, and two more of their kinds.
FAULTS = (
    "bad_index_by_a_little",
    "bad_index_by_far",
    "overflow",
    "overflow_of_a_field",
    "division",
    "endless_loop",
    "endless_game",
    "no_move",
    "own_exception",
    "answer_out_of_range",
    "mover_out_of_range",
)
THREADS = 8
SECONDS = 20.0  # in which a search must have met the fault
MOST = 1.0  # seconds from the beginning to the error


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=5, help="searches of each (5)")
    parser.add_argument("--one", nargs=2, metavar=("FILE", "TURNS"), help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.one:
        print(json.dumps(searched(Path(asked.one[0]), int(asked.one[1]))))
        return 0
    print("| fault | compiled, ms | interpreted, ms | said |\n|---|--:|--:|---|")
    is_good = True
    for fault in FAULTS:
        took: dict[str, float] = {}
        said = ""
        for mode in ("", "interpreted"):
            command = [sys.executable, "-m", "bench.kit_faults", "--one", str(FOLDER / f"{fault}.py"), str(asked.turns)]
            chosen = {"MACHIAVEL_KIT": mode} if mode else {}
            done = subprocess.run(command, cwd=ROOT, env=os.environ | chosen, capture_output=True, text=True, check=False)
            took[mode], said = (
                json.loads(done.stdout) if done.returncode == 0 else (1e6, f"the process ended with {done.returncode}")
            )
        is_good = is_good and max(took.values()) <= MOST
        print(f"| {fault.replace('_', ' ')} | {took[''] * 1000:,.0f} | {took['interpreted'] * 1000:,.0f} | {said} |", flush=True)
    return 0 if is_good else 1


def searched(path: Path, turns: int) -> tuple[float, str]:
    """The longest time until the error, and the error; the process must be able to go on."""
    game = load_file(path)
    error, longest = "none", 0.0
    for turn in range(turns):
        state = game.new(2, seed=turn)
        view = state.view(state.seat_to_move)
        began = time.perf_counter()
        try:
            recommend(view, Limits(seconds=SECONDS), SearchParameters(seed=turn, threads=THREADS))
        except GameFault as fault:
            error = fault.what
        longest = max(longest, time.perf_counter() - began)
    whist = load("whist").new(2, seed=1)
    recommend(whist.view(whist.seat_to_move), Limits(iterations=100), SearchParameters(seed=1))
    return longest, error


if __name__ == "__main__":
    sys.exit(main())
