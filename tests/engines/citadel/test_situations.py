"""Engine and twin agree in every situation of citadel, and the engine reads back the view that the twin sees there."""

import random

import pytest

from tests.engines.citadel.agreement import compare, engine_start
from tests.engines.citadel.table import GAME
from tests.twins.citadel_sampler import situations


@pytest.mark.parametrize("name", situations())
def test_engine_and_twin_agree_in_every_situation(name: str) -> None:
    match = situations()[name](random.Random(name))
    state = engine_start(match)
    for move in match.moves:
        state.play(move)
    compare(state, match)
    data = state.view(None).to_json()
    assert GAME.view_from_json(data | {"view": match.view(None)}) == state.view(None)
