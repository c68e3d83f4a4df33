"""`machiavel bots`: who can play, with which parameters."""

import argparse
import json
from dataclasses import asdict
from typing import Any

from rich.console import Group
from rich.table import Table as Grid
from rich.text import Text

from machiavel.search import KINDS, BotKind, LevelRating, all_styles, ratings_of_kind
from machiavel.server.cli.arguments import add_json, add_language
from machiavel.server.cli.command_texts import TEXTS, Words, language_of_environment
from machiavel.server.cli.output import json_line, people

__all__ = ["add_command"]

EPILOG = """\
A bot is written NAME or NAME:KEY=VALUE,KEY=VALUE, such as random:seed=7.

examples:
  machiavel bots
  machiavel bots --json
  machiavel play agency --bots greedy random:seed=7
"""


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "bots", help="the bots and their parameters", description="The bots, and their parameters.", epilog=EPILOG
    )
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    language = arguments.lang or language_of_environment()
    if arguments.json:
        for kind in KINDS.values():
            json_line(kind_json(kind))
        for style in all_styles():
            json_line({"style": style.name, "game": style.game, "help": dict(style.help)})
        return 0
    words, console = Words(TEXTS, language), people()
    for kind in KINDS.values():
        console.print(Text.assemble((kind.name, "bold"), " – ", kind.help[language]))
        grid = Grid.grid(padding=(0, 2))
        for parameter in kind.parameters:
            default = parameter.unset[language] if parameter.default is None else json.dumps(parameter.default)
            values = Text(words("values", expected=parameter.expected(language), default=default), style="dim")
            grid.add_row("", Text(parameter.name, style="bold cyan"), Group(parameter.help[language], values))
        for rating in ratings_of_kind(kind):
            grid.add_row("", Text(f"{rating.game}, {rating.players}", style="cyan"), rating_words(words, rating))
        console.print(grid)
    console.print(Text(words("styles"), style="bold"))
    grid = Grid.grid(padding=(0, 2))
    for style in all_styles():
        grid.add_row("", style.game, Text(style.name, style="bold cyan"), style.help[language])
    console.print(grid)
    return 0


def rating_words(words: Words, rating: LevelRating) -> str:
    return words("elo", elo=f"{rating.elo:+.0f}", low=f"{rating.low:+.0f}", high=f"{rating.high:+.0f}")


def kind_json(kind: BotKind) -> dict[str, Any]:
    return {
        "bot": kind.name,
        "help": dict(kind.help),
        "parameters": [
            {
                "name": parameter.name,
                "type": parameter.type.__name__,
                "default": parameter.default,
                "unset": dict(parameter.unset),
                "least": parameter.least,
                "most": parameter.most,
                "choices": list(parameter.choices),
                "expected": parameter.expected(),
                "help": dict(parameter.help),
            }
            for parameter in kind.parameters
        ],
        "ratings": [asdict(rating) for rating in ratings_of_kind(kind)],
    }
