"""What the limited API of the wheel costs: `python -m bench.wheels dist/machiavel-*.whl` prints a Markdown table.

CPU of calls, in process, of the wheel and of the build in this environment, in turn: the best of many batches. Every call is of a
match of ten moves.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from machiavel import v1
from machiavel.engines import games, load
from machiavel.server.service import wire
from machiavel.server.service.game_service import GameService

BATCHES = 5
PLAYERS = 3
MOVES = 10


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path, nargs="?", help="the wheel of machiavel for this machine")
    parser.add_argument("--rounds", type=int, default=7, help="how often both are measured (7)")
    parser.add_argument("--run", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        print(json.dumps({name: best(*call) for name, call in calls().items()}))
        return 0
    if arguments.wheel is None:
        parser.error("which wheel? make wheels puts it into dist")
    result: dict[str, list[float]] = {}
    with TemporaryDirectory() as folder:
        with zipfile.ZipFile(arguments.wheel) as archive:
            archive.extractall(folder)
        for _ in range(arguments.rounds):
            for place, more in enumerate(("", folder)):
                for name, value in measured(more).items():
                    row = result.setdefault(name, [math.inf, math.inf])
                    row[place] = min(row[place], value)
    print("| call | this build, µs | the wheel, µs | ratio |\n|---|--:|--:|--:|")
    for name, (here, wheel) in result.items():
        print(f"| {name} | {here:.2f} | {wheel:.2f} | {wheel / here:.2f} |")
    return 0


def measured(folder: str) -> dict[str, float]:
    """What a process with the packages of that folder, if any, takes for each call."""
    path = os.pathsep.join(name for name in (folder, str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")) if name)
    ran = subprocess.run(
        [sys.executable, "-m", "bench.wheels", "--run"],
        check=True,
        env=os.environ | {"PYTHONPATH": path},
        stdout=subprocess.PIPE,
    )
    values: dict[str, float] = json.loads(ran.stdout)
    return values


def calls() -> dict[str, tuple[Callable[[], Any], int]]:
    """What is measured, and how often in a batch."""
    service: Any = GameService()
    result: dict[str, tuple[Callable[[], Any], int]] = {}
    for name in games():
        game = load(name)
        choice = random.Random(1)
        state = game.new(PLAYERS, seed=7)
        for _ in range(MOVES):
            state.play(choice.choice(state.legal_moves()))
        seat = min(state.seats_to_move)
        view, record, sent = state.view(seat), state.record(), wire.state_message(state).record
        get, look = v1.GetStateRequest(record=sent), v1.GetViewRequest(record=sent, seat=seat)
        play = v1.ApplyMoveRequest(record=sent, move=state.legal_moves()[0])
        result |= {
            f"{name} GetState": (finished(service.GetState, get), 150),
            f"{name} GetView": (finished(service.GetView, look), 150),
            f"{name} ApplyMove": (finished(service.ApplyMove, play), 150),
            f"{name} replay": (partial(game.replay, record), 300),
            f"{name} legal_moves": (state.legal_moves, 3000),
            f"{name} view": (partial(state.view, seat), 300),
            f"{name} determinize": (partial(view.determinize, seed=7), 3000),
            f"{name} playouts(100)": (partial(game.playouts, 100, seed=1, players=PLAYERS), 20),
        }
    return result


def finished(method: Callable[..., Any], request: Any) -> Callable[[], None]:
    """A handler that waits for nothing, to its end."""

    def call() -> None:
        try:
            method(request, None).send(None)
        except StopIteration:
            return
        raise RuntimeError("the handler waits")

    return call


def best(call: Callable[[], Any], count: int) -> float:
    """Microseconds of CPU a call in the fastest batch."""
    taken = []
    for _ in range(BATCHES):
        start = time.process_time()
        for _ in range(count):
            call()
        taken.append(time.process_time() - start)
    return min(taken) / count * 1e6


if __name__ == "__main__":
    sys.exit(main())
