"""Compiled and interpreted, the games are the same, byte by byte."""

import random
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import BadView, Game, State
from machiavel.engines.kit.engine import KitEngine
from machiavel.engines.kit.loading import load_file
from machiavel.search import Limits, SearchParameters, recommend
from tests.engines.kit.authors import HIGHEST, written

HERE = Path(__file__).parent
BOX = HERE.parents[2] / "engines" / "kit" / "games"
FILES = {"hearts": BOX, "kuhn": BOX, "liars_dice": BOX, "whist": HERE}
OPTIONS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "hearts": [{"passing": True}, {"passing": False}],
    "kuhn": [{}, {"cards": 13}],
}
MODES = ("llvm", "interpreted")


@cache
def game_of(name: str, mode: str) -> Game:
    return load_file(FILES[name] / f"{name}.py", mode=mode)


def begun(name: str, number: int, mode: str) -> State:
    """A match; they go through all numbers of players and options in turn."""
    game, options = game_of(name, mode), OPTIONS.get(name, [{}])
    return game.new(game.players[number % len(game.players)], seed=number, **options[number % len(options)])


def seen(state: State, seed: int) -> list[object]:
    """All that can be had of a position."""
    told: list[object] = [state.to_bytes(), state.seats_to_move, state.is_over]
    for seat in (*range(state.players), None):
        view = state.view(seat)
        told += [view.to_bytes(), state.view_key(seat), view.determinize(seed).to_bytes()]
    told += [state.legal_moves(seat) for seat in sorted(state.seats_to_move)]
    return [*told, state.utilities, state.metrics] if state.is_over else [*told, state.weights()]


def compare(name: str, number: int, searches: int) -> int:
    """A match in both modes, with so many short searches; returns how many positions."""
    states = [begun(name, number, mode) for mode in MODES]
    rng, positions = random.Random(number), []
    while True:
        told = [seen(state, number) for state in states]
        assert told[0] == told[1], f"{name}, match {number}, moves {states[0].moves}"
        if states[0].is_over:
            break
        positions.append([state.copy() for state in states])
        move = rng.choice(states[0].legal_moves())
        for state in states:
            state.play(move)
    for pair in rng.sample(positions, min(searches, len(positions))):
        seat = pair[0].seat_to_move
        found = [recommend(state.view(seat), Limits(iterations=60), SearchParameters(seed=number)).to_json() for state in pair]
        assert found[0] == found[1], f"{name}, match {number}, moves {pair[0].moves}"
    return len(positions)


def test_the_modes_are_what_they_are_called() -> None:
    for name in FILES:
        for mode in MODES:
            state = begun(name, 0, mode)
            plugin = state.game.plugin
            assert isinstance(plugin, KitEngine) and plugin.mode(state.rules) == mode


@pytest.mark.parametrize("name", FILES)
def test_states_views_keys_worlds_and_searches_are_the_same(name: str) -> None:
    assert sum(compare(name, number, searches=1) for number in range(30)) >= 60


@pytest.mark.slow
@pytest.mark.timeout(3 * 3600)
@pytest.mark.parametrize("block", range(10))
@pytest.mark.parametrize("name", FILES)
def test_they_are_the_same_over_a_thousand_matches(name: str, block: int) -> None:
    for number in range(100 * block, 100 * (block + 1)):
        compare(name, number, searches=1)


@pytest.mark.parametrize("mode", MODES)
def test_worlds_that_take_too_long_to_be_found_are_none(tmp_path: Path, mode: str) -> None:
    """There are 20,000 tries, and a single one may take nearly all the turns that a call may."""
    slow = """
    def possible(self, seat):
        turns = 0
        while turns < 90_000:
            turns += 1 + (self.mover < -1)
        return turns < 0
"""
    view = load_file(written(tmp_path, HIGHEST + slow), mode=mode).new(2, seed=1).view(0)

    with pytest.raises(BadView, match="no deal gives what it shows"):
        view.determinize(1)
