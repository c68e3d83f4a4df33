"""What answers to the questions of a form look like, as data: for pages that draw something better than a line to type in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from machiavel.engines.fields import (
    Choice,
    Flag,
    Item,
    Items,
    ItemSet,
    Kind,
    ListOf,
    Nullable,
    Number,
    PerSeat,
    SeatNumber,
    Seats,
    Type,
    limit_of,
)
from machiavel.engines.plugin import Rules

__all__ = ["ANYTHING", "SEAT", "AnswerShape", "Shape", "choices_of", "holds_lists", "shape_of", "shape_of_type", "shaped"]

Reader = TypeVar("Reader", bound=Callable[..., Any])
NOTHING, LISTS = "-", " / "  # for nothing at all; between the lists of two seats


@dataclass(frozen=True)
class AnswerShape:
    """What is typed: `kind` is that of AnswerKind in the API, in small letters; empty: as the question's help says.

    The rest is as in AnswerType there.
    """

    kind: str = ""
    least: int | None = None
    most: int | None = None
    step: int = 1
    choices: Sequence[tuple[str, Mapping[str, str]]] = ()  # what may be typed, and what it is called, by language
    thing: Kind | None = None
    inside: "AnswerShape | None" = None  # of one entry, where there are several
    parts: Sequence["AnswerShape"] = ()
    between: str = ""
    nothing: str = ""
    label: Mapping[str, str] | None = None
    from_first: bool = False
    others: bool = False
    repeats: bool = False


Shape = AnswerShape | Callable[[Any], AnswerShape]  # perhaps as the answers before have it

ANYTHING = AnswerShape()
YES_OR_NO = AnswerShape("yes_or_no")
SEAT = AnswerShape("seat")
SHAPES: WeakKeyDictionary[Callable[..., Any], Shape] = WeakKeyDictionary()  # by what reads them


def choices_of(texts: Sequence[str], thing: Kind) -> AnswerShape:
    """One of some things, and not of all there are of the kind."""
    return AnswerShape("choice", choices=[(text, {}) for text in texts], thing=thing)


def holds_lists(shape: Mapping[str, Any]) -> bool:
    """Whether several words in a row are typed for it."""
    return shape.get("type") in {"by_seat", "list", "items", "seats"}


def shaped(read: Reader, shape: Shape) -> Reader:
    """The same reader, of which it is known from then on what it reads."""
    SHAPES[read] = shape
    return read


def shape_of(read: Callable[..., Any], answers: Any = None) -> AnswerShape:
    """What it reads, where these answers have been given before; anything where that cannot be told yet."""
    shape = SHAPES.get(read, ANYTHING)
    if isinstance(shape, AnswerShape):
        return shape
    try:
        return shape({} if answers is None else answers)
    except (LookupError, TypeError, ValueError, AttributeError):
        return ANYTHING


def shape_of_type(kind: Type, rules: Rules) -> AnswerShape:
    """What somebody types for a value of a declared type."""
    if isinstance(kind, Nullable):
        return replace(shape_of_type(kind.of, rules), nothing=NOTHING)
    shape = kind.shape()
    match shape:
        case Number():
            return AnswerShape("number", limit_of(shape.least, rules), limit_of(shape.largest, rules), shape.step)
        case Flag():
            return YES_OR_NO
        case SeatNumber():
            return replace(SEAT, nothing=NOTHING) if shape.describe().get("null") else SEAT
        case Choice():
            return AnswerShape("choice", choices=[(str(name), {}) for name in shape.names if name != ""])
        case Item():
            return AnswerShape("thing", thing=shape.kind)
        case ItemSet():
            return AnswerShape("things", thing=shape.kind)
        case Items():
            item = AnswerShape("thing", thing=shape.kind)
            return AnswerShape("things" if shape.any_order else "several", thing=shape.kind, inside=item, nothing=NOTHING)
        case Seats():
            return AnswerShape("several", inside=SEAT, nothing=NOTHING)
        case PerSeat():
            return AnswerShape("by_seat", inside=shape_of_type(shape.of, rules), between=between(shape.of), from_first=True)
        case ListOf():
            inside = shape_of_type(shape.of, rules)
            return AnswerShape("several", inside=inside, between=between(shape.of), nothing=NOTHING)
    thing = getattr(shape, "kind", None)
    return AnswerShape("things", thing=thing, nothing=NOTHING) if isinstance(thing, Kind) else ANYTHING


def between(kind: Type) -> str:
    """What stands between two values of a type: where each is words in a row, not a blank."""
    return LISTS if holds_lists(kind.describe()) else ""
