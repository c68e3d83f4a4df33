"""Worlds of bond are drawn as the twin's rejection sampler draws them."""

import random
from typing import Any

import pytest

from tests.engines.bond.distribution import engine_state, engine_worlds, facts_of, least_p, twin_worlds
from tests.engines.bond.table import GAME
from tests.twins.bond import HOUSE
from tests.twins.bond_sampler import situations

SIGNIFICANCE = 0.001
SITUATIONS = situations()


def compare(situation: str, number: int, samples: int, *, spectator: bool = False) -> None:
    rng = random.Random(f"{situation} {number}")
    match, result = SITUATIONS[situation](rng)
    seat = None if spectator else result
    facts = facts_of(match.view(seat), match.deck, rng)
    p = least_p(facts, engine_worlds(engine_state(match).view(seat), samples), twin_worlds(match, seat, samples, rng))
    assert p > SIGNIFICANCE, f"{situation}, position {number}, seat {seat} of {match.players}: p = {p:.2g}"


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.slow), 2])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_worlds_are_distributed_as_a_rejection_sampler_draws_them(situation: str, number: int) -> None:
    compare(situation, number, 1000, spectator=number == 2)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("spectator", [False, True])
def test_a_hundred_thousand_worlds_are_distributed_as_a_rejection_sampler_draws_them(situation: str, spectator: bool) -> None:
    compare(situation, 0, 100_000, spectator=spectator)


def forgetful(world: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """As if any spies of the hand were as likely to lie face down as any others, however they were chosen one by one."""
    attack = world["attack"]
    held = [*world["committed"], *world["hands"][attack["attacker"]]["spies"]]
    rng.shuffle(held)
    count = len(world["committed"])
    hands = list(world["hands"])
    hands[attack["attacker"]] = hands[attack["attacker"]] | {"spies": sorted(held[count:])}
    return world | {"hands": hands, "committed": sorted(held[:count], reverse=True)}


def test_a_loaded_sampler_is_found_out() -> None:
    """What the comparison is worth: worlds that forget how the spies face down were chosen."""
    rng = random.Random(5)
    while True:
        match, seat = SITUATIONS["several spies face down"](rng)
        attack = match.view(seat)["attack"]
        if match.view(seat)["hands"][attack["attacker"]]["spies"]:
            break
    fair = list(engine_worlds(engine_state(match).view(seat), 2000))
    facts = facts_of(match.view(seat), match.deck, rng)
    assert least_p(facts, iter(fair), twin_worlds(match, seat, 2000, rng)) > SIGNIFICANCE
    assert least_p(facts, (forgetful(world, rng) for world in fair), twin_worlds(match, seat, 2000, rng)) < SIGNIFICANCE


def test_worlds_give_back_the_view_and_conserve_the_cards() -> None:
    rng = random.Random(11)
    for number in range(50):
        players = 2 + number % 5
        state = GAME.new(players, seed=number)
        while not state.is_over:
            if rng.random() < 0.2:
                for seat in (*range(players), None):
                    view = state.view(seat)
                    world = view.determinize(rng.getrandbits(64))
                    assert world.view(seat) == view
                    conserves(world.truth(), state.truth())
            state.play(rng.choice(state.legal_moves()))


def conserves(world: dict[str, Any], truth: dict[str, Any]) -> None:
    """The deck's 54 cards; hands and pile with the true backs."""

    def backs(heap: dict[str, list[Any]]) -> tuple[int, int]:
        return len(heap["spies"]), len(heap["lairs"]) + len(heap["doublers"])

    def cards(everything: dict[str, Any]) -> list[str]:
        heaps = [*everything["hands"], everything["pile"], {"spies": everything["committed"]}]
        return sorted(f"{sort}:{mark}" for heap in heaps for sort, marks in heap.items() for mark in marks)

    assert list(map(backs, world["hands"])) == list(map(backs, truth["hands"]))
    assert backs(world["pile"]) == backs(truth["pile"])
    assert cards(world) == cards(truth)
    assert len(HOUSE.cards) == 54


def test_every_situation_hides_something() -> None:
    for name, build in SITUATIONS.items():
        match, seat = build(random.Random(name))
        assert match.view(seat) != match.view(None)
