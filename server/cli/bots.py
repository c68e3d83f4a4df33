"""`machiavel bots`: who can play, with which parameters."""

import argparse
import json
from dataclasses import asdict
from typing import Any

from rich.console import Group
from rich.table import Table as Grid
from rich.text import Text

from machiavel.engines import IncompatibleEngine, games, load
from machiavel.engines.phrases import typeset
from machiavel.search import KINDS, BotKind, LevelRating, all_styles, ratings_of_kind
from machiavel.search.bots import check_search_data, level_number
from machiavel.search.levels import Level, levels_of
from machiavel.server.cli.arguments import add_json, add_language
from machiavel.server.cli.command_texts import TEXTS, Words, language_of_environment
from machiavel.server.cli.game_files import game_named
from machiavel.server.cli.output import json_line, people, say_warning

__all__ = ["add_command"]

EPILOG = """\
A bot is written NAME or NAME:KEY=VALUE,KEY=VALUE, such as random:seed=7.

examples:
  machiavel bots
  machiavel bots agency
  machiavel bots --json
  machiavel play agency --bots greedy random:seed=7
"""


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "bots", help="the bots and their parameters", description="The bots, and their parameters.", epilog=EPILOG
    )
    parser.add_argument("game", metavar="GAME", nargs="?", help="how they play this game, or that of a file, alone (every game)")
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    language = arguments.lang or language_of_environment()
    game = None if arguments.game is None else game_named(arguments.game, language).name
    if game is None:
        warn_of_games()
    else:
        check_search_data(game)
    styles = [style for style in all_styles() if game in {None, style.game}]
    if arguments.json:
        for kind in KINDS.values():
            json_line(kind_json(kind, game))
        for style in styles:
            json_line({"style": style.name, "game": style.game, "help": dict(style.help)})
        return 0
    words, console = Words(TEXTS, language), people()
    for kind in KINDS.values():
        console.print(Text.assemble((kind.name, "bold"), " – ", typeset(kind.help[language], language)))
        grid = Grid.grid(padding=(0, 2))
        for parameter in kind.parameters:
            default = parameter.unset[language] if parameter.default is None else json.dumps(parameter.default)
            values = Text(words("values", expected=typeset(parameter.expected(language), language), default=default), style="dim")
            grid.add_row("", Text(parameter.name, style="bold cyan"), Group(typeset(parameter.help[language], language), values))
        for players, level in levels_in(kind, game):
            grid.add_row("", game_cell(game or "", players), level_words(words, level))
        for rating in ratings_in(kind, game):
            grid.add_row("", game_cell(rating.game, rating.players), rating_words(words, rating))
        console.print(grid)
    if styles:
        console.print(Text(words("styles"), style="bold"))
    grid = Grid.grid(padding=(0, 2))
    for style in styles:
        grid.add_row("", style.game, Text(style.name, style="bold cyan"), typeset(style.help[language], language))
    console.print(grid)
    return 0


def warn_of_games() -> None:
    """Names on stderr the games of which nothing can be told."""
    for name in games():
        try:
            check_search_data(load(name).name)
        except IncompatibleEngine as error:
            say_warning(str(error))


def levels_in(kind: BotKind, game: str | None) -> list[tuple[int, Level]]:
    """How a level plays a game, by number of players (0: usually); nothing for other bots, and of no game in particular."""
    level = level_number(kind)
    return [] if game is None or level is None else sorted(levels_of(game)[level - 1].items())


def ratings_in(kind: BotKind, game: str | None) -> list[LevelRating]:
    return [rating for rating in ratings_of_kind(kind) if game in {None, rating.game}]


def game_cell(game: str, players: int) -> Text:
    return Text(f"{game}, {players}" if players else game, style="cyan")


def level_words(words: Words, level: Level) -> str:
    thinks = words("level_time" if level.uses_time else "level_iterations", iterations=level.iterations)
    return thinks + (words("level_draws", sharpness=level.sharpness, slack=level.slack) if level.sharpness else "")


def rating_words(words: Words, rating: LevelRating) -> str:
    return words("elo", elo=f"{rating.elo:+.0f}", low=f"{rating.low:+.0f}", high=f"{rating.high:+.0f}")


def kind_json(kind: BotKind, game: str | None) -> dict[str, Any]:
    levels = [{"players": players or None, **asdict(level)} for players, level in levels_in(kind, game)]
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
        "ratings": [asdict(rating) for rating in ratings_in(kind, game)],
    } | ({"levels": levels} if levels else {})
