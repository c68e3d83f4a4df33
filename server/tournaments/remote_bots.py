"""Bots behind the API: a server's, or a process's that we start and that says where it listens."""

import contextlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from queue import Empty, Queue
from typing import Any, Self
from urllib.parse import parse_qsl

from machiavel.engines import View
from machiavel.search import NO_LIMITS, BadBot, Limits
from machiavel.server.tournaments.plan import TimedSpec

__all__ = ["RemoteBot", "RemoteSpec", "is_remote", "processes_of", "remote_bot", "try_bot"]

SCHEMES = ("grpc://", "grpcs://", "http://", "https://")
PROCESS = "process:"
EXAMPLES = "grpc://HOST:PORT/level=7, http://HOST:PORT/level=7, or process:COMMAND?bot=level7"
STARTS_WITHIN = 60.0  # seconds that a process may take to say where it listens
ENDS_WITHIN = 5.0
ANSWERS_WITHIN = 10.0
# A program that becomes the command, having asked Linux to end it when its parent dies, however that comes about.
ENDS_WITH_US = "import ctypes, os, sys; ctypes.CDLL(None).prctl(1, 15); os.execvp(sys.argv[1], sys.argv[1:])"
TOKEN = "MACHIAVEL_TOKEN"  # noqa: S105 - the name of a variable


@dataclass(frozen=True)
class RemoteSpec:
    """Where a bot is asked, and for which of the bots there."""

    address: str  # as `connect` takes it; empty: of the process
    bot: str  # empty: the server's usual one
    tls: bool = False
    command: str = ""

    @classmethod
    def read(cls, text: str) -> Self:
        """Raises BadBot."""
        if text.startswith(PROCESS):
            command, mark, query = text.removeprefix(PROCESS).rpartition("?")
            command, query = (command, query) if mark and query.startswith("bot=") else (text.removeprefix(PROCESS), "")
            try:
                words = shlex.split(command)
            except ValueError as error:
                raise BadBot(text, f"its command cannot be read: {error}") from None
            if not words:
                raise BadBot(text, f"there is no command; expected {EXAMPLES}")
            return cls("", named(text, dict(parse_qsl(query)).get("bot", "")), command=command)
        scheme, _, rest = text.partition("://")
        if scheme in {"http", "https"}:
            where, _, bot = rest.rpartition("/") if "/" in rest else (rest, "", "")
            if not where.partition("/")[0].rstrip(":"):
                raise BadBot(text, f"there is no host; expected {EXAMPLES}")
            return cls(f"{scheme}://{where}", named(text, bot), tls=scheme == "https")
        address, _, bot = rest.partition("/")
        host, _, port = address.rpartition(":")
        if not host or not port.isdigit():
            raise BadBot(text, f"there is no HOST:PORT; expected {EXAMPLES}")
        return cls(address, named(text, bot), tls=scheme == "grpcs")


def named(text: str, bot: str) -> str:
    """`level=7` is the bot `level7`; `level=7,seed=3` gives it a seed."""
    if not bot.startswith("level="):
        return bot
    level, _, rest = bot.removeprefix("level=").partition(",")
    if not level.isdigit():
        raise BadBot(text, f"{bot!r} is no level; expected {EXAMPLES}")
    return f"level{level}:{rest}" if rest else f"level{level}"


def is_remote(spec: str) -> bool:
    return spec.startswith((*SCHEMES, PROCESS))


@cache
def client(address: str, tls: bool) -> Any:
    """The connection to a server, shared by all that ask it."""
    from machiavel.clients import Tls, connect  # noqa: PLC0415 - without a server there is no need of it

    return connect(address, token=os.environ.get(TOKEN), tls=Tls() if tls else None)


@dataclass
class RemoteBot:
    """Asks a server for the moves of a bot, from the views it is sent."""

    spec: str
    service: Any
    seconds: float

    def choose(self, view: View, limits: Limits = NO_LIMITS) -> str:
        """The deadline of the call is the time to think, for a bot that has no amount of its own."""
        from machiavel.server.service.wire import view_message  # noqa: PLC0415 - without a server there is no need of it

        answer = self.service.recommend_move(
            view_message(view), bot=self.spec, iterations=limits.iterations, timeout=limits.seconds or self.seconds
        )
        return str(answer.move.text)


def remote_bot(spec: RemoteSpec, address: str | None, seconds: float) -> RemoteBot:
    """The bot of a spec; `address` is the process's."""
    return RemoteBot(spec.bot, client(spec.address or str(address), spec.tls), seconds)


def try_bot(text: str, bot: RemoteBot, view: View) -> None:
    """Asks it once, before anything begins; raises BadBot where it does not answer."""
    from machiavel.clients import ServiceError  # noqa: PLC0415 - without a server there is no need of it

    try:
        bot.choose(view, Limits(seconds=max(bot.seconds, ANSWERS_WITHIN)))
    except (ServiceError, ValueError) as error:
        raise BadBot(text, f"asked for a first move, it gave none: {error}") from None


@contextlib.contextmanager
def processes_of(bots: Sequence[str]) -> Iterator[Mapping[str, str]]:
    """Starts the processes of the bots that name one: their addresses by bot, while inside. Raises BadBot."""
    with contextlib.ExitStack() as stack:
        specs = {bot: TimedSpec.read(bot).spec for bot in bots}
        yield {bot: stack.enter_context(started(spec)) for bot, spec in specs.items() if spec.startswith(PROCESS)}


@contextlib.contextmanager
def started(spec: str) -> Iterator[str]:
    """The address that a process prints, as `machiavel serve --json` does; it ends when we leave."""
    words = shlex.split(RemoteSpec.read(spec).command)
    if shutil.which(words[0]) is None:
        raise BadBot(spec, f"its command cannot be started: there is no program {words[0]}")
    command = [sys.executable, "-c", ENDS_WITH_US, *words] if sys.platform == "linux" else words
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, start_new_session=True)  # noqa: S603 - it is the user's own
    except OSError as error:
        raise BadBot(spec, f"its command cannot be started: {error.strerror or error}") from None
    try:
        yield address_of(spec, process)
    finally:
        process.terminate()
        try:
            process.wait(ENDS_WITHIN)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


def address_of(spec: str, process: "subprocess.Popen[str]") -> str:
    """What the first line says; the rest is read and forgotten, so that the process never waits for us."""
    lines: Queue[str] = Queue(maxsize=1)

    def read() -> None:
        if process.stdout is None:
            return
        with contextlib.suppress(ValueError):  # closed meanwhile
            lines.put(process.stdout.readline())
            for _ in process.stdout:
                pass

    threading.Thread(target=read, daemon=True).start()
    try:
        line = lines.get(timeout=STARTS_WITHIN)
    except Empty:
        raise BadBot(spec, f"it printed nothing within {STARTS_WITHIN:g} s; {PRINTS}") from None
    try:
        result = json.loads(line)["address"]
    except (ValueError, KeyError, TypeError):
        raise BadBot(spec, f"it printed {line.strip()!r} first; {PRINTS}") from None
    return str(result)


PRINTS = 'expected one line such as {"type":"listening","address":"127.0.0.1:7788"}'
