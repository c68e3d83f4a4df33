"""A search answers from a view alone, repeats itself, and takes no limits it cannot keep."""

import json
import random
import threading
from typing import Any

import pytest

from machiavel.engines import BadOption, IllegalMove, NotToMove, State, View, load
from machiavel.search import Limits, SearchParameters, make_bot, recommend
from machiavel.search._search import Search, root_moves
from tests.engines.agency.distribution import engine_state
from tests.twins.agency import HOUSE, Match
from tests.twins.agency_sampler import hidden_pair, small_deck

VARIANTS = ("single", "multi", "pimc")
QUICK = Limits(iterations=300)


def position(seed: int, players: int = 3, plies: int = 20) -> State:
    rng = random.Random(seed)
    state = load("agency").new(players, seed=seed)
    for _ in range(plies):
        state.play(rng.choice(state.legal_moves()))
    return state


def open_position(seed: int) -> State:
    """A position in which there is a choice of three moves at least."""
    return next(state for state in map(position, range(seed, seed + 50)) if len(state.legal_moves()) >= 3)


def asked(state: State) -> View:
    return state.view(state.seat_to_move)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_same_view_seed_and_iterations_give_the_same_answer(variant: str) -> None:
    for seed in range(8):
        view = asked(position(seed, players=2 + seed % 4))
        parameters = SearchParameters(variant=variant, seed=7)
        first = recommend(view, QUICK, parameters).to_json()
        recommend(asked(position(seed + 100)), QUICK, parameters)
        assert recommend(view, QUICK, parameters).to_json() == first
        assert json.loads(json.dumps(first)) == first


def test_slices_make_no_difference() -> None:
    view = asked(position(3))
    moves = root_moves(view)
    whole, sliced = (Search(view, moves, SearchParameters(seed=1).for_game(view.game), 1 << 20) for _ in range(2))
    whole.run(1000, None)
    for iterations in (1, 2, 255, 256, 257, 999, 1000):
        sliced.run(iterations, None)
    assert sliced.look(1, 8) == whole.look(1, 8)
    assert sliced.statistics() == whole.statistics()


@pytest.mark.parametrize("variant", VARIANTS)
def test_visits_add_up_and_the_best_move_is_the_most_visited_legal_one(variant: str) -> None:
    for seed in range(12):
        state = position(seed, players=2 + seed % 4, plies=5 * seed)
        recommendation = recommend(asked(state), QUICK, SearchParameters(variant=variant))
        assert {candidate.move for candidate in recommendation.candidates} == set(state.legal_moves(recommendation.seat))
        assert recommendation.best == recommendation.candidates[0].move
        if recommendation.stopped == "forced":
            assert len(recommendation.candidates) == 1
            assert recommendation.iterations == 0
        else:
            assert sum(candidate.visits for candidate in recommendation.candidates) == recommendation.iterations == 300
            assert all(0 <= candidate.win_chance <= 1 for candidate in recommendation.candidates)
            assert all(candidate.standard_error > 0 for candidate in recommendation.candidates)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_answer_depends_on_nothing_hidden(variant: str) -> None:
    rng = random.Random(5)
    plans = (*HOUSE.plans[:14], *["1+pass_left"] * 3, *["5+follow_suit"] * 3)
    compared = 0
    while compared < 12:
        players = rng.randint(2, 5)
        match = Match(players, deck=small_deck(players, plans=plans), rng=rng)
        for _ in range(rng.randrange(80)):
            if not match.is_over:
                match.play(rng.choice(match.legal_moves()))
        if match.is_over:
            continue
        seat = rng.choice(match.to_move)
        other = hidden_pair(match, seat, rng)
        answers = [
            recommend(engine_state(each).view(seat), QUICK, SearchParameters(variant=variant)).to_json()
            for each in (match, other)
        ]
        assert answers[0] == answers[1]
        compared += 1


def test_a_seat_asked_together_with_others_gets_an_answer_before_they_have_given() -> None:
    deck = small_deck(4, plans=["1+pass_left"] * 20)
    state = engine_state(Match(4, deck=deck, powers=False, rng=random.Random(1)))
    assert state.seats_to_move == {0, 1, 2, 3}
    for seat in range(4):
        assert recommend(state.view(seat), QUICK).best in state.legal_moves(seat)


def test_moves_can_be_restricted() -> None:
    state = position(2)
    some = state.legal_moves()[:2]
    recommendation = recommend(asked(state), QUICK, moves=some)
    assert {candidate.move for candidate in recommendation.candidates} == set(some)
    with pytest.raises(IllegalMove, match="Z9"):
        recommend(asked(state), QUICK, moves=["Z9"])
    with pytest.raises(BadOption, match="moves"):
        recommend(asked(state), QUICK, moves=[])


