"""Levels: weaker ones think less or play looser, and none lets go what a child would see; ratings are as they were measured."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import islice, pairwise, product

import numpy as np
import pytest

from bench.ladder import LadderCase, Pairing, PlayedDeals, difference
from bench.levels import CASES, Effort, faults, rungs, spec
from machiavel.engines import State, View, load
from machiavel.search import KINDS, Limits, make_bot, ratings_of_kind, recommend
from machiavel.search.bots import LevelBot, pick
from machiavel.search.levels import LEVELS, level_of, ratings_of
from machiavel.search.match_runner import contestant, play_matches
from machiavel.search.parameters import SearchParameters
from machiavel.search.recommendation import Candidate, Recommendation
from tests.engines.games import GAMES
from tests.search.endings import after, some_judged
from tests.search.positions import states

PLAYED = (*GAMES, "any")
GIVEN = range(1, 10)  # the levels with iterations of their own
NEARLY_WON = 0.85


@pytest.mark.parametrize("players", [0, 2, 4])
@pytest.mark.parametrize("game", PLAYED)
def test_levels_up_to_nine_are_given_in_iterations_and_ten_uses_its_time(game: str, players: int) -> None:
    levels = [level_of(number, game, players) for number in LEVELS]
    assert all(1 <= level.iterations <= 2000 and not level.uses_time for level in levels[:9])
    assert levels[9].uses_time and levels[9].sharpness == 0
    assert levels[9].iterations > levels[8].iterations


@pytest.mark.parametrize("players", [0, 2, 4])
@pytest.mark.parametrize("game", PLAYED)
def test_a_lower_level_is_looser_or_thinks_less(game: str, players: int) -> None:
    def tightness(number: int) -> tuple[float, int]:
        level = level_of(number, game, players)
        return (0.0 if level.sharpness == 0 else -level.slack, level.iterations)

    assert all(tightness(number) < tightness(number + 1) for number in LEVELS[:-1])


def wins_at_once(game: str) -> Iterator[tuple[View, set[str]]]:
    """Positions in which some moves, and not all, win the match on the spot, whatever is hidden."""
    for state in states(game, 5, 2, 2):
        for before in to_the_end(state):
            seat = before.seat_to_move
            assert seat is not None
            view = before.view(seat)
            worlds = [view.determinize(number) for number in range(8)]
            sure = {move for move in before.legal_moves() if all(is_won(after(world, move), seat) for world in worlds)}
            if sure and sure != set(before.legal_moves()):
                yield view, sure


def to_the_end(state: State) -> list[State]:
    """The positions with a choice on the way to the end of a match played by the greedy bot."""
    result, bot = [], make_bot("greedy")
    while not state.is_over:
        seat = state.seat_to_move
        assert seat is not None
        if len(state.legal_moves()) > 1:
            result.append(state.copy())
        state.play(bot.choose(state.view(seat)))
    return result[-6:]


def is_won(state: State, seat: int) -> bool:
    return state.is_over and state.utilities[seat] == 1


@pytest.mark.parametrize("game", ["bond", "citadel"])  # in the others the last move is forced
def test_no_level_lets_a_win_go_that_is_there_to_take(game: str) -> None:
    result = list(islice(wins_at_once(game), 12))
    for level in GIVEN:
        for number, (view, sure) in enumerate(result):
            move = make_bot(f"level{level}:seed={number}").choose(view)
            assert move in sure or worth(game, number, view)[move] > NEARLY_WON, (level, view.to_json())


@cache
def values_found(game: str) -> dict[int, dict[str, float]]:
    return {}


def worth(game: str, number: int, view: View) -> dict[str, float]:
    """What moves come to that do not win at once, by a long search: some win as surely a little later."""
    known = values_found(game)
    if number not in known:
        recommendation = recommend(view, Limits(iterations=4000), SearchParameters(seed=5, exploration=2))
        known[number] = {one.move: one.utility for one in recommendation.candidates}
    return known[number]


def test_levels_hardly_ever_play_what_is_worse_in_every_world_and_from_four_on_never() -> None:
    """Random moves are such in every second of these positions, and greedy ones, too."""
    positions = some_judged(12, 1)
    for level in GIVEN:
        chosen = [
            make_bot(f"level{level}:seed={seed * 100 + number}").choose(one.view) in one.dominated()
            for number, one in enumerate(positions)
            for seed in range(8)
        ]
        assert sum(chosen) <= (4 if level < 4 else 0), level


def told(*moves: tuple[str, int, float]) -> Recommendation:
    candidates = tuple(Candidate(move, visits, utility, 0.1, utility, 0.1, {}, ()) for move, visits, utility in moves)
    return Recommendation("g", 1, "e", 0, moves[0][0], candidates, 0.5, SearchParameters(), 100, "iterations")


def test_slack_is_a_part_of_what_the_best_move_is_short_of_a_sure_win() -> None:
    def drawn(recommendation: Recommendation, slack: float) -> set[str]:
        return {pick(recommendation, 1, slack, random.Random(number)) for number in range(200)}

    even = told(("a", 50, 0.6), ("b", 30, 0.5), ("c", 20, 0.3))
    assert drawn(even, 1.0) == {"a", "b", "c"}
    assert drawn(even, 0.26) == {"a", "b"}
    assert drawn(even, 0.2) == {"a"}
    assert drawn(told(("a", 50, 1.0), ("b", 30, 0.99)), 0.9) == {"a"}
    assert pick(even, 0, 1.0, random.Random(1)) == "a"


def test_compiled_matches_heed_the_slack_where_moves_are_drawn() -> None:
    game = load("whist")
    bots = ("sharpness=0,slack=0", "sharpness=0,slack=1", "sharpness=1,slack=0", "sharpness=1,slack=1")
    played = [
        play_matches(game, [f"ismcts:iterations=80,seed=3,{bot}"], 3, 12, seatings=[[0] * 3]).metrics.tobytes() for bot in bots
    ]
    assert played[0] == played[1]
    assert len(set(played)) == 3


def test_a_level_plays_as_its_numbers_say() -> None:
    for number, players in product(LEVELS, (2, 4)):
        level, bot = level_of(number, "bond", players), make_bot(f"level{number}:seed=1,style=points")
        assert isinstance(bot, LevelBot)
        player = bot.player("bond", players)
        assert (player.iterations, player.sharpness, player.slack) == (level.iterations, level.sharpness, level.slack)
        assert player.parameters == SearchParameters(seed=1, style="points", **level.search)
        assert make_bot(bot.spec).spec == bot.spec
        result = contestant(load("bond"), f"level{number}", players=players)
        assert (result.iterations, result.sharpness, result.slack) == (level.iterations, level.sharpness, level.slack)
    view = next(states("bond", 1)).view(None)
    assert view.seat is None
    one = next(states("bond", 1))
    assert one.seat_to_move is not None
    seen = one.view(one.seat_to_move)
    assert make_bot("level2:seed=4").choose(seen, Limits(iterations=10**6)) == make_bot("level2:seed=4").choose(seen)


def test_shipped_ratings_rise_level_by_level_and_level_five_beats_greedy() -> None:
    by_case: dict[tuple[str, int], list[tuple[float, float, float]]] = {}
    for number in LEVELS:
        assert ratings_of_kind(KINDS[f"level{number}"]) == ratings_of(number)
        for one in ratings_of(number):
            assert one.low < one.elo < one.high
            by_case.setdefault((one.game, one.players), []).append((one.elo, one.low, one.high))
    assert set(by_case) <= {(game, players) for game, numbers in CASES.items() for players in numbers}
    for case, result in by_case.items():
        assert len(result) == len(LEVELS)
        elos = [elo for elo, _, _ in result[:9]]
        assert elos == sorted(elos), case
        assert result[4][0] > 0, case
        assert result[9][2] > result[8][1], case
    assert ratings_of_kind(KINDS["greedy"]) == ()


# ---- The ladder ----


def test_elo_is_of_the_odds() -> None:
    assert difference(np.array([10.0, 110.0]), 120, False) == pytest.approx(400 * np.log10(110.5 / 10.5))
    assert difference(np.array([30.0, 60.0]), 90, True) == pytest.approx(400 * np.log10((60.5 / 30.5) * (60.5 / 30.5)))
    assert difference(np.array([7.0, 7.0]), 14, False) == 0
    assert np.isfinite(Pairing(np.array([[0.0, 1.0]] * 9), False).elo())


@pytest.mark.parametrize("game", ["whist", "citadel"])
def test_a_ladder_goes_on_where_it_was(game: str, tmp_path: pytest.TempPathFactory) -> None:
    path = tmp_path / "ladder.jsonl"  # type: ignore[operator]
    case, bots = LadderCase(load(game), 2), ["random", "greedy"]
    few = PlayedDeals(path).pairing(case, bots, 5).won
    with path.open("a", encoding="utf-8") as file:
        file.write('{"case": "whi')  # an end that came too soon
    more = PlayedDeals(path).pairing(case, bots, 19).won
    assert np.array_equal(more[:5], few)
    path.unlink()
    assert np.array_equal(PlayedDeals(path).pairing(case, bots, 19).won, more)
    if game == "whist":
        assert more.sum(axis=1) == pytest.approx(np.ones(19))


def test_a_ladder_tells_what_is_wrong_with_it(tmp_path: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.levels.spec", lambda level: "random")
    case = LadderCase(load("whist"), 2)
    ladder = rungs(case, PlayedDeals(tmp_path / "ladder.jsonl"), Effort(40, 8))  # type: ignore[operator]
    assert [rung.level for rung in ladder] == list(LEVELS)
    wrong = faults(case, ladder)
    assert any("level 5" in fault and "greedy" in fault for fault in wrong)
    assert sum("above level" in fault for fault in wrong) == 8
    assert ladder[0].step is None
    for lower, upper in pairwise(ladder):
        assert upper.step is not None
        assert upper.elo[0] - lower.elo[0] == pytest.approx(upper.step[0])


def test_a_level_is_named_in_the_ladder_by_all_its_numbers() -> None:
    level = level_of(1, "bond")
    assert make_bot(spec(level)).parameters.exploration == level.search["exploration"]  # type: ignore[attr-defined]
    assert len({spec(level_of(number, "bond")) for number in LEVELS}) == len(LEVELS)
