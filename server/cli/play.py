"""`machiavel play`: you against bots, at a table in the terminal."""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from machiavel.engines import Game, State, load
from machiavel.search import Bot, make_bot
from machiavel.server.cli.arguments import UsageError, add_json, add_language, number, seed
from machiavel.server.cli.fronts import JsonFront, TerminalFront
from machiavel.server.cli.hosting import host, try_record, write_record
from machiavel.server.cli.options import add_options, game_options, plain_value, player_range, says_options
from machiavel.server.cli.output import json_line, people
from machiavel.server.cli.remote import RemoteBot, add_server, connected
from machiavel.server.cli.tables import Setting, make_table
from machiavel.server.cli.words import TEXTS, Words, language_of_environment

__all__ = ["add_command"]

EPILOG = """\
At the table: type a move (G8, pass:Y12, lead:2, look:1) or its number in the list; ? help, hand, q quit.
Where stdin is no terminal, moves are read from it line by line. The seed of the match is told at the end, for it gives
the deal away.

examples:
  machiavel play agency
  machiavel play agency --players 4 --seat 2 --bots greedy random random:seed=7 --lang fr
  machiavel play agency --bots random --medals 1 --no-powers
  machiavel play agency --players 2 --agents martha wxt --deck my-deck.toml --record match.json
  yes 1 | machiavel play agency --seed 7 --json
"""
USUAL_PLAYERS = 3
USUAL_BOT = "greedy"


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "play",
        help="play a game against bots",
        description="You against bots, at a table in the terminal.",
        epilog=EPILOG,
    )
    parser.add_argument("game", metavar="GAME", help="what to play; `machiavel games` lists them")
    parser.add_argument(
        "--players",
        type=number(1),
        metavar="N",
        help="seats at the table, yours included (3, or one more than --bots names)",
    )
    parser.add_argument("--seat", type=number(0), default=0, metavar="S", help="your seat, counted from 0 (0)")
    parser.add_argument(
        "--bots",
        nargs="+",
        metavar="SPEC",
        help=f"the other seats' bots in seat order, or one for all ({USUAL_BOT}); `machiavel bots` lists them",
    )
    parser.add_argument("--seed", type=seed, metavar="S", help="the deal and all luck of the match (drawn by the system)")
    parser.add_argument("--deck", metavar="FILE.toml", help="cards to play with: a file, or the name of a shipped deck")
    parser.add_argument("--no-powers", action="store_true", help="agency: without power cards, as for young players")
    parser.add_argument("--no-accomplices", action="store_true", help="agency: plans without their accomplices")
    parser.add_argument("--medals", type=plain_value, metavar="M", help="agency: medals that win the match, 1 to 9 (2)")
    parser.add_argument("--agents", nargs="+", metavar="A", help="agency: the agent of each seat (drawn)")
    add_options(parser)
    parser.add_argument("--record", metavar="FILE", help="write the match there when it ends, or when you leave")
    parser.add_argument("--overwrite", action="store_true", help="--record may replace a file that exists")
    add_server(parser)
    parser.add_argument("--plain", action="store_true", help="without colours")
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    game = load(arguments.game)
    players = number_of_players(game, arguments)
    with connected(arguments.server, arguments.token, arguments.tls) if arguments.server else nullcontext() as service:
        bots = seat_bots(arguments, players, service)
        flags = game_flags(arguments)
        options = game_options(game, arguments.option, flags)
        with says_options(game, flags):
            rules = game.make_rules(players, **options)
        record = None if arguments.record is None else checked_record(arguments.record, arguments.overwrite)
        state = game.deal(rules, seed=arguments.seed)
        if arguments.json:
            play_json(state, arguments.seat, bots, record)
        else:
            play_table(state, arguments, bots, record)
    return 0


@contextmanager
def kept(state: State, record: Path | None, farewell: Callable[[], None]) -> Iterator[None]:
    """However the match inside ends, its record is written; then, unless something broke, the farewell is said."""
    interrupt: KeyboardInterrupt | None = None
    try:
        yield
    except KeyboardInterrupt as key:
        interrupt = key
        if sys.stdout.isatty():
            sys.stdout.write("\n")  # after what the terminal echoed of the key
    finally:
        if record is not None:
            save(record, state)
    farewell()
    if interrupt is not None:
        raise interrupt


