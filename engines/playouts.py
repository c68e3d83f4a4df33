"""The outcome of many games played in bulk."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from machiavel.engines.errors import BadOption

__all__ = ["Playouts"]


@dataclass(frozen=True)
class Playouts:
    """One row a game, in the order of their numbers; a game's row does not depend on how many were asked for."""

    utilities: NDArray[np.float32]  # [game, seat]
    metrics: NDArray[np.float32]  # [game, metric]
    plies: NDArray[np.uint32]  # [game]
    metric_names: tuple[str, ...]

    def metric(self, name: str) -> NDArray[np.float32]:
        """One metric of every game; raises BadOption for one the game does not measure."""
        if name not in self.metric_names:
            raise BadOption("metric", name, f"one of {', '.join(self.metric_names)}")
        return self.metrics[:, self.metric_names.index(name)]
