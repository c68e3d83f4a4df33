"""Win chances: a rising curve over utilities, exact where all is decided, and the same on every machine."""

import math
import random
from itertools import pairwise

import pytest

from bench import calibration
from bench.calibration import LEAST, fitted, halves
from bench.decisions import SampledDecision, decisions
from machiavel.engines import games, load
from machiavel.search import Limits, SearchParameters, recommend
from machiavel.search._curve import chance
from machiavel.search.calibration import Curve, curve_of
from tests.search.positions import open_view

CURVES = [(game, players) for game in games() for players in load(game).players]


@pytest.mark.parametrize(("game", "players"), CURVES)
def test_a_higher_utility_is_a_higher_chance_and_what_is_certain_stays_so(game: str, players: int) -> None:
    curve = curve_of(game, players)
    chances = [curve.chance(part / 1000) for part in range(1001)]
    assert not curve.is_identity
    assert chances[0] == 0 and chances[-1] == 1
    assert all(lower < upper for lower, upper in pairwise(chances))


def test_the_curve_is_logistic_in_the_odds() -> None:
    rng = random.Random(1)
    for _ in range(500):
        utility, bias, slope = rng.uniform(0.0005, 0.9995), rng.uniform(-2, 2), rng.uniform(0.3, 2.5)
        odds = bias + slope * math.log(utility / (1 - utility))
        assert chance(utility, bias, slope) == pytest.approx(1 / (1 + math.exp(-odds)), rel=1e-9)


def test_a_game_that_nobody_has_measured_keeps_its_utilities() -> None:
    curve = curve_of("checkers", 2)
    assert curve.is_identity
    assert curve.chance(0.3) == 0.3
    assert curve.error(0.3, 0.01) == pytest.approx(0.01)


def test_the_error_is_that_of_the_chance() -> None:
    curve = Curve(0.4, 1.6)
    assert curve.error(0.5, 0.02) == pytest.approx((curve.chance(0.52) - curve.chance(0.48)) / 2)
    assert 0 <= curve.error(0.001, 0.3) <= 0.5 and 0 <= curve.error(1.0, 0.3) <= 0.5


@pytest.mark.parametrize("game", games())
def test_recommendations_tell_chances_by_the_curve_and_keep_their_order(game: str) -> None:
    view = open_view(game)
    recommendation = recommend(view, Limits(iterations=400), SearchParameters(seed=1))
    curve = curve_of(game, view.players)
    for one in recommendation.candidates:
        assert one.win_chance == curve.chance(one.utility)
        assert one.win_chance_error == curve.error(one.utility, one.standard_error)
    by_chance = sorted(recommendation.candidates, key=lambda one: one.win_chance)
    assert [one.utility for one in by_chance] == sorted(one.utility for one in recommendation.candidates)


def drawn(count: int, bias: float, slope: float, players: int = 2) -> list[SampledDecision]:
    """Decisions of matches in which chances are such a curve of the utilities."""
    rng = random.Random(7)
    result = []
    for match in range(count):
        utility = rng.uniform(0.05, 0.95)
        won = float(rng.random() < chance(utility, bias, slope))
        result.append(SampledDecision(match, 2 + match % players, 0, 1, 2, utility, 0.01, won))
    return result


def test_a_curve_is_found_again_and_its_chances_are_calibrated() -> None:
    fit, test = halves(drawn(8000, 0.6, 1.5), 2)
    curves = fitted(fit)
    assert set(curves) == {2, 3}
    for curve in curves.values():
        assert curve.bias == pytest.approx(0.6, abs=0.15) and curve.slope == pytest.approx(1.5, abs=0.15)
    result = calibration.tested("drawn", fit, test, curves)
    assert result.error[0] < 0.03 < result.error_of_utility
    assert result.gain[1] > 0.1


def test_utilities_that_tell_nothing_gain_nothing() -> None:
    rng = random.Random(3)
    some = [
        SampledDecision(match, 2, 0, 1, 2, rng.uniform(0.1, 0.9), 0.01, float(rng.random() < 0.5)) for match in range(LEAST * 5)
    ]
    fit, test = halves(some, 1)
    try:
        curves = fitted(fit)
    except ValueError:
        return  # a falling line is refused
    assert abs(calibration.tested("noise", fit, test, curves).gain[0]) < 0.02


def test_decisions_are_one_of_each_match_and_a_run_goes_on(tmp_path: pytest.TempPathFactory) -> None:
    path = tmp_path / "whist.jsonl"  # type: ignore[operator]
    game = load("whist")
    first = decisions(game, [2, 3], 6, 20, path)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"match": 6, "pla')  # an end that came too soon
    more = decisions(game, [2, 3], 10, 20, path)
    assert more[:6] == first
    assert [one.match for one in more] == list(range(10))
    path.unlink()
    assert decisions(game, [2, 3], 10, 20, path) == more
    for one in more:
        assert one.players == 2 + one.match % 2 and 0 <= one.ply < one.plies and 0 <= one.won <= 1


def test_decisions_are_drawn_from_the_whole_match() -> None:
    from bench.decisions import SelfPlay

    table = SelfPlay(load("whist"), 2, 1)
    places = []
    for match in range(300):
        played = table.runner.sample(0, match, table.seating)
        assert played is not None
        places.append(played[2] / played[3])
    assert sum(place < 0.25 for place in places) > 30 and sum(place > 0.5 for place in places) > 30
