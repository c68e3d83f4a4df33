"""What the benches have in common: which games, how many players, how long."""

import argparse
import secrets
from collections.abc import Iterator
from typing import Any

from machiavel.engines import Game, games
from machiavel.server.cli.arguments import UsageError, number, seconds, seed
from machiavel.server.cli.game_files import game_named
from machiavel.server.cli.options import game_options, player_range, says_options

__all__ = ["USUAL_SECONDS", "add_cases", "cases", "drawn_seed", "usual_game"]

USUAL_SECONDS = 2.0
SEED_BITS = 32


def add_cases(parser: argparse.ArgumentParser, *, every_game: bool = False) -> None:
    usual = "every game" if every_game else usual_game()
    parser.add_argument("--game", metavar="G", help=f"which game, or a file with one ({usual})")
    parser.add_argument("--players", type=number(1), metavar="N", help="how many players (every possible number)")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--seconds", type=seconds, metavar="S", help=f"how long to measure ({USUAL_SECONDS:g})")
    limit.add_argument("--iterations", type=number(1), metavar="N", help="how many to measure, instead of a time")
    parser.add_argument("--threads", type=number(1, 1024), default=1, metavar="T", help="threads at once (1)")
    parser.add_argument("--seed", type=seed, metavar="S", help="luck (drawn); the speed depends on it little")


def cases(arguments: argparse.Namespace, usual: str | None) -> Iterator[tuple[Game, int, dict[str, Any]]]:
    """Game, number of players and options of each case; all are checked before the first is given out."""
    names = [arguments.game or usual] if arguments.game or usual else list(games())
    result = []
    for name in names:
        game = game_named(str(name))
        options = game_options(game, arguments.option, {})
        if arguments.players is not None and arguments.players not in game.players:
            if arguments.game is None and usual is None:
                continue
            raise UsageError(f"--players {arguments.players}: {game.name} is for {player_range(game)}")
        counts = list(game.players) if arguments.players is None else [arguments.players]
        with says_options(game, {}):
            for players in counts:
                game.make_rules(players, **options)
        result += [(game, players, options) for players in counts]
    if not result:
        raise UsageError(f"--players {arguments.players}: no game is for so many")
    return iter(result)


def usual_game() -> str:
    """The first that is installed."""
    return next(iter(games()), "none is installed")


def drawn_seed(arguments: argparse.Namespace) -> int:
    """The seed asked for, or one that can be asked for again."""
    return secrets.randbits(SEED_BITS) if arguments.seed is None else int(arguments.seed)
