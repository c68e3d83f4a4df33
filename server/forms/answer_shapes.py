"""What answers to the questions of a form look like, as data: for pages that draw something better than a line to type in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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

__all__ = ["ANYTHING", "AnswerShape", "shape_of", "shape_of_type", "shaped"]

Reader = TypeVar("Reader", bound=Callable[..., Any])


@dataclass(frozen=True)
class AnswerShape:
    """What is typed: `kind` is that of AnswerKind in the API, in small letters; empty: as the question's help says."""

    kind: str = ""
    least: int | None = None
    most: int | None = None
    step: int = 1
    choices: Sequence[tuple[str, Mapping[str, str]]] = ()  # what may be typed, and what it is called, by language
    thing: Kind | None = None
    inside: "AnswerShape | None" = None  # of one entry, where there are several


ANYTHING = AnswerShape()
YES_OR_NO = AnswerShape("yes_or_no")
SEAT = AnswerShape("seat")
SHAPES: WeakKeyDictionary[Callable[..., Any], AnswerShape] = WeakKeyDictionary()  # by what reads them


def shaped(read: Reader, shape: AnswerShape) -> Reader:
    """The same reader, of which it is known from then on what it reads."""
    SHAPES[read] = shape
    return read


def shape_of(read: Callable[..., Any]) -> AnswerShape:
    return SHAPES.get(read, ANYTHING)


def shape_of_type(kind: Type, rules: Rules) -> AnswerShape:
    """What somebody types for a value of a declared type."""
    while isinstance(kind, Nullable):
        kind = kind.of
    shape = kind.shape()
    match shape:
        case Number():
            return AnswerShape("number", limit_of(shape.least, rules), limit_of(shape.largest, rules), shape.step)
        case Flag():
            return YES_OR_NO
        case SeatNumber():
            return SEAT
        case Choice():
            return AnswerShape("choice", choices=[(str(name), {}) for name in shape.names if name != ""])
        case Item():
            return AnswerShape("thing", thing=shape.kind)
        case ItemSet():
            return AnswerShape("things", thing=shape.kind)
        case Items():
            item = AnswerShape("thing", thing=shape.kind)
            return AnswerShape("things" if shape.any_order else "several", thing=shape.kind, inside=item)
        case Seats():
            return AnswerShape("several", inside=SEAT)
        case PerSeat():
            return AnswerShape("by_seat", inside=shape_of_type(shape.of, rules))
        case ListOf():
            return AnswerShape("several", inside=shape_of_type(shape.of, rules))
    thing = getattr(shape, "kind", None)
    return AnswerShape("things", thing=thing) if isinstance(thing, Kind) else ANYTHING
