"""Matches that must replay for ever, and how many ways there are to go on from fixed positions."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import Record, State
from tests.engines.citadel.table import GAME, seen, situation
from tests.engines.perft import leaves

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))

# Numbers of move sequences of length 1, 2, … from the deal of a seed: (players, seed, counts).
SEEDED: list[tuple[int, int, list[int]]] = [
    (1, 1, [23, 405, 2618, 15214]),
    (2, 2, [10, 54, 301, 1526]),
    (3, 3, [6, 30, 174, 1035]),
    (4, 4, [6, 36, 218]),
    (5, 5, [22, 163, 1246]),
]
# The same from situations.
INSIDE: list[int] = [24, 314, 3438]
WITH_DICE: list[int] = [16, 167, 1080]


def digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def outcome(state: State) -> dict[str, Any]:
    view = seen(state)
    told = {field: view[field] for field in ("turn", "saved", "lost", "result")}
    return told | {"utilities": list(state.utilities), "truth": digest(state.truth())}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_match_replays_to_the_same_end(path: Path) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    state = GAME.replay(Record.from_json(data["record"]))
    assert state.is_over and outcome(state) == data["outcome"]
    assert state.record().to_json() == data["record"]


def test_the_golden_matches_hold_every_kind_of_move_of_luck_and_of_end() -> None:
    golden = [json.loads(path.read_text(encoding="utf-8")) for path in GOLDEN]
    records = [data["record"] for data in golden]
    moves = {move.partition(":")[0] for record in records for move in record["moves"]}
    assert moves == {"go", "unlock", "disarm", "take", "card", "bonus", "power", "end", "activate", "reroll", "choose", "keep"}
    assert {record["options"]["players"] for record in records} == {1, 2, 3, 4, 5}
    assert {data["outcome"]["result"] for data in golden} == {"won", "lost"}
    assert any(record["seed"] is None for record in records)
    assert any(isinstance(record["options"]["deck"], dict) for record in records)


@pytest.mark.parametrize(("players", "seed", "counts"), SEEDED)
def test_the_moves_from_a_seed_are_as_many_as_ever(players: int, seed: int, counts: list[int]) -> None:
    state = GAME.new(players, seed=seed)
    assert [leaves(state, depth) for depth in range(1, len(counts) + 1)] == counts


def inside() -> State:
    """In the middle of the house, with everybody's powers up."""
    doors = ["main_hall:blue", "gallery:red", "conservatory:green", "laboratory:blue"]
    return situation(3, places=["trophy_room", "study", None], open=doors, powers=[True] * 3, professor="cellar")


def with_dice() -> State:
    dice = {"professor": "5", "colour": "red", "clock": 10}
    return situation(2, phase="dice", actions=0, chooses=1, rerolls=[1, 0, 1], dice=dice)


def test_the_moves_inside_the_house_are_as_many_as_ever() -> None:
    assert [leaves(inside(), depth) for depth in range(1, len(INSIDE) + 1)] == INSIDE


def test_the_moves_with_dice_on_the_table_are_as_many_as_ever() -> None:
    assert [leaves(with_dice(), depth) for depth in range(1, len(WITH_DICE) + 1)] == WITH_DICE
