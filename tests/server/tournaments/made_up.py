"""Results that nobody played."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from bench.ratings import Design, turned
from machiavel.server.tournaments.results import Results


def made_up(
    games: Sequence[tuple[int, Sequence[int], Sequence[float]]],
    bots: int,
    points: Sequence[Sequence[float]] | None = None,
    *,
    together: bool = False,
) -> Results:
    """Of each game: its deal, the bot in each seat, what each seat was paid."""
    deals = np.array([game[0] for game in games], np.int64)
    seats = np.array([game[1] for game in games], np.int64)
    utilities = np.array([game[2] for game in games], np.float32)
    counts: Counter[int] = Counter()
    seatings = np.zeros(len(games), np.int64)
    for row, (deal, _, _) in enumerate(games):
        seatings[row] = counts[deal]
        counts[deal] += 1
    scored = np.full(utilities.shape, np.nan, np.float32) if points is None else np.array(points, np.float32)
    names = tuple(f"random:seed={bot}" for bot in range(bots))
    plies = np.full(len(deals), 9, np.uint32)
    faults = np.zeros(seats.shape, np.uint32)
    return Results("agency", seats.shape[1], together, names, deals, seatings, seats, utilities, scored, plies, faults, 0)


def duels(won: Sequence[int], lost: Sequence[int]) -> Results:
    """Two bots in two seats: how many of a deal's games the first won and lost, deal by deal."""
    games: list[tuple[int, Sequence[int], Sequence[float]]] = []
    for deal, (wins, losses) in enumerate(zip(won, lost, strict=True)):
        games += [(deal, (0, 1), (1.0, 0.0))] * wins + [(deal, (1, 0), (1.0, 0.0))] * losses
    return made_up(games, 2)


HEADER = {"game": "agency", "bots": ["a", "b", "c"], "sprt": None}
DESIGN = Design("", (0.0, 0.4, -0.3), turned((0, 1, 2), (0, 2, 1)), 0, grid=0.5)
