"""Matches of whist in bulk are those of the twin."""

import random

from tests.engines.whist.table import GAME
from tests.engines.whist.twin import Match


def test_matches_in_bulk_last_as_long_as_the_twins() -> None:
    rng = random.Random(5)
    for players in (2, 4, 7):
        lengths = []
        for _ in range(400):
            match = Match.at_random(players, rng)
            while not match.is_over:
                match.play(rng.choice(match.legal_moves()))
            lengths.append(len(match.moves))
        mean = sum(lengths) / len(lengths)
        error = (sum((length - mean) ** 2 for length in lengths) / len(lengths) / len(lengths)) ** 0.5
        assert abs(GAME.playouts(20_000, players=players).plies.mean() - mean) < 4 * error
