"""The engine agrees with a slow twin written from the rules alone, position by position."""

from typing import Any

import pytest

from tests.engines.agreement import Agreement, agree, agree_in_what_is_told
from tests.engines.games import INSTALLED, declared
from tests.engines.perft import leaves

ALL: dict[str, Agreement] = declared("agreement", "AGREEMENT")
TOLD = [game for game, agreement in ALL.items() if agreement.happened is not None]
COUNTED = [(game, *one) for game, agreement in ALL.items() for one in agreement.counted]


@pytest.fixture
def agreement(game: str) -> Agreement:
    return ALL[game]


def test_every_game_is_in_the_suite() -> None:
    assert set(ALL) == set(INSTALLED)


@pytest.mark.parametrize("game", INSTALLED)
def test_engine_and_twin_agree_at_every_step_of_random_matches(agreement: Agreement) -> None:
    """And the matches come to every end and to every kind of move."""
    positions, kinds = 0, set()
    for seed in range(agreement.matches):
        match = agreement.random_match(seed)
        positions += agree(agreement, match)
        kinds |= agreement.kinds_of(match)
    assert positions > agreement.positions
    assert kinds == {*agreement.kinds}


@pytest.mark.parametrize("game", TOLD)
def test_the_engine_tells_what_the_twin_knows_of_every_move(agreement: Agreement) -> None:
    kinds: set[str] = set()
    for seed in range(agreement.matches):
        kinds |= agree_in_what_is_told(agreement, agreement.random_match(seed))
    assert kinds == {*agreement.told}


@pytest.mark.slow
@pytest.mark.timeout(6 * 3600)
@pytest.mark.parametrize("block", range(20))
@pytest.mark.parametrize("game", INSTALLED)
def test_engine_and_twin_agree_in_twenty_thousand_matches(agreement: Agreement, block: int) -> None:
    for seed in range(1000 * block, 1000 * (block + 1)):
        try:
            agree(agreement, agreement.random_match(seed))
        except AssertionError as error:
            raise AssertionError(f"match {seed}: {error}") from error


@pytest.mark.parametrize(("game", "players", "seed", "most"), COUNTED)
def test_engine_and_twin_count_the_same_ways_to_go_on(agreement: Agreement, players: int, seed: int, most: int) -> None:
    assert agreement.dealt is not None
    match = agreement.dealt(players, seed)
    state = agreement.engine_start(match)
    for depth in range(1, most + 1):
        assert leaves(state, depth) == twin_leaves(agreement, match, depth)


def twin_leaves(agreement: Agreement, match: Any, depth: int) -> int:
    moves = match.legal_moves()
    if depth == 1 or not moves:
        return len(moves)
    count = 0
    for move in moves:
        other = agreement.copied(match)
        other.play(move)
        count += twin_leaves(agreement, other, depth - 1)
    return count
