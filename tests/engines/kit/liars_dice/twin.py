"""A slow twin of liar's dice, written from the page of rules alone."""

import random
from collections.abc import Callable, Sequence

__all__ = ["Match"]

Roll = Callable[[int, Sequence[int]], list[list[int]]]


class Match:
    """The host's truth; dice come from `roll(round, how many each)`."""

    def __init__(self, players: int, roll: Roll) -> None:
        self.players = players
        self.roll = roll
        self.dice = [3] * players
        self.mover = 0
        self.moves: list[str] = []
        self.rolled: list[list[list[int]]] = []
        self.lifted: list[list[int]] = [[] for _ in range(players)]
        self.begin_round()

    @classmethod
    def at_random(cls, players: int, rng: random.Random) -> "Match":
        return cls(players, lambda _, dice: [[rng.randint(1, 6) for _ in range(count)] for count in dice])

    def begin_round(self) -> None:
        self.cups = [list(cup) for cup in self.roll(len(self.rolled), self.dice)]
        self.rolled.append([list(cup) for cup in self.cups])
        self.bids: list[tuple[int, int, int]] = []  # seat, number, face

    @property
    def is_over(self) -> bool:
        """L4.4."""
        return sum(count > 0 for count in self.dice) == 1

    @property
    def to_move(self) -> list[int]:
        return [] if self.is_over else [self.mover]

    def after(self, seat: int) -> int:
        """The next seat with dice, clockwise."""
        others = [(seat + step) % self.players for step in range(1, self.players + 1)]
        return next(other for other in others if self.dice[other])

    def legal_moves(self, seat: int | None = None) -> list[str]:
        """L3.2 to L3.4."""
        if self.is_over:
            return []
        bids = [(number, face) for number in range(1, sum(self.dice) + 1) for face in range(1, 7)]
        if not self.bids:
            return [f"{number}x{face}" for number, face in bids]
        last = self.bids[-1][1:]
        return ["liar", *(f"{number}x{face}" for number, face in bids if (number, face) > last)]

    def play(self, move: str) -> None:
        if move not in self.legal_moves():
            raise ValueError(f"{move} is not legal")
        self.moves.append(move)
        if move == "liar":
            self.lift()
        else:
            number, _, face = move.partition("x")
            self.bids.append((self.mover, int(number), int(face)))
            self.mover = self.after(self.mover)

    def lift(self) -> None:
        """L4.1 to L4.3."""
        bidder, number, face = self.bids[-1]
        self.lifted = [sorted(cup, reverse=True) for cup in self.cups]
        found = sum(die in {1, face} for cup in self.cups for die in cup)
        loser = self.mover if found >= number else bidder
        self.dice[loser] -= 1
        self.mover = loser if self.dice[loser] else self.after(loser)
        if self.is_over:
            self.rolled.append([[] for _ in self.dice])
        else:
            self.begin_round()

    def utilities(self) -> list[float]:
        return [float(count > 0) for count in self.dice]
