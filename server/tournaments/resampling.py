"""Error bars by bootstrap over deals: a deal is drawn with all its seatings, or not at all."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import scipy.sparse
import scipy.special
from numpy.typing import NDArray

__all__ = ["LEVEL", "ErrorBar", "interval", "resampled_sums", "spread"]

Floats = NDArray[np.float64]

LEVEL = 0.95
CELLS = 2_000_000  # numbers that one block of resampled weights may hold
MOST = 10_000  # rows that are drawn one by one
ONE = 1024  # what a row counts for on average; none ever comes to 64 times as much


@dataclass(frozen=True)
class ErrorBar:
    """An estimate and its 95 % interval; without one where there are too few deals to tell."""

    value: float
    low: float | None
    high: float | None

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.value:.3f}"
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def resampled_sums(sums: Any, resamples: int, seed: int) -> Floats:
    """For each resample of the deals (rows of a sparse matrix) the sums of all columns: [column, resample].

    Calls with as many deals and the same seed draw the same deals. Where there are very many, neighbours are drawn together: so
    many groups tell the spread to a part in a hundred, and 2,000 resamples no better.
    """
    transposed = in_groups(sums).T.tocsr()
    columns, rows = transposed.shape
    weights = drawn_weights(rows, resamples, seed)
    result = np.empty((columns, resamples))
    block = max(1, CELLS // max(1, rows))
    for at in range(0, resamples, block):
        result[:, at : at + block] = transposed @ (weights[at : at + block].T.astype(np.float64, order="C") / ONE)
    return result


def in_groups(sums: Any) -> Any:
    """Rows added up, neighbours with neighbours and as many with as many, where there are too many of them."""
    rows = sums.shape[0]
    if rows <= MOST:
        return sums
    groups = np.arange(rows) * MOST // rows
    return scipy.sparse.csr_array((np.ones(rows), (groups, np.arange(rows))), shape=(MOST, rows)) @ sums


@lru_cache(maxsize=1)  # the figures of one tournament ask for the same, one after the other
def drawn_weights(rows: int, resamples: int, seed: int) -> NDArray[np.uint16]:
    """What each row counts for, [resample, row], in parts of `ONE`: drawn from the exponential distribution.

    Rubin's Bayesian bootstrap (1981). Where a bot has lost k games of k deals, what resamples make of them and of the half game
    that each has lost before is Γ(k + ½): Jeffreys' interval. Deals that are drawn and put back would have half the skewness, and
    intervals for what is rare would end too early on the side of more.
    """
    rng = np.random.default_rng(seed)
    result = np.empty((resamples, rows), np.uint16)
    for resample in range(resamples):
        result[resample] = np.rint(ONE * rng.standard_exponential(rows))
    return result


def interval(value: float, resampled: Floats, deals: int) -> ErrorBar:
    """The percentiles of what resamples gave, wider for few deals as Student's t is; resamples that tell nothing are NaN.

    Percentiles alone are too narrow by √(1 − 1/deals) and by taking the spread for known (Hesterberg 2015, "What Teachers Should
    Know About the Bootstrap", section 3.5): their levels are moved out by both.
    """
    resampled = resampled[~np.isnan(resampled)]
    if deals < 2 or not len(resampled):
        return ErrorBar(value, None, None)
    tail = float(scipy.special.ndtr(spread(deals) * scipy.special.ndtri((1 - LEVEL) / 2)))
    low, high = np.quantile(resampled, [tail, 1 - tail])
    return ErrorBar(value, min(float(low), value), max(float(high), value))


def spread(deals: int) -> float:
    """By how much an interval from so many deals must be wider than one by the normal distribution and the bootstrap's spread."""
    quantiles = scipy.special.stdtrit(deals - 1, (1 + LEVEL) / 2), scipy.special.ndtri((1 + LEVEL) / 2)
    return float(quantiles[0] / quantiles[1] * np.sqrt(deals / (deals - 1)))
