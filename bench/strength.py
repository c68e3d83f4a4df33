"""Which bot is stronger: matches over duplicate deals, every bot in every seat, with 95 % intervals.

`python -m bench.strength agency --players 2 4 --deals 100 --bots ismcts:iterations=2000 greedy` seats the first bot once and
fills up with the last; with three bots or more all sit at one table. Prints a Markdown table.
"""

import argparse
import json
import sys
import time

from machiavel.engines import load
from machiavel.search.match_runner import play_matches


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--bots", nargs="+", required=True)
    parser.add_argument("--players", nargs="+", type=int, required=True)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--until", choices=("end", "horizon"), default="end", help="whole matches, or rounds")
    parser.add_argument("--options", type=json.loads, default={}, help="options of the game, as JSON")
    arguments = parser.parse_args()
    game = load(arguments.game)
    print(f"| {game.name} | players | deals | share of wins | rounds won |")
    print("|---|--:|--:|--:|--:|")
    for players in arguments.players:
        begun = time.monotonic()
        played = 0

        def report(deals: int, players: int = players) -> None:
            nonlocal played
            played += deals
            if sys.stderr.isatty():
                print(f"\r{players} players: {played}/{arguments.deals} deals", end="", file=sys.stderr)

        results = play_matches(
            game,
            arguments.bots,
            players,
            arguments.deals,
            arguments.seed,
            until=arguments.until,
            progress=report,
            **arguments.options,
        )
        print(f"\r{players} players: {time.monotonic() - begun:.0f} s", file=sys.stderr)
        for number, bot in enumerate(arguments.bots):
            rounds = results.rounds_won(number) if "points_0" in results.metric_names else "–"
            print(f"| {bot} | {players} | {arguments.deals} | {results.interval(number)} | {rounds} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
