"""Matches over duplicate deals: the same whatever plays them, and intervals that mean what they say."""

import threading
import time
from typing import Any

import numpy as np
import pytest

from machiavel.engines import BadOption, Record, Rules, load
from machiavel.search._runner import Runner, seed_of_deal
from machiavel.search.bots import BadBot
from machiavel.search.levels import level_of
from machiavel.search.match_runner import bootstrap, contestant, play_matches, rotations, seatings_of

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
        interval = bootstrap(values, trial)
        covered += interval.low <= 0.55 <= interval.high
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


def test_games_one_by_one_are_those_of_whole_deals_and_make_records() -> None:
    rules = GAME.make_rules(3)
    runner = Runner(GAME, rules, [contestant(GAME, bot) for bot in ("ismcts:iterations=30", "greedy", "random")])
    room = np.zeros(runner.longest, np.uint16)
    seats = np.array([[0, 1, 2], [2, 1, 0], [1, 1, 1]])
    for deal in (0, 3, 1 << 40):
        for row in seats:
            utilities, metrics, plies = runner.play_games(1 << 70 | 9, np.array([deal]), row[None], room)
            record = record_of(rules, seed_of_deal(1 << 70 | 9, deal), room[: plies[0]].tolist())
            state = GAME.replay(record)
            assert state.is_over
            assert np.array(state.utilities, np.float32) == pytest.approx(utilities[0])
            assert list(state.metrics.values()) == pytest.approx(metrics[0].tolist())


def record_of(rules: Rules, seed: int, moves: list[int]) -> Record:
    texts = [GAME.plugin.move_text(rules, move) for move in moves]
    return Record(GAME.name, GAME.rules_version, rules.digest, rules.options, seed, None, texts)


def test_a_runner_stops_where_there_is_no_room_for_another_game() -> None:
    rules = GAME.make_rules(2)
    runner = Runner(GAME, rules, [contestant(GAME, "greedy")])
    deals, seats = np.arange(50), np.zeros((50, 2), np.int64)
    few = runner.play_games(1, deals, seats, np.zeros(2 * runner.longest, np.uint16))
    every = runner.play_games(1, deals, seats, np.zeros(50 * runner.longest, np.uint16))
    assert 1 <= len(few[2]) < len(every[2]) == 50
    assert all(np.array_equal(some, more[: len(some)]) for some, more in zip(few, every, strict=True))
    with pytest.raises(ValueError, match="room"):
        runner.play_games(1, deals, seats, np.zeros(runner.longest - 1, np.uint16))


def test_a_runner_is_stopped_from_another_thread() -> None:
    rules = GAME.make_rules(2)
    runner = Runner(GAME, rules, [contestant(GAME, "greedy")])
    deals, moves, result = 200_000, np.zeros(1 << 26, np.uint16), []
    seats = np.zeros((deals, 2), np.int64)
    thread = threading.Thread(target=lambda: result.append(runner.play_games(1, np.arange(deals), seats, moves)))
    thread.start()
    while not moves[:16].any():  # it is under way
        time.sleep(0.001)
    runner.stop()
    thread.join()
    assert len(result[0][2]) < deals


def test_bots_with_other_seeds_draw_otherwise_and_random_ones_too() -> None:
    rules = GAME.make_rules(2)
    result = []
    for seeds in ((1, 2), (1, 2), (1, 3)):
        runner = Runner(GAME, rules, [contestant(GAME, f"random:seed={seeds[0]}"), contestant(GAME, "random", seed=seeds[1])])
        room = np.zeros(runner.longest, np.uint16)
        _, _, plies = runner.play_games(1, np.zeros(1, np.int64), np.array([[0, 1]]), room)
        result.append(room[: plies[0]].tolist())
    assert result[0] == result[1] != result[2]


def test_a_search_with_a_time_has_no_other_bound_unless_it_is_told_one() -> None:
    assert contestant(GAME, "ismcts", seconds=0.1).iterations > 10**9
    assert contestant(GAME, "ismcts:iterations=50", seconds=0.1).iterations == 50
    assert contestant(GAME, "level3", seconds=0.1).iterations == level_of(3, "agency").iterations
    assert contestant(GAME, "level10", seconds=0.1).iterations > 10**9
    assert contestant(GAME, "level10").iterations == level_of(10, "agency").iterations
