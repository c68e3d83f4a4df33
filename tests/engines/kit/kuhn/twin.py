"""A slow twin of Kuhn poker, written from the page of rules alone."""

import random
from collections.abc import Sequence

__all__ = ["RANKS", "Match"]

RANKS = "A23456789TJQK"  # of n cards, the last n
ENDS = ("pass pass", "bet pass", "bet bet", "pass bet pass", "pass bet bet")


class Match:
    """The host's truth."""

    players = 2

    def __init__(self, cards: Sequence[str], size: int = 3) -> None:
        self.cards, self.size = list(cards), size
        self.moves: list[str] = []

    @classmethod
    def at_random(cls, rng: random.Random) -> "Match":
        size = rng.choice([3, 3, 4, 13])
        return cls(rng.sample(RANKS[-size:], 2), size)

    @property
    def is_over(self) -> bool:
        return " ".join(self.moves) in ENDS

    @property
    def is_shown(self) -> bool:
        """K3.2."""
        return self.is_over and self.moves[-2:] != ["bet", "pass"]

    @property
    def to_move(self) -> list[int]:
        return [] if self.is_over else [len(self.moves) % 2]

    def legal_moves(self, seat: int | None = None) -> list[str]:
        return [] if self.is_over else ["pass", "bet"]

    def play(self, move: str) -> None:
        if move not in self.legal_moves():
            raise ValueError(f"{move} is not legal")
        self.moves.append(move)

    @property
    def chips(self) -> list[int]:
        """K1.1, K2.1."""
        return [1 + self.moves[seat::2].count("bet") for seat in range(2)]

    @property
    def winner(self) -> int | None:
        if not self.is_over:
            return None
        if self.is_shown:
            return max(range(2), key=lambda seat: RANKS.index(self.cards[seat]))
        return len(self.moves) % 2  # K3.1: the other one passed last

    def utilities(self) -> list[float]:
        """K3.3."""
        gain = min(self.chips)
        return [(gain + 2) / 4 if seat == self.winner else (2 - gain) / 4 for seat in range(2)]

    def seen_cards(self, seat: int | None) -> list[str | None]:
        """K4.1."""
        return [card if self.is_shown or owner == seat else None for owner, card in enumerate(self.cards)]
