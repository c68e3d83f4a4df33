"""`machiavel serve`: games and bots for frontends, over the network."""

import argparse
import asyncio
import contextlib
import os
import resource
import signal
import sys
from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TextIO

from machiavel.engines import games, load
from machiavel.engines.registry import file_of
from machiavel.server import garbage
from machiavel.server.cli.arguments import UsageError, add_json
from machiavel.server.cli.game_files import add_game_files_flag, host_game_files
from machiavel.server.cli.output import json_line, people
from machiavel.server.service.config import PREFIX, BadConfig, Config, load_config

if TYPE_CHECKING:
    from machiavel.server.service.app import Server

__all__ = ["add_command"]

MOST_FILES = 65_536
# Seconds that a thread may keep others from Python's lock: what searches do in Python would hold up answers ten times as long.
SWITCH = 0.0005

EPILOG = """\
Each setting may also stand in the environment, as MACHIAVEL_LISTEN, or in a TOML file, as listen = "127.0.0.1:7788". A flag comes
before the environment, and the environment before the file. Ctrl-C or SIGTERM ends the server: it takes no new calls, and gives
those under way the time of --drain. SIGHUP makes it read tokens, certificates and the limits of callers again. docs/api.md and
docs/matches.md tell what the services do. Hosted matches are kept in a file unless --storage says memory:; after a restart they
go on.

examples:
  machiavel serve
  machiavel serve --listen 127.0.0.1:0 --json
  machiavel serve --web 127.0.0.1:7789
  machiavel serve --listen 0.0.0.0:7788 --tls-certificate cert.pem --tls-key key.pem --tokens tokens.toml
  machiavel serve --game ./mygame.py --game ~/games/other.py
  machiavel serve --rehearsal 7 --web 127.0.0.1:7789
  machiavel serve --config server.toml --metrics 127.0.0.1:9090
  machiavel serve --config server.toml --check-config
"""


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "serve",
        help="serve games and bots over the network",
        description="Serves games and bots over the network.",
        epilog=EPILOG,
    )
    for one in fields(Config):
        add_setting(parser, one.name, one.default, dict(one.metadata))
    add_game_files_flag(parser, "serve the game of a Python file, too; may be repeated. Never takes one from the wire")
    parser.add_argument("--check-config", action="store_true", help="say whether the settings and their files are right, and end")
    parser.add_argument("--greet", action="store_true", help="play a short match of bots through the server first")
    add_json(parser)
    parser.set_defaults(run=run)


def add_setting(parser: argparse.ArgumentParser, name: str, default: Any, about: dict[str, Any]) -> None:
    flag, told = f"--{name.replace('_', '-')}", f"{about['help']} [{PREFIX}{name.upper()}]"
    if isinstance(default, bool):
        usual = "yes" if default else "no"
        parser.add_argument(flag, action=argparse.BooleanOptionalAction, default=None, help=f"{told} ({usual})")
        return
    usual = f" ({default})" if default not in {"", None} else ""
    metavar = about["metavar"] or "|".join(about.get("choices", ()))
    parser.add_argument(flag, metavar=metavar, help=told.replace("%", "%%") + usual)


def run(arguments: argparse.Namespace) -> int:
    from machiavel.server.cli.stderr import logged_stderr  # noqa: PLC0415 - other commands have no need of it

    try:
        config = load_config(vars(arguments))
        hosted = host_game_files(arguments.game_files)
        if hosted and not arguments.json:
            people().print("Games out of files: " + ", ".join(f"{game.name} ({file_of(game.name)})" for game in hosted))
        if arguments.greet and (config.tls_certificate or config.tokens):
            raise UsageError("--greet: comes without a token or a certificate; leave it out, or the tokens and certificates")
        if arguments.check_config:
            check_config(config, as_json=arguments.json)
            return 0
        allow_files()
        sys.setswitchinterval(SWITCH)
        from machiavel.server.service.fair_loop import new_loop  # noqa: PLC0415 - other commands have no need of it

        with logged_stderr(config) as stream, asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(serve(config, arguments, stream))
    except BadConfig as error:
        raise UsageError(str(error)) from None
    return 0


def check_config(config: Config, *, as_json: bool) -> None:
    """Looks at all that can be looked at without a port or a storage; raises BadConfig."""
    from machiavel.server.service.access_files import check_files  # noqa: PLC0415 - other commands have no need of it

    access = check_files(config)
    if as_json:
        json_line(
            {
                "type": "settings",
                "settings": {one.name: getattr(config, one.name) for one in fields(Config)},
                "tokens": sorted(access.tokens.values()),
                "callers": access.limits.tables,
            }
        )
        return
    people().print("The settings are right, and so are the files that they name.")


