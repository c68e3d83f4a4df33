"""`machiavel hint`: what a seat should play and why, from its view alone; the view from a file, or typed in step by step."""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import Progress

from machiavel.engines import Game, View
from machiavel.search import (
    Candidate,
    Comparison,
    Explanation,
    Limits,
    Recommendation,
    SearchParameters,
    UnseenMap,
    compare,
    explain,
    measure,
    move_meant,
    recommend,
    unseen_map,
)
from machiavel.search.comparing import shares_of
from machiavel.search.parameters import BOUNDS, VARIANTS
from machiavel.server.cli.arguments import UsageError, add_json, add_language, number, seconds
from machiavel.server.cli.command_texts import language_of_environment
from machiavel.server.cli.game_files import game_named
from machiavel.server.cli.hint_page import show
from machiavel.server.cli.interview import interview
from machiavel.server.cli.output import json_line, people
from machiavel.server.cli.parts import make_table
from machiavel.server.cli.server_connection import add_server, advice, connected
from machiavel.server.cli.unseen_page import show_unseen
from machiavel.server.forms import make_form

__all__ = ["add_command"]

EPILOG = """\
The view is JSON as View.to_json makes it; docs/hints.md says what may be left out. Without a file the view is asked for step by
step. Each move comes with its win chance, seen from the seat that asks, and the standard error of that; then follows why, in
plain sentences. With --iterations and --seed the same view gets the same hint.

examples:
  machiavel hint agency
  machiavel hint agency view.json
  machiavel hint agency view.json --what-about Y12 --lang fr
  machiavel hint agency view.json --unseen
  machiavel hint agency view.json --seconds 5 --threads 2
  machiavel hint agency - --iterations 20000 --json < view.json
  machiavel hint agency view.json --moves G8 Y12
  machiavel hint ./mygame.py view.json
  machiavel hint agency view.json --server 127.0.0.1:7788
"""
STREAMED = 0.25  # seconds between two lines of --stream


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "hint", help="what to play", description="What a seat should play, from its view.", epilog=EPILOG
    )
    parser.add_argument("game", metavar="GAME", help="which game, or a file with one, such as ./mygame.py")
    parser.add_argument(
        "view",
        metavar="VIEW.json",
        nargs="?",
        help="a file with the seat's view; - for standard input; without it, it is asked for",
    )
    parser.add_argument("--players", type=number(1), metavar="N", help="how many players, where the view is asked for")
    parser.add_argument("--save", metavar="FILE", help="write the view that was asked for there, to be used again")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--seconds", type=seconds, metavar="S", help="how long to think (1)")
    limit.add_argument("--iterations", type=number(1, 10**9), metavar="N", help="how much to think, instead of a time")
    parser.add_argument("--moves", nargs="+", metavar="MOVE", help="look at these moves alone")
    parser.add_argument("--what-about", metavar="MOVE", help="hold this move against the best one")
    parser.add_argument("--unseen", action="store_true", help="also where the cards are that the seat does not see")
    parser.add_argument("--stream", action="store_true", help="with --json: a line every quarter of a second, the last is final")
    parser.add_argument("--variant", choices=VARIANTS, help="kind of search (what proved strongest in the game)")
    parser.add_argument("--threads", type=number(*BOUNDS["threads"]), default=1, metavar="T", help="threads at once (1)")
    parser.add_argument("--seed", type=number(*BOUNDS["seed"]), default=0, metavar="S", help="luck of the search (0)")
    add_server(parser, "let a server think, as `machiavel serve` is one")
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    language = arguments.lang or language_of_environment()
    game = game_named(arguments.game, language)
    if arguments.stream and not arguments.json:
        raise UsageError("--stream: expected --json with it")
    if arguments.view is None:
        asked = asked_view(game, arguments, language)
        if asked is None:
            return 0
        view = asked
    else:
        for flag in ("save", "players"):
            if getattr(arguments, flag) is not None:
                raise UsageError(f"--{flag}: is for a view that is asked for; leave it out, or leave out {arguments.view}")
        view = read_view(game, arguments.view)
    limits = Limits(iterations=arguments.iterations)
    if arguments.iterations is None:
        limits = Limits(seconds=arguments.seconds or 1.0)
    parameters = SearchParameters(variant=arguments.variant, threads=arguments.threads, seed=arguments.seed, megabytes=256)
    about = None if arguments.what_about is None else move_meant(view, in_notation(view, arguments.what_about, language))
    moves = None if arguments.moves is None else [move_meant(view, in_notation(view, move, language)) for move in arguments.moves]
    if arguments.server is None:
        result, candidate = think(view, limits, parameters, moves, about, stream=arguments.stream, language=language)
        unseen: UnseenMap | None = unseen_map(view, arguments.seed, inference=bool(result.parameters.inference))
    else:
        if arguments.threads != 1:
            raise UsageError("--threads: a server takes one thread a question; leave it out")
        with connected(arguments) as service:
            result, candidate, unseen = advice(service, view, limits, parameters, moves, about=about)
    tell(view, Hint(result, candidate, unseen), arguments, language)
    return 0


