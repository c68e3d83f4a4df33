"""Matches that must replay for ever, and how many ways there are to go on from fixed positions."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import Record, State
from tests.engines.agency.table import GAME, lay, play_to, seen
from tests.engines.perft import leaves

GOLDEN = Path(__file__).parent / "golden"

# Numbers of move sequences of length 1, 2, …: (players, seed, counts), and with three players by the top of the pile.
SEEDED = [
    (2, 1, [6, 36, 180, 900]),
    (3, 0, [6, 9, 35, 175]),
    (4, 429, [4, 24, 51, 138]),
    (5, 52, [4, 24, 32, 44]),
    (5, 50, [6, 36, 216, 1296]),
]
PILES = [
    ("1 2", [6, 36, 216, 1080]),
    ("5+follow_suit 2", [6, 8, 36, 180]),
    ("1+pass_left 2", [6, 36, 216, 1296]),
    ("belton wxt 5+follow_suit 2", [3, 18, 24, 108]),
    ("moignons belton 1", [2, 6, 36, 216]),
    ("wxt 5+follow_suit 2", [6, 8, 36, 180]),
]
END_OF_ROUND = [2, 4, 4, 4, 24]


def golden(name: str) -> dict[str, Any]:
    """A file of `golden/`: a record, and what it must come to."""
    data: dict[str, Any] = json.loads((GOLDEN / name).read_text(encoding="utf-8"))
    return data


def digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def outcome(state: State) -> dict[str, Any]:
    last = seen(state)["last_round"]
    return {
        "round": seen(state)["round"],
        "points": last["points"],
        "medals": seen(state)["medals"],
        "utilities": [round(value, 6) for value in state.utilities],
        "truth": digest(state.truth()),
    }


@pytest.mark.parametrize("name", sorted(path.name for path in GOLDEN.glob("*.json")))
def test_a_golden_match_replays_to_the_same_end(name: str) -> None:
    data = golden(name)
    state = GAME.replay(Record.from_json(data["record"]))
    assert state.is_over and outcome(state) == data["outcome"]
    assert state.record().to_json() == data["record"]


def test_the_golden_matches_hold_every_kind_of_move_and_of_luck() -> None:
    records = [golden(path.name)["record"] for path in GOLDEN.glob("*.json")]
    moves = {move.partition(":")[0] for record in records for move in record["moves"] if ":" in move}
    assert moves == {"lead", "look", "pass"}
    assert {record["options"]["players"] for record in records} == {2, 3, 4, 5}
    assert any(record["seed"] is None for record in records) and any(
        isinstance(record["options"]["deck"], dict) for record in records
    )


@pytest.mark.parametrize(("players", "seed", "counts"), SEEDED)
def test_the_moves_from_a_seed_are_as_many_as_ever(players: int, seed: int, counts: list[int]) -> None:
    assert [leaves(GAME.new(players, seed=seed), depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(("pile", "counts"), PILES)
def test_the_moves_under_a_power_or_an_accomplice_are_as_many_as_ever(pile: str, counts: list[int]) -> None:
    hands = ["M1 B1 B2 G1 Y1 Y2", "M2 B3 G2 G3 G4 Y3", "B4 B5 B6 B7 Y4 Y5"]
    state = lay(3, hands, pile, agents=["belton", "moignons", "wxt"])
    assert [leaves(state, depth) for depth in range(1, len(counts) + 1)] == counts


def test_the_moves_at_the_end_of_a_round_are_as_many_as_ever() -> None:
    state = play_to(lay(2, powers=False, medals=9), 1, 11)
    assert [leaves(state, depth) for depth in range(1, 6)] == END_OF_ROUND
