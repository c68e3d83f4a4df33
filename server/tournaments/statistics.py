"""What bots, pairs, teams and seats made of their games, in means with error bars over deals."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from machiavel.server.tournaments.ratings import RESAMPLES, VIRTUAL
from machiavel.server.tournaments.resampling import ErrorBar, interval, resampled_sums
from machiavel.server.tournaments.results import Results

__all__ = ["Pair", "PairScore", "Statistics", "Team", "statistics_of"]

Floats = NDArray[np.float64]

# Sums of multiples of its inverse are exact in any order; shares of any number of winners are such multiples.
GRID = 55_440_000
BINS = 24

Part = tuple[NDArray[np.bool_], NDArray[np.int64], Floats, Floats]  # of games: which count, group, numerator, denominator


@dataclass(frozen=True)
class PairScore:
    """Of a bot, a seat's average."""

    seats: int  # seats it has had
    utility: ErrorBar
    points: ErrorBar | None
    faults: int  # moves that were played for it


@dataclass(frozen=True)
class Pair:
    """Two bots that sat at one table, as the first of them sees it."""

    one: int
    other: int
    games: int  # pairs of their seats
    share: ErrorBar | None  # of what seats of the two won, what the one won; None where neither won anything
    margin: ErrorBar | None  # points that a seat of the one has more


@dataclass(frozen=True)
class Team:
    """Bots that played together: the number of each seat's, in ascending order."""

    bots: tuple[int, ...]
    games: int
    success: ErrorBar


@dataclass(frozen=True)
class Statistics:
    scores: tuple[PairScore, ...]  # by bot
    pairs: tuple[Pair, ...]
    seats: tuple[ErrorBar, ...]  # utility by seat, whoever sat there; none where all win together
    by_seat: Floats  # [bot, seat]: average utility; NaN where it never sat
    teams: tuple[Team, ...]  # where all win together
    edges: Floats  # of the classes of points, ascending; empty where the game counts none
    counts: NDArray[np.int64]  # [bot, class]: seats with so many points
    leads: dict[tuple[int, int], ErrorBar] = field(default_factory=dict)  # by how much more a team of the one succeeds

    def share(self, one: int, other: int) -> ErrorBar | None:
        """What the one won of what the two won."""
        for pair in self.pairs:
            if (pair.one, pair.other) == (one, other):
                return pair.share
            if (pair.one, pair.other) == (other, one) and pair.share is not None:
                low, high = pair.share.low, pair.share.high
                return ErrorBar(1 - pair.share.value, None if high is None else 1 - high, None if low is None else 1 - low)
        return None


class Means:
    """Ratios of sums over deals, resampled together."""

    def __init__(self, results: Results, resamples: int, seed: int) -> None:
        self.deals, self.rows = results.deal_rows
        self.resamples = resamples
        self.seed = seed

    def by_group(self, groups: int, parts: Iterable[Part], *, virtual: bool = False) -> tuple[Floats, Floats, Floats, Floats]:
        """Sums by group of numerators and denominators, and the same of every resample [group, resample].

        Of shares, resamples hold a virtual half of a win and of a loss, drawn with the spread of their kind, as those of ratings
        do: who has won everything needs an error bar, too.
        """
        rows, columns, values = [], [], []
        for counted, group, above, below in parts:
            rows.append(self.rows[counted])
            columns.append(group[counted])
            values.append(np.rint(np.stack([above[counted], below[counted]]) * GRID))
        where, shape = (np.concatenate(rows), np.concatenate(columns)), (len(self.deals), groups)
        sums = [scipy.sparse.csr_array((part, where), shape=shape) for part in np.concatenate(values, axis=1)]
        totals = [np.asarray(some.sum(axis=0)).ravel() / GRID for some in sums]
        drawn = [resampled_sums(some, self.resamples, self.seed) / GRID for some in sums]
        if virtual:
            won, lost = np.random.default_rng([self.seed, 2]).standard_gamma(VIRTUAL, (2, groups, self.resamples))
            drawn = [drawn[0] + won, drawn[1] + won + lost]
        return totals[0], totals[1], drawn[0], drawn[1]

    def shares(self, groups: int, parts: Iterable[Part]) -> list[ErrorBar | None]:
        """Each group's part of what there was to win."""
        return self.intervals(*self.by_group(groups, parts, virtual=True))

    def intervals(self, above: Floats, below: Floats, drawn_above: Floats, drawn_below: Floats) -> list[ErrorBar | None]:
        """Of each group's ratio; None where there is nothing below the line."""
        result: list[ErrorBar | None] = []
        for group in range(len(above)):
            if below[group] == 0:
                result.append(None)
                continue
            ratios = np.full(self.resamples, np.nan)
            np.divide(drawn_above[group], drawn_below[group], out=ratios, where=drawn_below[group] > 0)
            result.append(interval(float(above[group] / below[group]), ratios, len(self.deals)))
        return result


def statistics_of(results: Results, *, resamples: int = RESAMPLES, seed: int = 0) -> Statistics:
    """Of whole deals, as `rate` takes them, with the same resamples for the same seed."""
    means = Means(results, resamples, seed)
    edges, counts = distribution(results)
    teams, leads = teams_of(results, means) if results.is_cooperative else ((), {})
    return Statistics(
        scores=scores_of(results, means),
        pairs=() if results.is_cooperative else pairs_of(results, means),
        seats=() if results.is_cooperative else seats_of(results, means),
        by_seat=by_seat(results),
        teams=teams,
        edges=edges,
        counts=counts,
        leads=leads,
    )


