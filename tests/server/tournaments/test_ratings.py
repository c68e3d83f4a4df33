"""Ratings: the likelihood is the model's, error bars mean what they say, and nothing that should not matter does."""

from dataclasses import replace
from itertools import combinations
from math import exp, log

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.stats import beta

from bench.ratings import Design, turned
from machiavel.engines import BadOption
from machiavel.server.tournaments.choices import Prior
from machiavel.server.tournaments.outcomes import outcomes_of
from machiavel.server.tournaments.ratings import ELO, rate
from machiavel.server.tournaments.resampling import MOST, ONE, drawn_weights, resampled_sums
from machiavel.server.tournaments.statistics import statistics_of
from tests.server.tournaments.made_up import duels, made_up

FOUR = Design("", (-0.5, 0.0, 0.3, 0.9), turned((0, 1, 2, 3), (0, 2, 1, 1), (3, 3, 1, 2)), 0, grid=0.5)


def elos(result: object) -> list[float]:
    return [rating.elo.value for rating in result.bots]  # type: ignore[attr-defined]


def test_without_ties_the_difference_is_the_logarithm_of_the_odds() -> None:
    results = duels([300] * 10, [100] * 10)
    assert elos(rate(results, resamples=0)) == pytest.approx([200 * np.log10(3), -200 * np.log10(3)], abs=0.1)


def test_strengths_are_the_greatest_of_the_likelihood_written_seat_by_seat() -> None:
    results = FOUR.play(8, np.random.default_rng(5))
    sizes = sorted({int(count) for count in (results.utilities > 0).sum(axis=1)} - {1})
    tables = results.seats.tolist()
    winners = [tuple(np.flatnonzero(paid > 0).tolist()) for paid in results.utilities]

    def loss(at: NDArray[np.float64]) -> float:
        strengths, ties = at[:4].tolist(), dict(zip(sizes, at[4:].tolist(), strict=True))
        total = -0.5 * np.logaddexp(0, at[:4]).sum() - 0.5 * np.logaddexp(0, -at[:4]).sum() - (at[4:] ** 2).sum() / 50
        for seats, won in zip(tables, winners, strict=True):
            weights = {
                chosen: sum(strengths[seats[seat]] for seat in chosen) / size + ties.get(size, 0.0)
                for size in (1, *sizes)
                for chosen in combinations(range(4), size)
            }
            total += weights[won] - log(sum(map(exp, weights.values())))
        return -float(total)

    result = minimize(loss, np.zeros(4 + len(sizes)), method="BFGS", options={"gtol": 1e-4}).x[:4]
    assert len(sizes) >= 2
    assert elos(rate(results, resamples=0)) == pytest.approx((result - result.mean()) * ELO, abs=0.1)


def test_all_resamples_are_fitted_as_one_would_be() -> None:
    outcomes = outcomes_of(FOUR.play(20, np.random.default_rng(2)))
    model = outcomes.model
    told, offered = outcomes.split(resampled_sums(outcomes.sums, 5, 1))
    prior = Prior(np.full((4, 5), 0.5), np.full((4, 5), 0.7))
    together = model.fit_all(told, offered, prior, np.zeros(model.parameters))
    for one in range(5):
        alone = model.fit(told[:, one], offered[:, one], Prior(prior.won[:, one], prior.lost[:, one]))
        assert together[:, one] == pytest.approx(alone, abs=1e-6)


def test_neither_the_seats_of_a_table_nor_the_numbers_of_bots_matter() -> None:
    results = FOUR.play(25, np.random.default_rng(3))
    turned_round = replace(results, seats=results.seats[:, ::-1], utilities=results.utilities[:, ::-1])
    assert elos(rate(turned_round, resamples=0)) == pytest.approx(elos(rate(results, resamples=0)))
    renamed = replace(results, seats=3 - results.seats)
    assert elos(rate(renamed, resamples=0))[::-1] == pytest.approx(elos(rate(results, resamples=0)))


def test_the_same_seed_gives_the_same_error_bars() -> None:
    results = FOUR.play(25, np.random.default_rng(3))
    assert rate(results, resamples=200).bots == rate(results, resamples=200).bots
    assert rate(results, resamples=200).bots != rate(results, resamples=200, seed=1).bots


def test_a_bot_that_wins_everything_has_a_rating_and_an_error_bar() -> None:
    ratings = rate(duels([2] * 20, [0] * 20), resamples=500)
    best = ratings.bots[0].elo
    assert best.low is not None and best.high is not None
    assert 100 < best.low < best.value < best.high < 2000
    assert ratings.above(0, 1) == 1


