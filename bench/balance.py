"""How a game goes on average, and what the rule of thumb is worth against random play.

`python -m bench.balance agency` prints a Markdown table with a column for each number of players.
"""

import argparse
import sys

import numpy as np
from numpy.typing import NDArray

from machiavel.engines import Game, load


def mean_and_error(values: NDArray[np.float32]) -> tuple[float, float]:
    """The mean and half its 95 % interval."""
    return float(values.mean()), 1.96 * float(values.std(ddof=1)) / len(values) ** 0.5


def greedy_share(game: Game, players: int, matches: int, seed: int) -> tuple[float, float]:
    """What one greedy seat among random ones wins, over every seat in turn on the same deals."""
    shares = []
    for seat in range(players):
        policies = ["random"] * players
        policies[seat] = "greedy"
        shares.append(game.playouts(matches, seed, players=players, policies=policies).utilities[:, seat])
    return mean_and_error(np.mean(shares, axis=0))


def row(name: str, cells: list[str]) -> None:
    print(f"| {name} | {' | '.join(cells)} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=5000, help="random games a column (5000)")
    parser.add_argument("--matches", type=int, default=2000, help="deals for the greedy seat, each played from every seat (2000)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game = load(arguments.game)
    runs = [game.playouts(arguments.games, arguments.seed, players=players) for players in game.players]
    row(f"{game.name}, random play", [f"{players} players" for players in game.players])
    row("---", ["--:"] * len(runs))
    row("plies, mean", [f"{run.plies.mean():.1f}" for run in runs])
    row("plies, most", [str(run.plies.max()) for run in runs])
    for name in runs[0].metric_names:
        row(f"{name}, mean", [f"{run.metric(name).mean():.3f}" for run in runs])
    shares = [greedy_share(game, players, arguments.matches, arguments.seed) for players in game.players]
    row("one greedy seat wins", [f"{mean:.3f} ± {error:.3f}" for mean, error in shares])
    return 0


if __name__ == "__main__":
    sys.exit(main())
