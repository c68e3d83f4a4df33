"""Limits, parameters and moves that cannot be are refused by name; whatever can be gets an answer."""

import json
import math
import time
from typing import Any

import pytest

from machiavel.engines import BadOption, IllegalMove, NotToMove, State, games, load
from machiavel.search import UNTIL_STOPPED, Limits, Memory, Scheduler, SearchParameters, make_bot, recommend
from tests.search.positions import SHIPPED, VARIANTS, asked, open_view, states

QUICK = Limits(iterations=200)


def forced(game: str) -> State:
    """A position with one legal move."""
    return next(state for state in states(game, 3, least=1) if len(state.legal_moves()) == 1)


def over(game: str) -> State:
    state = next(states(game, 3))
    while not state.is_over:
        state.play(state.legal_moves()[0])
    return state


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({"iterations": 0}, "iterations"),
        ({"iterations": -1}, "iterations"),
        ({"iterations": 1 << 40}, "1099511627775"),
        ({"iterations": 1.5}, "a whole number"),
        ({"iterations": math.nan}, "iterations"),
        ({"iterations": "7"}, "iterations"),
        ({"iterations": True}, "iterations"),
        ({"seconds": 0}, "seconds"),
        ({"seconds": -1.0}, "seconds"),
        ({"seconds": -math.inf}, "seconds"),
        ({"seconds": math.nan}, "seconds"),
        ({"seconds": "1"}, "seconds"),
        ({"deadline": math.nan}, "deadline"),
        ({"deadline": math.inf}, "deadline"),
        ({"deadline": "noon"}, "deadline"),
        ({"iterations": 5, "seconds": 0}, "seconds"),
    ],
)
def test_budgets_that_cannot_be_are_refused_by_name(limits: dict[str, Any], expected: str) -> None:
    view = open_view("agency", 1)
    with pytest.raises(BadOption, match=expected) as caught:
        recommend(view, Limits(**limits))
    assert caught.value.option in limits
    with pytest.raises(BadOption, match=expected):
        make_bot("level10:seed=1").choose(view, Limits(**limits))


@pytest.mark.parametrize(
    "parameters",
    [
        {"variant": "best"},
        {"variant": []},
        {"policy": "greedy"},
        {"policy": 1},
        {"exploration": -0.1},
        {"exploration": 100.5},
        {"exploration": math.nan},
        {"exploration": "x"},
        {"exploration": True},
        {"prior": -1},
        {"prior": math.inf},
        {"inference": "yes"},
        {"inference": 1},
        {"seed": -1},
        {"seed": 1 << 63},
        {"seed": 1.5},
        {"seed": None},
        {"worlds": 0},
        {"worlds": 1025},
        {"worlds": 2.5},
        {"megabytes": 0},
        {"megabytes": 65537},
        {"megabytes": None},
        {"threads": 0},
        {"threads": 257},
        {"threads": 2.0},
    ],
)
def test_parameters_that_cannot_be_are_refused_by_name(parameters: dict[str, Any]) -> None:
    (name,) = parameters
    with pytest.raises(BadOption, match=name) as caught:
        recommend(open_view("agency", 1), QUICK, SearchParameters(**parameters))
    assert (caught.value.option, caught.value.expected != "") == (name, True)


def test_inference_is_refused_where_a_game_has_no_model_of_others() -> None:
    without = [game for game in games() if not load(game).has("likelihood")]
    assert without
    for game in without:
        view = open_view(game, 1)
        with pytest.raises(BadOption, match="inference"):
            recommend(view, QUICK, SearchParameters(inference=True))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    "limits",
    [
        {"deadline": 0},
        {"deadline": -5.0},
        {"deadline": -1e300},
        {"seconds": 1e-9},
        {"deadline": 0.0, "iterations": 1 << 39},
    ],
)
def test_a_deadline_that_has_passed_still_gets_an_answer(variant: str, limits: dict[str, Any]) -> None:
    view = open_view("agency", 1)
    for threads in (1, 2):
        recommendation = recommend(view, Limits(**limits), SearchParameters(variant=variant, threads=threads))
        assert recommendation.stopped == "time"
        assert recommendation.iterations > 0
        assert recommendation.best in view.legal_moves()


@pytest.mark.parametrize("end", [1e10, 1e300, 10**400])
@pytest.mark.parametrize("limit", ["seconds", "deadline"])
def test_an_end_beyond_all_clocks_is_no_end(limit: str, end: float) -> None:
    recommendation = recommend(open_view("agency", 1), Limits(iterations=500, **{limit: end}))
    assert (recommendation.stopped, recommendation.iterations) == ("iterations", 500)


def test_whichever_limit_comes_first_ends_it() -> None:
    view = open_view("agency", 1)
    assert recommend(view, Limits(iterations=10, seconds=1000)).stopped == "iterations"
    assert recommend(view, Limits(iterations=1 << 39, seconds=0.01)).stopped == "time"
    assert recommend(view, Limits(seconds=1000, deadline=time.monotonic() + 0.01)).stopped == "time"
    assert recommend(view, Limits(seconds=0.01, deadline=time.monotonic() + 1000)).stopped == "time"


