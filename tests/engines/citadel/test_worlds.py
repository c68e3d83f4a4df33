"""Worlds of citadel: the table as it is, and a future that nobody knows, drawn as a rejection sampler draws it."""

import random
from collections import Counter
from typing import Any

import pytest

from machiavel.engines import State, View
from tests.engines.chi_square import p_of
from tests.engines.citadel.agreement import engine_start
from tests.twins.citadel import Match
from tests.twins.citadel_sampler import RejectionSampler, situations

SIGNIFICANCE = 0.001
PARTS = ("dice", "cards", "treasure", "location")


def on_to_the_next_turn(world: Any) -> None:
    """Play on until the dice have counted and the next cards are shown, with the same kinds of moves in engine and twin."""
    while world.legal_moves():
        moves = sorted(world.legal_moves())
        turn = view_of(world)["turn"]
        world.play(next((move for move in ("end", "keep") if move in moves), None) or moves[0])
        if view_of(world)["turn"] > turn:
            return


def view_of(world: Any) -> dict[str, Any]:
    return dict(world.view(None).to_json()["view"] if isinstance(world, State) else world.view(None))


def facts(world: Any) -> dict[str, Any]:
    """What the next turn of a world brings: dice, cards, and treasures that were not there."""
    before = view_of(world)
    on_to_the_next_turn(world)
    after = view_of(world)
    new = [
        one
        for one in after["treasures"].values()
        if one and one["id"] not in {t["id"] for t in before["treasures"].values() if t}
    ]
    return {
        "dice": tuple(after["dice"].values()),
        "cards": tuple(after["shown"]),
        "treasure": new[0]["id"] if new else None,
        "location": new[0]["room"] if new else None,
    }


def least_p(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> float:
    """The least p of all parts, times their number (Bonferroni)."""
    result = [p_of(*(Counter(fact[part] for fact in facts) for facts in (one, other))) for part in PARTS]
    return min(1.0, len(PARTS) * min(result))


def engine_facts(view: View, samples: int) -> list[dict[str, Any]]:
    return [facts(view.determinize(number)) for number in range(samples)]


def twin_facts(match: Match, samples: int, rng: random.Random) -> list[dict[str, Any]]:
    sampler = RejectionSampler(match, turns=2)  # no fact tells of more than the next
    return [facts(sampler.draw(rng)) for _ in range(samples)]


def position(name: str, number: int) -> tuple[Match, View]:
    rng = random.Random(f"{name} {number}")
    match = situations()[name](rng)
    state = engine_start(match)
    for move in match.moves:
        state.play(move)
    return match, state.view(rng.randrange(match.players))


SITUATIONS = [name for name in situations() if name not in {"over", "won"}]


def compare(name: str, number: int, samples: int) -> None:
    match, view = position(name, number)
    rng = random.Random(2)
    p = least_p(engine_facts(view, samples), twin_facts(match, samples, rng))
    assert p > SIGNIFICANCE, f"{name}, position {number}: p = {p:.2g}"


@pytest.mark.parametrize("name", SITUATIONS)
def test_what_is_to_come_is_distributed_as_a_rejection_sampler_draws_it(name: str) -> None:
    compare(name, 0, 250)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", SITUATIONS)
def test_what_is_to_come_is_distributed_so_in_twenty_thousand_worlds(name: str) -> None:
    for number in range(3):
        compare(name, number, 20_000)


def test_a_loaded_future_is_found_out() -> None:
    """What the comparison is worth: worlds in which the professor's die shows 3 are left out mostly."""
    match, view = position("before the first move", 1)
    rng = random.Random(2)
    fair, twin = engine_facts(view, 2500), twin_facts(match, 2500, rng)
    loaded = [fact for fact in fair if fact["dice"][0] != "3" or rng.random() < 0.3]
    assert least_p(fair, twin) > SIGNIFICANCE
    assert least_p(loaded, twin) < SIGNIFICANCE


def test_what_is_gone_never_comes_back() -> None:
    """No world brings a tile, a room or a card of this round of the deck a second time."""
    for number in range(6):
        match, view = position("five minutes left", number)
        seen = match.view(None)
        gone = {*seen["saved"], *seen["lost"], *(one["id"] for one in seen["treasures"].values() if one)}
        for seed in range(60):
            world = view.determinize(seed)
            result = facts(world)
            assert result["treasure"] not in gone and result["location"] not in seen["locations"]
            after = view_of(world)
            for pile in after["discards"]:
                assert len(pile) == len(set(pile)) <= 6


def test_worlds_are_the_table_and_share_no_future() -> None:
    _, view = position("before the first move", 0)
    worlds = [view.determinize(seed) for seed in range(50)]
    assert len({world.to_bytes() for world in worlds}) == 1
    for world in worlds:
        on_to_the_next_turn(world)
    assert len({world.to_bytes() for world in worlds}) > 30
