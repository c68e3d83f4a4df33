"""Who has won how much so far: quick enough to be looked at all the time."""

from dataclasses import dataclass

import numpy as np

from machiavel.server.tournaments.results import Results

__all__ = ["Standing", "standings"]

NORMAL = 1.96  # standard errors of a 95 % interval


@dataclass(frozen=True)
class Standing:
    """A bot's rating, and what a seat of it won on average, from 0 to 1; the errors are half of 95 % intervals, over deals."""

    bot: str
    score: float
    error: float
    seats: int  # that it sat in
    elo: float | None  # None where there is nobody to compare it with
    elo_error: float | None  # None while there are too few deals to tell


def standings(results: Results) -> list[Standing]:
    """The best first. Deals are the unit: what happens in the seatings of one deal depends on each other."""
    ratings = quick_ratings(results)
    deals, where = results.deal_rows
    result = []
    for number, bot in enumerate(results.bots):
        sat = results.seats == number
        won = np.bincount(where, np.where(sat, results.utilities, 0.0).sum(axis=1), len(deals))
        seats = np.bincount(where, sat.sum(axis=1), len(deals))
        total = seats.sum()
        if total:
            score = won.sum() / total
            error = NORMAL * float(np.sqrt(np.square(won - score * seats).sum())) / total
            result.append(Standing(bot, float(score), error, int(total), *ratings[number]))
    return sorted(result, key=lambda one: -one.score if one.elo is None else -one.elo)


def quick_ratings(results: Results) -> list[tuple[float | None, float | None]]:
    """Of each bot its Elo and the error."""
    if len(results.bots) < 2 or not len(results):
        return [(None, None)] * len(results.bots)
    from machiavel.server.tournaments.ratings import rate  # noqa: PLC0415 - scipy takes long to load

    intervals = [rating.elo for rating in rate(results, resamples=0).bots]
    return [(one.value, None if one.low is None or one.high is None else (one.high - one.low) / 2) for one in intervals]
