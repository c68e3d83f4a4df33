"""Bots at the table of `machiavel play`; what one of a file does wrong is told, and played for it."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from machiavel.engines import MoveError, View
from machiavel.search import NO_LIMITS, Bot, Limits, make_bot
from machiavel.server.cli.output import say_warning
from machiavel.server.tournaments.bot_files import file_bot, is_bot_file, name_of
from machiavel.server.tournaments.failed_bots import FailedBot
from machiavel.server.tournaments.plan import TimedSpec
from machiavel.server.tournaments.seat_bots import GREEDY, seat_bot

__all__ = ["file_of_spec", "served_files", "table_bot"]

Session = Any  # of `machiavel.clients`, which a table of one's own has no need of


def file_of_spec(spec: str) -> str | None:
    """The file of a bot that is one, without its time; None for any other."""
    timed = TimedSpec.read(spec)
    return timed.spec if is_bot_file(timed.spec) else None


def table_bot(spec: str) -> Bot:
    """The bot of a text, or of a file; raises BadBot."""
    file = file_of_spec(spec)
    if file is None:
        return make_bot(spec)
    file_bot(file)
    return GuardedBot(spec, name_of(file))


class GuardedBot:
    """A bot of a file: where it gives no legal move, or none in time, `greedy` plays, and whoever sits here is told why."""

    def __init__(self, text: str, spec: str) -> None:
        self.text = text
        self.spec = spec
        self.bot = seat_bot(text, 0, None)

    def choose(self, view: View, limits: Limits = NO_LIMITS) -> str:  # noqa: ARG002
        try:
            move = self.bot.choose(view)
            view.determinize(0).resolve(move, view.seat)
        except (FailedBot, MoveError) as error:
            say_warning(f"{self.text}: {error}; greedy plays instead")
            return GREEDY.choose(view)
        return move


@contextmanager
def served_files(files: Mapping[str, list[Session]]) -> Iterator[None]:
    """Inside, files hold seats of a match that a server hosts, each in a thread; afterwards `greedy` plays what is not over."""
    from machiavel.clients import ServiceError  # noqa: PLC0415 - without a server there is no need of it

    for file, sessions in files.items():
        threading.Thread(target=serve, args=(file, sessions), daemon=True).start()
    try:
        yield
    finally:
        for session in (one for sessions in files.values() for one in sessions):
            with suppress(ServiceError):
                if not session.get().match.utilities:
                    session.take_over("greedy")


def serve(file: str, sessions: list[Session]) -> None:
    from machiavel.clients import BotFault, ServiceError, serve_bot  # noqa: PLC0415 - without a server there is no need of it
    from machiavel.server.service.wire import read_view  # noqa: PLC0415

    bot = file_bot(file)

    def move(view: Mapping[str, Any], moves: list[str], turn: Any) -> str:  # noqa: ARG001
        return bot.answer(turn)

    def instead(fault: BotFault) -> str:
        say_warning(f"{file}: {fault.__cause__ or fault}; greedy plays instead")
        return GREEDY.choose(read_view(fault.turn.position.view))

    with suppress(ServiceError, ValueError):  # the table says so itself, or it is over and its client closed
        while sessions:
            serve_bot(move, *sessions, on_fault=instead)
            sessions[:] = rematches(sessions)


def rematches(sessions: list[Session]) -> list[Session]:
    """The seats in another match, once the people want one."""
    for session in sessions:
        session.rematch()
    for _ in sessions[0].watch(stay=True):
        continue
    return [again for session in sessions if (again := session.rematch()) is not None]
