"""`machiavel admin`: a server, for whoever runs it."""

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from machiavel.server.cli.arguments import UsageError, add_json
from machiavel.server.cli.matches import match_json
from machiavel.server.cli.output import json_line, people, visible
from machiavel.server.cli.server_connection import tls_of

__all__ = ["add_command"]

EPILOG = """\
The server is reached by the socket that its --admin names, or at HOST:PORT with a token that its --admin-names names.
docs/operations.md tells more.

examples:
  machiavel admin status --server unix:/run/machiavel/admin.sock
  machiavel admin matches --server unix:/run/machiavel/admin.sock --account anna
  machiavel admin end match MATCH --server unix:/run/machiavel/admin.sock
  machiavel admin erase account anna --server unix:/run/machiavel/admin.sock --dry-run
  machiavel admin read-only on --reason "a new disk" --server unix:/run/machiavel/admin.sock
  machiavel admin drain on --server unix:/run/machiavel/admin.sock
"""
PREFIX = "TOURNAMENT_STATE_"
HOUR = 3600


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "admin",
        help="who uses a server, and the end of what must end",
        description="A server, for whoever runs it.",
        epilog=EPILOG,
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    add(actions, "status", "what the server is doing, and who uses how much of what", status)
    one = add(actions, "matches", "the hosted matches of all accounts", matches)
    one.add_argument("--account", metavar="NAME", help="only those of this account")
    one = add(actions, "tournaments", "the tournaments of all accounts", tournaments)
    one.add_argument("--account", metavar="NAME", help="only those of this account")
    one = add(actions, "end", "end a match or a tournament; what was played is kept", lambda *given: end(*given, remove=False))
    add_target(one)
    one = add(actions, "remove", "remove a match or a tournament, over or not", lambda *given: end(*given, remove=True))
    add_target(one)
    one = add(actions, "erase", "erase an account's data, or a person's name at every seat", erase)
    one.add_argument("whose", choices=("account", "person"), help="an account, which is a token's name; or a person's name")
    one.add_argument("name", metavar="NAME", help="exactly as it stands")
    one.add_argument("--dry-run", action="store_true", help="count only")
    one = add(actions, "read-only", "change nothing that is kept, or do so again", read_only)
    one.add_argument("turned", choices=("on", "off"))
    one.add_argument("--reason", metavar="TEXT", default="", help="what callers are told of why")
    one = add(actions, "drain", "take no new matches and tournaments, or do so again", drain)
    one.add_argument("turned", choices=("on", "off"))


def add(actions: Any, name: str, what: str, work: Callable[[Any, argparse.Namespace], None]) -> Any:
    parser = actions.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
    parser.add_argument(
        "--server",
        metavar="unix:PATH|HOST:PORT",
        default=os.environ.get("MACHIAVEL_ADMIN"),
        help="the socket of the server's --admin, or its gRPC port [MACHIAVEL_ADMIN]",
    )
    parser.add_argument(
        "--token",
        metavar="TOKEN",
        default=os.environ.get("MACHIAVEL_TOKEN"),  # where other users of the machine do not see it
        help="an operator's token, at HOST:PORT [MACHIAVEL_TOKEN]",
    )
    parser.add_argument("--tls", action="store_true", help="encrypt the way to that server")
    parser.add_argument("--tls-root", metavar="FILE", help="the same, trusting the certificates in FILE, as PEM (the system's)")
    add_json(parser)
    parser.set_defaults(run=run, work=work)
    return parser


def add_target(parser: Any) -> None:
    parser.add_argument("kind", choices=("match", "tournament"))
    parser.add_argument("name", metavar="NAME", help="its name, as the lists have it")


def run(arguments: argparse.Namespace) -> int:
    with connected(arguments) as service:
        arguments.work(service, arguments)
    return 0


@contextmanager
def connected(arguments: argparse.Namespace) -> Iterator[Any]:
    """A client; what fails inside is complained of as it was given on the command line."""
    from machiavel.clients import ServiceError, connect_admin  # noqa: PLC0415 - without a server there is no need of it

    if not arguments.server:
        raise UsageError("--server: is missing; expected unix:PATH, as the server's --admin has it, or HOST:PORT")
    try:
        # A socket of this machine needs no token, and one that is in the environment for another server is not for it.
        token = None if arguments.server.startswith("unix:") else arguments.token
        client = connect_admin(arguments.server, token=token, tls=tls_of(arguments))
    except ValueError as error:
        raise UsageError(f"--server {arguments.server}: {error}") from None
    try:
        with client:
            yield client
    except ServiceError as error:
        raise UsageError(f"--server {arguments.server}: {error}") from None


# ---- Actions ----


