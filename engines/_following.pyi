from collections.abc import Iterable, Mapping, Sequence

from machiavel.engines._face import Game, View

class Successors:
    """Plays a move as it was seen in world after world of a view, and looks at the views that come of it.

    World number n is always the same, and so is its luck. `tried` counts the worlds, `played` those in which the move is legal.
    """

    tried: int
    played: int
    found: Mapping[bytes, int]

    def __init__(self, view: View, mover: int, moves: Iterable[int], seed: int) -> None: ...
    @property
    def view_size(self) -> int: ...
    def look(self, count: int, keep: int) -> None: ...
    def sift(self, count: int, sieves: Sequence[tuple[int, bytes, bytes]], kept: dict[int, list[bytes]], keep: int) -> None: ...

def move_limit(game: Game) -> int: ...
