"""Matches that must replay for ever, and how many ways there are to go on from fixed positions."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import Record, State
from tests.engines.bond.table import GAME, lay, play, seen
from tests.engines.perft import leaves

GOLDEN = Path(__file__).parent / "golden"

# Numbers of move sequences of length 1, 2, …: (players, seed, counts), and from laid-out positions.
SEEDED = [
    (2, 1, [2, 5, 10, 30, 67, 124]),
    (3, 5, [3, 11, 24, 93, 340, 1325]),
    (4, 2, [2, 8, 24, 113, 330, 1502]),
    (5, 3, [3, 13, 39, 227, 612, 3074]),
    (6, 4, [2, 8, 26, 150, 366, 1341]),
]
HANDS = ["lair:4 spy:3 spy:2 doubler:A doubler:B", "lair:3 spy:4 spy:4 doubler:A", "lair:2 spy:8 doubler:B"]
POSITIONS = [
    ("", [3, 13, 39, 148]),
    ("lair:4", [6, 18, 61, 207]),
    ("lair:4 end lair:3", [9, 24, 136, 393]),
    ("lair:4 end lair:3 spy:4>0", [2, 4, 9, 64]),
    ("lair:4 end lair:3 spy:4>0 go", [3, 6, 41, 110]),
    ("lair:4 spy:3>0", [3, 6, 29, 79]),
    ("lair:4 spy:3>0 taunt:A", [2, 4, 13, 33]),
]


def golden(name: str) -> dict[str, Any]:
    """A file of `golden/`: a record, and what it must come to."""
    data: dict[str, Any] = json.loads((GOLDEN / name).read_text(encoding="utf-8"))
    return data


def outcome(state: State) -> dict[str, Any]:
    view = seen(state)
    return {
        "points": view["points"],
        "idle": view["idle"],
        "utilities": [round(value, 6) for value in state.utilities],
        "truth": hashlib.sha256(json.dumps(state.truth(), sort_keys=True).encode()).hexdigest(),
    }


@pytest.mark.parametrize("name", sorted(path.name for path in GOLDEN.glob("*.json")))
def test_a_golden_match_replays_to_the_same_end(name: str) -> None:
    data = golden(name)
    state = GAME.replay(Record.from_json(data["record"]))
    assert state.is_over and outcome(state) == data["outcome"]
    assert state.record().to_json() == data["record"]


def test_the_golden_matches_hold_every_kind_of_move_of_luck_and_of_end() -> None:
    found = [golden(path.name) for path in GOLDEN.glob("*.json")]
    records, outcomes = [data["record"] for data in found], [data["outcome"] for data in found]
    moves = {move.partition(">")[0].partition(":")[0] for record in records for move in record["moves"]}
    assert moves == {"lair", "skip", "spy", "steal", "deck", "end", "add", "go", "kill", "taunt", "foil", "let"}
    assert {record["options"]["players"] for record in records} == {2, 3, 4, 5, 6}
    assert any(record["seed"] is None for record in records)
    assert any(isinstance(record["options"]["deck"], dict) for record in records)
    assert {max(end["points"]) >= 30 for end in outcomes} == {True, False}
    assert any(end["idle"] for end in outcomes)


@pytest.mark.parametrize(("players", "seed", "counts"), SEEDED)
def test_the_moves_from_a_seed_are_as_many_as_ever(players: int, seed: int, counts: list[int]) -> None:
    assert [leaves(GAME.new(players, seed=seed), depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(("moves", "counts"), POSITIONS)
def test_the_moves_from_a_position_are_as_many_as_ever(moves: str, counts: list[int]) -> None:
    state = play(lay(3, HANDS, "lair:1 spy:5 doubler:C spy:6", seed=1), moves)
    assert [leaves(state, depth) for depth in range(1, len(counts) + 1)] == counts
