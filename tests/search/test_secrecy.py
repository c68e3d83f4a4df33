"""A recommendation depends on nothing that is hidden from the seat it is for; a bot that cheats is found out."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from machiavel.engines import NotToMove, State
from machiavel.search import Limits, SearchParameters, make_bot, recommend, unseen_map
from tests.engines.games import BOX
from tests.search.cheat import QUICK, Cheat
from tests.search.pairs import SECRETIVE, state_pairs

WAYS: dict[str, dict[str, Any]] = {
    "single": {"variant": "single"},
    "multi": {"variant": "multi"},
    "pimc": {"variant": "pimc", "worlds": 5},
    "weighted": {"variant": "single", "policy": "weighted", "prior": 0.3},
    "own": {"variant": "single", "policy": "own"},
    "threads": {"variant": "multi", "threads": 2},
    "team-player": {"style": "team-player"},
    "points": {"style": "points"},
}

# A game in the box has a rule of thumb only where its author wrote one, and no styles of its own.
OF_ALL = {"single", "multi", "pimc", "threads"}
TRIED = [(game, way) for game in SECRETIVE for way in WAYS if game not in BOX or way in OF_ALL]
CHEATED = [(game, way) for game, way in TRIED if way in {"single", "multi", "pimc", "weighted"}]

Advice = Callable[[State, int, SearchParameters], bytes]


def honest(state: State, seat: int, parameters: SearchParameters) -> bytes:
    """All that the seat is told: with metrics, the lines, and the map of what it does not see."""
    view = state.view(seat)
    told = [recommend(view, QUICK, parameters, explain=True).to_json(), unseen_map(view, parameters.seed, worlds=100).to_json()]
    return json.dumps(told).encode()


def map_alone(state: State, seat: int, parameters: SearchParameters) -> bytes:
    inference = state.game.has("likelihood")
    return json.dumps(unseen_map(state.view(seat), parameters.seed, inference=inference).to_json()).encode()


def told_apart(game: str, count: int, advice: Advice, parameters: SearchParameters) -> int:
    """How many pairs the advice is different for."""
    return sum(
        advice(first, seat, parameters) != advice(second, seat, parameters) for first, second, seat in state_pairs(game, count)
    )


# ---- A cheat: a game whose worlds are the truth ----


@pytest.mark.parametrize(("game", "way"), TRIED)
def test_advice_is_the_same_for_deals_that_differ_in_what_is_hidden(game: str, way: str) -> None:
    assert told_apart(game, 25, honest, SearchParameters(seed=3, **WAYS[way])) == 0


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("game", SECRETIVE)
def test_advice_is_the_same_in_a_thousand_pairs(game: str) -> None:
    for number, (first, second, seat) in enumerate(state_pairs(game, 1000)):
        ways = [way for other, way in TRIED if other == game]
        parameters = SearchParameters(seed=number, **WAYS[ways[number % len(ways)]])
        assert honest(first, seat, parameters) == honest(second, seat, parameters), (first.record(), second.record(), seat)


@pytest.mark.parametrize("game", SECRETIVE)
def test_the_map_of_unseen_cards_is_the_same_for_deals_that_differ_in_what_is_hidden(game: str) -> None:
    assert told_apart(game, 25, map_alone, SearchParameters(seed=3)) == 0


@pytest.mark.parametrize("game", SECRETIVE)
def test_a_map_drawn_from_the_truth_is_found_out(game: str) -> None:
    first, *_ = state_pairs(game, 1)[0]
    cheat = Cheat(first.game.plugin)
    assert told_apart(game, 12, cheat.unseen, SearchParameters(seed=3)) >= 8


@pytest.mark.parametrize(("game", "way"), CHEATED)
def test_a_bot_that_searches_the_truth_is_found_out(game: str, way: str) -> None:
    """In small games much of what is hidden makes no difference."""
    first, *_ = state_pairs(game, 1)[0]
    cheat = Cheat(first.game.plugin)
    assert told_apart(game, 12, cheat.advice, SearchParameters(seed=3, **WAYS[way])) >= (4 if game in BOX else 8)


@pytest.mark.parametrize("game", SECRETIVE)
def test_the_double_is_honest_where_it_draws_its_worlds_from_the_view(game: str) -> None:
    """It is the truth that gives the cheat away, and not the double."""
    first, *_ = state_pairs(game, 1)[0]
    cheat = Cheat(first.game.plugin)

    def from_the_view(state: State, seat: int, parameters: SearchParameters) -> bytes:
        return cheat.advice(state.view(seat).determinize(5), seat, parameters)

    assert told_apart(game, 12, from_the_view, SearchParameters(seed=3)) == 0


@pytest.mark.parametrize(
    "spec", ["random:seed=1", "greedy", "ismcts:iterations=100,seed=1", "pimc:iterations=100,seed=1", "level3:seed=1"]
)
@pytest.mark.parametrize("game", SECRETIVE)
def test_bots_play_the_same_move_in_deals_that_differ_in_what_is_hidden(game: str, spec: str) -> None:
    for first, second, seat in state_pairs(game, 10):
        assert make_bot(spec).choose(first.view(seat)) == make_bot(spec).choose(second.view(seat))


@pytest.mark.parametrize("game", SECRETIVE)
def test_errors_say_the_same_in_deals_that_differ_in_what_is_hidden(game: str) -> None:
    def error(state: State, seat: int, *arguments: Any) -> str:
        try:
            recommend(state.view(seat), *arguments)
        except Exception as caught:  # noqa: BLE001
            return f"{type(caught).__name__}: {caught}"
        return "no error"

    for first, second, seat in state_pairs(game, 5):
        for arguments in ((QUICK, None, ["no such move"]), (QUICK, None, []), (Limits(iterations=0),)):
            assert error(first, seat, *arguments) == error(second, seat, *arguments) != "no error"
        for other in set(range(first.players)) - first.seats_to_move:
            with pytest.raises(NotToMove):
                recommend(first.view(other), QUICK)