def test_a_deal_counts_once_however_often_it_is_played() -> None:
    few = duels([2, 0, 2, 2, 0, 2, 0, 2], [0, 2, 0, 0, 2, 0, 2, 0])
    many = duels([20, 0, 20, 20, 0, 20, 0, 20], [0, 20, 0, 0, 20, 0, 20, 0])
    for resamples in (0, 2000):
        narrow, wide = (rate(results, resamples=resamples).bots[0].elo for results in (many, few))
        assert narrow.low is not None and narrow.high is not None and wide.low is not None and wide.high is not None
        assert narrow.high - narrow.low > 0.9 * (wide.high - wide.low)


def test_error_bars_of_very_many_deals_are_as_wide_as_they_should_be() -> None:
    pair = Design("", (0.0, 0.4), ((0, 1), (1, 0)), 0)
    results = pair.play(3 * MOST, np.random.default_rng(5))  # so that neighbours are drawn together
    drawn, at_once = (rate(results, resamples=resamples).bots[0].elo for resamples in (1000, 0))
    assert drawn.low is not None and drawn.high is not None and at_once.low is not None and at_once.high is not None
    assert drawn.high - drawn.low == pytest.approx(at_once.high - at_once.low, rel=0.1)


def test_sums_of_resamples_are_those_of_what_each_deal_counts_for() -> None:
    rows = np.arange(12.0).reshape(6, 2)
    weights = drawn_weights(6, 7, 3) / ONE
    assert resampled_sums(csr_array(rows), 7, 3) == pytest.approx((weights @ rows).T)
    many = csr_array(np.ones((2 * MOST + 1, 1)))
    assert resampled_sums(many, 3, 0).mean() == pytest.approx(2 * MOST + 1, rel=0.05)
    assert resampled_sums(many, 3, 0).shape == (1, 3)


def test_a_bot_that_seldom_loses_has_jeffreys_interval() -> None:
    results = duels([1] * 194 + [0] * 6, [0] * 194 + [1] * 6)
    share = statistics_of(results, resamples=40_000).pairs[0].share
    assert share is not None
    assert share.low is not None and share.high is not None
    # Deals that are drawn and put back end 0.0024 higher.
    assert [share.low, share.high] == pytest.approx(beta(194.5, 6.5).ppf([0.025, 0.975]).tolist(), abs=0.0015)


def test_without_a_second_deal_there_is_no_error_bar() -> None:
    for resamples in (0, 100):
        rating = rate(duels([2], [1]), resamples=resamples).bots[0].elo
        assert rating.low is rating.high is None


def test_the_anchor_stands_at_nothing_and_has_no_error() -> None:
    ratings = rate(FOUR.play(25, np.random.default_rng(3)), resamples=100, anchor=2)
    assert ratings.bots[2].elo.value == ratings.bots[2].elo.low == ratings.bots[2].elo.high == 0


def test_teams_differ_by_the_logarithm_of_the_ratio_of_their_odds() -> None:
    games = [(deal, (bot, bot), (float(deal < won),) * 2) for deal in range(1000) for bot, won in ((0, 800), (1, 500))]
    ratings = rate(made_up(games, 2, together=True), resamples=0)
    assert ratings.bots[0].elo.value - ratings.bots[1].elo.value == pytest.approx(400 * np.log10(4), abs=1)


def test_by_points_whole_orders_count() -> None:
    games = [(deal, (0, 1, 2), (1.0, 0.0, 0.0)) for deal in range(20)]
    points = [(9.0, 5.0 + deal % 3, 6.0 - deal % 2) for deal in range(20)]
    results = made_up(games, 3, points)
    by_pay, by_points = elos(rate(results, resamples=0)), elos(rate(results, resamples=0, ranking="points"))
    assert by_pay[1] == pytest.approx(by_pay[2])
    assert by_points[1] > by_points[2] + 1


@pytest.mark.parametrize(
    "asked", [{"anchor": 2}, {"anchor": -1}, {"resamples": -1}, {"ranking": "beauty"}, {"ranking": "points"}]
)
def test_what_cannot_be_rated_so_is_refused(asked: dict[str, object]) -> None:
    with pytest.raises(BadOption) as error:
        rate(duels([2, 1], [1, 1]), **asked)  # type: ignore[arg-type]
    assert error.value.option in asked


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    design = Design("", (0.0, 0.5, -0.3), turned((0, 1, 2), (0, 2, 1)), 40)
    truth = elos(rate(design.play(8000, np.random.default_rng(1)), resamples=0))
    held = 0
    for number in range(60):
        for rating, value in zip(
            rate(design.play(40, np.random.default_rng([2, number])), resamples=200).bots, truth, strict=True
        ):
            assert rating.elo.low is not None and rating.elo.high is not None
            held += rating.elo.low <= value <= rating.elo.high
    assert 160 <= held <= 179
