from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from machiavel.engines._face import Game
from machiavel.engines.plugin import Rules

POLICIES: dict[str, int]
HORIZONS: tuple[str, ...]

def playouts(
    game: Game, rules: Rules, count: int, seed: int, policies: Sequence[str] | None, until: str, plain: bool = False
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.uint32], tuple[str, ...]]: ...
