"""Trees kept from move to move: what they found out goes on counting in the same match, and nowhere else."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from machiavel.engines import State, View, load
from machiavel.search import Limits, Memory, Recommendation, SearchParameters, make_bot, recommend
from machiavel.search._search import root_moves
from tests.engines.games import GAMES, players_of
from tests.search.positions import SHIPPED, VARIANTS, asked, search_of

ENOUGH = Limits(iterations=20_000)
KEEPING = ("ismcts:iterations=200,reuse=true", "ismcts:iterations=200,reuse=true,seed=4,megabytes=1", "level4")
# A search that leans on no rule of thumb: what it measures of a move does not hang on how much it has searched already.
PLAIN: dict[str, Any] = {"policy": "uniform", "prior": 0.0, "exploration": 0.7}
OFTEN = ("agency", "whist")  # the other games take longer, and are slow
SEEDED = ("ismcts:iterations=150,reuse=false,seed=9", "ismcts:iterations=150,seed=9", "pimc:iterations=150,seed=9")


def carried(recommendation: Recommendation) -> int:
    """Visits that are not of this search."""
    return sum(one.visits for one in recommendation.candidates) - recommendation.iterations


def kept_answers(state: State, memory: Memory, seed: int = 1, **more: Any) -> Iterator[tuple[View, Recommendation]]:
    """The answers of seat 0 through a match, each with what it was asked; others search for themselves."""
    while not state.is_over:
        view = asked(state)
        if view.seat == 0:
            recommendation = recommend(view, ENOUGH, SearchParameters(seed=seed, **more), memory=memory, explain=True)
            yield view, recommendation
            state.play(recommendation.best)
        else:
            state.play(recommend(view, Limits(iterations=500)).best)


@pytest.mark.parametrize(
    ("game", "threads"),
    [
        *((game, threads) for game in OFTEN for threads in (1, 2)),
        *(pytest.param(game, threads, marks=pytest.mark.slow) for game in GAMES if game not in OFTEN for threads in (1, 2)),
    ],
)
def test_what_was_found_out_goes_on_counting(game: str, threads: int) -> None:
    again = 0
    for seed in range(3):
        state = load(game).new(2, seed=seed)
        for number, (_, result) in zip(range(14), kept_answers(state, Memory(), threads=threads), strict=False):
            assert carried(result) >= 0
            if number == 0 or result.stopped == "forced":
                continue
            assert result.iterations == 20_000
            again += carried(result) > 0
    assert again >= 6


@pytest.mark.parametrize("game", [*OFTEN, *(pytest.param(game, marks=pytest.mark.slow) for game in GAMES if game not in OFTEN)])
def test_chances_errors_and_metrics_stay_what_they_are_where_visits_carry_over(game: str) -> None:
    checked = 0
    for seed in range(3):
        state = load(game).new(2, seed=seed)
        for _, (view, result) in zip(range(12), kept_answers(state, Memory(), **PLAIN), strict=False):
            alone = recommend(view, ENOUGH, SearchParameters(seed=2, **PLAIN), explain=True)
            if carried(result) <= 0:
                continue
            checked += 1
            by_move = {one.move: one for one in alone.candidates}
            for one in result.candidates:
                other = by_move[one.move]
                assert 0 <= one.win_chance <= 1 and 0 <= one.standard_error <= 0.5
                if one.metrics and game == "agency":
                    assert sum(one.metrics[f"tricks_{seat}"] for seat in range(2)) == pytest.approx(12, abs=1e-6)
                if one.metrics and min(one.visits, other.visits) > 1000:
                    length = "turns" if game in {"bond", "citadel"} else "rounds"
                    assert one.metrics[length] == pytest.approx(other.metrics[length], rel=0.15)
    assert checked >= 3


@pytest.mark.parametrize("game", SHIPPED)
def test_another_match_or_seat_empties_a_kept_table(game: str) -> None:
    memory = Memory()
    plugin = load(game)
    rules = plugin.make_rules(players_of(game, 2))
    first = plugin.deal(rules, seed=1)
    for _ in zip(range(4), kept_answers(first, memory), strict=False):
        pass
    fresh = plugin.deal(rules, seed=2)
    while len(fresh.legal_moves()) < 2:
        fresh.play(fresh.legal_moves()[0])
    view = asked(fresh)
    recommendation = recommend(view, ENOUGH, SearchParameters(seed=5), memory=memory)
    assert carried(recommendation) == 0
    assert recommendation == recommend(view, ENOUGH, SearchParameters(seed=5))
    # The other seat of the same match, at its next move.
    fresh.play(recommendation.best)
    while fresh.seat_to_move == view.seat or len(fresh.legal_moves()) < 2:
        fresh.play(fresh.legal_moves()[0])
    other = recommend(asked(fresh), ENOUGH, SearchParameters(seed=5), memory=memory)
    assert carried(other) == 0
    assert other == recommend(asked(fresh), ENOUGH, SearchParameters(seed=5))


def under_two_rules() -> list[View]:
    """The same cards in the same hands, in a short match and in a long one."""
    return [asked(load("agency").new(2, seed=1, powers=False, medals=medals)) for medals in (1, 2)]


def test_other_rules_or_parameters_make_new_trees() -> None:
    memory = Memory()
    view = asked(load("whist").new(3, seed=1))
    recommend(view, ENOUGH, memory=memory)
    for parameters, explain in (
        (SearchParameters(exploration=0.5), False),
        (SearchParameters(megabytes=2), False),
        (SearchParameters(threads=2), False),
        (SearchParameters(), True),
    ):
        recommendation = recommend(view, Limits(iterations=300), parameters, memory=memory, explain=explain)
        assert carried(recommendation) == 0
    anew = under_two_rules()
    recommend(anew[0], ENOUGH, memory=memory)
    assert carried(recommend(anew[1], Limits(iterations=300), memory=memory)) == 0


def test_the_same_question_again_only_adds_to_what_is_known() -> None:
    memory = Memory()
    view = asked(load("whist").new(3, seed=1))
    first = recommend(view, ENOUGH, memory=memory)
    second = recommend(view, Limits(iterations=100), memory=memory)
    assert (carried(first), carried(second)) == (0, 20_000)
    visits = {one.move: one.visits for one in first.candidates}
    assert all(one.visits >= visits[one.move] for one in second.candidates)


def test_a_part_of_the_moves_carries_over_its_own_visits() -> None:
    memory = Memory()
    view = asked(load("whist").new(3, seed=1))
    first = recommend(view, ENOUGH, memory=memory)
    some = [one.move for one in first.candidates][1:3]
    second = recommend(view, Limits(iterations=500), moves=some, memory=memory)
    assert {one.move for one in second.candidates} == set(some)
    assert carried(second) == sum(one.visits for one in first.candidates if one.move in some)


@pytest.mark.parametrize("variant", ["multi", "pimc"])
def test_keys_that_mean_nothing_beyond_their_root_carry_nothing_over(variant: str) -> None:
    memory = Memory()
    view = asked(load("whist").new(3, seed=1))
    for _ in range(3):
        recommendation = recommend(view, Limits(iterations=300), SearchParameters(variant=variant), memory=memory)
        assert carried(recommendation) == 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_search_goes_on_under_its_own_rules_only(variant: str) -> None:
    view, other = under_two_rules()
    search = search_of(view, variant=variant)
    search.run(100, None)
    before = search.look(1, 8)
    with pytest.raises(ValueError, match="rules"):
        search.go_on(other, root_moves(other), 1)
    assert search.look(1, 8) == before


@pytest.mark.parametrize(
    "spec", ["ismcts:iterations=200,reuse=true", "ismcts:iterations=200,reuse=true,seed=4,megabytes=1", "level4"]
)
@pytest.mark.parametrize("game", SHIPPED)
def test_a_bot_that_keeps_its_tree_plays_legal_matches_to_the_end(game: str, spec: str) -> None:
    """One bot in all seats of all matches, one after the other: every new seat and match finds somebody else's tree."""
    rng = random.Random(1)
    bot = make_bot(spec)
    plugin = load(game)
    for number in range(3):
        state = plugin.new(rng.choice(plugin.players), seed=number)
        while not state.is_over:
            move = bot.choose(asked(state))
            assert move in state.legal_moves()
            state.play(move)


@pytest.mark.parametrize(
    "spec", ["ismcts:iterations=150,reuse=false,seed=9", "ismcts:iterations=150,seed=9", "pimc:iterations=150,seed=9"]
)
@pytest.mark.parametrize("game", SHIPPED)
def test_a_seed_without_a_kept_tree_repeats_every_move_by_itself(game: str, spec: str) -> None:
    bot = make_bot(spec)
    state = load(game).new(players_of(game), seed=8)
    views: list[View] = []
    moves: list[str] = []
    while not state.is_over and len(moves) < 40:
        views.append(asked(state))
        moves.append(bot.choose(views[-1]))
        state.play(moves[-1])
    backwards = [make_bot(spec).choose(view) for view in reversed(views)]
    assert backwards[::-1] == moves


def test_reuse_is_on_without_a_seed_and_off_with_one() -> None:
    assert "reuse=true" in make_bot("ismcts").spec and "reuse=true" in make_bot("level5").spec
    assert "reuse=false" in make_bot("ismcts:seed=1").spec and "reuse=false" in make_bot("level5:seed=1").spec
    assert "reuse=true" in make_bot("ismcts:seed=1,reuse=true").spec
    assert "reuse" not in make_bot("pimc").spec
