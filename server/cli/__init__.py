"""The `machiavel` command."""

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version
from itertools import pairwise

from machiavel.engines import LANGUAGES, GameError
from machiavel.server.cli import (
    admin,
    backup,
    bench,
    bots,
    check_bot,
    check_game,
    games,
    hint,
    matches,
    play,
    puzzles,
    replay,
    report,
    restore,
    review,
    rules,
    serve,
    tournament,
    verify,
)
from machiavel.server.cli.arguments import Parser, UsageError
from machiavel.server.cli.command_texts import language_of_environment
from machiavel.server.cli.output import quiet_stdout, say_error

__all__ = ["main"]

FAILED, INTERRUPTED, PIPE_CLOSED = 2, 130, 141

EPILOG = """\
examples:
  machiavel play agency                          you against two bots
  machiavel play agency --players 4 --lang fr    four players, in French
  machiavel rules agency                         how it is played
  machiavel hint agency view.json                what to play, from a seat's view
  machiavel review match.json                    how a match was played, move by move
  machiavel puzzles agency                       positions of its own to solve, found between bots
  machiavel games                                what can be played, with which options
  machiavel tournament agency --bots level5 greedy random --output DIR   bots against bots
  machiavel serve                                games and bots for frontends, over the network
  machiavel bench playouts --game agency --players 4 --seconds 5

`machiavel COMMAND --help` tells more about a command.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command.

    Returns 0, 1 where a check (`verify`, `check-bot`, `check-game`) found something, 2 for an error, 130 after Ctrl-C, 141 where
    nobody reads the output any more.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # A locale without our characters, or a stray byte, is no reason to stop.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = run(argv)
        sys.stdout.flush()
    except UsageError as error:
        say_error(str(error))
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        quiet_stdout()
        return PIPE_CLOSED
    except OSError as error:
        quiet_stdout()
        say_error(f"the output cannot be written: {error.strerror or error}")
        return FAILED
    return code


def run(argv: Sequence[str] | None) -> int:
    try:
        arguments = make_parser().parse_args(argv)
    except SystemExit as done:  # after --help and --version
        return done.code if isinstance(done.code, int) else 0
    except GameError as error:  # of a file whose options are flags
        return failed(error, language_in(sys.argv[1:] if argv is None else argv))
    try:
        code: int = arguments.run(arguments)
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else 0
    except GameError as error:
        # In the language of a command that has one.
        return failed(error, arguments.lang or language_of_environment() if hasattr(arguments, "lang") else "en")
    return code


def failed(error: GameError, language: str) -> int:
    for message in error.messages(language):
        say_error(message)
    return FAILED


def language_in(words: Sequence[str]) -> str:
    """The language that the words of a command line ask for, where they could not be read."""
    asked = [after for word, after in pairwise([*words, ""]) if word == "--lang"]
    asked += [word.removeprefix("--lang=") for word in words if word.startswith("--lang=")]
    return next((one for one in asked if one in LANGUAGES), language_of_environment())


def make_parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="machiavel",
        description="Card and board games with hidden information: play them, and measure their engines.",
        epilog=EPILOG,
    )
    parser.add_argument("--version", action="version", version=f"machiavel {version('machiavel')}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (
        play,
        rules,
        hint,
        tournament,
        report,
        replay,
        check_bot,
        check_game,
        review,
        puzzles,
        serve,
        backup,
        restore,
        matches,
        admin,
        verify,
        games,
        bots,
        bench,
    ):
        command.add_command(commands)
    return parser
