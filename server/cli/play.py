"""`machiavel play`: you against bots, at a table in the terminal."""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from machiavel.engines import Game, State, Teller
from machiavel.engines.plugin import Rules
from machiavel.search import Bot
from machiavel.search.bots import check_room
from machiavel.server.cli.advising import Adviser
from machiavel.server.cli.arguments import UsageError, add_json, add_language, number, seconds, seed
from machiavel.server.cli.command_texts import TEXTS, Words, language_of_environment, opening
from machiavel.server.cli.endings import ending
from machiavel.server.cli.frontends import JsonFrontend, TerminalFrontend
from machiavel.server.cli.game_files import game_named, is_game_file
from machiavel.server.cli.hosting import host
from machiavel.server.cli.options import (
    add_game_flags,
    add_options,
    flag_of,
    game_flags,
    game_options,
    player_range,
    says_options,
)
from machiavel.server.cli.output import json_line, people
from machiavel.server.cli.parts import make_table
from machiavel.server.cli.recording import checked_record, save
from machiavel.server.cli.server_connection import add_server, connected
from machiavel.server.cli.table_bots import file_of_spec, served_files, table_bot

__all__ = ["add_command"]

EPILOG = """\
At the table: type a move or its number in the list; ? help, ? MOVE what about it, hint, hand, q quit.
Each option of a game has a flag: `machiavel play GAME --help` lists them.
Where stdin is no terminal, moves are read from it line by line. The seed of the match is told at the end, for it gives
the deal away. With --server the match is hosted there: seats given to `open` wait for whoever joins by the code that is told, one
may come back to a match that was left, and the server draws the deal.

examples:
  machiavel play agency
  machiavel play agency --players 4 --seat 2 --bots greedy random random:seed=7 --lang fr
  machiavel play agency --help
  machiavel play agency --bots random --medals 1 --no-powers
  machiavel play agency --players 2 --agents martha wxt --deck my-deck.toml --record match.json
  yes 1 | machiavel play agency --seed 7 --json
  machiavel play agency --server 127.0.0.1:7788 --practice
  machiavel play ./mygame.py
  machiavel play whist --bots ./mybot.py level3
  machiavel play agency --server 127.0.0.1:7788 --bots open level5
  machiavel play --server 127.0.0.1:7788 --join CODE
  machiavel play --server http://127.0.0.1:7789 --join CODE
"""
# What only a match on a server has; and what whoever joins has no say in, besides the options of the game.
SERVED = ("join", "back", "name", "think", "move_time", "hints", "practice", "tls", "tls_root")
SET_UP = ("players", "bots", "option", "think", "move_time", "hints", "practice")
USUAL_PLAYERS = 3
USUAL_BOT = "greedy"


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "play",
        help="play a game against bots",
        description="You against bots, at a table in the terminal.",
        epilog=EPILOG,
    )
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        help="what to play (`machiavel games`), or a file with a game",
    )
    parser.add_argument(
        "--players",
        type=number(1),
        metavar="N",
        help="seats at the table, yours included (3, or one more than --bots names)",
    )
    parser.add_argument(
        "--seat", type=number(0), metavar="S", help="your seat, counted from 0 (0; with --join, the first that is open)"
    )
    parser.add_argument(
        "--bots",
        nargs="+",
        metavar="SPEC",
        help=f"the other seats' bots in seat order, or one for all ({USUAL_BOT}): `machiavel bots` lists them; or a Python file "
        "with a function move(view, moves). With --server, `open` for whoever joins",
    )
    parser.add_argument("--seed", type=seed, metavar="S", help="the deal and all luck of the match (drawn by the system)")
    add_options(parser)
    parser.prepare = partial(add_game_flags, parser)
    parser.add_argument("--record", metavar="FILE", help="write the match there when it ends, or when you leave")
    parser.add_argument("--overwrite", action="store_true", help="--record may replace a file that exists")
    add_server(parser, "let a server host the match, as `machiavel serve` is one")
    parser.add_argument("--join", metavar="CODE", help="with --server: take an open seat of a match there; no GAME")
    parser.add_argument("--back", metavar="PLACE", help="with --server: come back to a match that was left; no GAME")
    parser.add_argument("--name", metavar="NAME", default="", help="with --server: what the others may call you")
    parser.add_argument("--think", type=seconds, metavar="S", help="with --server: how long each bot takes to answer")
    parser.add_argument("--move-time", type=seconds, metavar="S", help="with --server: who takes longer for a move forfeits")
    parser.add_argument("--hints", action="store_true", help="with --server: everybody at the table may ask for hints")
    parser.add_argument(
        "--practice", action="store_true", help="with --server, against bots alone: `undo` takes your last decision back"
    )
    parser.add_argument("--plain", action="store_true", help="without colours")
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.server is not None:
        play_hosted(arguments)
        return 0
    for name in SERVED:
        if getattr(arguments, name):
            raise UsageError(f"--{name.replace('_', '-')}: is for a match on a server; expected --server HOST:PORT besides")
    if arguments.game is None:
        raise UsageError("GAME is missing; `machiavel games` lists what can be played")
    game = game_named(arguments.game, arguments.lang)
    players = number_of_players(game, arguments)
    bots = {seat: table_bot(spec) for seat, spec in seat_specs(arguments, players).items()}
    for bot in bots.values():
        check_room(bot, game, players)
    rules = checked_rules(game, players, arguments)
    record = None if arguments.record is None else checked_record(arguments.record, arguments.overwrite)
    state = game.deal(rules, seed=arguments.seed)
    if arguments.json:
        play_json(state, own_seat(arguments), bots, record)
    else:
        play_table(state, arguments, bots, record)
    return 0


