"""Error bars by bootstrap over deals: a deal is drawn with all its seatings, or not at all."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.stats
from numpy.typing import NDArray

__all__ = ["LEVEL", "Interval", "interval", "resampled_sums", "spread"]

Floats = NDArray[np.float64]

LEVEL = 0.95
CELLS = 8_000_000  # numbers that one block of resampled weights may hold


@dataclass(frozen=True)
class Interval:
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

    Calls with as many deals and the same seed draw the same deals.
    """
    deals, columns = sums.shape
    found = np.empty((columns, resamples))
    transposed = sums.T.tocsr()
    at = 0
    for weights in drawn_weights(deals, resamples, seed):
        found[:, at : at + weights.shape[1]] = transposed @ weights
        at += weights.shape[1]
    return found


def drawn_weights(deals: int, resamples: int, seed: int) -> Iterator[Floats]:
    """How often each deal is drawn, [deal, resample], a block of resamples at a time."""
    rng = np.random.default_rng(seed)
    block = max(1, CELLS // max(1, deals))
    for begin in range(0, resamples, block):
        count = min(block, resamples - begin)
        drawn = rng.integers(0, deals, (count, deals)) + deals * np.arange(count)[:, None]
        weights = np.bincount(drawn.ravel(), minlength=count * deals).reshape(count, deals)
        yield weights.T.astype(np.float64, order="C")


def interval(value: float, resampled: Floats, deals: int) -> Interval:
    """The percentiles of what resamples gave, wider for few deals as Student's t is; resamples that tell nothing are NaN.

    Percentiles alone are too narrow by √(1 − 1/deals) and by taking the spread for known (Hesterberg 2015, "What Teachers Should
    Know About the Bootstrap", section 3.5): their levels are moved out by both.
    """
    resampled = resampled[~np.isnan(resampled)]
    if deals < 2 or not len(resampled):
        return Interval(value, None, None)
    tail = float(scipy.stats.norm.cdf(spread(deals) * scipy.stats.norm.ppf((1 - LEVEL) / 2)))
    low, high = np.quantile(resampled, [tail, 1 - tail])
    return Interval(value, min(float(low), value), max(float(high), value))


def spread(deals: int) -> float:
    """By how much an interval from so many deals must be wider than one by the normal distribution and the bootstrap's spread."""
    quantiles = scipy.stats.t.ppf((1 + LEVEL) / 2, deals - 1), scipy.stats.norm.ppf((1 + LEVEL) / 2)
    return float(quantiles[0] / quantiles[1] * np.sqrt(deals / (deals - 1)))