def play_json(state: State, seat: int, bots: Mapping[int, Bot], record: Path | None) -> None:
    def farewell() -> None:
        json_line(
            {
                "type": "end",
                "reason": "over" if state.is_over else "left",
                "utilities": list(state.utilities) if state.is_over else None,
                "seed": None if state.seed is None else str(state.seed),
                "record": None if record is None else str(record),
            }
        )

    specs = [bots[other].spec if other in bots else None for other in range(state.players)]
    with kept(state, record, farewell):
        json_line({"type": "match", "game": state.game.name, "players": state.players, "seat": seat, "bots": specs})
        host(state, seat, bots, JsonFront(seat))


def play_table(state: State, arguments: argparse.Namespace, bots: Mapping[int, Bot], record: Path | None) -> None:
    language = arguments.lang or language_of_environment()
    console, words, plugin = people(plain=arguments.plain), Words(TEXTS, language), state.game.plugin
    rules = state.rules

    def label(move: str) -> str:
        return plugin.move_label(rules, plugin.parse_move(rules, move)[0], language)

    def farewell() -> None:
        if state.is_over:
            console.print(table.result(state.view(arguments.seat).to_json()["view"], winners(state)))
        if state.seed is not None:
            console.print(words("seed", seed=state.seed), style="dim")
        if record is not None:
            console.print(words("recorded", path=record), style="dim")

    names = [bots[seat].spec.partition(":")[0] if seat in bots else "" for seat in range(state.players)]
    table = make_table(state.game.name, Setting(language, arguments.seat, names, dict(rules.options), label))
    with kept(state, record, farewell):
        opening = words("opening", title=plugin.titles[language], players=state.players, seat=arguments.seat)
        console.print(opening, style="bold")
        console.print(words("how"), style="dim")
        host(state, arguments.seat, bots, TerminalFront(console, table, words))


def winners(state: State) -> list[int]:
    best = max(state.utilities)
    return [seat for seat, utility in enumerate(state.utilities) if utility == best]


def number_of_players(game: Game, arguments: argparse.Namespace) -> int:
    if arguments.players is not None:
        players: int = arguments.players
        asked = f"--players {players}"
    elif arguments.bots is not None and len(arguments.bots) > 1:
        players = len(arguments.bots) + 1
        asked = f"--bots names {len(arguments.bots)} bots, which makes {players} players"
    elif arguments.agents is not None:
        players = len(arguments.agents)
        asked = f"--agents names {players}, one for each player"
    else:
        players = USUAL_PLAYERS if USUAL_PLAYERS in game.players else min(game.players)
        asked = ""
    if players not in game.players:
        raise UsageError(f"{asked}: {game.name} is for {player_range(game)}")
    if arguments.seat >= players:
        raise UsageError(f"--seat {arguments.seat}: with {players} players the seats are 0 to {players - 1}")
    return players


def seat_bots(arguments: argparse.Namespace, players: int, service: Any = None) -> dict[int, Bot]:
    """The bot of every seat but the person's; with a service, bots that think there."""
    specs = arguments.bots or [USUAL_BOT]
    others = [seat for seat in range(players) if seat != arguments.seat]
    if len(specs) == 1:
        specs = specs * len(others)
    if len(specs) != len(others):
        raise UsageError(f"--bots names {len(specs)} bots; with {players} players there are {len(others)} other seats")
    make = make_bot if service is None else lambda spec: RemoteBot(spec, service)
    return {seat: make(spec) for seat, spec in zip(others, specs, strict=True)}


def game_flags(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of the game that have flags of their own."""
    found: dict[str, Any] = {}
    if arguments.deck is not None:
        found["deck"] = arguments.deck
    if arguments.no_powers:
        found["powers"] = False
    if arguments.no_accomplices:
        found["accomplices"] = False
    if arguments.medals is not None:
        found["medals"] = arguments.medals
    if arguments.agents is not None:
        found["agents"] = arguments.agents
    return found


def checked_record(text: str, overwrite: bool) -> Path:
    """Where the record goes; finds out before the match, not after it, that it cannot be written."""
    path = Path(text)
    if not text:
        raise UsageError("--record: the name of the file is empty")
    if path.is_dir():
        raise UsageError(f"--record {text}: is a folder; expected a file")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"--record {text}: there is no folder {path.parent}")
    if path.exists() and not path.is_file():
        raise UsageError(f"--record {text}: is no ordinary file")
    if path.exists() and not overwrite:
        raise UsageError(f"--record {text}: exists already; choose another name, or replace it with --overwrite")
    try:
        try_record(path)
    except OSError as error:
        raise UsageError(f"--record {text}: cannot be written: {error.strerror or error}") from error
    return path


def save(path: Path, state: State) -> None:
    try:
        write_record(path, state.record())
    except OSError as error:
        raise UsageError(f"--record {path}: cannot be written: {error.strerror or error}") from error