def play_hosted(arguments: argparse.Namespace) -> None:
    """At a match that a server hosts: one that is set up now, one that is joined, or one that was left."""
    from machiavel.server.cli.match_notices import JsonMatchNotices, TerminalMatchNotices, sit  # noqa: PLC0415 - without a server there is no need of it

    if arguments.seed is not None:
        raise UsageError("--seed: a server draws its deals itself; leave it out")
    record = None if arguments.record is None else checked_record(arguments.record, arguments.overwrite)
    ask = comes if arguments.join or arguments.back else hosts
    with connected(arguments) as service:
        place = ask(service, arguments)
        with served_files(files_of(place, arguments)):
            while place is not None:
                place = sit(place, JsonMatchNotices(place) if arguments.json else TerminalMatchNotices(place, arguments), record)
                record = None  # which is of the first match


def files_of(place: Any, arguments: argparse.Namespace) -> dict[str, list[Any]]:
    """The seats that files of bots hold from here, by file."""
    result: dict[str, list[Any]] = {}
    if place.host is not None:
        for seat, spec in seat_specs(arguments, len(place.host.created.seats)).items():
            file = file_of_spec(spec)
            if file is not None:
                result.setdefault(file, []).append(place.host.at(seat))
    return result


def comes(service: Any, arguments: argparse.Namespace) -> Any:
    """The place of somebody who joins a match, or comes back to one; of a game in a file, GAME may say in which."""
    from machiavel.server.cli.seat_at_server import JoinedMatch, session_at  # noqa: PLC0415 - without a server there is no need of it

    flag = "--join" if arguments.join else "--back"
    given = [flag_of(name) for name in SET_UP if getattr(arguments, name) not in (None, False, [])]
    given += [flag_of(name, value) for name, value in game_flags(arguments).items()]
    if arguments.join and arguments.back:
        given.append("--back")
    is_file = arguments.game is not None and is_game_file(arguments.game)
    if given or not (arguments.game is None or is_file):
        raise UsageError(f"{flag}: the match is set up already; leave out {', '.join(given) or arguments.game}")
    if is_file:
        game_named(arguments.game, arguments.lang)
    if arguments.back:
        return JoinedMatch(session_at(service, arguments.back, flag), None, arguments.server)
    return JoinedMatch(service.join_match(arguments.join, seat=arguments.seat, name=arguments.name), None, arguments.server)


