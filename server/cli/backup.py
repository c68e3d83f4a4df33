"""`machiavel backup`: a copy of the matches that a server keeps, made while it serves."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from machiavel.server.cli.arguments import UsageError, add_json
from machiavel.server.cli.game_files import add_game_files, add_game_files_flag
from machiavel.server.cli.output import json_line, people

if TYPE_CHECKING:
    from machiavel.server.matches.backups import Report

__all__ = ["add_command", "add_storage_flag", "storage_path", "told_of"]

DAMAGED = 1
EPILOG = """\
The server may be serving meanwhile: the copy is of one moment. It is one file, and gets its name once every match in it was
replayed. It holds what every player holds: keep it as you would keep the cards. Exit code 1 where a match is not what it says, or
where the store has lost something that was acknowledged; what there is is copied all the same. Exit code 2: there is no backup.

examples:
  machiavel backup matches-monday.sqlite3
  machiavel backup /backups/matches.sqlite3 --storage sqlite:////var/lib/machiavel/matches.sqlite3 --json
"""


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "backup",
        help="copy the matches that a server keeps, while it serves",
        description="Copies the matches that a server keeps into a new file, while it serves.",
        epilog=EPILOG,
    )
    parser.add_argument("target", metavar="FILE", help="the new file")
    add_storage_flag(parser)
    add_game_files_flag(parser, "a file with a game that was served from it; may be repeated")
    add_json(parser)
    parser.set_defaults(run=run)


def add_storage_flag(parser: argparse.ArgumentParser) -> None:
    told = "where they are kept: sqlite:///FILE; unset, where serve keeps them [MACHIAVEL_STORAGE]"
    parser.add_argument("--storage", metavar="URL", help=told)
    parser.add_argument("--config", metavar="FILE", help="settings of the server, which name it [MACHIAVEL_CONFIG]")


def storage_path(arguments: argparse.Namespace) -> Path:
    """The file that --storage means, or else the server's settings; raises UsageError."""
    from machiavel.server.service.config import BadConfig, load_config  # noqa: PLC0415 - other commands have no need of it
    from machiavel.server.storage.places import BadPlace, path_of, usual_place  # noqa: PLC0415

    try:
        given = arguments.storage or load_config({"config": arguments.config}).storage
        path = path_of(given or usual_place())
    except BadConfig as error:
        raise UsageError(str(error)) from None
    except BadPlace as error:
        raise UsageError(f"--storage: {error}") from None
    if path is None:
        raise UsageError("--storage: memory: is gone with its server; expected sqlite:///FILE")
    return path


def run(arguments: argparse.Namespace) -> int:
    from machiavel.server.matches.backups import back_up  # noqa: PLC0415 - other commands have no need of it
    from machiavel.server.storage import StorageFailed  # noqa: PLC0415

    add_game_files(arguments.game_files)
    source, target = storage_path(arguments), Path(arguments.target)
    try:
        report = back_up(source, target)
    except StorageFailed as error:
        raise UsageError(f"backup: {error.problem}") from None
    code = told_of(report, arguments.json, "backup", f"{target} holds {report.matches} matches, each replayed")
    return DAMAGED if report.lost else code


def told_of(report: "Report", as_json: bool, kind: str, text: str) -> int:
    """Says what came of it; the exit code."""
    if as_json:
        problems = [{"match": one.match, "problem": one.problem} for one in report.problems]
        about = {"matches": report.matches, "commits": report.commits, "lost": report.lost}
        json_line({"type": kind, **about, "aside": str(report.aside or ""), "problems": problems})
    else:
        people().print(text)
        if report.lost:
            people().print(f"{report.lost} commits that a server acknowledged there are not in it")
        if report.aside:
            people().print(f"What stood there before is in {report.aside}")
        for one in report.problems:
            people().print(f"{one.match}: {one.problem}")
    return DAMAGED if report.problems else 0
