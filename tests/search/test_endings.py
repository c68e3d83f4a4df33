"""Endings solved by brute force: the search plays the best move, and never one that is worse in every world."""

import random
import statistics
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest

from machiavel.engines import State, View
from machiavel.search import Limits, SearchParameters, recommend
from tests.engines.whist.secrecy import with_hands
from tests.engines.whist.table import engine_match
from tests.engines.whist.twin import CARDS, fits
from tests.engines.whist.twin import Match as WhistMatch
from tests.search.endings import CLEAR, after, late_agency, minimax, some_judged
from tests.search.positions import VARIANTS, asked

ENOUGH = Limits(iterations=4000)


def solved(seed: int) -> Iterator[tuple[View, dict[str, float]]]:
    """Positions with nothing hidden in which it matters what is played, with what each move is worth."""
    rng = random.Random(seed)
    while True:
        state = late_agency(rng, 2, rng.choice((2, 3, 3, 4)))
        if state.is_over or len(state.legal_moves()) < 2:
            continue
        seat = state.seat_to_move
        assert seat is not None
        view = asked(state)
        # Nothing is hidden indeed: every world has the same cards in the same hands.
        assert {str(view.determinize(number).truth()["hands"]) for number in range(3)} == {str(state.truth()["hands"])}
        values = {move: minimax(after(state, move), seat) for move in state.legal_moves()}
        if len(set(values.values())) > 1:
            yield view, values


def blunders(count: int, seed: int, **parameters: Any) -> list[tuple[Any, dict[str, float], str]]:
    result = []
    for number, (view, values) in enumerate(islice(solved(seed), count)):
        chosen = recommend(view, ENOUGH, SearchParameters(seed=number, worlds=4, **parameters)).best
        if values[chosen] < max(values.values()):
            result.append((view.to_json(), values, chosen))
    return result


@pytest.mark.parametrize("variant", VARIANTS)
def test_where_nothing_is_hidden_the_best_move_is_played(variant: str) -> None:
    assert blunders(60, 1, variant=variant) == []


def test_without_a_search_the_endings_are_often_lost() -> None:
    """The positions are hard enough to tell."""
    lost = sum(values[view.legal_moves()[0]] < max(values.values()) for view, values in islice(solved(1), 60))
    assert lost >= 15


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("variant", VARIANTS)
def test_in_a_thousand_endings_the_best_move_is_played(variant: str) -> None:
    assert blunders(1000, 2, variant=variant) == []


# ---- Endings of whist with one card unknown ----


LEADER_WINS = 1 - (6 + 39 / 4) / 51  # of a round of one card each: the other needs a higher one of the suit led, or a trump
LAST_ROUND = 7


def whist_follower(rng: random.Random) -> WhistMatch:
    """Two seats, the last round but one: the mover has two cards, and the other one after leading the first."""
    while True:
        match = WhistMatch.at_random(2, rng)
        while not match.is_over and not (match.round == LAST_ROUND - 2 and match.played):
            match.play(rng.choice(match.legal_moves()))
        if not match.is_over:
            return match


def whist_worlds(match: WhistMatch) -> Iterator[State]:
    """Every deal that the mover must hold possible."""
    other = 1 - match.mover
    known = {*match.hands[match.mover], *(card for _, card in match.played)}
    for card in CARDS:
        hands = [[card], list(match.hands[1])] if other == 0 else [list(match.hands[0]), [card]]
        if card not in known and fits(match, hands):
            yield engine_match(with_hands(match, hands))


def whist_worth(state: State, seat: int) -> float:
    """What the seat gets: the rest of the round is forced, and of the next round no hand is known."""
    while not state.is_over:
        if state.view(None).to_json()["view"]["round"] == LAST_ROUND:
            return LEADER_WINS if state.seat_to_move == seat else 1 - LEADER_WINS
        (move,) = state.legal_moves()
        state.play(move)
    return state.utilities[seat]


def solved_whist(seed: int) -> Iterator[tuple[View, dict[str, float]]]:
    """Positions in which it matters what is played, with what each move is worth over all worlds."""
    rng = random.Random(seed)
    while True:
        match = whist_follower(rng)
        if len(match.legal_moves()) < 2:
            continue
        worlds = list(whist_worlds(match))
        means = {
            move: statistics.fmean(whist_worth(after(world, move), match.mover) for world in worlds)
            for move in match.legal_moves()
        }
        if max(means.values()) - min(means.values()) >= CLEAR:
            yield engine_match(match).view(match.mover), means


@cache
def some_solved_whist(count: int, seed: int) -> list[tuple[View, dict[str, float]]]:
    return list(islice(solved_whist(seed), count))


def whist_blunders(count: int, seed: int, **parameters: Any) -> list[tuple[Any, dict[str, float], str]]:
    result = []
    for number, (view, means) in enumerate(some_solved_whist(count, seed)):
        chosen = recommend(view, ENOUGH, SearchParameters(seed=number, worlds=1024, **parameters)).best
        if means[chosen] < max(means.values()):
            result.append((view.to_json(), means, chosen))
    return result


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_move_that_is_best_over_all_worlds_is_played(variant: str) -> None:
    assert whist_blunders(60, 1, variant=variant) == []


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("variant", VARIANTS)
def test_in_a_thousand_endings_the_move_that_is_best_over_all_worlds_is_played(variant: str) -> None:
    assert whist_blunders(1000, 2, variant=variant) == []


def test_win_chances_are_what_brute_force_finds_over_all_worlds() -> None:
    for number, (view, means) in enumerate(some_solved_whist(60, 1)[:20]):
        recommendation = recommend(view, Limits(iterations=20_000), SearchParameters(seed=number))
        best = recommendation.candidates[0]
        assert abs(best.utility - means[best.move]) < 5 * best.standard_error + 1e-9


# ---- Moves that are worse in every world ----


def dominated_chosen(count: int, seed: int, **parameters: Any) -> list[tuple[Any, str]]:
    result = []
    for number, one in enumerate(some_judged(count, seed)):
        chosen = recommend(one.view, ENOUGH, SearchParameters(seed=number, **parameters)).best
        if chosen in one.dominated():
            result.append((one.view.to_json(), chosen))
    return result


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_move_that_is_worse_in_every_world_is_never_played(variant: str) -> None:
    assert dominated_chosen(12, 1, variant=variant) == []


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("variant", VARIANTS)
def test_in_hundreds_of_positions_no_move_is_played_that_is_worse_in_every_world(variant: str) -> None:
    assert dominated_chosen(300, 2, variant=variant) == []