def scores_of(results: Results, means: Means) -> tuple[PairScore, ...]:
    bots = len(results.bots)
    everything, one = np.ones(len(results), np.bool_), np.ones(len(results))
    columns = range(results.players)
    utility = means.shares(bots, ((everything, results.seats[:, at], utilities(results, at), one) for at in columns))
    counted = ~np.isnan(results.points)
    told = means.by_group(bots, ((counted[:, at], results.seats[:, at], points(results, at), one) for at in columns))
    taken = np.bincount(results.seats.ravel(), minlength=bots)
    faults = np.bincount(results.seats.ravel(), results.faults.ravel(), minlength=bots)
    return tuple(
        PairScore(int(seats), some or ErrorBar(0.0, None, None), scored, int(fault))
        for seats, some, scored, fault in zip(taken, utility, means.intervals(*told), faults, strict=True)
    )


def pairs_of(results: Results, means: Means) -> tuple[Pair, ...]:
    """Of every two bots that met, in the order of their numbers."""
    bots = len(results.bots)
    pairs = [(one, other) for one in range(bots) for other in range(one + 1, bots)]
    number = np.zeros((bots, bots), np.int64)
    for at, (one, other) in enumerate(pairs):
        number[one, other] = number[other, one] = at
    shared, told, met = [], [], np.zeros(len(pairs))
    for left in range(results.players):
        for right in range(left + 1, results.players):
            here, there = results.seats[:, left], results.seats[:, right]
            differ, group, first = here != there, number[here, there], here < there
            won, lost = utilities(results, left), utilities(results, right)
            shared.append((differ, group, np.where(first, won, lost), won + lost))
            margin = np.where(first, 1, -1) * (points(results, left) - points(results, right))
            counted = differ & ~np.isnan(results.points[:, left]) & ~np.isnan(results.points[:, right])
            told.append((counted, group, margin, np.ones(len(results))))
            met += np.bincount(group[differ], minlength=len(pairs))
    shares = means.shares(len(pairs), shared)
    margins = means.intervals(*means.by_group(len(pairs), told))
    return tuple(
        Pair(one, other, int(games), share, margin)
        for (one, other), games, share, margin in zip(pairs, met, shares, margins, strict=True)
        if games
    )


def seats_of(results: Results, means: Means) -> tuple[ErrorBar, ...]:
    everything, one = np.ones(len(results), np.bool_), np.ones(len(results))
    parts = ((everything, np.full(len(results), at), utilities(results, at), one) for at in range(results.players))
    result = means.shares(results.players, parts)
    return tuple(some for some in result if some is not None)


def by_seat(results: Results) -> Floats:
    bots = len(results.bots)
    cells = results.seats + bots * np.arange(results.players)
    won = np.bincount(cells.ravel(), results.utilities.ravel(), minlength=bots * results.players)
    count = np.bincount(cells.ravel(), minlength=bots * results.players)
    result = np.full(bots * results.players, np.nan)
    np.divide(won, count, out=result, where=count > 0)
    return result.reshape(results.players, bots).T


def teams_of(results: Results, means: Means) -> tuple[tuple[Team, ...], dict[tuple[int, int], ErrorBar]]:
    """Every team, and by how much more a team of one bot alone succeeds than a team of another, on the same deals."""
    teams, where = np.unique(np.sort(results.seats, axis=1), axis=0, return_inverse=True)
    group, one = where.reshape(-1), np.ones(len(results))
    everything = np.ones(len(results), np.bool_)
    success = results.utilities.mean(axis=1, dtype=np.float64)
    above, below, drawn_above, drawn_below = means.by_group(len(teams), [(everything, group, success, one)], virtual=True)
    result = means.intervals(above, below, drawn_above, drawn_below)
    told = tuple(
        Team(tuple(int(bot) for bot in team), round(float(games)), some)
        for team, games, some in zip(teams, below, result, strict=True)
        if some is not None
    )
    whole = {team.bots[0]: number for number, team in enumerate(told) if len(set(team.bots)) == 1}
    leads = {}
    for bot, at in whole.items():
        for other, against in whole.items():
            if bot < other:
                with np.errstate(invalid="ignore", divide="ignore"):
                    ahead = drawn_above[at] / drawn_below[at] - drawn_above[against] / drawn_below[against]
                value = above[at] / below[at] - above[against] / below[against]
                leads[bot, other] = interval(float(value), ahead, len(means.deals))
    return told, leads


def distribution(results: Results) -> tuple[Floats, NDArray[np.int64]]:
    """Classes of points, all of the same whole width where points are whole, and how many seats of each bot are in each."""
    bots = len(results.bots)
    counted = ~np.isnan(results.points)
    values = results.points[counted].astype(np.float64)
    if not len(values):
        return np.zeros(0), np.zeros((bots, 0), np.int64)
    low, high = float(np.floor(values.min())), float(np.ceil(values.max()))
    width = max(1.0, float(np.ceil((high - low + 1) / BINS)))
    edges = low + width * np.arange(int((high - low) // width) + 2)
    owners = results.seats[counted]
    counts = np.stack([np.histogram(values[owners == bot], edges)[0] for bot in range(bots)])
    return edges.astype(np.float64), counts.astype(np.int64)


def utilities(results: Results, seat: int) -> Floats:
    return results.utilities[:, seat].astype(np.float64)


def points(results: Results, seat: int) -> Floats:
    return results.points[:, seat].astype(np.float64)
