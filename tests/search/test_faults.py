"""A search that meets a fault in a game's file: it stops soon, says what and where, and the process goes on."""

import time

import pytest

from machiavel.engines import Game, GameFault, View, load
from machiavel.engines.kit.loading import load_file
from machiavel.search import Limits, Scheduler, SearchParameters, recommend
from tests.engines.kit.planted import FAULTS, MET_BY_SEARCHES

THREADS = 8
PATIENCE = 8.0  # seconds until the error, on a machine that does other things: bench.kit_faults measures it
MODES = (None, "interpreted")


@pytest.mark.parametrize("mode", MODES, ids=["compiled", "interpreted"])
@pytest.mark.parametrize("name", MET_BY_SEARCHES)
def test_a_search_by_eight_threads_stops_at_a_fault_and_says_where(name: str, mode: str | None) -> None:
    fault = FAULTS[name]
    game = load_file(fault.path, mode=mode)
    view = first_view(game)
    began = time.monotonic()

    with pytest.raises(GameFault) as caught:
        recommend(view, Limits(seconds=4 * PATIENCE), SearchParameters(seed=1, threads=THREADS))

    assert time.monotonic() - began < PATIENCE
    assert fault.says in caught.value.what
    assert fault.where in caught.value.what


@pytest.mark.parametrize("mode", MODES, ids=["compiled", "interpreted"])
@pytest.mark.parametrize("name", ["division", "endless_loop"])
def test_a_search_in_the_background_says_where_its_fault_is_and_the_next_one_has_none(name: str, mode: str | None) -> None:
    fault = FAULTS[name]
    with Scheduler(1, nice=1) as scheduler:
        for _ in range(2):
            with pytest.raises(GameFault) as caught:
                scheduler.submit(first_view(load_file(fault.path, mode=mode)), Limits(iterations=5000)).result(4 * PATIENCE)
            assert fault.says in caught.value.what
            assert fault.where in caught.value.what
        answer = scheduler.submit(first_view(load("whist")), Limits(iterations=50)).result(4 * PATIENCE)
    assert answer.iterations == 50


@pytest.mark.parametrize("name", ["division", "endless_loop"])
def test_after_a_fault_other_searches_are_what_they_were(name: str) -> None:
    whist = first_view(load("whist"))
    before = recommend(whist, Limits(iterations=500), SearchParameters(seed=1)).to_json()
    faulty = load_file(FAULTS[name].path)
    said = set()
    for _ in range(2):
        with pytest.raises(GameFault) as caught:
            recommend(first_view(faulty), Limits(iterations=5000), SearchParameters(seed=1))
        said.add(caught.value.what)

    after = recommend(whist, Limits(iterations=500), SearchParameters(seed=1)).to_json()

    assert len(said) == 1
    assert {**after, "seconds": 0} == {**before, "seconds": 0}


@pytest.mark.parametrize("mode", MODES, ids=["compiled", "interpreted"])
def test_both_modes_tell_a_fault_in_the_same_words(mode: str | None) -> None:
    game = load_file(FAULTS["division"].path, mode=mode)
    state = game.new(2, seed=1)
    while len(state.moves) < 4:
        state.play(state.legal_moves()[0])

    with pytest.raises(GameFault) as caught:
        state.play(state.legal_moves()[0])

    assert len(state.moves) == 4
    where = "division.py:35, in apply: self.points[seat] += 12 // (size(self.table) - 5) % 2"
    assert caught.value.what == f"ZeroDivisionError: integer division or modulo by zero ({where})"


def first_view(game: Game) -> View:
    state = game.new(2, seed=1)
    return state.view(state.seat_to_move)
