from collections.abc import Mapping, Sequence
from typing import TypeVar

_Mark = TypeVar("_Mark")

def card_list(cards: int, marks: Sequence[_Mark] | Mapping[int, _Mark]) -> list[_Mark]: ...
