"""`machiavel matches`: the matches that a server hosts for you."""

import argparse
import json
import sys
from typing import Any

from machiavel.server.cli.arguments import UsageError, add_json, add_language
from machiavel.server.cli.command_texts import TEXTS, Words, language_of_environment
from machiavel.server.cli.game_files import add_game_files, add_game_files_flag
from machiavel.server.cli.output import json_line, people, visible
from machiavel.server.cli.server_connection import add_server, connected

__all__ = ["add_command", "match_json"]

EPILOG = """\
Those are listed that were set up with your token, or all of them where the server asks for none. A PLACE is MATCH:TOKEN, as
`play --server` tells it: the host's, or for --export a seat's.

examples:
  machiavel matches --server 127.0.0.1:7788
  machiavel matches --server 127.0.0.1:7788 --export PLACE > match.json
  machiavel matches --server 127.0.0.1:7788 --delete PLACE
"""


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "matches",
        help="the matches on a server",
        description="The matches that a server hosts for you.",
        epilog=EPILOG,
    )
    add_server(parser, "the server", required=True)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--export", metavar="PLACE", help="write the record of a match that is over to stdout")
    what.add_argument("--delete", metavar="PLACE", help="remove a match, over or not")
    add_game_files_flag(parser, "the file of the game, where it is not installed here; may be repeated")
    add_language(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from machiavel.server.cli.seat_at_server import session_at  # noqa: PLC0415 - other commands have no need of it

    add_game_files(arguments.game_files, arguments.lang)
    with connected(arguments) as service:
        if arguments.export:
            export(session_at(service, arguments.export, "--export"))
        elif arguments.delete:
            delete(session_at(service, arguments.delete, "--delete"), arguments)
        elif arguments.json:
            for match in service.list_matches():
                json_line(match_json(match))
        else:
            show(service, arguments)
    return 0


def export(session: Any) -> None:
    """The record as one line of JSON, as `play --record` writes it."""
    from machiavel.clients import commitment  # noqa: PLC0415 - other commands have no need of it
    from machiavel.server.service import wire  # noqa: PLC0415

    response = session.record()
    if commitment(response) != response.match.commitment:
        raise UsageError(f"match {session.match}: the deal is not the one that the server had committed to")
    sys.stdout.write(json.dumps(wire.read_record(response.record).to_json(), ensure_ascii=False) + "\n")


def delete(session: Any, arguments: argparse.Namespace) -> None:
    session.delete()
    if arguments.json:
        json_line({"match": session.match, "removed": True})
    else:
        words = Words(TEXTS, arguments.lang or language_of_environment())
        people().print(words("removed", match=session.match))


def show(service: Any, arguments: argparse.Namespace) -> None:
    words, console = Words(TEXTS, arguments.lang or language_of_environment()), people()
    is_empty = True
    for match in service.list_matches():
        is_empty, result = False, match_json(match)
        who = ", ".join(seat["name"] or seat["bot"] or words("person") for seat in result["seats"])
        created = match.create_time.ToDatetime().strftime("%Y-%m-%d %H:%M:%S UTC")
        line = "  ".join([result["match"], created, result["game"], words(f"phase_{result['phase']}"), who])
        console.print(visible(line), soft_wrap=True)
    if is_empty:
        console.print(words("no_matches"))


def match_json(match: Any) -> dict[str, Any]:
    from machiavel.v1 import MatchPhase, SeatKind  # noqa: PLC0415 - other commands have no need of it

    return {
        "match": match.match,
        "game": match.game,
        "phase": MatchPhase.Name(match.phase).removeprefix("MATCH_PHASE_").lower(),
        "created": match.create_time.ToJsonString(),
        "seats": [
            {
                "kind": SeatKind.Name(seat.kind).removeprefix("SEAT_KIND_").lower(),
                "name": seat.name,
                "bot": seat.bot or None,
                "forfeited": seat.forfeited,
            }
            for seat in match.seats
        ],
        "commitment": match.commitment,
        "utilities": list(match.utilities) or None,
    }
