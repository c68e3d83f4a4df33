"""`machiavel check-bot`: whether a bot, from elsewhere perhaps, may play."""

import argparse
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from machiavel.engines import Game, games
from machiavel.server.cli.arguments import UsageError, add_json, number, seed
from machiavel.server.cli.game_files import game_named
from machiavel.server.cli.options import player_range
from machiavel.server.cli.output import json_line, people
from machiavel.server.tournaments.compliance import ComplianceCase, check_case
from machiavel.server.tournaments.remote_bots import processes_of
from machiavel.server.tournaments.seat_bots import check_spec, try_spec

__all__ = ["add_command"]

EPILOG = """\
Asked are forced moves, seats asked before their turn, last moves, every kind of choice a game has, and others, in every game for
every number of players: each move must be legal and in time, and with a seed the same again, whatever the bot was asked before.

examples:
  machiavel check-bot ismcts:iterations=50
  machiavel check-bot grpc://127.0.0.1:7788/level=2 --game agency
  machiavel check-bot ./mybot.py@200ms --game whist
  machiavel check-bot "process:./my-bot?bot=careful@2s" --players 3
"""
USUAL_DECISIONS = 60
SHOWN = 10  # faults of a case
BAD = 1


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "check-bot",
        help="whether a bot plays by the rules, in time, and repeats itself",
        description="Whether a bot plays legal moves, in time, and with a seed the same again, in every corner of every game.",
        epilog=EPILOG,
    )
    parser.add_argument(
        "spec", metavar="SPEC", help="the bot, as `machiavel tournament` takes it; @2s gives it so long for a move"
    )
    parser.add_argument("--game", metavar="G", help="which game, or a file with one (every game)")
    parser.add_argument("--players", type=number(1), metavar="N", help="how many players (every possible number)")
    parser.add_argument(
        "--decisions",
        type=number(1),
        default=USUAL_DECISIONS,
        metavar="D",
        help=f"positions it is asked in, a game and number of players ({USUAL_DECISIONS})",
    )
    parser.add_argument("--seed", type=seed, default=0, metavar="S", help="of the matches, and of a bot without one (0)")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    result = list(cases(arguments))
    console, faults = people(), 0
    for game, _ in result:
        check_spec(game, arguments.spec)
    with processes_of([arguments.spec]) as addresses:
        for game, players in result:
            rules = game.make_rules(players)
            address = addresses.get(arguments.spec)
            try_spec(game, rules, arguments.spec, address)
            case = check_case(arguments.spec, address, game, rules, decisions=arguments.decisions, seed=arguments.seed)
            faults += len(case.faults)
            if arguments.json:
                json_line(case_json(case))
            else:
                show(console, case)
    return BAD if faults else 0


def cases(arguments: argparse.Namespace) -> Iterator[tuple[Game, int]]:
    for name in [arguments.game] if arguments.game else games():
        game = game_named(name)
        if arguments.players is None:
            yield from ((game, players) for players in game.players)
        elif arguments.players in game.players:
            yield game, arguments.players
        elif arguments.game:
            raise UsageError(f"--players {arguments.players}: {game.name} is for {player_range(game)}")


def case_json(case: ComplianceCase) -> dict[str, Any]:
    return {
        "type": "case",
        "game": case.game,
        "players": case.players,
        "asked": case.corners,
        "slowest": round(case.slowest, 6),
        "repeats": case.repeats,
        "faults": [vars(fault) for fault in case.faults],
    }


def show(console: Console, case: ComplianceCase) -> None:
    verdict = Text(f"{len(case.faults)} faults", style="bold red") if case.faults else Text("good", style="green")
    repeats = {True: "repeats itself", False: "does not repeat itself", None: "does not repeat itself, and need not"}
    about = f" · {sum(case.corners.values())} positions · slowest {1000 * case.slowest:.1f} ms · {repeats[case.repeats]}"
    console.print(Text.assemble((f"{case.game}, {case.players} players: ", "bold"), verdict, (about, "dim")), soft_wrap=True)
    grid = Grid.grid(padding=(0, 2))
    for fault in case.faults[:SHOWN]:
        grid.add_row("", Text(fault.kind, style="bold"), f"ply {fault.ply}, seat {fault.seat}, {fault.corner}", fault.message)
    if case.faults:
        console.print(grid)
