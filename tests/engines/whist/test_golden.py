"""Matches that must replay for ever, and how many ways there are to go on from fixed positions."""

import copy
import json
from pathlib import Path

import pytest

from machiavel.engines import Record
from tests.engines.perft import leaves
from tests.engines.whist.table import GAME, seen
from tests.engines.whist.twin import Match

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))

# Numbers of move sequences of length 1, 2, … from the deal of a seed.
SEEDED = [
    (2, 1, [7, 27, 162, 508, 2540]),
    (3, 2, [7, 11, 26, 156, 382]),
    (4, 3, [7, 25, 31, 54, 324]),
    (7, 4, [7, 14, 60, 120, 324]),
]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_match_replays_to_the_same_end(path: Path) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    state = GAME.replay(Record.from_json(data["record"]))

    assert state.is_over
    assert state.record().to_json() == data["record"]
    assert data["outcome"] == {
        "round": seen(state)["round"],
        "tricks": seen(state)["tricks"],
        "utilities": list(state.utilities),
    }


def twin_leaves(match: Match, depth: int) -> int:
    moves = match.legal_moves()
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        other = copy.deepcopy(match)
        other.play(move)
        count += twin_leaves(other, depth - 1)
    return count


@pytest.mark.parametrize(("players", "seed", "counts"), SEEDED)
def test_the_moves_from_a_seed_are_as_many_as_ever(players: int, seed: int, counts: list[int]) -> None:
    state = GAME.new(players, seed=seed)
    truth = state.truth()
    match = Match(players, lambda _round, _contenders: (truth["trump"], truth["hands"]))

    assert [leaves(state, depth) for depth in range(1, 6)] == counts
    assert [twin_leaves(match, depth) for depth in range(1, 5)] == counts[:4]


def test_the_moves_over_the_end_of_a_round_are_as_many_as_ever() -> None:
    state = GAME.new(3, seed=1)
    while (seen(state)["round"], seen(state)["trick"]) < (4, 3):
        state.play(state.legal_moves()[0])

    assert [leaves(state, depth) for depth in range(1, 8)] == [2, 4, 8, 8, 8, 8, 0]
