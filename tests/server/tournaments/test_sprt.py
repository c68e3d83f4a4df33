"""The sequential test: it decides for what is true, at the same deal whatever it is given after that."""

from dataclasses import replace

import numpy as np
import pytest

from bench.ratings import Design, turned
from machiavel.engines import BadOption
from machiavel.server.tournaments.sprt import LEAST, Sprt

PAIR = Design("", (0.6, 0.0), [(0, 1), (1, 0)], 0)
TEAMS = Design("", (1.0, 0.0), [(0, 0), (1, 1)], 0, together=True)
FOUR = Design("", (0.6, 0.0), turned((0, 1, 1, 1)), 0, grid=0.5)


@pytest.mark.parametrize("design", [PAIR, TEAMS, FOUR])
def test_it_accepts_what_is_true_of_clear_cases(design: Design) -> None:
    test = Sprt(0, 30)
    better = test.judge(design.play(3000, np.random.default_rng(1)))
    assert (better.decision, better.llr > better.upper) == ("elo1", True)
    worse = replace(design, strengths=tuple(-one for one in design.strengths))
    verdict = test.judge(worse.play(3000, np.random.default_rng(1)))
    assert (verdict.decision, verdict.llr < verdict.lower) == ("elo0", True)


@pytest.mark.parametrize("design", [PAIR, TEAMS, FOUR])
def test_what_is_played_after_the_decision_changes_nothing(design: Design) -> None:
    results = design.play(3000, np.random.default_rng(4))
    whole = Sprt(0, 30).judge(results)
    assert whole.decision is not None
    assert LEAST <= whole.deals < 3000
    until = Sprt(0, 30).judge(results.where(results.deals < whole.deals))
    assert (until.decision, until.deals) == (whole.decision, whole.deals)
    assert until.llr == pytest.approx(whole.llr)
    before = Sprt(0, 30).judge(results.where(results.deals < whole.deals - 1))
    assert (before.decision, before.deals) == (None, whole.deals - 1)


def test_bots_that_are_alike_are_found_equal() -> None:
    verdict = Sprt(0, 40).judge(replace(PAIR, strengths=(0.0, 0.0)).play(3000, np.random.default_rng(7)))
    assert verdict.decision == "elo0"


def test_wins_alone_decide_and_nothing_divides_by_nothing() -> None:
    results = PAIR.play(100, np.random.default_rng(1))
    won = replace(results, utilities=(results.seats == 0).astype(np.float32))
    verdict = Sprt(0, 30).judge(won)
    assert (verdict.decision, verdict.deals, verdict.elo) == ("elo1", LEAST, None)
    empty = Sprt(0, 30).judge(results.where(results.deals < 0))
    assert (empty.decision, empty.deals) == (None, 0)


@pytest.mark.parametrize(
    ("numbers", "field"),
    [
        ((10, 10), "sprt.elo1"),
        ((float("nan"), 10), "sprt.elo0"),
        ((0, 5000), "sprt.elo1"),
        ((0, 10, 0), "sprt.alpha"),
        ((0, 10, 0.05, 0.6), "sprt.beta"),
    ],
)
def test_hypotheses_that_make_no_sense_are_refused(numbers: tuple[float, ...], field: str) -> None:
    with pytest.raises(BadOption) as error:
        Sprt(*numbers)
    assert error.value.option == field


def test_more_than_two_bots_are_refused() -> None:
    three = Design("", (0.0, 0.0, 0.0), [(0, 1, 2)], 0)
    with pytest.raises(BadOption):
        Sprt(0, 10).judge(three.play(5, np.random.default_rng(1)))
