"""Sets of cards, kept as bits of one word, as lists of what stands on the cards."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

__all__ = ["card_list"]

Mark = TypeVar("Mark")


def card_list(cards: int, marks: Sequence[Mark] | Mapping[int, Mark]) -> list[Mark]:
    """What stands on the cards of a set, or of a heap where `marks` tells it of every copy; in the order of `marks`."""
    pairs = marks.items() if isinstance(marks, Mapping) else enumerate(marks)
    return [mark for bit, mark in pairs if cards >> bit & 1]
