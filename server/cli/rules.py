"""`machiavel rules`: how a game is played, told to a player."""

import argparse
from collections.abc import Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Heading, Markdown
from rich.segment import Segment

from machiavel.server.cli.arguments import add_json, add_language
from machiavel.server.cli.command_texts import language_of_environment
from machiavel.server.cli.game_files import game_named
from machiavel.server.cli.output import json_line, people

__all__ = ["add_command"]

EPILOG = """\
examples:
  machiavel rules agency
  machiavel rules agency --lang fr | less -R
"""
WIDEST = 120  # columns: longer lines are hard to read
NO_BREAK = "\N{NO-BREAK SPACE}"
STAND_IN = "\ue000"  # of a character without a use of its own


class LeftHeading(Heading):
    """A heading that begins where the text begins."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self.text.justify = "left"
        self.text.stylize("bold" if self.tag == "h3" else "bold cyan")
        yield self.text


class RulesPage:
    """A page in Markdown with one blank line between its parts, which ends no line at a no-break space, as rich would."""

    class Page(Markdown):
        elements = Markdown.elements | {"heading_open": LeftHeading}

    def __init__(self, text: str) -> None:
        self._page = self.Page(text.replace(NO_BREAK, STAND_IN))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        was_blank = True
        for line in console.render_lines(self._page, options, pad=False):
            is_blank = not "".join(segment.text for segment in line).strip()
            if not (is_blank and was_blank):
                yield from (Segment(segment.text.replace(STAND_IN, NO_BREAK), segment.style) for segment in line)
                yield Segment.line()
            was_blank = is_blank


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "rules",
        help="how a game is played",
        description="The rules of a game, for players.",
        epilog=EPILOG,
    )
    parser.add_argument("game", metavar="GAME", help="which game (`machiavel games`), or a file with one")
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    language = arguments.lang or language_of_environment()
    game = game_named(arguments.game, language)
    text = game.plugin.rules_text(language)
    if arguments.json:
        json_line({"game": game.name, "language": language, "text": text})
    else:
        console = people()
        console.print(RulesPage(text), width=min(console.width, WIDEST))
    return 0