def test_a_full_arena_gives_up_what_was_not_met_for_long_and_goes_on() -> None:
    view = asked(position(4))
    search = Search(view, root_moves(view), SearchParameters(seed=1).for_game(view.game), 1 << 20)
    search.run(100_000, None)
    full = search.statistics()
    assert full["given_up"] > 0
    search.run(200_000, None)
    later = search.statistics()
    assert later["given_up"] > full["given_up"]
    assert 0.5 * full["nodes"] < later["nodes"] < 2 * full["nodes"]
    assert sum(look[0] for look in search.look()) == search.iterations == 200_000


def test_a_search_without_end_is_stopped_from_another_thread() -> None:
    view = asked(position(4))
    search = Search(view, root_moves(view), SearchParameters(seed=1).for_game(view.game), 1 << 20)
    reasons: list[str | None] = []
    thread = threading.Thread(target=lambda: reasons.append(search.run(None, None)))
    thread.start()
    while not search.iterations:
        assert thread.is_alive()
    search.stop()
    thread.join(10)
    assert reasons == ["stopped"]
    assert search.iterations > 0


def test_time_bounds_a_search() -> None:
    recommendation = recommend(asked(position(4)), Limits(seconds=0.02))
    assert recommendation.stopped == "time"
    assert recommendation.iterations > 0


@pytest.mark.parametrize(
    ("limits", "parameters", "named"),
    [
        ({"iterations": 0}, {}, "iterations"),
        ({"iterations": -5}, {}, "iterations"),
        ({"seconds": 0}, {}, "seconds"),
        ({"seconds": float("nan")}, {}, "seconds"),
        ({}, {"variant": "best"}, "variant"),
        ({}, {"exploration": -1}, "exploration"),
        ({}, {"seed": -1}, "seed"),
        ({}, {"worlds": 0}, "worlds"),
        ({}, {"megabytes": 0}, "megabytes"),
    ],
)
def test_what_cannot_be_is_refused_by_name(limits: dict[str, Any], parameters: dict[str, Any], named: str) -> None:
    with pytest.raises(BadOption, match=named):
        recommend(asked(position(1)), Limits(**limits), SearchParameters(**parameters))


def test_a_seat_that_is_not_asked_gets_no_advice() -> None:
    state = position(1)
    for seat in ({0, 1, 2} - state.seats_to_move) | {None}:
        with pytest.raises(NotToMove):
            recommend(state.view(seat), QUICK)


@pytest.mark.parametrize(
    "spec", ["ismcts:iterations=50,seed=3", "ismcts:variant=multi,iterations=50", "pimc:iterations=50,worlds=4"]
)
def test_search_bots_play_whole_matches_and_say_how_to_make_them_again(spec: str) -> None:
    bot = make_bot(spec)
    again = make_bot(bot.spec)
    assert again.spec == bot.spec
    state = load("agency").new(3, seed=8, medals=1)
    while not state.is_over:
        move = bot.choose(asked(state))
        assert again.choose(asked(state)) == move
        state.play(move)


@pytest.mark.parametrize("variant", VARIANTS)
def test_several_threads_share_the_work_and_repeat_themselves(variant: str) -> None:
    view = asked(open_position(6))
    parameters = SearchParameters(variant=variant, threads=3, seed=2)
    recommendation = recommend(view, Limits(iterations=1000), parameters, explain=True)
    assert recommendation.iterations == sum(candidate.visits for candidate in recommendation.candidates) == 1000
    assert recommend(view, Limits(iterations=1000), parameters, explain=True) == recommendation
    alone = recommend(view, Limits(iterations=1000), SearchParameters(variant=variant, seed=2), explain=True)
    assert alone.candidates != recommendation.candidates


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_line_begins_with_a_move_of_the_seat_and_hides_what_it_would_not_see(variant: str) -> None:
    state = open_position(6)
    recommendation = recommend(asked(state), Limits(iterations=4000), SearchParameters(variant=variant))
    assert recommendation.line
    assert recommendation.line[0] in state.legal_moves()
    deck = small_deck(3, plans=["1+pass_left"] * 20)
    passing = engine_state(Match(3, deck=deck, powers=False, rng=random.Random(1)))
    line = recommend(passing.view(0), Limits(iterations=4000), SearchParameters(variant=variant)).line
    assert line[0].startswith("pass:")
    assert all(move == "pass:?" for move in line[1:3])


def test_metrics_are_measured_where_asked_for_and_change_nothing_else() -> None:
    view = asked(open_position(6))
    plain = recommend(view, QUICK)
    explained = recommend(view, QUICK, explain=True)
    assert all(not candidate.metrics for candidate in plain.candidates)
    for candidate, other in zip(explained.candidates, plain.candidates, strict=True):
        assert (candidate.move, candidate.visits, candidate.win_chance) == (other.move, other.visits, other.win_chance)
        assert set(candidate.metrics) == set(view.game.plugin.metrics(view.rules))
        assert sum(candidate.metrics[f"tricks_{seat}"] for seat in range(3)) == pytest.approx(12)
