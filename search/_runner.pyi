from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from machiavel.engines import Game, Rules
from machiavel.search.match_runner import Contestant

class Runner:
    def __init__(self, game: Game, rules: Rules, contestants: Sequence[Contestant]) -> None: ...
    @property
    def longest(self) -> int: ...
    def stop(self) -> None: ...
    def play(
        self, seed: int, first: int, seatings: NDArray[np.int64], until_horizon: int, deals: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.uint32]]: ...
    def play_games(
        self, seed: int, deals: NDArray[np.int64], seats: NDArray[np.int64], moves: NDArray[np.uint16]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.uint32]]: ...
    def take_timings(self) -> list[tuple[int, float, float]]: ...
    def sample(self, seed: int, deal: int, seating: NDArray[np.int64]) -> tuple[bytes, int, int, int, list[float]] | None:
        """Play one match, and tell of it the bytes of a view in which a seat had a choice, drawn from all such evenly, its seat,
        its ply, the plies of the match and what each seat won; None for a match without a choice.

        The answer depends on the seed, the number of the deal and the seating alone.
        """

def seed_of_deal(seed: int, deal: int) -> int: ...
