"""Which games somebody may want to look at first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from machiavel.server.tournaments.results import Results

__all__ = ["ShownGame", "first_games", "interesting_games"]

EACH = 3  # of a kind


@dataclass(frozen=True)
class ShownGame:
    """A game of a list."""

    deal: int
    seating: int
    seats: tuple[int, ...]  # number of the bot in each
    winners: tuple[int, ...]  # seats that were paid most, if anything


def interesting_games(results: Results, elo: Sequence[float]) -> Iterator[tuple[str, ShownGame]]:
    """Why, and the game: the least expected winners, the closest and clearest by points, the longest and shortest."""
    strength = np.asarray(elo)[results.seats]
    won = results.utilities.astype(np.float64)
    kinds = {}
    if not results.is_cooperative and len(elo) > 1:
        paid = won.sum(axis=1)
        winners = np.divide((won * strength).sum(axis=1), paid, out=np.full(len(results), np.inf), where=paid > 0)
        kinds["upset"] = winners - strength.max(axis=1)
    if results.players > 1 and not np.isnan(results.points).any():
        ordered = np.sort(results.points, axis=1)
        kinds["closest"] = ordered[:, -1] - ordered[:, -2]
        kinds["clearest"] = -kinds["closest"]
    kinds["longest"] = -results.plies.astype(np.int64)
    kinds["shortest"] = results.plies.astype(np.int64)
    for why, measure in kinds.items():
        order = np.argsort(measure, kind="stable")
        _, first = np.unique(results.deals[order], return_index=True)  # of a deal, one game is enough
        for row in order[np.sort(first)[:EACH]]:
            yield why, shown(results, int(row))


def first_games(results: Results, count: int) -> list[ShownGame]:
    return [shown(results, row) for row in range(min(count, len(results)))]


def shown(results: Results, row: int) -> ShownGame:
    won = results.utilities[row]
    winners = np.flatnonzero((won == won.max()) & (won > 0))
    seats = tuple(int(bot) for bot in results.seats[row])
    return ShownGame(int(results.deals[row]), int(results.seatings[row]), seats, tuple(int(seat) for seat in winners))
