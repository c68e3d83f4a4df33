"""The engine agrees with a slow twin written from the rules alone, position by position."""

import random
from typing import Any

import pytest

from machiavel.engines import State, load
from tests.engines.agency.distribution import deck_tables
from tests.twins.agency import HOUSE, Deck, Match
from tests.twins.agency_sampler import replayed, small_deck

WILD = ("1+pass_left", "2+low_wins", "3+plain_mauve", "4+blue_over_mauve", "5+follow_suit")


def random_deck(rng: random.Random, players: int) -> Deck:
    """The house deck mostly; else a small or an odd one, with accomplices on many plans."""
    kind = rng.randrange(4)
    if kind < 2:
        return HOUSE
    plans = tuple(rng.choice((*WILD, *HOUSE.plans)) for _ in range(rng.randint(13, 23)))
    deck = small_deck(players) if kind == 2 else HOUSE
    return Deck(deck.cards, tuple(sorted(plans)), deck.agents)


def agree(seed: int) -> int:
    """One random match, compared at every step; returns how many positions."""
    rng = random.Random(seed)
    players = 2 + seed % 4
    deck = random_deck(rng, players)
    options: dict[str, Any] = {
        "powers": rng.random() < 0.8,
        "accomplices": rng.random() < 0.8,
        "medals": rng.choice((1, 2, 2, 2, 3)),
    }
    if options["powers"] and rng.random() < 0.5:
        options["agents"] = rng.sample(deck.agents, players)
    twin = Match(players, deck=deck, rng=rng, **options)
    while not twin.is_over:
        twin.play(rng.choice(twin.legal_moves()))
    script, layout, twin = twin.moves, twin.layout, replayed(twin, moves=[])[-1]
    tables = "house" if deck is HOUSE else deck_tables(deck)
    state = load("agency").new(players, layout=layout, deck=tables, **options)
    compare(state, twin)
    for move in script:
        state.play(move)
        twin.play(move)
        compare(state, twin)
    assert state.is_over
    assert state.utilities == pytest.approx(twin.utilities())
    return len(script) + 1


def compare(state: State, twin: Match) -> None:
    assert sorted(state.seats_to_move) == twin.to_move
    for seat in twin.to_move:
        assert state.legal_moves(seat) == twin.legal_moves(seat)
    assert state.truth() == twin.truth()
    for seat in (*range(twin.players), None):
        assert state.view(seat).to_json()["view"] == twin.view(seat)


def test_engine_and_twin_agree_at_every_step_of_random_matches() -> None:
    assert sum(agree(seed) for seed in range(80)) > 8000


@pytest.mark.slow
@pytest.mark.timeout(6 * 3600)
@pytest.mark.parametrize("block", range(20))
def test_engine_and_twin_agree_in_twenty_thousand_matches(block: int) -> None:
    for seed in range(1000 * block, 1000 * (block + 1)):
        try:
            agree(seed)
        except AssertionError as error:
            raise AssertionError(f"match {seed}: {error}") from error
