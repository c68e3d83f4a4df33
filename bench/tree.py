"""Whether the tree is a tree: how deep it grows and how often its nodes are met again, with ever more iterations.

`python -m bench.tree` prints a Markdown table: for each game, number of players and kind of search, the mean depth of the
descents and the share of nodes that were found, not made, over some positions of random matches.
"""

import argparse
import random
import statistics
import sys
from collections.abc import Iterator

from machiavel.engines import Game, View, games, load
from machiavel.search import SearchParameters
from machiavel.search.search_run import Search, root_moves

VARIANTS = ("single", "multi", "pimc")
MEGABYTE = 1 << 20


def positions(game: Game, players: int, count: int, seed: int) -> Iterator[View]:
    """Positions with a choice, over the first half of random matches."""
    rng = random.Random(seed)
    while count:
        match = game.new(players, seed=rng.getrandbits(64))
        for _ in range(rng.randrange(6 * players)):
            if not match.is_over:
                match.play(rng.choice(match.legal_moves()))
        if not match.is_over and len(match.legal_moves()) > 1:
            count -= 1
            yield match.view(match.seat_to_move)


def grown(view: View, variant: str, iterations: list[int], megabytes: int) -> list[tuple[float, float]]:
    """Mean depth and share of nodes met again after so many iterations."""
    parameters = SearchParameters(variant=variant, policy="uniform", seed=1).for_game(view.game)
    search = Search(view, root_moves(view), parameters, megabytes * MEGABYTE)
    result = []
    for most in iterations:
        search.run(most, None)
        now = search.statistics()
        result.append((now["depth"], now["met_again"]))
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=list(games()))
    parser.add_argument("--players", nargs="+", type=int, help="left out: all that a game allows")
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS))
    parser.add_argument("--iterations", nargs="+", type=int, default=[2_000, 20_000, 200_000])
    parser.add_argument("--positions", type=int, default=8)
    parser.add_argument("--megabytes", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    heads = [f"{kind} at {most}" for kind in ("depth", "met again") for most in arguments.iterations]
    print(f"| game | players | search | {' | '.join(heads)} |")
    print(f"|---|--:|---|{'--:|' * len(heads)}")
    of_variant: dict[str, list[list[list[float]]]] = {variant: [] for variant in arguments.variants}
    for name in arguments.games:
        game = load(name)
        for players in arguments.players or game.players:
            views = list(positions(game, players, arguments.positions, arguments.seed))
            for variant in arguments.variants:
                runs = [grown(view, variant, arguments.iterations, arguments.megabytes) for view in views]
                means = [
                    [statistics.fmean(run[at][kind] for run in runs) for at in range(len(arguments.iterations))]
                    for kind in (0, 1)
                ]
                of_variant[variant].append(means)
                show(name, str(players), variant, means)
    for variant, all_means in of_variant.items():
        columns = [[statistics.fmean(means[kind][at] for means in all_means) for at in range(len(heads) // 2)] for kind in (0, 1)]
        show("all", "all", variant, columns)
    return 0


def show(name: str, players: str, variant: str, means: list[list[float]]) -> None:
    cells = [f"{depth:.2f}" for depth in means[0]] + [f"{share:.3f}" for share in means[1]]
    print(f"| {name} | {players} | {variant} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
