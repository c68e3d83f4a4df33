"""Ratings: Davidson–Luce strengths of all bots from all games at once, in Elo, with error bars over deals."""

from dataclasses import dataclass
from math import log

import numpy as np
import scipy.special
from numpy.typing import NDArray

from machiavel.engines import BadOption
from machiavel.server.tournaments.choices import Prior
from machiavel.server.tournaments.outcomes import Outcomes, outcomes_of
from machiavel.server.tournaments.resampling import LEVEL, ErrorBar, interval, resampled_sums
from machiavel.server.tournaments.results import Results

__all__ = ["ELO", "RESAMPLES", "VIRTUAL", "Rating", "Ratings", "rate"]

Floats = NDArray[np.float64]

ELO = 400 / log(10)  # of a factor e in the odds
RESAMPLES = 2000
VIRTUAL = 0.5  # games that each bot has won, and as many that it has lost, before the first is played


@dataclass(frozen=True)
class Rating:
    """A bot's strength, in Elo: 400 more are odds of ten to one."""

    bot: str
    elo: ErrorBar


@dataclass(frozen=True)
class Ratings:
    """Of all bots, in their order; the mean is 0, or the anchor's is."""

    bots: tuple[Rating, ...]
    deals: int
    resampled: Floats  # [bot, resample], in Elo; empty without resamples

    def difference(self, one: int, other: int) -> ErrorBar:
        """By how much the one is above the other."""
        value = self.bots[one].elo.value - self.bots[other].elo.value
        return interval(value, self.resampled[one] - self.resampled[other], self.deals)

    def above(self, one: int, other: int) -> float:
        """In what share of the resamples the one is above the other."""
        ahead = self.resampled[one] - self.resampled[other]
        return float(((ahead > 0) + 0.5 * (ahead == 0)).mean())


def rate(
    results: Results, *, resamples: int = RESAMPLES, seed: int = 0, anchor: int | None = None, ranking: str = "utilities"
) -> Ratings:
    """Rates the bots by whole deals; without resamples, at once, with error bars by the sandwich formula.

    `anchor` is the number of the bot that stands at 0; `ranking` tells who did better: by what the game pays, or by points.
    """
    if anchor is not None and not 0 <= anchor < len(results.bots):
        raise BadOption("anchor", anchor, f"the number of a bot, 0 to {len(results.bots) - 1}")
    if resamples < 0:
        raise BadOption("resamples", resamples, "0 or more")
    outcomes = outcomes_of(results, ranking)
    deals = len(outcomes.deals)
    model = outcomes.model
    told, offered = outcomes.split(np.asarray(outcomes.sums.sum(axis=0)).ravel())
    half = np.full(model.bots, VIRTUAL)
    fitted = model.fit(told, offered, Prior(half, half))
    elo = placed(fitted[: model.bots], anchor)
    if not resamples:
        errors = sandwich(outcomes, fitted, offered, anchor)
        intervals = [around(value, error, deals) for value, error in zip(elo, errors, strict=True)]
        return Ratings(rated(results, intervals), deals, np.empty((model.bots, 0)))
    drawn = resampled_strengths(outcomes, fitted, resamples, seed)
    placings = placed(drawn[: model.bots], anchor)
    intervals = [interval(float(value), some, deals) for value, some in zip(elo, placings, strict=True)]
    return Ratings(rated(results, intervals), deals, placings)


def resampled_strengths(outcomes: Outcomes, values: Floats, resamples: int, seed: int) -> Floats:
    """Fits to resamples of the deals, [parameter, resample].

    What the virtual games bring is drawn too, with the spread of its kind (Γ(½) has the mean ½): a bot that has won every game
    would else have no error bar. For one whose games do not hang together this is Jeffreys' interval.
    """
    totals = resampled_sums(outcomes.sums, resamples, seed)
    told, offered = outcomes.split(totals)
    rng = np.random.default_rng([seed, 1])
    shape = (outcomes.model.bots, resamples)
    prior = Prior(rng.standard_gamma(VIRTUAL, shape), rng.standard_gamma(VIRTUAL, shape))
    return outcomes.model.fit_all(told, offered, prior, values)


def placed(strengths: Floats, anchor: int | None) -> Floats:
    """In Elo, around the mean or the anchor."""
    level = strengths.mean(axis=0) if anchor is None else strengths[anchor]
    result: Floats = (strengths - level) * ELO
    return result


def sandwich(outcomes: Outcomes, values: Floats, offered: Floats, anchor: int | None) -> Floats:
    """Standard errors that hold although the games of a deal hang together: how the fit leans on each deal."""
    model = outcomes.model
    half = np.full(model.bots, VIRTUAL)
    _, hessian = model.derivatives(values[:, None], np.zeros((model.parameters, 1)), offered[:, None], Prior(half, half))
    told, offers = outcomes.sums[:, : model.parameters], outcomes.sums[:, model.parameters :]
    scores = (told - offers @ model.expected(values)).toarray()
    leaning = np.linalg.solve(-hessian[0], scores.T)[: model.bots]
    moved = placed(leaning, anchor)
    errors: Floats = np.sqrt((moved**2).sum(axis=1))
    return errors


def around(value: float, error: float, deals: int) -> ErrorBar:
    if deals < 2:
        return ErrorBar(float(value), None, None)
    half = float(scipy.special.stdtrit(deals - 1, (1 + LEVEL) / 2) * error * np.sqrt(deals / (deals - 1)))
    return ErrorBar(float(value), float(value) - half, float(value) + half)


def rated(results: Results, intervals: list[ErrorBar]) -> tuple[Rating, ...]:
    return tuple(Rating(bot, elo) for bot, elo in zip(results.bots, intervals, strict=True))
