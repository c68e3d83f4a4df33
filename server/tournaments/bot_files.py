"""Bots of Python files: one function, `move(view, moves)`, called in this process."""

import importlib.util
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from machiavel.engines import View
from machiavel.search import NO_LIMITS, BadBot, Limits
from machiavel.server.tournaments.failed_bots import FailedBot

__all__ = ["FileBot", "file_bot", "is_bot_file", "name_of"]

FUNCTION = "move"
EXPECTED = f"expected a Python file with a function {FUNCTION}(view, moves)"


def is_bot_file(spec: str) -> bool:
    """Whether the bot is a file: its text ends as those of Python do."""
    return spec.endswith(".py")


def name_of(spec: str) -> str:
    """What the bot is called at a table."""
    return Path(spec).stem


@dataclass
class FileBot:
    """Asks the function of a file, which gets what its seat sees, as `machiavel.clients.serve_bot` shows it, and nothing else."""

    spec: str
    path: Path
    ask: Callable[[Any], Any]

    def choose(self, view: View, limits: Limits = NO_LIMITS) -> str:
        """What the function gives, which may be any text; raises FailedBot."""
        from machiavel.clients.bot_functions import BotTurn  # noqa: PLC0415 - without such a bot there is no need of it
        from machiavel.server.service.wire import view_message  # noqa: PLC0415
        from machiavel.v1 import MatchPosition, Move  # noqa: PLC0415

        seen = view.to_json()["view"]
        position = MatchPosition(
            view=view_message(view),
            ply=int(seen.get("ply") or 0),
            seats_to_move=sorted(view.seats_to_move),
            moves=[Move(text=move) for move in view.legal_moves()],
        )
        seconds = limits.seconds
        if seconds is None and limits.deadline is not None:
            seconds = max(0.0, limits.deadline - time.monotonic())
        return self.answer(BotTurn.at(position, int(view.seat or 0), seconds=seconds))

    def answer(self, turn: Any) -> str:
        """What the function gives to a turn; raises FailedBot."""
        try:
            move = self.ask(turn)
        except Exception as error:
            raise FailedBot(f"line {line_of(error, self.path)}: {type(error).__name__}: {error}") from error
        if not isinstance(move, str):
            raise FailedBot(f"{FUNCTION} gave {move!r}, which is no text; expected one of {', '.join(turn.moves)}")
        return move


def file_bot(spec: str) -> FileBot:
    """The bot of a file; raises BadBot where there is none."""
    from machiavel.clients.bot_functions import as_function  # noqa: PLC0415 - without such a bot there is no need of it

    path = Path(spec).absolute()
    if not path.is_file():
        raise BadBot(spec, f"there is no such file; {EXPECTED}")
    function = getattr(module_of(path, spec), FUNCTION, None)
    if not callable(function):
        raise BadBot(spec, f"it has no function {FUNCTION}; {EXPECTED}")
    try:
        return FileBot(spec, path, as_function(function))
    except TypeError as error:
        raise BadBot(spec, str(error)) from None


@cache
def module_of(path: Path, spec: str) -> ModuleType:
    """The file, run once in a process, and able to import its neighbours. Raises BadBot."""
    found = importlib.util.spec_from_file_location(f"machiavel_bot_{path.stem}", path)
    if found is None or found.loader is None:
        raise BadBot(spec, f"it cannot be read; {EXPECTED}")
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    module = importlib.util.module_from_spec(found)
    sys.modules[found.name] = module  # as pickles and dataclasses of the file need it
    try:
        found.loader.exec_module(module)
    except SyntaxError as error:
        raise BadBot(spec, f"line {error.lineno}: {error.msg}") from None
    except Exception as error:
        raise BadBot(spec, f"line {line_of(error, path)}: {type(error).__name__}: {error}") from error
    return module


def line_of(error: BaseException, path: Path) -> int:
    """The last line of the file on the way to where it was raised."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
