"""What a tournament has played so far, as columns: one row a game."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

__all__ = ["COLUMNS", "Results", "Timings"]

COLUMNS = ("deals", "seatings", "seats", "utilities", "points", "plies", "faults")


@dataclass(frozen=True)
class Results:
    """Games in the order of (deal, seating), each once. Utilities are from 0 to 1, the game's own; k winners share 1/k."""

    game: str
    players: int
    is_cooperative: bool
    bots: tuple[str, ...]  # specs, as written
    deals: NDArray[np.int64]  # [game]: number of the deal
    seatings: NDArray[np.int64]  # [game]: number of the seating within the deal's list
    seats: NDArray[np.int64]  # [game, seat]: number of the bot
    utilities: NDArray[np.float32]  # [game, seat]
    points: NDArray[np.float32]  # [game, seat]: the game's own score, NaN where it counts none
    plies: NDArray[np.uint32]  # [game]
    faults: NDArray[np.uint32]  # [game, seat]: moves that were played for a bot which failed, or was late
    whole: int  # games that a whole deal has; 0: as many as the fullest

    def __len__(self) -> int:
        return len(self.deals)

    def only_whole_deals(self) -> Self:
        """Without the deals of which a seating is still missing."""
        if not len(self):
            return self
        _, rows = self.deal_rows
        counts = np.bincount(rows)
        return self.where(counts[rows] == (self.whole or counts.max()))

    @cached_property
    def deal_rows(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The numbers of the deals, ascending, and which of them each game is of."""
        is_new = np.append(True, np.diff(self.deals) != 0)[: len(self)]
        return self.deals[is_new], np.cumsum(is_new) - 1

    def where(self, chosen: NDArray[np.bool_]) -> Self:
        """The games chosen, in the same order."""
        return replace(self, **{name: getattr(self, name)[chosen] for name in COLUMNS})


@dataclass(frozen=True)
class Timings:
    """How long the bots took over their moves; those without a choice do not count. Never part of what repeats."""

    bots: tuple[str, ...]
    moves: NDArray[np.int64]  # [bot]: moves timed; of a bot that takes no time to speak of, some alone
    seconds: NDArray[np.float64]  # [bot]: that they took together
    slowest: NDArray[np.float64]  # [bot]: the longest of them, seconds
