"""Worlds of agency are drawn as the twin's rejection sampler draws them."""

import random
from typing import Any

import pytest

from machiavel.engines import load
from tests.engines.agency.distribution import engine_state, engine_worlds, facts_of, least_p, twin_worlds
from tests.twins.agency import HOUSE, Match
from tests.twins.agency_sampler import replayed, situations, small_deck

SIGNIFICANCE = 0.001
MANY_PASSES = (*HOUSE.plans[:8], *["5+follow_suit"] * 6, *["1+pass_left"] * 6)


def several_passes(rng: random.Random) -> tuple[Match, int]:
    """A seat that has seen two exchanges or more in this half, and besides a void or a hand."""
    while True:
        players = rng.randint(3, 5)
        match = Match(players, deck=small_deck(players, plans=MANY_PASSES), rng=rng)
        result = []
        while not match.is_over:
            result += [(len(match.moves), seat) for seat in range(players) if is_hard(match.view(seat))]
            match.play(rng.choice(match.legal_moves()))
        if result:
            ply, seat = rng.choice(result)
            return replayed(match, moves=match.moves[:ply])[-1], seat


def is_hard(view: dict[str, Any]) -> bool:
    voids = any(card[0] != entry["cards"][0][0] for entry in view["half"] if entry["follow_suit"] for card in entry["cards"])
    looked = view["look"] is not None and view["look"]["cards"] is not None
    return sum(entry["pass_left"] for entry in view["half"]) >= 2 and (voids or looked) and max(view["hand_counts"]) >= 2


SITUATIONS = situations() | {"several passes": several_passes}


def compare(situation: str, number: int, samples: int) -> None:
    rng = random.Random(f"{situation} {number}")
    match, seat = SITUATIONS[situation](rng)
    view = engine_state(match).view(seat)
    facts = facts_of(match.view(seat), match.deck, rng)
    p = least_p(facts, engine_worlds(view, samples), twin_worlds(match, seat, samples, rng))
    assert p > SIGNIFICANCE, f"{situation}, position {number}, seat {seat} of {match.players}: p = {p:.2g}"


@pytest.mark.parametrize("number", [0, 1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_worlds_are_distributed_as_a_rejection_sampler_draws_them(situation: str, number: int) -> None:
    compare(situation, number, 1000)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_hundred_thousand_worlds_are_distributed_as_a_rejection_sampler_draws_them(situation: str) -> None:
    compare(situation, 0, 100_000)


def test_a_loaded_sampler_is_found_out() -> None:
    """What the comparison is worth: half the worlds in which one hidden card lies elsewhere are left out."""
    rng = random.Random(5)
    match, seat = SITUATIONS["first round"](rng)
    fair = list(engine_worlds(engine_state(match).view(seat), 3000))
    facts = facts_of(match.view(seat), match.deck, rng)
    fact = next(fact for fact in facts if 300 < sum(fact(world) == fact(fair[0]) for world in fair) < 2700)
    loaded = [world for world in fair if fact(world) == fact(fair[0]) or rng.random() < 0.5]
    assert least_p([fact], iter(fair), twin_worlds(match, seat, 3000, rng)) > SIGNIFICANCE
    assert least_p([fact], iter(loaded), twin_worlds(match, seat, 3000, rng)) < SIGNIFICANCE


def test_worlds_at_full_size_give_back_the_view_and_conserve_the_cards() -> None:
    rng = random.Random(11)
    for number in range(40):
        players = 2 + number % 4
        state = load("agency").new(players, seed=number)
        while not state.is_over:
            if rng.random() < 0.1:
                truth = state.truth()
                for seat in (*range(players), None):
                    view = state.view(seat)
                    world = view.determinize(rng.getrandbits(64))
                    assert world.view(seat) == view
                    conserves(world.truth(), truth)
            state.play(rng.choice(state.legal_moves()))


def conserves(world: dict[str, Any], truth: dict[str, Any]) -> None:
    """The 60 action cards, each once; the 20 plans and the powers; hands and reserves of the true sizes."""
    assert sorted(world["pile"]) == sorted(truth["pile"])
    for kind in ("hands", "reserves"):
        assert [len(cards) for cards in world[kind]] == [len(cards) for cards in truth[kind]]
    cards = [card for kind in ("hands", "reserves") for hand in world[kind] for card in hand] + world["seen"]
    assert len(cards) == len(set(cards))
    assert set(cards) <= set(HOUSE.cards)
