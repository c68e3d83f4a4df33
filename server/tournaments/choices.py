"""Strengths of bots by maximum likelihood, from who was chosen out of which set; thousands of fits at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.optimize
import scipy.sparse
from numpy.typing import NDArray

__all__ = ["ChoiceTerm", "Choices", "Prior"]

Floats = NDArray[np.float64]

CELLS = 4_000_000  # numbers that one block of resampled fits may hold
STEPS = 60
LONGEST = 2.0  # of a step of Newton's, in natural logarithms of strength
TOLERANCE = 1e-9  # of the gradient, in games
TIE_SPREAD = 5.0  # standard deviation of the prior of a logarithm of a tie's weight


@dataclass(frozen=True)
class ChoiceTerm:
    """One outcome of a choice: its weight is `ways` times the exponential of the sum of coefficient × parameter."""

    ways: float
    coefficients: tuple[tuple[int, float], ...]  # (parameter, coefficient)


@dataclass(frozen=True)
class Prior:
    """Virtual games of each bot with one of strength 0: how many it won, and lost. [bot] or [bot, fit]."""

    won: Floats
    lost: Floats


class Choices:
    """A model in which a choice out of set s has the outcomes `sets[s]`; parameters are bots' strengths, then ties' weights.

    A sample is the sums over all choices of the coefficients of what came out (`told`, by parameter) and how often each set was
    offered (`offered`). The likelihood depends on nothing else.
    """

    def __init__(self, bots: int, ties: int, sets: Sequence[Sequence[ChoiceTerm]]) -> None:
        self.bots = bots
        self.parameters = bots + ties
        terms = [term for outcomes in sets for term in outcomes]
        owners = np.array([number for number, outcomes in enumerate(sets) for _ in outcomes], np.int64)
        self.owner = owners
        self.first = np.searchsorted(owners, np.arange(len(sets)))
        self.ways = np.log([term.ways for term in terms])
        rows = np.array([row for row, term in enumerate(terms) for _ in term.coefficients], np.int64)
        columns = np.array([column for term in terms for column, _ in term.coefficients], np.int64)
        values = np.array([value for term in terms for _, value in term.coefficients], np.float64)
        # Products by sparse matrices go in one order on one thread, whatever library of linear algebra numpy has.
        self.features = sparse(values, rows, columns, (len(terms), self.parameters))
        self.squares = squares_of(terms, self.parameters)
        # Means are kept of those parameters alone that a set depends on: "places", a set and a parameter each.
        places, where = np.unique(owners[rows] * self.parameters + columns, return_inverse=True)
        self.place_set, self.place_parameter = np.divmod(places, self.parameters)
        self.means = sparse(values, where, rows, (len(places), len(terms)))
        self.collect = sparse(np.ones(len(places)), self.place_parameter, np.arange(len(places)), (self.parameters, len(places)))
        self.left, self.right = pairs_within(self.place_set)
        cells = self.place_parameter[self.left] * self.parameters + self.place_parameter[self.right]
        self.products = sparse(np.ones(len(cells)), cells, np.arange(len(cells)), (self.parameters**2, len(cells)))

    def fit(self, told: Floats, offered: Floats, prior: Prior) -> Floats:
        """The parameters of greatest likelihood times prior."""

        def loss(at: Floats) -> float:
            return -self.likelihood(at, told, offered, prior)

        def slope(at: Floats) -> Floats:
            return -self.derivatives(at[:, None], told[:, None], offered[:, None], prior)[0][:, 0]

        def curvature(at: Floats) -> Floats:
            matrix: Floats = -self.derivatives(at[:, None], told[:, None], offered[:, None], prior)[1][0]
            return matrix

        start = np.zeros(self.parameters)
        fit = scipy.optimize.minimize(loss, start, jac=slope, hess=curvature, method="trust-exact", options={"gtol": 1e-6})
        fitted: Floats = self.refine(fit.x[:, None], told[:, None], offered[:, None], prior)[:, 0]
        return fitted

    def fit_all(self, told: Floats, offered: Floats, prior: Prior, start: Floats) -> Floats:
        """One fit for each column of `told` and `offered`, all from the same start: [parameter, fit]."""
        result = np.empty_like(told)
        block = max(1, CELLS // (len(self.owner) + len(self.left) + self.parameters**2))
        for begin in range(0, told.shape[1], block):
            at = slice(begin, begin + block)
            some = Prior(prior.won[:, at], prior.lost[:, at])
            starts = np.repeat(start[:, None], told[:, at].shape[1], axis=1)
            result[:, at] = self.refine(starts, told[:, at], offered[:, at], some)
        return result

    def refine(self, at: Floats, told: Floats, offered: Floats, prior: Prior) -> Floats:
        """Newton's steps, none of them long, until the gradient is nothing."""
        for _ in range(STEPS):
            gradient, hessian = self.derivatives(at, told, offered, prior)
            if np.abs(gradient).max() < TOLERANCE * max(1.0, offered.sum(axis=0).max()):
                break
            step = np.linalg.solve(-hessian, gradient.T[:, :, None])[:, :, 0].T
            at = at + step * np.minimum(1.0, LONGEST / np.maximum(np.abs(step).max(axis=0), 1e-300))
        return at

    def chances(self, at: Floats) -> tuple[Floats, Floats]:
        """Of each outcome within its set, [term, fit], and the logarithm of each set's sum of weights, [set, fit]."""
        scores = self.features @ at + self.ways[:, None]
        greatest = np.maximum.reduceat(scores, self.first, axis=0)
        weights = np.exp(scores - greatest[self.owner])
        sums = np.add.reduceat(weights, self.first, axis=0)
        return weights / sums[self.owner], np.log(sums) + greatest

    def likelihood(self, at: Floats, told: Floats, offered: Floats, prior: Prior) -> float:
        _, sums = self.chances(at[:, None])
        strengths, ties = at[: self.bots], at[self.bots :]
        virtual = -prior.won.ravel() * np.logaddexp(0, -strengths) - prior.lost.ravel() * np.logaddexp(0, strengths)
        return float(told @ at - offered @ sums[:, 0] + virtual.sum() - (ties**2).sum() / (2 * TIE_SPREAD**2))

    def derivatives(self, at: Floats, told: Floats, offered: Floats, prior: Prior) -> tuple[Floats, Floats]:
        """Of the logarithm of likelihood times prior: gradient [parameter, fit] and Hessian [fit, parameter, parameter]."""
        count = self.parameters
        chances, _ = self.chances(at)
        means = self.means @ chances
        often = offered[self.place_set] * means
        gradient = told - self.collect @ often
        second = self.squares @ (chances * offered[self.owner])
        hessian = self.products @ (often[self.left] * means[self.right]) - second
        hessian = np.moveaxis(hessian.reshape(count, count, -1), 2, 0).copy()
        self.add_prior(at, prior, gradient, hessian)
        return gradient, hessian

    def add_prior(self, at: Floats, prior: Prior, gradient: Floats, hessian: Floats) -> None:
        bots, ties = np.arange(self.bots), np.arange(self.bots, self.parameters)
        won = prior.won.reshape(self.bots, -1)
        games = won + prior.lost.reshape(self.bots, -1)
        wins = 1 / (1 + np.exp(-at[bots]))
        gradient[bots] += won - games * wins
        hessian[:, bots, bots] -= (games * wins * (1 - wins)).T
        gradient[ties] -= at[ties] / TIE_SPREAD**2
        hessian[:, ties, ties] -= 1 / TIE_SPREAD**2

    def expected(self, at: Floats) -> Any:
        """What a choice out of each set tells on average: sparse, [set, parameter]."""
        means = (self.means @ self.chances(at[:, None])[0])[:, 0]
        return sparse(means, self.place_set, self.place_parameter, (len(self.first), self.parameters))


def pairs_within(groups: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All pairs (both ways, and each with itself) of places in one group; groups ascend."""
    sizes = np.bincount(groups)
    left = np.repeat(np.arange(len(groups)), sizes[groups])
    begins = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    within = np.arange(len(left)) - np.repeat(np.cumsum(sizes[groups]) - sizes[groups], sizes[groups])
    return left, begins[groups[left]] + within


def sparse(values: Floats, rows: NDArray[np.int64], columns: NDArray[np.int64], shape: tuple[int, int]) -> Any:
    return scipy.sparse.csr_array((values, (rows, columns)), shape=shape)


def squares_of(terms: Sequence[ChoiceTerm], parameters: int) -> Any:
    """The products of each term's coefficients, [parameter × parameter, term]."""
    entries = [
        (one * other, i * parameters + j, row)
        for row, term in enumerate(terms)
        for i, one in term.coefficients
        for j, other in term.coefficients
    ]
    values, rows, columns = (np.array(part) for part in zip(*entries, strict=True)) if entries else (np.zeros(0),) * 3
    return sparse(values, rows.astype(np.int64), columns.astype(np.int64), (parameters**2, len(terms)))
