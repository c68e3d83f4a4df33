"""`machiavel hint`: what a seat should play, from its view alone."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table as Grid

from machiavel.engines import Game, View, load
from machiavel.search import Limits, Recommendation, SearchParameters, recommend
from machiavel.search.parameters import VARIANTS
from machiavel.server.cli.arguments import UsageError, add_json, add_language, number, seconds
from machiavel.server.cli.output import json_line, people
from machiavel.server.cli.remote import add_server, advice, connected
from machiavel.server.cli.words import TEXTS, Words, language_of_environment

__all__ = ["add_command"]

EPILOG = """\
The view is JSON as View.to_json makes it; docs/agency.md and docs/bond.md list the fields. Each move comes with its win chance,
from 0 to 1, seen from the seat that asks, and the standard error of that. With --iterations and --seed the same view gets the
same hint.

examples:
  machiavel hint agency view.json
  machiavel hint agency view.json --seconds 5 --threads 2 --lang fr
  machiavel hint agency - --iterations 20000 --json < view.json
  machiavel hint agency view.json --moves G8 Y12
  machiavel hint agency view.json --server 127.0.0.1:7788
"""


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "hint", help="what to play", description="What a seat should play, from its view.", epilog=EPILOG
    )
    parser.add_argument("game", metavar="GAME", help="which game")
    parser.add_argument("view", metavar="VIEW.json", help="a file with the seat's view; - for standard input")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--seconds", type=seconds, metavar="S", help="how long to think (1)")
    limit.add_argument("--iterations", type=number(1, 10**9), metavar="N", help="how much to think, instead of a time")
    parser.add_argument("--moves", nargs="+", metavar="MOVE", help="look at these moves alone")
    parser.add_argument("--variant", choices=VARIANTS, help="kind of search (what proved strongest in the game)")
    parser.add_argument("--threads", type=number(1, 256), default=1, metavar="T", help="threads at once (1)")
    parser.add_argument("--seed", type=number(0, (1 << 63) - 1), default=0, metavar="S", help="luck of the search (0)")
    add_server(parser, "let a server think, as `machiavel serve` is one")
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    game = load(arguments.game)
    view = read_view(game, arguments.view)
    limits = Limits(iterations=arguments.iterations)
    if arguments.iterations is None:
        limits = Limits(seconds=arguments.seconds or 1.0)
    parameters = SearchParameters(variant=arguments.variant, threads=arguments.threads, seed=arguments.seed, megabytes=256)
    if arguments.server is None:
        found = think(view, limits, parameters, arguments.moves)
    else:
        if arguments.threads != 1:
            raise UsageError("--threads: a server takes one thread a question; leave it out")
        with connected(arguments.server, arguments.token, arguments.tls) as service:
            found = advice(service, view, limits, parameters, arguments.moves)
    if arguments.json:
        json_line(found.to_json())
    else:
        show(view, found, arguments.lang or language_of_environment())
    return 0


def think(view: View, limits: Limits, parameters: SearchParameters, moves: Sequence[str] | None) -> Recommendation:
    """The recommendation; a terminal is told how far it is, and what is best so far."""
    errors = Console(stderr=True)
    began, total = time.monotonic(), limits.iterations or limits.seconds
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("", total=total)

        def hear(found: Recommendation) -> None:
            done = found.iterations if limits.iterations else time.monotonic() - began
            progress.update(task, completed=done, description=found.best)

        return recommend(view, limits, parameters, moves, progress=hear)


def read_view(game: Game, name: str) -> View:
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{name}: {getattr(error, 'strerror', None) or 'is no text'}; expected a file with a view") from None
    return game.view_from_json(text)


def show(view: View, found: Recommendation, language: str) -> None:
    words = Words(TEXTS, language)
    grid = Grid(box=None, padding=(0, 1), pad_edge=False)
    grid.add_column(words("hint_move"))
    grid.add_column()
    grid.add_column(words("hint_chance"), justify="right")
    grid.add_column(words("hint_visits"), justify="right")
    plugin, rules = view.game.plugin, view.rules
    for candidate in found.candidates:
        chance = f"{100 * candidate.win_chance:.1f} ± {100 * candidate.standard_error:.1f} %" if candidate.visits else "–"
        label = plugin.move_label(rules, plugin.parse_move(rules, candidate.move)[0], language)
        style = "bold" if candidate.move == found.best else ""
        grid.add_row(candidate.move, label, chance, f"{candidate.visits:,}", style=style)
    console = people()
    console.print(grid)
    if found.stopped == "forced":
        console.print(words("hint_forced"))
    elif len(found.line) > 1:
        console.print(words("hint_line", line=" ".join(found.line)))
