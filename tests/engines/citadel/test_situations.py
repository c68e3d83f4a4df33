"""Engine and twin agree in every situation of citadel, and the engine reads back the view that the twin sees there."""

import random

import pytest

from tests.engines.citadel.agreement import compare, engine_start, random_match
from tests.engines.citadel.table import GAME
from tests.twins.citadel import Match
from tests.twins.citadel_sampler import situations

# To come across a match that is won takes long; whoever plays sensibly wins some of the first sixty.
RARE = {"won"}
WON = (15, 19, 23, 40)


def agree(match: Match) -> None:
    state = engine_start(match)
    for move in match.moves:
        state.play(move)
    compare(state, match)
    data = state.view(None).to_json()
    assert GAME.view_from_json(data | {"view": match.view(None)}) == state.view(None)


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] if name in RARE else []) for name in situations()])
def test_engine_and_twin_agree_in_every_situation(name: str) -> None:
    agree(situations()[name](random.Random(name)))


@pytest.mark.parametrize("seed", WON)
def test_engine_and_twin_agree_where_a_match_is_won(seed: int) -> None:
    match = random_match(seed)

    assert match.result == "won"
    agree(match)
