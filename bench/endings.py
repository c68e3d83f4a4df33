"""How long random games last, and how they end.

`python -m bench.endings bond` prints a Markdown table with a column for each number of players; what an ending is, the game's
metrics say that are 0 or 1 in every game.
"""

import argparse
import sys

import numpy as np

from machiavel.engines import load


def row(name: str, cells: list[str]) -> None:
    print(f"| {name} | {' | '.join(cells)} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=100_000, help="a column (100000)")
    parser.add_argument("--policy", choices=("random", "greedy"), default="random", help="of every seat (random)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game = load(arguments.game)
    runs = [
        game.playouts(arguments.games, arguments.seed, players=players, policies=[arguments.policy] * players)
        for players in game.players
    ]
    row(f"{game.name}, {arguments.policy} play, {arguments.games} games", [f"{players} players" for players in game.players])
    row("---", ["--:"] * len(runs))
    row("plies, mean", [f"{run.plies.mean():.1f}" for run in runs])
    row("plies, most", [str(run.plies.max()) for run in runs])
    # Not those of seats, nor of a search's own beginning.
    whole = [name for name in runs[0].metric_names if not name[-1].isdigit() and any(run.metric(name).any() for run in runs)]
    flags = [name for name in whole if all(np.isin(run.metric(name), (0, 1)).all() for run in runs)]
    for name in flags:
        row(f"{name}, share", [f"{run.metric(name).mean():.4f}" for run in runs])
    for name in runs[0].metric_names:
        if name not in flags and "_" not in name:
            row(f"{name}, mean", [f"{run.metric(name).mean():.1f}" for run in runs])
            row(f"{name}, most", [f"{run.metric(name).max():.0f}" for run in runs])
    row("seats that share the win, mean", [f"{(run.utilities > 0).sum(axis=1).mean():.3f}" for run in runs])
    return 0


if __name__ == "__main__":
    sys.exit(main())
