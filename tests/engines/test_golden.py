"""Matches that must replay for ever, and how many ways there are to go on from fixed positions."""

import pytest

from machiavel.engines import Record, load
from tests.engines.games import INSTALLED, declared
from tests.engines.golden import Golden, golden_matches
from tests.engines.perft import leaves

ALL: dict[str, Golden] = declared("expected", "GOLDEN")
MATCHES = [(game, name) for game in ALL for name in golden_matches(game)]
POSITIONS = [(game, name) for game, golden in ALL.items() for name in golden.positions]


@pytest.fixture
def golden(game: str) -> Golden:
    return ALL[game]


def test_every_game_is_in_the_suite() -> None:
    assert set(ALL) == set(INSTALLED)


@pytest.mark.parametrize(("game", "name"), MATCHES)
def test_a_golden_match_replays_to_the_same_end(golden: Golden, game: str, name: str) -> None:
    data = golden_matches(game)[name]
    state = load(game).replay(Record.from_json(data["record"]))

    assert state.is_over and golden.outcome(state) == data["outcome"]
    assert state.record().to_json() == data["record"]


@pytest.mark.parametrize("game", INSTALLED)
def test_the_golden_matches_hold_every_kind_of_move_of_luck_and_of_end(golden: Golden, game: str) -> None:
    result = [*golden_matches(game).values()]
    records = [data["record"] for data in result]

    assert {golden.kind_of(move) for record in records for move in record["moves"]} == {*golden.kinds}
    assert {record["options"]["players"] for record in records} == {*golden.players}
    assert any(record["seed"] is None for record in records)
    assert not [what for what, is_there in golden.holds.items() if not any(map(is_there, result))]


@pytest.mark.parametrize(("game", "name"), POSITIONS)
def test_the_moves_from_a_position_are_as_many_as_ever(golden: Golden, name: str) -> None:
    make, counts = golden.positions[name]
    state = make()

    assert [leaves(state, depth) for depth in range(1, len(counts) + 1)] == list(counts)