def hosts(service: Any, arguments: argparse.Namespace) -> Any:
    """The place of somebody who sets a match up."""
    from machiavel.server.cli.seat_at_server import JoinedMatch, create  # noqa: PLC0415 - without a server there is no need of it

    if arguments.game is None:
        raise UsageError("GAME is missing; expected one, or --join CODE")
    game = game_named(arguments.game, arguments.lang)
    players, seat = number_of_players(game, arguments), own_seat(arguments)
    specs = seat_specs(arguments, players)
    rules = checked_rules(game, players, arguments)
    made = create(
        service,
        game.name,
        rules,
        seat,
        specs,
        name=arguments.name,
        think=arguments.think,
        move_time=arguments.move_time,
        hints=arguments.hints,
        practice=arguments.practice,
    )
    return JoinedMatch(made.at(seat), made, arguments.server)


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
            save(record, state.record())
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
        host(state, seat, bots, JsonFrontend(seat))


def play_table(state: State, arguments: argparse.Namespace, bots: Mapping[int, Bot], record: Path | None) -> None:
    language = arguments.lang or language_of_environment()
    console, words, plugin = people(plain=arguments.plain), Words(TEXTS, language), state.game.plugin
    rules = state.rules

    def farewell() -> None:
        if state.is_over:
            seen = state.view(own_seat(arguments)).to_json()["view"]
            console.print(ending(state.game, table, words, seen, state.utilities))
        if state.seed is not None:
            console.print(words("seed", seed=state.seed), style="dim")
        if record is not None:
            console.print(words("recorded", path=record), style="dim")

    names = [bots[seat].spec.partition(":")[0] if seat in bots else "" for seat in range(state.players)]
    table = make_table(state.game, rules, language, own_seat(arguments), names)
    with kept(state, record, farewell):
        console.print(opening(words, plugin.titles[language], state.players, own_seat(arguments)), style="bold")
        console.print(words("how"), style="dim")
        adviser, teller = Adviser(state.game, language), Teller(plugin, rules, language, own_seat(arguments))
        host(state, own_seat(arguments), bots, TerminalFrontend(console, table, words, adviser, teller))


def number_of_players(game: Game, arguments: argparse.Namespace) -> int:
    if arguments.players is not None:
        players: int = arguments.players
        asked = f"--players {players}"
    elif arguments.bots is not None and len(arguments.bots) > 1:
        players = len(arguments.bots) + 1
        asked = f"--bots names {len(arguments.bots)} bots, which makes {players} players"
    elif (by_seat := option_by_seat(game, arguments)) is not None:
        players = len(by_seat[1])
        asked = f"{flag_of(by_seat[0])} names {players}, one for each player"
    else:
        players = USUAL_PLAYERS if USUAL_PLAYERS in game.players else min(game.players)
        asked = ""
    if players not in game.players:
        raise UsageError(f"{asked}: {game.name} is for {player_range(game)}")
    if own_seat(arguments) >= players:
        raise UsageError(f"--seat {arguments.seat}: with {players} players the seats are 0 to {players - 1}")
    return players


def option_by_seat(game: Game, arguments: argparse.Namespace) -> tuple[str, list[str]] | None:
    """The first option given by a flag that has a value for each seat, and its values."""
    names = [option.name for option in game.plugin.options if option.is_by_seat]
    return next(((name, value) for name, value in game_flags(arguments).items() if name in names), None)


def own_seat(arguments: argparse.Namespace) -> int:
    return arguments.seat or 0


def seat_specs(arguments: argparse.Namespace, players: int) -> dict[int, str]:
    """The bot of every seat but the person's, in words."""
    specs = arguments.bots or [USUAL_BOT]
    others = [seat for seat in range(players) if seat != own_seat(arguments)]
    if len(specs) == 1:
        specs = specs * len(others)
    if len(specs) != len(others):
        raise UsageError(f"--bots names {len(specs)} bots; with {players} players there are {len(others)} other seats")
    return dict(zip(others, specs, strict=True))


def checked_rules(game: Game, players: int, arguments: argparse.Namespace) -> Rules:
    flags = game_flags(arguments)
    options = game_options(game, arguments.option, flags)
    with says_options(game, flags):
        return game.make_rules(players, **options)