def in_notation(view: View, entry: str, language: str) -> str:
    """A move in the words of the game's table, in the notation of moves."""
    table = make_table(view.game, view.rules, language, view.seat or 0, [""] * view.players)
    return table.read(view.to_json()["view"], entry)


class Hint(NamedTuple):
    """All that is found out for a view."""

    recommendation: Recommendation
    about: Candidate | None
    unseen: UnseenMap | None


def tell(view: View, hint: Hint, arguments: argparse.Namespace, language: str) -> None:
    recommendation, about, unseen = hint
    explanation, comparison = explain(view, recommendation), None if about is None else compare(view, recommendation, about)
    if arguments.json:
        line = hint_json(recommendation, explanation, comparison)
        line |= {} if unseen is None else {"unseen": unseen.to_json()}
        json_line(line | {"final": True} if arguments.stream else line)
        return
    show(view, recommendation, explanation, comparison, language)
    if arguments.unseen and unseen is not None:
        people().print()
        show_unseen(people(), view, unseen, language)


def hint_json(recommendation: Recommendation, explanation: Explanation, comparison: Comparison | None) -> dict[str, Any]:
    """The recommendation, and beside it what is said of it."""
    beside = {} if comparison is None else {"comparison": comparison.to_json()}
    return recommendation.to_json() | {"explanation": explanation.to_json()} | beside


def think(
    view: View,
    limits: Limits,
    parameters: SearchParameters,
    moves: Sequence[str] | None,
    about: str | None,
    *,
    stream: bool,
    language: str,
) -> tuple[Recommendation, Candidate | None]:
    """The recommendation and the move asked about; a terminal is told what is best so far, in words."""
    errors = Console(stderr=True)
    candidate = None
    if about is not None:
        first, limits = shares_of(limits, time.monotonic())
        candidate = measure(view, about, first, parameters)
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("", total=1.0)
        began, end = time.monotonic(), limits.end(time.monotonic())

        def hear(recommendation: Recommendation) -> None:
            explanation = explain(view, recommendation)
            done = recommendation.iterations / limits.iterations if limits.iterations else 0.0
            if end is not None:
                done = max(done, (time.monotonic() - began) / max(end - began, 0.001))
            progress.update(task, completed=done, description=explanation.sentences[0].texts[language])
            if stream:
                comparison = None if candidate is None else compare(view, recommendation, candidate)
                json_line(hint_json(recommendation, explanation, comparison) | {"final": False})

        recommendation = recommend(view, limits, parameters, moves, explain=True, progress=hear, every=STREAMED)
        return recommendation, candidate


def asked_view(game: Game, arguments: argparse.Namespace, language: str) -> View | None:
    """The view that a person types in; None where they leave."""
    if arguments.json and not sys.stdin.isatty():
        raise UsageError("VIEW.json: is missing; with --json and no terminal nobody can be asked for the view")
    only = game.players[0] if len(game.players) == 1 else None
    given = {"players": arguments.players or only} if arguments.players or only else {}
    if arguments.players is not None and arguments.players not in game.players:
        raise UsageError(f"--players {arguments.players}: expected {min(game.players)} to {max(game.players)}")
    console = Console(stderr=True, highlight=False, markup=False, emoji=False) if arguments.json else people()
    view = interview(make_form(game), console, language, given)
    if view is not None and arguments.save is not None:
        try:
            Path(arguments.save).write_text(json.dumps(view.to_json(), ensure_ascii=False) + "\n", encoding="utf-8")
        except OSError as error:
            raise UsageError(f"--save {arguments.save}: cannot be written: {error.strerror or error}") from None
    return view


def read_view(game: Game, name: str) -> View:
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{name}: {getattr(error, 'strerror', None) or 'is no text'}; expected a file with a view") from None
    return game.view_from_json(text)
