"""Who has won how much so far: quick enough to be looked at all the time."""

from dataclasses import dataclass

import numpy as np

from machiavel.server.tournaments.results import Results

__all__ = ["Standing", "standings"]

NORMAL = 1.96  # standard errors of a 95 % interval


@dataclass(frozen=True)
class Standing:
    """What a seat of a bot won on average, its 95 % interval being score ± error, over deals; from 0 to 1."""

    bot: str
    score: float
    error: float
    seats: int  # that it sat in


def standings(results: Results) -> list[Standing]:
    """The best first. Deals are the unit: what happens in the seatings of one deal depends on each other."""
    deals, where = np.unique(results.deals, return_inverse=True)
    found = []
    for number, bot in enumerate(results.bots):
        sat = results.seats == number
        won = np.bincount(where, np.where(sat, results.utilities, 0.0).sum(axis=1), len(deals))
        seats = np.bincount(where, sat.sum(axis=1), len(deals))
        total = seats.sum()
        if total:
            score = won.sum() / total
            error = NORMAL * float(np.sqrt(np.square(won - score * seats).sum())) / total
            found.append(Standing(bot, float(score), error, int(total)))
    return sorted(found, key=lambda one: -one.score)
