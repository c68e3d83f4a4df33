"""Searches of every game, in the least arena there is: built with the sanitizers, they see what the bookkeeping of nodes does."""

import random

import pytest

from machiavel.engines import View
from machiavel.search import SearchParameters
from machiavel.search._search import Search, root_moves
from tests.conformance.cases import Case, positions, scaled

LEAST = 1  # byte asked for: an arena of a megabyte, for less is never made
SMALL_GAME = 500  # nodes: all there are


def open_view(case: Case, seed: int) -> View:
    """A position with a choice, as its mover sees it."""
    result = [state for state in positions(case, 20, seed=seed) if not state.is_over]
    widest = max(result, key=lambda state: len(state.legal_moves()))
    return widest.view(widest.seat_to_move)


@pytest.mark.parametrize("variant", ["single", "multi", "pimc"])
def test_a_full_arena_gives_nodes_up_and_the_search_goes_on(case: Case, variant: str) -> None:
    view = open_view(case, 1)
    parameters = SearchParameters(variant=variant, worlds=4, seed=1).for_game(case.game)
    search = Search(view, root_moves(view), parameters, LEAST, explain=True)
    most = scaled(60_000)
    while search.iterations < most and not search.statistics()["given_up"]:
        search.run(min(most, search.iterations + 2000), None)
    search.run(search.iterations + scaled(4000), None)
    figures = search.statistics()
    assert figures["given_up"] or figures["nodes"] < SMALL_GAME
    assert sum(look[0] for look in search.look(1, 8)) == search.iterations
    assert all(0 <= total <= visits for visits, total, *_ in search.look())


def test_a_tree_is_kept_through_a_match_in_an_arena_too_small_for_it(case: Case) -> None:
    state = case.new(3)
    seat = state.seat_to_move
    rng = random.Random(3)
    view = state.view(seat)
    parameters = SearchParameters(variant="single", seed=1).for_game(case.game)
    search = Search(view, root_moves(view), parameters, LEAST)
    moved = 0
    while not state.is_over and moved < 12:
        if state.seat_to_move == seat:
            view = state.view(seat)
            search.go_on(view, root_moves(view), moved)
            search.run(scaled(3000), None)
            visits = [look[0] for look in search.look(1, 4)]
            assert sum(visits) >= search.iterations == scaled(3000)
            state.play(state.legal_moves()[visits.index(max(visits))])
            moved += 1
        else:
            state.play(rng.choice(state.legal_moves()))
    assert moved
