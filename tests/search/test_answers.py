"""Recommendations as JSON and back, and the bots by level."""

import json
import math
from itertools import islice
from typing import Any

import pytest

from machiavel.engines import BadOption, load
from machiavel.search import KINDS, BadBot, Limits, Recommendation, SearchParameters, make_bot, recommend
from machiavel.search.levels import LEVELS, level_of
from tests.engines.games import GAMES
from tests.search.positions import SHIPPED, VARIANTS, asked, open_view, states

QUICK = Limits(iterations=300)
GARBAGE: tuple[Any, ...] = (None, True, "x", -1.5, [], {}, [None], {"move": "G8"})


def written(game: str = "agency") -> dict[str, Any]:
    """A recommendation as it comes off the wire."""
    data: dict[str, Any] = json.loads(json.dumps(recommend(open_view(game, 1), QUICK, explain=True).to_json()))
    return data


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("game", SHIPPED)
def test_a_recommendation_is_a_fixed_point_of_json(game: str, variant: str) -> None:
    for number, state in enumerate(islice(states(game, 6, least=1), 12)):
        parameters = SearchParameters(variant=variant, seed=number, threads=1 + number % 2)
        recommendation = recommend(asked(state), QUICK, parameters, explain=number % 3 == 0)
        data = recommendation.to_json()
        again = Recommendation.from_json(json.loads(json.dumps(data, allow_nan=False)))
        assert again == recommendation
        assert again.to_json() == data
        assert again.line == recommendation.line


def test_every_number_of_it_is_finite_and_within_its_bounds() -> None:
    for game in SHIPPED:
        for state in islice(states(game, 6), 10):
            recommendation = recommend(asked(state), Limits(iterations=7), explain=True)
            assert sum(one.visits for one in recommendation.candidates) == recommendation.iterations == 7
            assert 0 < recommendation.settled <= 1
            for one in recommendation.candidates:
                assert 0 <= one.win_chance <= 1 and 0 <= one.utility <= 1 and 0 <= one.standard_error <= 0.5
                assert all(math.isfinite(value) for value in one.metrics.values())
            order = [(-one.visits, -one.utility) for one in recommendation.candidates]
            assert order == sorted(order)


@pytest.mark.parametrize("field", sorted(written()))
def test_a_missing_field_is_named(field: str) -> None:
    data = written()
    del data[field]
    with pytest.raises(BadOption) as caught:
        Recommendation.from_json(data)
    assert caught.value.option == field


@pytest.mark.parametrize("where", ["candidates", "parameters"])
def test_a_missing_or_unknown_field_within_is_named(where: str) -> None:
    names = written()["candidates"][0] if where == "candidates" else written()["parameters"]
    for name in (*names, "more"):
        data = written()
        inner = data["candidates"][1] if where == "candidates" else data["parameters"]
        if name == "more":
            inner[name] = 1
        else:
            del inner[name]
        with pytest.raises(BadOption) as caught:
            Recommendation.from_json(data)
        assert caught.value.option == name


def test_an_unknown_field_and_another_best_move_are_refused() -> None:
    with pytest.raises(BadOption, match="took"):
        Recommendation.from_json(written() | {"took": 3})
    with pytest.raises(BadOption, match="best"):
        Recommendation.from_json(written() | {"best": "Z9"})
    with pytest.raises(BadOption, match="best"):
        Recommendation.from_json(written() | {"candidates": []})


@pytest.mark.parametrize("data", [None, 7, "x", [], [written()]])
def test_what_is_no_object_is_refused(data: Any) -> None:
    with pytest.raises(BadOption, match="recommendation"):
        Recommendation.from_json(data)


@pytest.mark.parametrize("field", sorted(written()))
def test_garbage_in_a_field_is_refused_by_an_error_that_names_it(field: str) -> None:
    good = written()
    for garbage in GARBAGE:
        if type(garbage) is type(good[field]) and not (isinstance(garbage, list | dict)):
            continue
        with pytest.raises(BadOption) as caught:
            Recommendation.from_json(written() | {field: garbage})
        names = {field, "best"} | ({*SearchParameters.__dataclass_fields__} if field == "parameters" else set())
        names |= set(good["candidates"][0]) if field == "candidates" else set()
        assert caught.value.option in names


@pytest.mark.parametrize("field", sorted(written()["candidates"][0]))
def test_garbage_in_a_candidate_is_refused_by_an_error_that_names_it(field: str) -> None:
    for garbage in (None, True, [None], {"x": "y"}, "x" if field != "move" else 7):
        data = written()
        data["candidates"][1][field] = garbage
        with pytest.raises(BadOption) as caught:
            Recommendation.from_json(data)
        assert caught.value.option == field


