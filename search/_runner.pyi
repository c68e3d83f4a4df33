from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from machiavel.engines import Game, Rules
from machiavel.search.matches import Contestant

class Runner:
    def __init__(self, game: Game, rules: Rules, contestants: Sequence[Contestant]) -> None: ...
    def stop(self) -> None: ...
    def play(
        self, seed: int, first: int, seatings: NDArray[np.int64], until_horizon: int, deals: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.uint32]]: ...
