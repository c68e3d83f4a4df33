"""Which moves may come next for all that a view tells: what is played is always among them, and what is hidden is not."""

import random
from collections.abc import Iterator

import pytest

from machiavel.engines import NotToMove, State, load
from machiavel.engines.following import FollowingStopped
from machiavel.engines.upcoming_moves import upcoming_moves
from tests.engines.games import INSTALLED


def positions(name: str, players: int, most: int = 60) -> Iterator[tuple[State, str]]:
    """The positions of a match, each with the move that is made there."""
    draw = random.Random(f"{name} {players}")
    state = load(name).new(players, seed=players)
    while not state.is_over and most:
        move = draw.choice(state.legal_moves())
        yield state, move
        state.play(move)
        most -= 1


@pytest.mark.parametrize(("name", "players"), [(name, players) for name in INSTALLED for players in load(name).players])
def test_what_is_played_is_among_them_as_each_viewer_sees_it(name: str, players: int) -> None:
    for state, move in positions(name, players):
        mover, after = state.seat_to_move, state.copy()
        after.play(move)
        for viewer in (*range(players), None):
            found = upcoming_moves(state.view(viewer))
            assert found is not None and found.seat == mover
            assert after.last_move(viewer) in found.moves
            if viewer == mover:
                assert found.moves == state.legal_moves()


def test_the_same_view_has_the_same_moves_whatever_it_hides() -> None:
    for state, _ in positions("whist", 3, 12):
        seat = ((state.seat_to_move or 0) + 1) % 3
        view = state.view(seat)
        worlds = [view.determinize(number) for number in range(4)]
        assert len({world.to_bytes() for world in worlds}) > 1
        views = [view, *(world.view(seat) for world in worlds)]
        assert len({str(upcoming_moves(one)) for one in views}) == 1


def test_hidden_moves_are_told_as_they_are_seen() -> None:
    state = load("hearts").new(4, seed=3)
    assert upcoming_moves(state.view(2)) == (0, ["pass:?"])


def test_each_move_is_one_that_a_view_can_be_carried_on_by() -> None:
    for state, _ in positions("bond", 3, 12):
        for viewer in range(3):
            view = state.view(viewer)
            found = upcoming_moves(view)
            assert found is not None
            for move in found.moves:
                assert view.follow(move, found.seat).worlds > 0


def test_nothing_comes_after_the_end_and_nobody_else_comes_next() -> None:
    state = load("kuhn").new(2, seed=1)
    with pytest.raises(NotToMove):
        upcoming_moves(state.view(1), 1)
    while not state.is_over:
        state.play(state.legal_moves()[0])
    assert upcoming_moves(state.view(0)) is None


def test_it_ends_when_nobody_wants_to_know() -> None:
    state = load("agency").new(5, seed=1)
    with pytest.raises(FollowingStopped):
        upcoming_moves(state.view(((state.seat_to_move or 0) + 1) % 5), is_stopped=lambda: True)
