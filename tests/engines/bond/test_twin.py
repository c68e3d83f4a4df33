"""The engine agrees with a slow twin written from the rules alone, position by position."""

import random

import pytest

from machiavel.engines import State
from tests.engines.bond.distribution import engine_start
from tests.twins.bond import FLAT, HOUSE, Deck, Match, observed, replayed
from tests.twins.bond_sampler import random_move

HIDDEN = ("hands", "committed", "pile")


def random_deck(rng: random.Random) -> Deck:
    """The house deck mostly; else flat splits, values of all sorts, or all alike."""
    kind = rng.randrange(6)
    if kind < 3:
        return HOUSE
    if kind == 3:
        return FLAT
    most = rng.choice((1, 4, 15))
    lairs, spies = (tuple(sorted(rng.randint(1, most) for _ in range(18))) for _ in range(2))
    return Deck(lairs, spies)


def agree(seed: int) -> int:
    """One random match, compared at every step; returns how many positions."""
    rng = random.Random(seed)
    match = Match(2 + seed % 5, deck=random_deck(rng), rng=rng)
    patience = rng.choice((0.0, 0.0, 0.3, 0.8))
    while not match.is_over:
        match.play(random_move(match, rng, patience))
    stood = replayed(match)
    state = engine_start(match)
    for ply, twin in enumerate(stood):
        compare(state, twin)
        if ply < len(match.moves):
            state.play(match.moves[ply])
    assert state.is_over
    assert state.utilities == pytest.approx(match.utilities())
    assert state.moves == tuple(match.moves)
    assert [seen_moves(match, seat) for seat in range(match.players)] == [
        list(state.observed_moves(seat)) for seat in range(match.players)
    ]
    return len(stood)


def seen_moves(match: Match, seat: int) -> list[str]:
    """As the twin says; the engine names no spy of another's hand in a move, also one that was turned up at once."""
    movers = [stood.mover for stood in replayed(match)]
    return [
        f"spy:?>{move[-1]}" if move.startswith("spy:") and mover != seat else move
        for mover, move in zip(movers, observed(match, seat), strict=False)
    ]


def compare(state: State, twin: Match) -> None:
    assert sorted(state.seats_to_move) == twin.to_move
    for seat in twin.to_move:
        assert sorted(state.legal_moves(seat)) == sorted(twin.legal_moves(seat))
    truth = state.truth()
    assert {name: truth[name] for name in HIDDEN} == twin.truth()
    for seat in (*range(twin.players), None):
        assert state.view(seat).to_json()["view"] == twin.view(seat)


def test_engine_and_twin_agree_at_every_step_of_random_matches() -> None:
    assert sum(agree(seed) for seed in range(40)) > 2500


@pytest.mark.slow
@pytest.mark.timeout(6 * 3600)
@pytest.mark.parametrize("block", range(20))
def test_engine_and_twin_agree_in_twenty_thousand_matches(block: int) -> None:
    for seed in range(1000 * block, 1000 * (block + 1)):
        try:
            agree(seed)
        except AssertionError as error:
            raise AssertionError(f"match {seed}: {error}") from error
