"""The evaluation: a chance between 0 and 1, the result at the end, and better where the table is better."""

import ctypes
from typing import Any

import pytest

from machiavel.engines import State
from machiavel.engines.conformance import walk
from machiavel.engines.conformance.engine_struct import RULES_CAPSULE, contract_of, pointer_of
from tests.conformance.cases import CURIOUS
from tests.engines.citadel.table import GAME, situation

SKULL = ["gallery", "ballroom", "library", "laboratory", "study", "vault"]


def outlook(state: State) -> float:
    """What the engine expects, the same for all seats."""
    values = (ctypes.c_float * state.players)()
    rules = pointer_of(state.rules.capsule, RULES_CAPSULE)
    contract_of(GAME.plugin).evaluate(rules, state.to_bytes(), values)
    assert len(set(values)) == 1
    return float(values[0])


@pytest.mark.parametrize("players", range(1, 6))
def test_it_is_a_chance_and_at_the_end_the_result(players: int) -> None:
    for deck in ("house", CURIOUS):
        for state, _ in walk(GAME.new(players, seed=players, deck=deck), players):
            result = outlook(state)
            assert result == state.utilities[0] if state.is_over else 0 < result < 1


BETTER: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("a treasure saved", {}, {"saved": ["magna_carta"]}),
    ("a treasure lost", {"lost": ["magna_carta"]}, {}),
    ("the skull's traps off", {"places": ["study"]}, {"places": ["study"], "off": SKULL}),
    ("where a free treasure is", {"off": SKULL, "places": ["study"]}, {"off": SKULL, "places": ["vault"]}),
    ("time for it", {"left": {"red": 10}}, {"left": {"red": 50}}),
    ("a power", {"places": ["study"]}, {"places": ["study"], "powers": [True]}),
]


@pytest.mark.parametrize(("what", "worse", "better"), BETTER, ids=[what for what, _, _ in BETTER])
def test_a_better_table_is_worth_more(what: str, worse: dict[str, Any], better: dict[str, Any]) -> None:
    assert outlook(situation(1, **worse)) < outlook(situation(1, **better))


def test_it_foretells_who_wins() -> None:
    """Halfway through, matches won by the rule of thumb look better than those lost: the area under the curve is above 0.6."""
    result: dict[float, list[float]] = {0.0: [], 1.0: []}
    for seed in range(120):
        state = GAME.new(1 + seed % 4, seed=seed)
        stood = []
        while not state.is_over:
            weights = state.weights()
            stood.append(outlook(state))
            state.play(max(weights, key=weights.__getitem__))
        result[state.utilities[0]].append(stood[2 * len(stood) // 3])
    pairs = [(won > lost) for won in result[1.0] for lost in result[0.0]]
    assert len(pairs) > 500 and sum(pairs) / len(pairs) > 0.6
