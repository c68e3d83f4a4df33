"""Matches over duplicate deals: the same whatever plays them, and intervals that mean what they say."""

from typing import Any

import numpy as np
import pytest

from machiavel.engines import BadOption, load
from machiavel.search.bots import BadBot
from machiavel.search.matches import bootstrap, play_matches, rotations, seatings_of

GAME = load("agency")


def test_results_depend_neither_on_threads_nor_on_how_many_deals_follow() -> None:
    bots = ["ismcts:iterations=60", "greedy", "random"]
    first = play_matches(GAME, bots, 3, 20, 5, threads=1)
    second = play_matches(GAME, bots, 3, 9, 5, threads=2)
    assert np.array_equal(first.utilities[:9], second.utilities)
    assert np.array_equal(first.plies[:9], second.plies)


def test_greedy_seats_play_the_same_games_as_in_bulk() -> None:
    matches = play_matches(GAME, ["greedy"], 4, 30, 5)
    games = GAME.playouts(30, 5, players=4, policies=["greedy"] * 4)
    assert np.array_equal(matches.utilities[:, 0], games.utilities)
    assert np.array_equal(matches.metrics[:, 0], games.metrics)


def test_every_bot_plays_every_deal_from_every_seat() -> None:
    assert seatings_of(2, 3) == [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    assert len(seatings_of(3, 3)) == 6
    assert rotations((0, 1, 1)) == [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    matches = play_matches(GAME, ["greedy", "random"], 3, 4, 1)
    assert matches.utilities.shape == (4, 3, 3)
    assert matches.scores(0) * 1 + matches.scores(1) * 2 == pytest.approx(np.ones(4))


def test_a_better_bot_is_found_better() -> None:
    matches = play_matches(GAME, ["greedy", "random"], 2, 150, 1)
    assert matches.interval(0).low > 0.75
    assert matches.interval(1).high < 0.25
    assert matches.rounds_won(0).low > 0.5
    search = play_matches(GAME, ["ismcts:iterations=300", "random"], 2, 40, 1, medals=1)
    assert search.interval(0).low > 0.5


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(3)
    covered = 0
    for trial in range(200):
        values = rng.choice([0.0, 0.5, 1.0], 120, p=[0.3, 0.3, 0.4])
        found = bootstrap(values, trial)
        covered += found.low <= 0.55 <= found.high
    assert 180 <= covered <= 199


@pytest.mark.parametrize(
    ("bots", "players", "deals", "more"),
    [
        (["greedy"], 3, 0, {}),
        (["greedy"], 3, 1, {"until": "noon"}),
        (["greedy"], 3, 1, {"seatings": [(0, 0)]}),
        (["greedy"], 3, 1, {"seatings": [(0, 1, 0)]}),
        (["greedy"], 9, 1, {}),
        (["clever"], 3, 1, {}),
    ],
)
def test_what_cannot_be_played_is_refused(bots: list[str], players: int, deals: int, more: dict[str, Any]) -> None:
    with pytest.raises((BadOption, BadBot)):
        play_matches(GAME, bots, players, deals, **more)
