"""`machiavel replay`: a game of a tournament, or a record, move by move at the table in the terminal."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.text import Text

from machiavel.engines import BadRecord, GameError, Record, State, load
from machiavel.server.cli.arguments import UsageError, add_json, add_language, number
from machiavel.server.cli.command_texts import TEXTS, Words, language_of_environment, opening
from machiavel.server.cli.endings import ending
from machiavel.server.cli.frontends import JsonFrontend
from machiavel.server.cli.game_files import add_game_files, is_game_file
from machiavel.server.cli.output import json_line, people
from machiavel.server.cli.parts import make_table
from machiavel.server.tournaments.game_journal import GAMES, GameRow, read_game

__all__ = ["add_command", "game_of", "games_in", "journal_of"]

EPILOG = """\
Everything is shown as one seat saw it.

examples:
  machiavel replay first/games.jsonl --game 17
  machiavel replay first/games.jsonl --deal 3 --seating 2 --seat 1 --lang fr
  machiavel replay match.json
  machiavel replay match.json --game ./mygame.py
"""
Wanted = Callable[[int, int, int], bool]  # by the game's place from 1, its deal, its seating
LONGEST = 1 << 24  # bytes of a record


@dataclass(frozen=True)
class Replay:
    """What is shown."""

    record: Record
    bots: tuple[str, ...]  # of each seat; empty where nobody says


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "replay",
        help="show a game that was played, move by move",
        description="Shows a game of a tournament, or a record, move by move.",
        epilog=EPILOG,
    )
    parser.add_argument("file", metavar="FILE", help="games.jsonl of a tournament, its folder, or a record")
    parser.add_argument(
        "--game",
        action="append",
        default=[],
        type=place_or_file,
        metavar="N|FILE.py",
        help="which game of a tournament, by its place in the file (1); or the file of a game that is not installed",
    )
    parser.add_argument("--deal", type=number(0), metavar="D", help="or by the number of the deal …")
    parser.add_argument("--seating", type=number(0), metavar="S", help="… and of the seating within it (0)")
    parser.add_argument("--seat", type=number(0), default=0, metavar="S", help="whose view is shown (0)")
    parser.add_argument("--moves", action="store_true", help="what was played alone, without the table and the hand")
    parser.add_argument("--plain", action="store_true", help="without colours")
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def place_or_file(text: str) -> int | str:
    return text if is_game_file(text) else number(1)(text)


def run(arguments: argparse.Namespace) -> int:
    places = [one for one in arguments.game if isinstance(one, int)]
    add_game_files([one for one in arguments.game if isinstance(one, str)], arguments.lang)
    if len(places) > 1:
        raise UsageError(f"--game {places[1]}: names a second game; give one of them")
    arguments.game = next(iter(places), None)
    replay = find(arguments)
    game = load(replay.record.game)
    game.replay(replay.record)  # complains of what does not replay before anything is shown
    state = game.replay(Record(**{**vars(replay.record), "moves": ()}))
    if arguments.seat >= state.players:
        raise UsageError(f"--seat {arguments.seat}: with {state.players} players the seats are 0 to {state.players - 1}")
    if arguments.json:
        show_json(state, replay, arguments.seat)
    else:
        show_table(state, replay, arguments)
    return 0


def find(arguments: argparse.Namespace) -> Replay:
    path = Path(arguments.file)
    try:
        journal = journal_of(path)
        if journal is None:
            return of_record(path, arguments)
    except OSError as error:
        raise UsageError(f"{error.filename or path}: {error.strerror or error}") from error
    game = game_of(journal, wanted_game(arguments))
    return Replay(game.record, tuple(game.plan.bots[bot] for bot in game.seats))


def journal_of(path: Path) -> Path | None:
    """The journal, where a path names a tournament's or its folder; None for any other file. Raises OSError."""
    path = path / GAMES if path.is_dir() else path
    with path.open("rb") as file:
        return path if file.read(14) == b'{"tournament":' else None


def games_in(journal: Path) -> int:
    """How many games it holds so far."""
    with journal.open("rb") as file:
        return sum(line.endswith(b"\n") for line in file) - 1


def game_of(journal: Path, wanted: Wanted) -> GameRow:
    """The game that is wanted; raises UsageError, BadJournal."""
    game = read_game(journal, wanted)
    if game is None:
        raise UsageError(f"{journal}: holds no such game; it has {games_in(journal)}")
    return game


def wanted_game(arguments: argparse.Namespace) -> Wanted:
    if arguments.deal is None:
        if arguments.seating is not None:
            raise UsageError("--seating: the seating of which deal? Give --deal, too")
        return lambda number, _deal, _seating: number == (arguments.game or 1)
    if arguments.game is not None:
        raise UsageError("--game and --deal name two games; give one of them")
    return lambda _number, deal, seating: (deal, seating) == (arguments.deal, arguments.seating or 0)


def of_record(path: Path, arguments: argparse.Namespace) -> Replay:
    for name in ("game", "deal", "seating"):
        if getattr(arguments, name) is not None:
            raise UsageError(f"--{name}: {path} is no tournament, but one match")
    if path.stat().st_size > LONGEST:
        raise UsageError(f"{path}: is no record, for it is too long")
    return Replay(Record.from_json(path.read_bytes()), ())


def show_json(state: State, replay: Replay, seat: int) -> None:
    frontend = JsonFrontend(seat)
    bots: list[str | None] = [*replay.bots] or [None] * state.players
    json_line({"type": "match", "game": state.game.name, "players": state.players, "seat": seat, "bots": bots})
    view = state.view(seat).to_json()
    frontend.begin(view)
    for move in replay.record.moves:
        mover, before = played(state, move), view
        view = state.view(seat).to_json()
        frontend.moved(before, mover, state.observed_moves(seat)[-1], view)
    over = state.is_over
    json_line({"type": "end", "reason": "over" if over else "left", "utilities": list(state.utilities) if over else None})


def show_table(state: State, replay: Replay, arguments: argparse.Namespace) -> None:
    language, seat = arguments.lang or language_of_environment(), arguments.seat
    console, words, plugin, rules = people(plain=arguments.plain), Words(TEXTS, language), state.game.plugin, state.rules

    names = [bot.partition(":")[0] for bot in replay.bots] or [""] * state.players
    names[seat] = ""
    table = make_table(state.game, rules, language, seat, names)
    console.print(opening(words, plugin.titles[language], state.players, seat), style="bold")
    for one, bot in enumerate(replay.bots):
        console.print(Text(f"  {words('seat_bot', seat=one, bot=bot)}"), style="dim")
    seen = state.view(seat).to_json()["view"]
    for line in table.tell(None, None, None, seen):
        console.print(line)
    for move in replay.record.moves:
        if not arguments.moves and state.seat_to_move == seat and len(state.legal_moves()) > 1:
            console.print("", table.draw(seen), table.choices(seen, state.legal_moves()), Text(f"> {move}", "bold"), sep="\n")
        mover, before = played(state, move), seen
        seen = state.view(seat).to_json()["view"]
        for line in table.tell(before, mover, state.observed_moves(seat)[-1], seen):
            console.print(line)
    if state.is_over:
        console.print(ending(state.game, table, words, seen, state.utilities))


def played(state: State, move: str) -> int:
    """Plays the move; the seat whose it was."""
    seat = state.seat_to_move
    try:
        state.play(move)
    except GameError as error:
        raise BadRecord("moves", str(error)) from error
    return -1 if seat is None else seat
