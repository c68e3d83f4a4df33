"""The engine plays as the twin does, card by card."""

import random

from tests.engines.whist.table import GAME, engine_match, seen
from tests.engines.whist.twin import CARDS, Match


def test_random_matches_are_the_twins() -> None:
    rng = random.Random(31)
    for number in range(60):
        match = Match.at_random(2 + number % 6, rng)
        while not match.is_over:
            before = len(match.dealt)
            match.play(rng.choice(match.legal_moves()))
            if len(match.dealt) > before or rng.random() < 0.1:
                compare(match)
        compare(match)


def compare(match: Match) -> None:
    state = engine_match(match)
    fields = seen(state)
    assert state.is_over == match.is_over
    assert state.legal_moves() == match.legal_moves()
    assert fields["contenders"] == match.contenders
    assert fields["round"] == match.round + 1
    assert fields["ply"] == len(match.moves)
    if match.is_over:
        assert state.utilities == tuple(float(seat in match.contenders) for seat in range(match.players))
        return
    assert state.seat_to_move == match.mover
    assert fields["trump"] == match.trump
    assert fields["tricks"] == match.tricks
    assert fields["table"] == [[seat, card] for seat, card in match.trick]
    assert fields["seen"] == sorted((card for _, card in match.played), key=CARDS.index)
    assert [set(suits) for suits in fields["voids"]] == match.voids
    assert state.truth()["hands"] == [sorted(hand, key=CARDS.index) for hand in match.hands]


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
