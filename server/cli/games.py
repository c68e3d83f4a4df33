"""`machiavel games`: what can be played, with which options."""

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any

from google.protobuf.json_format import MessageToDict
from rich.console import Group
from rich.table import Table as Grid
from rich.text import Text

from machiavel.engines import Game, GameError, IncompatibleEngine, games, load
from machiavel.engines.phrases import typeset
from machiavel.server.cli.arguments import add_json, add_language
from machiavel.server.cli.command_texts import TEXTS, Words, language_of_environment
from machiavel.server.cli.game_files import game_named
from machiavel.server.cli.output import json_line, people, say_warning

__all__ = ["add_command", "span"]

MODES = ("llvm", "gcc", "interpreted")  # of games in one file; of all others there is nothing to say
EPILOG = """\
examples:
  machiavel games
  machiavel games --lang fr
  machiavel games ./mygame.py
  machiavel games --json
  machiavel games whist --schema
"""


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "games",
        help="the games and their options",
        description="The games that are installed, and their options.",
        epilog=EPILOG,
    )
    parser.add_argument("games", metavar="GAME", nargs="*", help="these alone, or those of files, such as ./mygame.py (all)")
    parser.add_argument(
        "--schema",
        action="store_true",
        help="what GetGame tells: fields, things, moves, events, the questions of the form, the rules; one object of JSON a game",
    )
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    language = arguments.lang or language_of_environment()
    result = [game_named(name, language) for name in arguments.games] or list(loadable())
    if arguments.json or arguments.schema:
        for game in result:
            json_line(schema_json(game) if arguments.schema else game_json(game))
        return 0
    words, console = Words(TEXTS, language), people()
    for game in result:
        console.print(f"{game.name} – {game.plugin.titles[language]}", style="bold")
        console.print(words("players", range=span(game.players)))
        mode = mode_of(game)
        if mode in MODES:
            console.print(words(f"runs_{mode}"), style="dim")
        grid = Grid.grid(padding=(0, 2))
        for option in game.plugin.options:
            default = words("drawn") if option.default is None else json.dumps(option.default)
            values = Text(words("values", expected=typeset(option.expected[language], language), default=default), style="dim")
            grid.add_row("", Text(option.name, style="bold cyan"), Group(typeset(option.help[language], language), values))
        console.print(grid)
    return 0


def loadable() -> Iterator[Game]:
    """The installed games; one that cannot be loaded is named on stderr, and hides no other."""
    for name in games():
        try:
            yield load(name)
        except IncompatibleEngine as error:
            say_warning(str(error))


def schema_json(game: Game) -> dict[str, Any]:
    """What GetGame tells of a game, with all its usual options, as the JSON of the API."""
    from machiavel.server.service.described_games import described  # noqa: PLC0415 - messages take long to load

    result: dict[str, Any] = MessageToDict(described(game), preserving_proto_field_name=True)
    return result


def game_json(game: Game) -> dict[str, Any]:
    return {
        "game": game.name,
        "titles": dict(game.plugin.titles),
        "players": list(game.players),
        "rules_version": game.rules_version,
        "mode": mode_of(game),
        "options": [
            {"name": option.name, "default": option.default, "expected": dict(option.expected), "help": dict(option.help)}
            for option in game.plugin.options
        ],
    }


def mode_of(game: Game) -> str | None:
    """What its rules run as; None where rules cannot be made now."""
    try:
        mode: str = game.plugin.mode(game.make_rules(min(game.players)))
    except GameError as error:
        say_warning(str(error))
        return None
    return mode


def span(players: Sequence[int]) -> str:
    least, most = min(players), max(players)
    return f"{least}–{most}" if least < most else str(least)
