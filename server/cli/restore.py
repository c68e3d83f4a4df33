"""`machiavel restore`: a backup, or what is left of a damaged store, for a server to go on with."""

import argparse
from pathlib import Path
from typing import Any

from machiavel.server.cli.arguments import UsageError, add_json
from machiavel.server.cli.backup import add_storage_flag, storage_path, told_of
from machiavel.server.cli.game_files import add_game_files, add_game_files_flag

__all__ = ["add_command"]

EPILOG = """\
No server may be running on the store. The backup is replayed first; where its pages are damaged nothing is changed. What stood
there before is kept beside it, as FILE.before-1. A server does not start on a store that has lost something, and says so:
--what-is-left lets it start with the rest. Exit code 1 where a match is not what it says.

examples:
  machiavel restore matches-monday.sqlite3
  machiavel restore /backups/matches.sqlite3 --storage sqlite:////var/lib/machiavel/matches.sqlite3
  machiavel restore --what-is-left
"""


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "restore",
        help="put a backup where a server keeps its matches",
        description="Puts a backup where a server keeps its matches.",
        epilog=EPILOG,
    )
    parser.add_argument("backup", metavar="BACKUP", nargs="?", help="a file that backup made")
    parser.add_argument("--what-is-left", action="store_true", help="no backup: go on with what the store still holds")
    add_storage_flag(parser)
    add_game_files_flag(parser, "a file with a game that was served from it; may be repeated")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from machiavel.server.matches.backups import accept_what_is_left, restore  # noqa: PLC0415 - other commands have no need of it
    from machiavel.server.storage import StorageFailed  # noqa: PLC0415

    if bool(arguments.backup) == arguments.what_is_left:
        raise UsageError("restore: expected a backup, or --what-is-left")
    add_game_files(arguments.game_files)
    path = storage_path(arguments)
    try:
        report = accept_what_is_left(path) if arguments.what_is_left else restore(Path(arguments.backup), path)
    except StorageFailed as error:
        raise UsageError(f"restore: {error.problem}") from None
    return told_of(report, arguments.json, "restore", f"{path} holds {report.matches} matches, each replayed")
