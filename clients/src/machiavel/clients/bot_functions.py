"""A bot as one function: what it is asked with, and what is wrong with what it answers."""

import inspect
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from google.protobuf.json_format import MessageToDict

from machiavel.v1 import MatchPosition, View

__all__ = ["BotFault", "BotFunction", "BotTurn", "as_function", "view_dict"]

# Takes the view and the legal moves, and where it has a third parameter the turn; gives the text of a move.
BotFunction = Callable[..., Any]
SHOWN = 12  # legal moves in a message


@dataclass(frozen=True)
class BotTurn:
    """What a bot is asked: everything its seat sees, and by when it must have answered.

    `view` is the game's own view as a dict, `moves` are the canonical texts of the legal moves. `seconds` is the time left when
    it is asked, by the clock of this machine; None: any. `version` is the match's for this seat. Where no server hosts the match,
    `match` is empty, `version` 0 and `position` without labels.
    """

    game: str
    players: int
    seat: int
    ply: int
    view: Mapping[str, Any]
    moves: list[str]
    seconds: float | None
    position: MatchPosition
    match: str = ""
    version: int = 0

    @classmethod
    def at(
        cls, position: MatchPosition, seat: int, *, match: str = "", version: int = 0, seconds: float | None = None
    ) -> "BotTurn":
        """The turn of a seat in a position."""
        if position.HasField("due"):
            seconds = max(0.0, position.due.ToNanoseconds() / 1e9 - time.time())
        return cls(
            position.view.game,
            position.view.options.players,
            seat,
            position.ply,
            view_dict(position.view),
            [move.text for move in position.moves],
            seconds,
            position,
            match,
            version,
        )


class BotFault(Exception):
    """A bot gave no move: its function raised an exception, which is the cause, or what it answered is none.

    `turn` is what it was asked; `answer` what it gave, None where it raised.
    """

    def __init__(self, turn: BotTurn, answer: Any, problem: str) -> None:
        moves = ", ".join(turn.moves[:SHOWN]) + (f" and {len(turn.moves) - SHOWN} more" if len(turn.moves) > SHOWN else "")
        where = f"seat {turn.seat}, ply {turn.ply}" + (f" of match {turn.match}" if turn.match else "")
        super().__init__(f"the bot at {where}: {problem}; expected one of {moves}")
        self.turn = turn
        self.answer = answer


def as_function(function: BotFunction) -> Callable[[BotTurn], Any]:
    """What is to be called with a turn; raises TypeError for what takes neither two nor three arguments."""
    try:
        signature = inspect.signature(function)
    except ValueError:  # of compiled code, which tells nothing
        return lambda turn: function(turn.view, turn.moves)
    for arguments in (("view", "moves", "turn"), ("view", "moves")):
        try:
            signature.bind(*arguments)
        except TypeError:
            continue
        count = len(arguments)
        return lambda turn: function(*(turn.view, turn.moves, turn)[:count])
    raise TypeError(
        f"{getattr(function, '__name__', function)}{signature} is no bot; expected move(view, moves) or move(view, moves, turn)"
    )


def view_dict(view: View) -> dict[str, Any]:
    """The game's own part of a view as plain values: fields by their names in the .proto files, those that are empty included."""
    part = view.WhichOneof("seen")
    if part is None:
        return {}
    own = MessageToDict(getattr(view, part), preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
    return own if part != "other" else {name: whole(value) for name, value in own.items()}


def whole(value: Any) -> Any:
    """JSON knows one kind of number; cards and chips are whole ones."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [whole(item) for item in value]
    if isinstance(value, dict):
        return {name: whole(item) for name, item in value.items()}
    return value
