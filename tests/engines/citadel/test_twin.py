"""The engine agrees with a slow twin written from the rules alone, position by position."""

import random
from typing import Any

import pytest

from machiavel.engines import State
from tests.conformance.cases import CURIOUS
from tests.engines.citadel.table import CHARACTERS, GAME
from tests.engines.perft import leaves
from tests.twins.citadel import Match, replayed
from tests.twins.citadel_sampler import RejectionSampler, lively_move, new_match, situations

SETTINGS = ("without_55", "all", "without_30", "without_30_and_55")


def engine_state(match: Match) -> State:
    """The engine's match with the twin's luck, at its start."""
    return GAME.new(layout=match.layout, seed=0, **match.options)


def random_match(seed: int) -> Match:
    """A whole match: of random moves, or of livelier ones that get somewhere; now and then in a curious house."""
    rng = random.Random(seed)
    players = 1 + seed % 5
    options: dict[str, Any] = {"setting": rng.choice(SETTINGS), "deck": CURIOUS if rng.random() < 0.3 else "house"}
    if rng.random() < 0.3:
        options["characters"] = rng.sample(CHARACTERS, players)
    match = Match(players, rng=rng, **options)
    if rng.random() < 0.5 and options["deck"] == "house":
        match = new_match(rng, players)
    kind = rng.random()
    while not match.is_over:
        if kind < 0.2:
            match.play(sensible_move(match))
        elif kind < 0.7:
            match.play(lively_move(match, rng))
        else:
            match.play(rng.choice(match.legal_moves()))
    return match


def sensible_move(match: Match) -> str:
    """What the engine's rule of thumb likes best where the twin stands, or else no match would ever be won."""
    data = GAME.new(seed=0, **match.options).view(None).to_json()
    weights = GAME.view_from_json(data | {"view": match.view(match.active)}).determinize(0).weights()
    return max(weights, key=weights.__getitem__)


def agree(match: Match) -> int:
    """A match compared at every step; returns how many positions."""
    state = engine_state(match)
    twin = replayed(match, moves=[])[-1]
    compare(state, twin)
    for move in match.moves:
        state.play(move)
        twin.play(move)
        compare(state, twin)
    assert state.is_over and list(state.utilities) == twin.utilities()
    return len(match.moves) + 1


def compare(state: State, twin: Match) -> None:
    assert sorted(state.seats_to_move) == twin.to_move
    for seat in twin.to_move:
        assert sorted(state.legal_moves(seat)) == sorted(twin.legal_moves(seat))
    assert state.truth() == twin.truth()
    for seat in (*range(twin.players), None):
        assert state.view(seat).to_json()["view"] == twin.view(seat)


def test_engine_and_twin_agree_at_every_step_of_random_matches() -> None:
    assert sum(agree(random_match(seed)) for seed in range(60)) > 3000


@pytest.mark.parametrize("name", situations())
def test_engine_and_twin_agree_in_every_situation(name: str) -> None:
    """And the engine reads back the view that the twin sees there."""
    rng = random.Random(name)
    match = situations()[name](rng)
    state = engine_state(match)
    for move in match.moves:
        state.play(move)
    compare(state, match)
    data = state.view(None).to_json()
    assert GAME.view_from_json(data | {"view": match.view(None)}) == state.view(None)


def test_the_matches_compared_come_to_both_ends_and_to_every_kind_of_move() -> None:
    ends, words = set(), set()
    for seed in range(60):
        match = random_match(seed)
        ends.add(match.result)
        words |= {move.partition(":")[0] for move in match.moves}
        words |= {move.rpartition(":")[2] for move in match.moves if move.endswith(":enough")}
    assert ends == {"won", "lost"}
    kinds = {"go", "unlock", "disarm", "take", "card", "bonus", "power", "end", "activate", "reroll", "choose", "keep", "enough"}
    assert words == kinds


def test_engine_and_twin_count_the_same_ways_to_go_on() -> None:
    for players, seed in ((1, 3), (3, 4), (5, 5)):
        rng = random.Random(seed)
        match = RejectionSampler(Match(players, rng=rng)).draw(rng)  # all luck to come is laid out
        state = engine_state(match)
        for depth in (1, 2, 3):
            assert leaves(state, depth) == twin_leaves(match, depth)


def twin_leaves(match: Match, depth: int) -> int:
    moves = match.legal_moves()
    if depth == 1 or not moves:
        return len(moves)
    count = 0
    for move in moves:
        other = match.copy()
        other.play(move)
        count += twin_leaves(other, depth - 1)
    return count


@pytest.mark.slow
@pytest.mark.timeout(6 * 3600)
@pytest.mark.parametrize("block", range(20))
def test_engine_and_twin_agree_in_twenty_thousand_matches(block: int) -> None:
    for seed in range(1000 * block, 1000 * (block + 1)):
        try:
            agree(random_match(seed))
        except AssertionError as error:
            raise AssertionError(f"match {seed}: {error}") from error