def allow_files() -> None:
    """Each connection is an open file, and the usual 1024 of them are few: takes as many as the system lets a process have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


async def serve(config: Config, arguments: argparse.Namespace, log: TextIO) -> None:
    """Until it is told to end."""
    from machiavel.server.service.app import Server  # noqa: PLC0415 - other commands have no need of it

    ended, hung_up, had_terminal = asyncio.Event(), asyncio.Event(), has_terminal()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    loop.add_signal_handler(signal.SIGHUP, hung_up.set)  # which would end it
    garbage.load_games()
    async with Server(config, stream=log) as server:
        act = hang_up(server, ended, had_terminal)
        loop.add_signal_handler(signal.SIGHUP, act)
        if hung_up.is_set():
            act()
        garbage.settle()
        settling = asyncio.create_task(garbage.settle_often())
        say_listening(server, arguments.json)
        if arguments.greet:
            await until(ended, greet(server.address, server.page_address))
        await until(ended, server.broken())
        settling.cancel()
        if not arguments.json:
            with contextlib.suppress(OSError):  # its terminal may be gone
                people().print("ending …")


def hang_up(server: "Server", ended: asyncio.Event, had_terminal: bool) -> Callable[[], None]:
    """What SIGHUP does: reads again what may change; but where its terminal was closed the server ends with it, as ever."""
    under_way: set[asyncio.Task[bool]] = set()

    def act() -> None:
        if had_terminal and not has_terminal():
            ended.set()
            return
        task = asyncio.create_task(server.reload())
        under_way.add(task)
        task.add_done_callback(under_way.discard)

    return act


def has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True


def say_listening(server: "Server", as_json: bool) -> None:
    from machiavel.server.service.exporter import PATH  # noqa: PLC0415 - other commands have no need of it

    if as_json:
        json_line(
            {
                "type": "listening",
                "address": server.address,
                "tls": bool(server.config.tls_certificate),
                "web": server.web_address,
                "page": server.page_address,
                "metrics": server.metrics_address,
                "keep_over": server.config.keep_over,
                "keep_idle": server.config.keep_idle,
            }
        )
        return
    people().print(f"Machiavel listens on {server.address}{' (TLS)' if server.config.tls_certificate else ''}; Ctrl-C ends it")
    if server.page_address:
        people().print(f"Play in a browser: {server.page_address}", style="bold")
    if server.web_address:
        people().print(f"Programs and curl call {server.web_address}")
    if server.config.rehearsal:
        people().print("A rehearsal: whoever knows the seed knows every card and every token, and nothing is kept", style="bold")
    if told := kept_for(server.config):
        people().print(told)
    if server.metrics_address:
        people().print(f"Metrics are at http://{server.metrics_address}{PATH}")


def kept_for(config: Config) -> str:
    """Which matches are removed by themselves; empty: none."""
    days = ((config.keep_over, "their end"), (config.keep_idle, "their last event"))
    removed = [f"{count:g} days after {what}" for count, what in days if count]
    return f"Matches are removed {' or '.join(removed)} (--keep-over, --keep-idle)" if removed else ""


async def until(ended: asyncio.Event, work: Any) -> None:
    """The work, unless the end comes first."""
    tasks = [asyncio.create_task(work), asyncio.create_task(ended.wait())]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    tasks[1].cancel()
    if ended.is_set():
        tasks[0].cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await tasks[0]


async def greet(address: str, page: str | None) -> None:
    """A match of bots through the client, and what to try next; `page` is where the page for browsers is, if it is served."""
    from machiavel.clients import connect_async  # noqa: PLC0415 - other commands have no need of it

    console = people()
    bots = ("level3", "greedy", "random")
    playable = [name for name in games() if len(bots) in load(name).players]
    if not playable:
        raise UsageError(f"--greet: no game is installed for {len(bots)} players; leave it out")
    game = playable[0]
    console.print(f"\nA match of {game}, played through it by {', '.join(bots)}:", style="bold")
    async with connect_async(address) as service:
        state = await service.new_state(game, len(bots), seed=7)
        line: list[str] = []
        while not state.over:
            seat = state.seat_to_move
            view = (await service.get_view(state, seat)).view  # a bot gets what its seat sees
            answer = await service.recommend_move(view, bot=bots[seat])
            state = (await service.apply_move(state, answer.move.text, seat)).state
            line.append(f"{bots[seat]} {answer.move.text}")
        for at in range(0, min(len(line), 9), 3):
            console.print(f"  {'  '.join(line[at : at + 3])}")
        won = [name for name, utility in zip(bots, state.utilities, strict=True) if utility == max(state.utilities)]
        console.print(f"  … {state.ply} moves in all; {' and '.join(won)} won.")
    if page is not None:
        console.print(f"\nOpen {page} in a browser: play, watch bots play, have matches reviewed.", style="bold")
    console.print("\nThree things to try, from another terminal:", style="bold")
    console.print(f"  .venv/bin/machiavel play {game} --server {address} --bots level5 level5")
    console.print(f"  .venv/bin/python clients/examples/frontend.py {address}")
    console.print(f"  .venv/bin/python clients/examples/frontend.py {address} --game {game} --lang fr\n")
