"""What can go wrong: one small tree, each error with its fields; the message says what is wrong and what would be right."""

from collections.abc import Sequence
from typing import Any, TypeVar

__all__ = [
    "AmbiguousMove",
    "BadDeck",
    "BadLayout",
    "BadOption",
    "BadRecord",
    "BadView",
    "GameError",
    "IllegalMove",
    "IncompatibleEngine",
    "MatchNotOver",
    "MatchOver",
    "MissingLuck",
    "MoveError",
    "NotAMove",
    "NotToMove",
    "UnknownGame",
    "out_of_json",
    "shown",
]


LONGEST = 400
Error = TypeVar("Error", bound=Exception)


class GameError(Exception):
    """The base of all errors of games; a call that raises one has changed nothing."""

    def __init__(self, message: str) -> None:
        # What came from outside is not given back at any length.
        super().__init__(message if len(message) <= 4 * LONGEST else f"{message[:LONGEST]} … {message[-LONGEST:]}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors come back from other processes whole; by itself Python would make them of their message alone."""
        return remade, (type(self), self.args, self.__dict__)


def remade(kind: type[GameError], arguments: tuple[Any, ...], fields: dict[str, Any]) -> GameError:
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(fields)
    return error


def shown(value: object) -> str:
    """A value from outside as a message shows it."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__} too long to show"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


class UnknownGame(GameError):
    """No engine of that name is installed."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"unknown game {name!r}; installed: {', '.join(known) or 'none'}")
        self.name = name
        self.known = tuple(known)


class IncompatibleEngine(GameError):
    """An engine does not fulfil the contract of this release."""

    def __init__(self, name: str, what: str) -> None:
        super().__init__(f"engine {name!r} cannot be loaded: {what}")
        self.name = name
        self.what = what


class BadOption(GameError):
    """An option of a game is unknown or has a value it cannot have.

    `as_json` is what is expected of a value out of JSON or a message, where Python may give more.
    """

    def __init__(self, option: str, value: object, expected: str, as_json: str | None = None) -> None:
        super().__init__(f"option {option!r} cannot be {shown(value)}; expected {expected}")
        self.option = option
        self.value = value
        self.expected = expected
        self.as_json = as_json


def out_of_json(error: Error) -> Error | BadOption:
    """An error of options that came out of JSON or a message: it names nothing that only Python can give."""
    if isinstance(error, BadOption) and error.as_json is not None:
        return BadOption(error.option, error.value, error.as_json)
    return error


class BadDeck(GameError):
    """A deck breaks a constraint."""

    def __init__(self, source: str, key: str, problem: str) -> None:
        super().__init__(f"deck {source}: {key}: {problem}")
        self.source = source
        self.key = key
        self.problem = problem


class BadLayout(GameError):
    """Luck that was laid out is impossible."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"layout: {problem}" if field == "layout" else f"layout: {field}: {problem}")
        self.field = field
        self.problem = problem


class MissingLuck(GameError):
    """The match needs luck that was neither laid out nor seeded."""

    def __init__(self, field: str) -> None:
        super().__init__(f"not laid out: {field}; lay it out or give a seed")
        self.field = field


class BadView(GameError):
    """A view is malformed or contradicts itself."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"view: {problem}" if field == "view" else f"view: {field}: {problem}")
        self.field = field
        self.problem = problem


class BadRecord(GameError):
    """A record is malformed, or does not replay."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"record: {problem}" if field == "record" else f"record: {field}: {problem}")
        self.field = field
        self.problem = problem


class MatchOver(GameError):
    """Nobody can move any more."""

    def __init__(self) -> None:
        super().__init__("the match is over; nobody is to move")


class MatchNotOver(GameError):
    """A result was asked for too early."""

    def __init__(self) -> None:
        super().__init__("the match is not over; what it comes to is told at its end")


class NotToMove(GameError):
    """A seat that is not asked was to move."""

    def __init__(self, seat: int | None, seats_to_move: Sequence[int]) -> None:
        who = "a spectator" if seat is None else f"seat {seat}"
        asked = ", ".join(map(str, seats_to_move))
        super().__init__(f"{who} is not to move; to move: {f'seat {asked}' if asked else 'nobody'}")
        self.seat = seat
        self.seats_to_move = tuple(seats_to_move)


class MoveError(GameError):
    """A text cannot be played; `text` is the text as given."""

    text: str


class NotAMove(MoveError):
    """The text is no move of this game at all."""

    def __init__(self, text: str, expected: str) -> None:
        super().__init__(f"{shown(text)} is not a move; expected {expected}")
        self.text = text
        self.expected = expected


class IllegalMove(MoveError):
    """The text is a move, but not a legal one now."""

    def __init__(self, text: str, seat: int, why: str, legal: Sequence[str]) -> None:
        reason = f"{why}; " if why else ""
        super().__init__(f"illegal move {text[:LONGEST]} for seat {seat}: {reason}legal: {', '.join(legal)}")
        self.text = text
        self.seat = seat
        self.why = why
        self.legal = tuple(legal)


class AmbiguousMove(MoveError):
    """The text fits more than one legal move."""

    def __init__(self, text: str, seat: int, candidates: Sequence[str]) -> None:
        super().__init__(f"ambiguous move {shown(text)} for seat {seat}: could be {' or '.join(candidates)}")
        self.text = text
        self.seat = seat
        self.candidates = tuple(candidates)
