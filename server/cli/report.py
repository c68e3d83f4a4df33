"""`machiavel report`: summary and page of a tournament, made anew from its games."""

import argparse
from pathlib import Path
from typing import Any

from machiavel.engines import BadOption
from machiavel.server.cli.arguments import UsageError, add_json, add_language
from machiavel.server.cli.command_texts import language_of_environment
from machiavel.server.cli.game_files import add_game_files, add_game_files_flag
from machiavel.server.cli.output import json_line, people
from machiavel.server.tournaments.game_journal import read_header, read_results

__all__ = ["add_command"]

EPILOG = """\
Writes summary.json, timings.json and report.html into DIR, from the deals that were played in all their seatings.

examples:
  machiavel report first
  machiavel report first --lang fr --anchor greedy
  machiavel report first --game ./mygame.py
"""


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "report",
        help="ratings and a page of a tournament, from its games",
        description="Makes the summary and the page of a tournament anew.",
        epilog=EPILOG,
    )
    parser.add_argument("directory", metavar="DIR", help="where the tournament's games.jsonl is")
    parser.add_argument("--anchor", metavar="BOT", help="the bot that stands at 0 Elo (none: the mean does)")
    parser.add_argument(
        "--ranking",
        choices=("utilities", "points"),
        default="utilities",
        help="who did better: who was paid more by the game, or who had more points (utilities)",
    )
    add_game_files_flag(parser, "the file of its game, where that is not installed")
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    # Scipy takes long to load, and no other command has need of it.
    from machiavel.server.tournaments.summary import REPORT, SUMMARY, TIMINGS, write  # noqa: PLC0415

    add_game_files(arguments.game_files, arguments.lang)
    folder = Path(arguments.directory)
    header = read_header(folder)
    bots = header["bots"]
    if arguments.anchor is not None and arguments.anchor not in bots:
        raise UsageError(f"--anchor {arguments.anchor}: expected a bot of the tournament: {', '.join(bots)}")
    anchor = None if arguments.anchor is None else bots.index(arguments.anchor)
    results, timings = read_results(folder)
    language = arguments.lang or language_of_environment()
    try:
        summary = write(folder, results, timings, header, language=language, anchor=anchor, ranking=arguments.ranking)
    except BadOption as error:
        raise UsageError(f"{folder}: {error.option} {error.value}: expected {error.expected}") from error
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror or error}") from error
    if arguments.json:
        json_line({"type": "report", "directory": str(folder), **summary})
        return 0
    people().print(*(str(folder / name) for name in (SUMMARY, TIMINGS, REPORT)), sep="\n")
    return 0