def status(service: Any, arguments: argparse.Namespace) -> None:
    answer = service.status()
    if arguments.json:
        json_line(status_json(answer))
        return
    console, mode = people(), answer.mode
    console.print(f"Machiavel {answer.version}, up {spoken(answer.uptime.ToTimedelta().total_seconds())}")
    if mode.read_only:
        console.print(visible(f"read-only: nothing is changed{f' ({mode.reason})' if mode.reason else ''}"), style="bold")
    if mode.draining:
        console.print("draining: nothing new is taken", style="bold")
    console.print(f"matches that are not over: {answer.matches}; tournaments: {answer.tournaments}\n")
    for one in answer.resources:
        console.print(f"{one.name:24} {one.used:>8} of {one.total}")
        for caller in one.callers:
            bound = f" (at most {caller.most})" if caller.HasField("most") else ""
            console.print(visible(f"  {caller.caller or 'everybody':22} {caller.used:>8}{bound}"), soft_wrap=True)


def status_json(answer: Any) -> dict[str, Any]:
    return {
        "version": answer.version,
        "uptime": answer.uptime.ToTimedelta().total_seconds(),
        "read_only": answer.mode.read_only,
        "reason": answer.mode.reason,
        "draining": answer.mode.draining,
        "matches": answer.matches,
        "tournaments": answer.tournaments,
        "resources": {
            one.name: {
                "total": one.total,
                "used": one.used,
                "callers": {
                    caller.caller: {"used": caller.used, "most": caller.most if caller.HasField("most") else None}
                    for caller in one.callers
                },
            }
            for one in answer.resources
        },
    }


def matches(service: Any, arguments: argparse.Namespace) -> None:
    for one in service.matches(arguments.account):
        result = {"account": one.account} | match_json(one.match)
        if arguments.json:
            json_line(result)
            continue
        who = ", ".join(seat["name"] or seat["bot"] or "person" for seat in result["seats"])
        line = "  ".join([result["match"], one.account or "-", result["created"], result["game"], result["phase"], who])
        people().print(visible(line), soft_wrap=True)


def tournaments(service: Any, arguments: argparse.Namespace) -> None:
    for one in service.tournaments(arguments.account):
        result = tournament_json(one)
        if arguments.json:
            json_line(result)
            continue
        games, hours = f"{result['played']} of {result['games']} games", f"{result['machine_seconds'] / HOUR:.2f} h"
        size = f"{one.bytes / (1 << 20):.1f} MiB"
        line = "  ".join([result["tournament"], one.account or "-", result["game"], result["state"], games, hours, size])
        people().print(visible(line), soft_wrap=True)


def tournament_json(one: Any) -> dict[str, Any]:
    from machiavel.v1 import TournamentState  # noqa: PLC0415 - other commands have no need of it

    about = one.tournament
    return {
        "tournament": about.name,
        "account": one.account,
        "game": about.plan.game,
        "bots": list(about.plan.bots),
        "state": TournamentState.Name(about.state).removeprefix(PREFIX).lower(),
        "played": about.games_played,
        "games": about.games,
        "machine_seconds": about.machine_time.ToTimedelta().total_seconds(),
        "bytes": one.bytes,
    }


def end(service: Any, arguments: argparse.Namespace, *, remove: bool) -> None:
    kind, name = arguments.kind, arguments.name
    done = getattr(service, f"{'remove' if remove else 'end'}_{kind}")(name)
    if not arguments.json:
        people().print(visible(f"{kind} {name} is {'removed' if remove else 'over'}"))
    elif remove:
        json_line({kind: name, "removed": True})
    else:
        json_line({"account": done.account} | match_json(done.match) if kind == "match" else tournament_json(done))


def erase(service: Any, arguments: argparse.Namespace) -> None:
    of = service.erase_account if arguments.whose == "account" else service.erase_person
    answer = of(arguments.name, dry_run=arguments.dry_run)
    counts = {"matches": answer.matches, "tournaments": answer.tournaments, "renamed": answer.renamed}
    if arguments.json:
        json_line({arguments.whose: arguments.name, "dry_run": arguments.dry_run} | counts)
        return
    verb = "would be" if arguments.dry_run else "are"
    if arguments.whose == "person":
        people().print(f"matches out of which the name {'would be' if arguments.dry_run else 'was'} taken: {answer.renamed}")
    else:
        people().print(f"{answer.matches} matches and {answer.tournaments} tournaments {verb} erased")


def read_only(service: Any, arguments: argparse.Namespace) -> None:
    mode = service.set_read_only(arguments.turned == "on", arguments.reason)
    if arguments.json:
        json_line({"read_only": mode.read_only, "reason": mode.reason, "draining": mode.draining})
    else:
        people().print("the server changes nothing that it keeps" if mode.read_only else "the server changes what it keeps again")


def drain(service: Any, arguments: argparse.Namespace) -> None:
    answer = service.set_draining(arguments.turned == "on")
    if arguments.json:
        json_line({"draining": answer.mode.draining, "matches": answer.matches, "tournaments": answer.tournaments})
        return
    new = "takes nothing new" if answer.mode.draining else "takes new matches and tournaments again"
    people().print(f"the server {new}; under way: {answer.matches} matches, {answer.tournaments} tournaments")


def spoken(seconds: float) -> str:
    """As `3 d 4 h`, `2 h 5 min` or `40 s`."""
    days, hours, minutes = int(seconds // (24 * HOUR)), int(seconds // HOUR) % 24, int(seconds // 60) % 60
    if days:
        return f"{days} d {hours} h"
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min" if minutes else f"{seconds:.0f} s"