# ---- Levels, and bots as texts ----


def test_levels_are_one_to_ten_in_every_game_and_think_ever_more() -> None:
    assert [name for name in KINDS if name.startswith("level")] == [f"level{level}" for level in range(1, 11)]
    for game in (*SHIPPED, "a game nobody has calibrated"):
        levels = [level_of(number, game) for number in LEVELS]
        assert all(level.iterations >= 1 and level.sharpness >= 0 for level in levels)
        assert [level.iterations for level in levels] == sorted(level.iterations for level in levels)
        assert [number for number, level in enumerate(levels, 1) if level.uses_time] == [10]


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_whole_matches_of_every_game(level: int) -> None:
    for game in SHIPPED:
        plugin = load(game)
        options: dict[str, Any] = {"medals": 1, "powers": False} if game == "agency" else {}
        state = plugin.new(min(plugin.players), seed=level, **options)
        bot = make_bot(f"level{level}:seed=3")
        while not state.is_over:
            # Level 10 takes what it is given.
            move = bot.choose(asked(state), Limits(iterations=300))
            assert move in state.legal_moves()
            state.play(move)


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_takes_no_more_than_its_own_from_limits(level: int) -> None:
    view = open_view("agency", 5)
    own = make_bot(f"level{level}:seed=3").choose(view)
    given = make_bot(f"level{level}:seed=3").choose(view, Limits(iterations=level_of(level, "agency").iterations))
    assert given == own
    if level < 10:
        assert make_bot(f"level{level}:seed=3").choose(view, Limits(iterations=1_000_000_000)) == own
        assert make_bot(f"level{level}:seed=3").choose(view, Limits(seconds=1000)) == own


@pytest.mark.parametrize("level", [0, 11, -1, "", "x", "01"])
def test_there_is_no_other_level(level: object) -> None:
    with pytest.raises(BadBot, match="level10"):
        make_bot(f"level{level}")


@pytest.mark.parametrize(
    "spec",
    [
        *KINDS,
        "ismcts:iterations=77,variant=multi,exploration=1.25,policy=weighted,prior=0.125,sharpness=3,megabytes=2,seed=5",
        "ismcts:exploration=1e-07,inference=false,reuse=TRUE",
        "pimc:worlds=7,prior=3,seed=9223372036854775807",
        "level7:reuse=true,seed=0",
    ],
)
def test_the_spec_of_a_bot_makes_the_same_bot(spec: str) -> None:
    bot = make_bot(spec)
    again = make_bot(bot.spec)
    assert again.spec == bot.spec
    # No game in the box has a rule of thumb.
    for game in GAMES if "prior=" in spec else SHIPPED:
        view = open_view(game, 7)
        assert make_bot(bot.spec).choose(view, QUICK) == make_bot(again.spec).choose(view, QUICK)


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("level3:iterations=5", "no parameter 'iterations'"),
        ("level3:seed=x", "seed cannot be 'x'"),
        ("level3:reuse=1", "reuse cannot be '1'"),
        ("ismcts:sharpness=33", "sharpness cannot be '33'"),
        ("ismcts:megabytes=0", "megabytes cannot be '0'"),
        ("ismcts:variant=pimc", "variant cannot be 'pimc'"),
        ("ismcts:worlds=3", "no parameter 'worlds'"),
        ("pimc:worlds=1025", "worlds cannot be '1025'"),
        ("pimc:variant=single", "no parameter 'variant'"),
        ("ismcts:iterations=1000000001", "iterations cannot be"),
        ("ismcts:seed=9223372036854775808", "seed cannot be"),
    ],
)
def test_a_bot_that_cannot_be_is_refused(spec: str, problem: str) -> None:
    with pytest.raises(BadBot, match=problem):
        make_bot(spec)


def test_a_sharp_bot_plays_its_best_move_more_often_than_a_blunt_one_and_both_play_others() -> None:
    view = open_view("agency", 5, least=5)
    best = make_bot("ismcts:iterations=200,seed=1").choose(view)
    often = []
    for sharpness in (1, 4):
        bots = [make_bot(f"ismcts:iterations=200,sharpness={sharpness},seed={seed}") for seed in range(150)]
        often.append(sum(bot.choose(view) == best for bot in bots))
    assert 0 < often[0] < often[1] < 150
