"""The story of a match: each seat's chances, the moments that decided it, how well it was played."""

import itertools
import json
from functools import cache
from typing import Any

import pytest

from machiavel.engines import load
from machiavel.search import Judgement, Moment, Review, Transcript, story_of
from machiavel.search.reviews import label_of
from machiavel.search.story import HALF_LOSS, LEAST_SWING, decisive
from tests.engines.games import INSTALLED, players_of


@cache
def transcript(plies: int = 1000) -> Transcript:
    """Whist of two players, the first legal move always; plies count from its beginning."""
    state = load("whist").new(2, seed=3)
    while not state.is_over and len(state.moves) < plies:
        state.play(state.legal_moves()[0])
    return Transcript(state.record())


def judgement(ply: int, seat: int, best: float, played: float) -> Judgement:
    return Judgement(ply, seat, f"move {ply}", f"best {ply}", label_of(best - played, 0), best - played, 0.0, best, played, 10)


def moment(kind: str, seat: int, plies: tuple[int, int], before: float, after: float) -> Moment:
    return Moment(kind, seat, *plies, before, after)


def test_chances_stand_before_and_after_each_own_move_and_at_the_end() -> None:
    story = story_of(transcript(), [judgement(4, 0, 0.6, 0.5), judgement(0, 0, 0.5, 0.5), judgement(3, 1, 0.4, 0.1)])
    first, second = story.seats
    last = len(transcript().moves)
    assert [(point.ply, point.chance) for point in first.chances] == [
        *[(0, 0.5), (1, 0.5), (4, 0.6), (5, 0.5)],
        (last, transcript().end.utilities[0]),
    ]
    assert [(point.ply, point.chance) for point in second.chances][:2] == [(3, 0.4), (4, 0.1)]
    assert (first.result, second.result) == transcript().end.utilities


def test_a_match_that_is_not_over_has_no_result() -> None:
    story = story_of(transcript(6), [judgement(0, 0, 0.5, 0.5)])
    assert [seat.result for seat in story.seats] == [None, None]
    assert [len(seat.chances) for seat in story.seats] == [2, 0]
    assert not story.moments


def test_how_well_a_seat_played() -> None:
    story = story_of(transcript(), [judgement(0, 0, 0.5, 0.5), judgement(2, 0, 0.5, 0.5 - HALF_LOSS)])
    first, second = story.seats
    assert first.accuracy == pytest.approx((1 + 0.5) / 2)
    assert first.loss == pytest.approx(HALF_LOSS / 2)
    assert sum(first.labels.values()) == 2
    assert (second.accuracy, second.loss) == (None, None)


def test_the_three_greatest_in_their_order() -> None:
    turns = [moment("loss", 0, (ply, ply + 1), 0.9, 0.9 - size) for ply, size in ((30, 0.2), (0, 0.1), (10, 0.4), (20, 0.3))]
    assert [one.ply for one in decisive(turns)] == [10, 20, 30]


def test_what_happens_at_once_is_told_once() -> None:
    turns = [
        moment("swing", 0, (10, 14), 0.3, 0.7),
        moment("swing", 1, (11, 15), 0.7, 0.4),
        moment("loss", 1, (40, 41), 0.6, 0.4),
    ]
    assert decisive(turns) == [turns[0], turns[2]]


def test_a_change_that_a_mistake_of_another_explains_is_told_as_that_mistake() -> None:
    loss = moment("loss", 1, (12, 13), 0.6, 0.4)
    swing = moment("swing", 0, (10, 14), 0.3, 0.6)
    assert decisive([swing, loss]) == [loss]
    greater = moment("swing", 0, (10, 14), 0.1, 0.9)
    assert decisive([greater, loss]) == [greater]


def test_what_is_next_to_nothing_decides_nothing() -> None:
    assert decisive([moment("swing", 0, (1, 2), 0.5, 0.5 + LEAST_SWING / 2)]) == []


@pytest.mark.parametrize("game", INSTALLED)
def test_the_story_of_a_whole_match_hangs_together(game: str) -> None:
    state = load(game).new(players_of(game), seed=11)
    while not state.is_over:
        state.play(state.legal_moves()[len(state.moves) % len(state.legal_moves())])
    whole = Transcript(state.record())
    judged = list(Review(whole, 40))
    story = story_of(whole, judged)
    assert sum(sum(seat.labels.values()) for seat in story.seats) == len(judged)
    assert 1 <= len(story.moments) <= 3
    for one, other in itertools.pairwise(story.moments):
        assert one.until < other.ply
    for seat in story.seats:
        plies = [point.ply for point in seat.chances]
        assert plies == sorted(plies)
        assert all(0 <= point.chance <= 1 for point in seat.chances)
        assert seat.chances[-1].chance == seat.result
    data: Any = json.loads(json.dumps(story.to_json()))
    assert [len(seat["chances"]) for seat in data["seats"]] == [len(seat.chances) for seat in story.seats]
    assert [one["size"] for one in data["moments"]] == [one.size for one in story.moments]
