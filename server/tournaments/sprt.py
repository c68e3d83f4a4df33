"""Is the one bot stronger than the other: a sequential test that stops as soon as the deals played tell."""

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from machiavel.engines import BadOption
from machiavel.server.tournaments.ratings import ELO
from machiavel.server.tournaments.results import Results

__all__ = ["LEAST", "Sprt", "Verdict"]

Floats = NDArray[np.float64]

LEAST = 60  # deals before the first look: before that the spread of their scores is hardly known
CAUTION = 0.75  # of α and β, for which the bounds are drawn: the spread is an estimate, and looked at again and again
WIDEST = 1000  # Elo that a hypothesis may name


@dataclass(frozen=True)
class Verdict:
    """What the test says of so many deals."""

    decision: str | None  # `elo0`, `elo1`, or None while it is open
    deals: int  # looked at: up to the one that decided, or all
    llr: float  # logarithm of the likelihood ratio of elo1 to elo0, after them
    lower: float  # at or below it, elo0 is accepted
    upper: float  # at or above it, elo1 is
    elo: float | None  # by how much the first bot is stronger, as the deals looked at say


@dataclass(frozen=True)
class Sprt:
    """Two hypotheses about by how many Elo the first bot is stronger than the second, and how often each may be missed.

    Generalised: what the scores' spread is, the deals themselves tell. The unit is a deal, whatever its games have in common.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05  # how often elo1 may be accepted where elo0 is true
    beta: float = 0.05  # how often elo0 may be accepted where elo1 is true

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1"):
            if not abs(getattr(self, name)) <= WIDEST:
                raise BadOption(f"sprt.{name}", getattr(self, name), f"-{WIDEST} to {WIDEST}")
        if not self.elo0 < self.elo1:
            raise BadOption("sprt.elo1", self.elo1, f"more than elo0, which is {self.elo0:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) <= 0.5:
                raise BadOption(f"sprt.{name}", getattr(self, name), "more than 0, at most 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's."""
        alpha, beta = CAUTION * self.alpha, CAUTION * self.beta
        return log(beta / (1 - alpha)), log((1 - beta) / alpha)

    def judge(self, results: Results) -> Verdict:
        """Looks after every deal, in the order of their numbers; whole deals without a gap, the first bot against the second."""
        if len(results.bots) != 2:
            raise BadOption("bots", len(results.bots), "two, for a sequential test")
        lower, upper = self.bounds
        if not len(results):
            return Verdict(None, 0, 0.0, lower, upper, None)
        ratios, elo = (self.team_ratios if results.is_cooperative else self.ratios)(results)
        looked = np.arange(1, len(ratios) + 1) >= LEAST
        crossed = np.flatnonzero(looked & ((ratios <= lower) | (ratios >= upper)))
        at = int(crossed[0]) if len(crossed) else len(ratios) - 1
        decision = None if not len(crossed) else "elo1" if ratios[at] >= upper else "elo0"
        told = float(elo[at])
        return Verdict(decision, at + 1, float(ratios[at]), lower, upper, told if np.isfinite(told) else None)

    def ratios(self, results: Results) -> tuple[Floats, Floats]:
        """After every deal: the logarithm of the ratio, and the Elo that the mean score is."""
        own = (results.seats == 0).sum(axis=1)
        won = np.where(results.seats == 0, results.utilities, 0).sum(axis=1, dtype=np.float64)
        fought = (own > 0) & (own < results.players)
        if not fought.any():
            raise BadOption("seatings", "tables", "tables at which both bots sit, for a sequential test")
        _, rows = results.deal_rows
        games = np.bincount(rows[fought])
        scores = np.bincount(rows[fought], won[fought]) / games
        tables, counts = np.unique(own[fought], return_counts=True)
        weights = counts / counts.sum()

        def expected(elo: Floats) -> Floats:
            odds = np.exp(np.asarray(elo) / ELO)[..., None]
            return np.asarray((weights * tables * odds / (tables * odds + results.players - tables)).sum(axis=-1))

        low, high = expected(np.array([self.elo0, self.elo1]))
        count = np.arange(1, len(scores) + 1)
        mean = np.cumsum(scores) / count
        grid = np.linspace(-4 * WIDEST, 4 * WIDEST, 8001)
        elo = np.interp(mean, expected(grid), grid, left=-np.inf, right=np.inf)
        return log_ratio(count, mean, running_variance(scores), low, high), elo

    def team_ratios(self, results: Results) -> tuple[Floats, Floats]:
        """The same of teams wholly of one bot, on the same deals: how far apart the logits of their success are."""
        first, second = (team_scores(results, bot) for bot in (0, 1))
        count = np.arange(1, len(first) + 1)
        chances = [(np.cumsum(scores) + 0.5) / (count + 1) for scores in (first, second)]
        slopes = [1 / (chance * (1 - chance)) for chance in chances]
        lead = np.log(chances[0] / (1 - chances[0])) - np.log(chances[1] / (1 - chances[1]))
        # The spread of the difference of logits, from those of both scores and what they have in common.
        spreads = [running_variance(scores) for scores in (first, second)]
        common = (running_variance(first + second) - spreads[0] - spreads[1]) / 2
        variance = slopes[0] ** 2 * spreads[0] + slopes[1] ** 2 * spreads[1] - 2 * slopes[0] * slopes[1] * common
        return log_ratio(count, lead, variance, self.elo0 / ELO, self.elo1 / ELO), lead * ELO


def team_scores(results: Results, bot: int) -> Floats:
    """How far the team of that bot alone got in each deal."""
    whole = (results.seats == bot).all(axis=1)
    deals, rows = results.deal_rows
    games = np.bincount(rows[whole], minlength=len(deals))
    if not games.all():
        raise BadOption("seatings", "tables", "a team wholly of each bot in every deal, for a sequential test")
    success = results.utilities[whole].mean(axis=1, dtype=np.float64)
    return np.asarray(np.bincount(rows[whole], success, minlength=len(deals)) / games)


def running_variance(scores: Floats) -> Floats:
    """Of the first, the first two, … scores; where all are the same, as if one had been half a point off."""
    count = np.arange(1, len(scores) + 1)
    around = scores - scores.mean()
    squares = np.cumsum(around**2) - np.cumsum(around) ** 2 / count
    result: Floats = (np.maximum(squares, 0) + 0.25 / count) / np.maximum(count - 1, 1)
    return result


def log_ratio(count: NDArray[np.int64], mean: Floats, variance: Floats, low: float, high: float) -> Floats:
    """Of a mean of so many scores being `high` to its being `low`, each with the spread that fits it best."""
    return np.asarray(count / 2 * np.log((variance + (mean - low) ** 2) / (variance + (mean - high) ** 2)))
