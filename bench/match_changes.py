"""What a change of a match costs, and holds in memory, when much has happened in it: `python -m bench.match_changes`."""

import argparse
import statistics
import time
import tracemalloc

from machiavel.engines import load
from machiavel.server.matches.match import MOST_CHANGES, Match
from machiavel.server.matches.match_setup import Player, Seat, Settings, Setup

__all__ = ["main"]

BOT = Player("greedy", "greedy", 1.0)
TIMES = 200


def begun(game: str, players: int) -> Match:
    rules = load(game).make_rules(players)
    seats = tuple(Seat("person") for _ in range(players))
    version = load(game).rules_version
    setup = Setup(game, version, rules.digest, dict(rules.options), 7, b"", b"", Settings(), seats, 1.0)
    match = Match.begin("bench", setup)
    match.start(1)
    return match


def changed(match: Match) -> Match:
    """As a call does it: on a copy, which takes the match's place."""
    draft = match.copy()
    if draft.seats[0].taken_over:
        draft.hand_back(0, 2)
    else:
        draft.take_over(0, BOT, 2)
    return draft


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="agency")
    parser.add_argument("--players", type=int, default=4)
    arguments = parser.parse_args()
    match = begun(arguments.game, arguments.players)
    changed(match)  # what is made once
    tracemalloc.start()
    print("changes  microseconds each (median)  KiB since the line before")
    for wanted in (0, 500, 1000, MOST_CHANGES - TIMES):
        while match.changes < wanted:
            match = changed(match)
        held = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        times = []
        for _ in range(TIMES):
            began = time.perf_counter()
            match = changed(match)
            times.append(time.perf_counter() - began)
        tracemalloc.start()
        print(f"{wanted:7}  {1e6 * statistics.median(times):26.0f}  {held / 1024:18.0f}")


if __name__ == "__main__":
    main()
