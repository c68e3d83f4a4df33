from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from machiavel.engines._face import View
from machiavel.engines.hidden_places import HiddenCells

def state_size(view: View) -> int:
    """The bytes of one world."""

class WorldSampler:
    """So many worlds of a view, drawn bit by bit; run in one thread at a time."""

    def __init__(self, view: View, count: int, seed: int, weighed: bool = False) -> None:
        """`weighed`: by the engine's `likelihood`, if it has one."""
    @property
    def worlds(self) -> NDArray[np.uint8]:
        """The bytes of each, in a row."""
    @property
    def weights(self) -> NDArray[np.float64]:
        """How much each counts: 1, or how plausible the others' moves are in it."""
    def go_on(self, seconds: float | None = None) -> bool:
        """Draw until all are there or so many seconds are over; whether all are there.

        What the game's own code met is raised.
        """
    def habits(self) -> NDArray[np.float64] | None:
        """What the engine's `world_weights` says of all worlds."""
    def cells(self) -> Iterable[HiddenCells]:
        """What lies in each hidden place, in all worlds: what the engine's `hidden_cells` says."""
