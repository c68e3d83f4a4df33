"""What can go wrong: one small tree, each error with its fields; the message says what is wrong and what would be right."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from machiavel.engines.phrases import Wording, in_language, load_phrases

__all__ = [
    "AmbiguousMove",
    "BadDeck",
    "BadGameFile",
    "BadLayout",
    "BadOption",
    "BadRecord",
    "BadView",
    "GameError",
    "GameFault",
    "IllegalMove",
    "IncompatibleEngine",
    "MatchNotOver",
    "MatchOver",
    "MissingLuck",
    "MoveError",
    "NotAMove",
    "NotToMove",
    "Problem",
    "UnknownGame",
    "out_of_json",
    "said",
    "shown",
]


LONGEST = 400
Error = TypeVar("Error", bound=Exception)


@dataclass(frozen=True)
class Problem:
    """What is wrong with one field."""

    field: str
    problem: str


class GameError(Exception):
    """The base of all errors of games; a call that raises one has changed nothing."""

    def __init__(self, message: str) -> None:
        super().__init__(shortened(message))
        self._wording = message

    def message(self, language: str) -> str:
        """The message in that language, as far as it is translated."""
        return shortened(str(in_language(self._wording, language)))

    def messages(self, language: str) -> list[str]:
        """A message for everything that was found wrong; the first is `message`."""
        return [self.message(language)]

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors come back from other processes whole; by itself Python would make them of their message alone."""
        return remade, (type(self), self.args, self.__dict__)


def shortened(message: str) -> str:
    """What came from outside is not given back at any length."""
    return str(message) if len(message) <= 4 * LONGEST else f"{message[:LONGEST]} … {message[-LONGEST:]}"


def said(key: str, /, **parts: object) -> Wording:
    """The message of an error in every language."""
    return load_phrases("machiavel.engines").wording(f"errors.{key}", **parts)


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
        key = "no_games" if not known else "unknown_game" if name else "no_game_named"
        super().__init__(said(key, name=repr(name), known=", ".join(known)))
        self.name = name
        self.known = tuple(known)


class IncompatibleEngine(GameError):
    """An engine does not fulfil the contract of this release."""

    def __init__(self, name: str, what: str) -> None:
        super().__init__(said("incompatible_engine", name=repr(name), what=what))
        self.name = name
        self.what = what


class BadGameFile(GameError):
    """A file holds no game that can be played: it is missing, is no Python, or declares what cannot be.

    `line` is where in the file, counted from 1; None where the file as a whole is meant.
    """

    def __init__(self, path: str, line: int | None, problem: str) -> None:
        super().__init__(said("bad_game_file", path=path, line=line, problem=problem))
        self.path = path
        self.line = line
        self.problem = problem


class GameFault(GameError):
    """A function of a game written in Python went wrong, in the midst of a match or a search.

    `what` is told as Python tells it, with file, line, function and the line itself where they are known: `IndexError: list
    index out of range (mine.py:73, in apply: self.points[self.best] += 1)`. `kind` and `place` tell it without a value, as a log
    may have it: `IndexError` and `mine.py:73 apply`. Each is empty where it is not known.
    """

    def __init__(self, game: str, what: str, kind: str = "", place: str = "") -> None:
        super().__init__(said("game_fault", game=game, what=what))
        self.game = game
        self.what = what
        self.kind = kind
        self.place = place

    def without_details(self) -> "GameFault":
        """For whoever may not know what the values of a match are: the same text wherever its rules went wrong, and how."""
        return GameFault(self.game, said("fault_untold"))


class BadOption(GameError):
    """An option of a game is unknown or has a value it cannot have.

    `as_json` is what is expected of a value out of JSON or a message, where Python may give more. None is a value left out.
    """

    def __init__(self, option: str, value: object, expected: str, as_json: str | None = None) -> None:
        key = "missing_option" if value is None else "bad_option"
        super().__init__(said(key, option=repr(option), value=shown(value), expected=expected))
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
        super().__init__(said("bad_deck", source=source, key=key, problem=problem))
        self.source = source
        self.key = key
        self.problem = problem


class BadLayout(GameError):
    """Luck that was laid out is impossible; `problems` are all that were found, `field` and `problem` the first."""

    def __init__(self, field: str, problem: str, problems: Sequence["Problem"] = ()) -> None:
        super().__init__(said("bad_layout", field="" if field == "layout" else field, problem=problem))
        self.field = field
        self.problem = problem
        self.problems = tuple(problems) or (Problem(field, problem),)

    def messages(self, language: str) -> list[str]:
        return [BadLayout(one.field, one.problem).message(language) for one in self.problems]


class MissingLuck(GameError):
    """The match needs luck that was neither laid out nor seeded."""

    def __init__(self, field: str) -> None:
        super().__init__(said("missing_luck", field=field))
        self.field = field


class BadView(GameError):
    """A view is malformed or contradicts itself; `problems` are all that were found, `field` and `problem` the first."""

    def __init__(self, field: str, problem: str, problems: Sequence["Problem"] = ()) -> None:
        super().__init__(said("bad_view", field="" if field == "view" else field, problem=problem))
        self.field = field
        self.problem = problem
        self.problems = tuple(problems) or (Problem(field, problem),)

    def messages(self, language: str) -> list[str]:
        return [BadView(one.field, one.problem).message(language) for one in self.problems]


class BadRecord(GameError):
    """A record is malformed, or does not replay."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(said("bad_record", field="" if field == "record" else field, problem=problem))
        self.field = field
        self.problem = problem


class MatchOver(GameError):
    """Nobody can move any more."""

    def __init__(self) -> None:
        super().__init__(said("match_over"))


class MatchNotOver(GameError):
    """A result was asked for too early."""

    def __init__(self) -> None:
        super().__init__(said("match_not_over"))


class NotToMove(GameError):
    """A seat that is not asked was to move."""

    def __init__(self, seat: int | None, seats_to_move: Sequence[int]) -> None:
        who = said("a_spectator") if seat is None else said("a_seat", seat=seat)
        asked = said("seats", seats=", ".join(map(str, seats_to_move))) if seats_to_move else said("nobody")
        super().__init__(said("not_to_move", who=who, asked=asked))
        self.seat = seat
        self.seats_to_move = tuple(seats_to_move)


class MoveError(GameError):
    """A text cannot be played; `text` is the text as given."""

    text: str


class NotAMove(MoveError):
    """The text is no move of this game at all."""

    def __init__(self, text: str, expected: str) -> None:
        super().__init__(said("not_a_move", text=shown(text), expected=expected))
        self.text = text
        self.expected = expected


class IllegalMove(MoveError):
    """The text is a move, but not a legal one now."""

    def __init__(self, text: str, seat: int, why: str, legal: Sequence[str]) -> None:
        super().__init__(said("illegal_move", text=text[:LONGEST], seat=str(seat), why=why, legal=", ".join(legal)))
        self.text = text
        self.seat = seat
        self.why = why
        self.legal = tuple(legal)


class AmbiguousMove(MoveError):
    """The text fits more than one legal move."""

    def __init__(self, text: str, seat: int, candidates: Sequence[str]) -> None:
        either = Wording({"en": " or ".join(candidates), "fr": " ou ".join(candidates)})
        super().__init__(said("ambiguous_move", text=shown(text), seat=seat, candidates=either))
        self.text = text
        self.seat = seat
        self.candidates = tuple(candidates)
