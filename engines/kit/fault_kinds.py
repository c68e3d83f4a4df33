"""What can go wrong in an author's function, numbered as in kit_call.h, and the limits that stand there."""

from enum import IntEnum

__all__ = ["FUEL", "MOST_YIELDED", "FaultKind"]

FUEL = 100_000  # KIT_FUEL: turns of loops in one call
MOST_YIELDED = 256  # KIT_MOVES: moves of one position


class FaultKind(IntEnum):
    FINE = 0
    BAD_INDEX = 1
    OVERFLOW = 2
    DOES_NOT_FIT = 3
    DIVISION = 4
    BAD_SHIFT = 5
    NO_FUEL = 6
    RAISED = 7
    ASSERTION = 8
    EMPTY_SET = 9
    BAD_LUCK = 10
    BAD_COUNTER = 11
    BAD_PART = 12
    INEXACT = 13
    NO_MOVE = 14
    BAD_MOVE = 15
    SAME_MOVE = 16
    TOO_MANY_MOVES = 17
    ENDLESS = 18
    BAD_RESULT = 19
    BAD_WEIGHT = 20
    NO_WORLD = 21
    NO_SET = 22
