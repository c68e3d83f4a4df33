"""The levels at tables against each other: what every deal brought, in a file that grows."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.measurements import rows_at
from machiavel.engines import Game
from machiavel.search.match_runner import play_matches
from machiavel.server.journal import JournalKind

__all__ = ["LadderCase", "Pairing", "PlayedDeals"]

Floats = NDArray[np.float64]
BLOCK = 8  # deals played between two lines of the file
LOOK = 40  # deals played before it is seen whether they are enough, and so on
ELO = 400 / np.log(10)


@dataclass(frozen=True)
class LadderCase:
    """A game with so many players."""

    game: Game
    players: int

    @property
    def name(self) -> str:
        return f"{self.game.name} {self.players}"

    def seatings(self) -> list[list[int]]:
        """Two bots with equally many seats each, and the other way round; where all win together, all are one bot."""
        if self.game.is_cooperative:
            return [[0] * self.players]
        even = [seat % 2 for seat in range(self.players)]
        return [even, [1 - bot for bot in even]]


@dataclass(frozen=True)
class Pairing:
    """What two bots have won, deal by deal: of the win, or as teams of their own."""

    won: Floats  # [deal, bot]
    is_cooperative: bool

    def elo(self) -> float:
        """By how much the second is above the first."""
        return difference(self.won.sum(axis=0), len(self.won), self.is_cooperative)

    def error(self) -> float:
        """The standard error of that, to first order."""
        first, second = self.won.T / np.maximum(self.won.mean(axis=0), 1e-3)[:, None]
        if self.is_cooperative:
            first, second = (own / max(1 - rate, 1e-3) for own, rate in zip((first, second), self.won.mean(axis=0), strict=True))
        return float(ELO * np.std(second - first, ddof=1) / np.sqrt(len(self.won)))

    def resampled(self, count: int, seed: int) -> Floats:
        """The same of resamples of the deals."""
        rng = np.random.default_rng(seed)
        deals = len(self.won)
        sums = (self.won[rng.integers(0, deals, deals)].sum(axis=0) for _ in range(count))
        return np.array([difference(result, deals, self.is_cooperative) for result in sums])


def difference(sums: Floats, deals: int, is_cooperative: bool) -> float:
    """In Elo: 400 for odds of ten to one. Half a win and half a loss more keep it finite."""
    first, second = float(sums[0]) + 0.5, float(sums[1]) + 0.5
    if not is_cooperative:
        return float(400 * np.log10(second / first))
    return float(400 * np.log10(second / (deals + 1 - second) * (deals + 1 - first) / first))


KIND = JournalKind("ladder", key=lambda row: (row["case"], row["seed"], *row["bots"], row["first"]), is_headed=False)


class PlayedDeals:
    """What was played with a seed, by case and bots; kept in a file, and never played again."""

    def __init__(self, path: Path, seed: int = 0) -> None:
        self.seed = seed
        self.kept = rows_at(path, KIND)
        self.deals: dict[tuple[str, ...], list[list[float]]] = {}
        for row in self.kept.values:
            if row["seed"] == seed:
                self.deals.setdefault((row["case"], *row["bots"]), []).extend(row["won"])

    def pairing(self, case: LadderCase, bots: Sequence[str], deals: int, error: float = 0.0) -> Pairing:
        """As many deals of two bots as their difference takes to have that standard error, but no more than so many."""
        games = self.played(case, bots, min(LOOK, deals))
        while len(games.won) < deals and not games.error() <= error:
            games = self.played(case, bots, min(len(games.won) + LOOK, deals))
        return games

    def played(self, case: LadderCase, bots: Sequence[str], deals: int) -> Pairing:
        """So many deals of two bots; those that are missing are played."""
        if case.game.is_cooperative:
            teams = [self.won(case, [bot], deals) for bot in bots]
            return Pairing(np.concatenate(teams, axis=1), True)
        return Pairing(self.won(case, bots, deals), False)

    def won(self, case: LadderCase, bots: Sequence[str], deals: int) -> Floats:
        """Per deal what each bot has won of it."""
        deals_won = self.deals.setdefault((case.name, *bots), [])
        while (first := len(deals_won)) < deals:
            won = played(case, bots, self.seed, first, min(BLOCK, deals - first))
            self.kept.add({"case": case.name, "seed": self.seed, "bots": list(bots), "first": first, "won": won})
            deals_won.extend(won)
            print(f"\r{case.name}: {' – '.join(bots)}: {len(deals_won)}/{deals} deals", end="", file=sys.stderr, flush=True)
        return np.array(deals_won[:deals])


def played(case: LadderCase, bots: Sequence[str], seed: int, first: int, deals: int) -> list[list[float]]:
    results = play_matches(case.game, bots, case.players, deals, seed, first=first, seatings=case.seatings(), threads=1)
    won = [np.where(results.seatings == bot, results.utilities, 0.0).sum(axis=2).mean(axis=1) for bot in range(len(bots))]
    if case.game.is_cooperative:
        won = [results.scores(0)]
    return [[round(float(share), 6) for share in shares] for shares in zip(*won, strict=True)]
