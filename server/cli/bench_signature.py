"""`machiavel bench signature`: one number that changes when any search does."""

import argparse
import hashlib
import json
from collections.abc import Iterator
from typing import Any

from machiavel.engines import Game, View, games
from machiavel.search import Limits, SearchParameters, make_bot, recommend
from machiavel.search.parameters import VARIANTS
from machiavel.server.cli.arguments import add_json
from machiavel.server.cli.game_files import game_named
from machiavel.server.cli.output import json_line, people

__all__ = ["add_bench", "signature"]

EPILOG = """\
A change that should change nothing must leave the signature as it was. It is the same on every x86-64 machine.

examples:
  machiavel bench signature
  machiavel bench signature --json
  machiavel bench signature --game agency bond citadel whist   the games there were in 0.1.0
"""

POSITIONS = (0, 5, 17)  # plies into a match at random
ITERATIONS = 400


def add_bench(benches: Any) -> None:
    parser = benches.add_parser(
        "signature",
        help="one hash over fixed searches of every game",
        description="One hash over fixed searches of every game, every number of players and every variant.",
        epilog=EPILOG,
    )
    parser.add_argument("--game", metavar="G", nargs="+", help="which games, or files with one (every game)")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    of = [game_named(name) for name in arguments.game or games()]
    names = [game.name for game in of]
    result, searches = signature(of)
    if arguments.json:
        json_line({"bench": "signature", "signature": result, "games": names, "searches": searches})
    else:
        people().print(f"{result}  {searches} searches: {', '.join(names)}")
    return 0


def signature(of: list[Game]) -> tuple[str, int]:
    """The hash, and how many searches are in it."""
    digest, searches = hashlib.sha256(), 0
    for game in of:
        for view in positions(game):
            for parameters in kinds(game):
                data = recommend(view, Limits(iterations=ITERATIONS), parameters, explain=game.has("metrics")).to_json()
                del data["engine"]  # the release is no part of what it does
                digest.update(json.dumps(data, sort_keys=True).encode())
                searches += 1
    return digest.hexdigest()[:16], searches


def positions(game: Game) -> Iterator[View]:
    for players in game.players:
        state = game.new(players, seed=players)
        bot = make_bot("random:seed=1")
        for ply in range(max(POSITIONS) + 1):
            if state.seat_to_move is None:
                break
            if ply in POSITIONS:
                yield state.view(state.seat_to_move)
            state.play(bot.choose(state.view(state.seat_to_move)))


def kinds(game: Game) -> Iterator[SearchParameters]:
    """Every variant, plain; and once everything the game has."""
    for variant in VARIANTS:
        yield SearchParameters(variant, exploration=0.7, policy="uniform", prior=0.0, cutoff=0, inference=False, seed=1)
    has_weights = game.has("weights")
    yield SearchParameters(
        "single",
        exploration=0.7,
        policy="weighted" if has_weights else "uniform",
        prior=0.5 if has_weights else 0.0,
        cutoff=6 if game.has("evaluate") else 0,
        inference=game.has("likelihood"),
        seed=1,
        threads=2,
    )