def test_without_limits_two_thousand_iterations_are_searched() -> None:
    for limits in (None, Limits()):
        assert recommend(open_view("agency", 1), limits).iterations == 2000


@pytest.mark.parametrize("iterations", [1, 2, 3, 5])
def test_fewer_iterations_than_threads_and_moves_are_shared_out_all_the_same(iterations: int) -> None:
    view = open_view("agency", 1)
    recommendation = recommend(view, Limits(iterations=iterations), SearchParameters(threads=4))
    assert recommendation.iterations == sum(one.visits for one in recommendation.candidates) == iterations
    assert {one.move for one in recommendation.candidates} == set(view.legal_moves())
    assert all(math.isfinite(one.standard_error) for one in recommendation.candidates)


@pytest.mark.parametrize("game", [game for game in SHIPPED if game != "kuhn"])  # which always offers two
def test_one_legal_move_is_answered_at_once_whatever_the_limits(game: str) -> None:
    state = forced(game)
    for limits in (None, QUICK, UNTIL_STOPPED, Limits(seconds=1000)):
        for threads in (1, 3):
            recommendation = recommend(asked(state), limits, SearchParameters(threads=threads), explain=True)
            assert (recommendation.stopped, recommendation.iterations, recommendation.settled) == ("forced", 0, 1.0)
            assert [one.move for one in recommendation.candidates] == state.legal_moves()
    with pytest.raises(BadOption):
        recommend(asked(state), Limits(iterations=0))


@pytest.mark.parametrize("game", SHIPPED)
def test_a_view_that_is_over_or_of_a_seat_not_asked_gets_no_advice(game: str) -> None:
    ended, going_on = over(game), next(states(game, 3))
    for seat in (*range(ended.players), None):
        with pytest.raises(NotToMove):
            recommend(ended.view(seat), QUICK)
    for seat in {*range(going_on.players), None} - going_on.seats_to_move:
        with pytest.raises(NotToMove):
            recommend(going_on.view(seat), QUICK)
        for spec in ("ismcts:seed=1", "pimc:seed=1", "level1:seed=1"):
            with pytest.raises(NotToMove):
                make_bot(spec).choose(going_on.view(seat), QUICK)


@pytest.mark.parametrize("game", SHIPPED)
@pytest.mark.parametrize("variant", VARIANTS)
def test_moves_can_be_restricted_in_any_order_and_again_and_again(game: str, variant: str) -> None:
    view = open_view(game, 2, least=4)
    legal = view.legal_moves()
    parameters = SearchParameters(variant=variant)
    third = legal[:3][-1]  # or the second, where there are no more
    some = recommend(view, QUICK, parameters, moves=[third, legal[0], third])
    assert {one.move for one in some.candidates} == {legal[0], third}
    assert some == recommend(view, QUICK, parameters, moves=[legal[0], third])
    assert recommend(view, QUICK, parameters, moves=legal) == recommend(view, QUICK, parameters)
    alone = recommend(view, QUICK, parameters, moves=legal[1:2])
    assert (alone.stopped, alone.best) == ("forced", legal[1])


@pytest.mark.parametrize("game", SHIPPED)
@pytest.mark.parametrize("moves", [["no such move"], [""], ["Z9", "Z9"]])
def test_moves_a_seat_does_not_have_are_refused_with_those_it_has(game: str, moves: list[str]) -> None:
    view = open_view(game, 2)
    with pytest.raises(IllegalMove) as caught:
        recommend(view, QUICK, moves=[*view.legal_moves()[:1], *moves])
    assert caught.value.seat == view.seat
    assert sorted(caught.value.legal) == sorted(view.legal_moves())
    with pytest.raises(BadOption, match="moves"):
        recommend(view, QUICK, moves=[])


def test_a_refused_question_changes_nothing() -> None:
    view, memory, before = open_view("agency", 2), Memory(), Memory()
    for one in (memory, before):
        recommend(view, Limits(iterations=3000), memory=one)
    with Scheduler(1) as scheduler:
        questions: list[dict[str, Any]] = [
            {"limits": Limits(iterations=0)},
            {"parameters": SearchParameters(worlds=0)},
            {"moves": ["no such move"]},
            {"moves": []},
        ]
        for refused in questions:
            for ask in (recommend, scheduler.submit):
                with pytest.raises((BadOption, IllegalMove)):
                    ask(view, memory=memory, **refused)
    answers = [recommend(view, QUICK, memory=one).to_json() for one in (memory, before)]
    assert json.dumps(answers[0]) == json.dumps(answers[1])


def test_a_failing_progress_callback_ends_a_recommendation_and_its_threads() -> None:
    def fail(_: object) -> None:
        raise RuntimeError("no ear")

    for threads in (1, 3):
        with pytest.raises(RuntimeError, match="no ear"):
            recommend(open_view("agency", 2), UNTIL_STOPPED, SearchParameters(threads=threads), progress=fail, every=0.0)
