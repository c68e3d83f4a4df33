"""`machiavel verify`: whether the matches a server keeps are what they say."""

import argparse
from dataclasses import asdict
from typing import Any

from machiavel.server.cli.arguments import UsageError, add_json
from machiavel.server.cli.backup import add_storage_flag, storage_path
from machiavel.server.cli.game_files import add_game_files, add_game_files_flag
from machiavel.server.cli.output import json_line, people

__all__ = ["add_command"]

DAMAGED = 1
EPILOG = """\
Looks at the file as a whole: its pages, how much it should hold, whether all is there that a server acknowledged. Then replays
every match from its first event to its last, and compares where that leads with how the match is listed. Nothing is changed; a
server may be running meanwhile. Exit code 1 where the file or a match is not what it says.

examples:
  machiavel verify
  machiavel verify --storage sqlite:////var/lib/machiavel/matches.sqlite3 --json
"""


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "verify",
        help="replay the matches that a server keeps",
        description="Replays the matches that a server keeps.",
        epilog=EPILOG,
    )
    add_storage_flag(parser)
    add_game_files_flag(parser, "a file with a game that was served from it; may be repeated")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from machiavel.server.matches.verification import verify  # noqa: PLC0415 - other commands have no need of it
    from machiavel.server.storage import SqliteStorage, StorageFailed  # noqa: PLC0415

    add_game_files(arguments.game_files)
    path = storage_path(arguments)
    try:
        storage = SqliteStorage(path, read_only=True)
    except StorageFailed as error:
        raise UsageError(f"--storage: {error.problem}") from None
    try:
        matches = problems = 0
        whole = storage.problem()
        if arguments.json:
            json_line({"type": "database", "problem": whole})
        elif whole:
            people().print(f"The file {whole}")
        for one in verify(storage):
            matches, problems = matches + 1, problems + bool(one.problem)
            if arguments.json:
                json_line({"type": "match", **asdict(one)})
            elif one.problem:
                people().print(f"{one.match}: {one.problem}")
    except StorageFailed as error:
        raise UsageError(f"--storage: {error.problem}") from None
    finally:
        storage.close()
    if not arguments.json:
        people().print(f"{matches} matches replayed, {problems} of them not what they say")
    return DAMAGED if problems or whole else 0
