"""What a search says that moves lead to is what becomes of the worlds it draws, played out again one by one."""

import math
import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from machiavel.engines import State, View
from machiavel.engines.conformance.engine_struct import measured
from machiavel.search import Limits, SearchParameters, measure, recommend
from tests.search.positions import asked, states

# To the end of the match, so that the end of a line is that of a random one; one round of agency is a match.
OPTIONS = {"agency": {"medals": 1}, "bond": {}, "citadel": {}, "whist": {}}
LINES = {"agency": 500, "bond": 300, "citadel": 60, "whist": 500}
PLAIN = SearchParameters(policy="uniform", prior=0.0, cutoff=0)
SURE = 4.5  # standard errors: of a thousand comparisons less than one in a hundred runs goes beyond


def searched(view: View, move: str, count: int) -> dict[str, np.ndarray]:
    """Each metric at the end of so many lines, each of a search of a single one."""
    result = [measure(view, move, Limits(iterations=1), replace(PLAIN, seed=seed)).metrics for seed in range(count)]
    return {name: np.array([one[name] for one in result]) for name in result[0]}


def played(view: View, move: str, count: int) -> dict[str, np.ndarray]:
    """The same of worlds played out here."""
    rng = random.Random(move)
    result = []
    for _ in range(count):
        world = view.determinize(rng.getrandbits(63))
        root = world.copy()
        world.play(move)
        while not world.is_over:
            moves = world.legal_moves()
            world.play(moves[rng.randrange(len(moves))])
        result.append(measured(root, world))
    return {name: np.array([one[name] for one in result]) for name in result[0]}


@pytest.mark.parametrize("game", OPTIONS)
def test_metrics_are_those_of_the_worlds_played_out(game: str) -> None:
    count = LINES[game]
    for _, state in zip(range(3), states(game, seed=11, least=2, **OPTIONS[game]), strict=False):
        view = asked(state)
        for move in view.legal_moves()[:2]:
            here, there = played(view, move, count), searched(view, move, count)
            assert here.keys() == there.keys()
            for name, values in here.items():
                error = math.sqrt((values.var() + there[name].var()) / count)
                assert abs(values.mean() - there[name].mean()) <= SURE * error + 1e-6, (name, move)


def closing(game: str, count: int) -> Iterator[State]:
    """Positions in which the card of the mover is the last of its trick."""
    result = 0
    for state in states(game, seed=12, least=2):
        view = state.view().to_json()["view"]
        seats = len(view["contenders"]) if game == "whist" else state.players
        if len(view["table"]) == seats - 1 and view.get("phase", "play") == "play":
            yield state
            result += 1
        if result == count:
            return


@pytest.mark.parametrize("game", ["agency", "whist"])
def test_who_wins_the_trick_is_certain_where_the_last_card_decides(game: str) -> None:
    for state in closing(game, 30):
        view = asked(state)
        seats = range(view.players)
        before = view.to_json()["view"]
        for one in recommend(view, Limits(iterations=200), explain=True).candidates:
            after = state.copy()
            after.play(one.move)
            seen = after.view().to_json()["view"]
            if not one.visits or (seen["round"], after.is_over) != (before["round"], False):
                continue  # how many tricks each had is gone with the round
            assert [one.metrics[f"trick_{seat}"] for seat in seats] == [
                seen["tricks"][seat] - before["tricks"][seat] for seat in seats
            ]
