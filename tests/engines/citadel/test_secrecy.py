"""Nothing that reaches a seat of citadel depends on what the seat cannot know: the decks and the dice to come."""

import random
from collections.abc import Callable, Iterator

import pytest

from machiavel.engines import GameError, State
from machiavel.engines.citadel import _engine
from machiavel.search import Limits, SearchParameters, recommend
from tests.engines.citadel.table import GAME
from tests.twins.citadel import Match
from tests.twins.citadel_sampler import hidden_pair, situations

WRONG = ("go:attic", "go:vault", "unlock:red", "take", "card:joker", "bonus", "power", "keep", "activate:irene", "", "x" * 500)

Observation = Callable[[State, int | None], object]


def state_of(match: Match, moves: int) -> State:
    """The engine's match with this luck laid out, after so many moves; its seed is the match's own."""
    state = GAME.new(layout=match.layout, seed=len(str(match.layout)), **match.options)
    for move in match.moves[:moves]:
        state.play(move)
    return state


def observed(state: State, seat: int | None) -> object:
    """Everything the face gives to a seat."""
    view = state.view(seat)
    told: list[object] = [view.to_json(), view.to_bytes(), state.view_key(seat), state.observed_moves(seat), repr(view)]
    told += [view.determinize(3).to_bytes(), view.seats_to_move, view.is_over]
    if seat is not None and seat == state.seat_to_move:
        told += [view.legal_moves(), state.weights(), *(error_of(state, text) for text in WRONG)]
    return told


def error_of(state: State, text: str) -> str:
    try:
        state.resolve(text)
    except GameError as error:
        return f"{type(error).__name__}: {error}"
    return "legal"


def pairs(names: list[str], count: int) -> Iterator[tuple[Match, Match]]:
    """Pairs of matches with the same public past and other futures."""
    for name in names:
        for number in range(count):
            rng = random.Random(f"{name} {number}")
            match = situations()[name](rng)
            yield hidden_pair(match, rng)


def first_difference(one: Match, other: Match, observation: Observation) -> int | None:
    """The first ply at which some seat could tell one match from the other; None: none ever could."""
    assert one.moves == other.moves
    for ply in sorted({0, len(one.moves) // 2, len(one.moves)}):
        for seat in (*range(one.players), None):
            if observation(state_of(one, ply), seat) != observation(state_of(other, ply), seat):
                return ply
    return None


SITUATIONS = [name for name in situations() if name not in {"over", "won"}]


@pytest.mark.parametrize("name", SITUATIONS)
def test_nobody_can_tell_matches_apart_that_differ_in_what_is_to_come(name: str) -> None:
    for one, other in pairs([name], 1):
        assert first_difference(one, other, observed) is None, (one.moves, one.layout, other.layout)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", SITUATIONS)
def test_nobody_can_tell_a_thousand_pairs_of_matches_apart(name: str) -> None:
    for one, other in pairs([name], 1000 // len(SITUATIONS) + 1):
        assert first_difference(one, other, observed) is None, (one.moves, one.layout, other.layout)


def test_the_seeded_recommendation_is_the_same() -> None:
    for one, other in pairs(SITUATIONS[:3] + SITUATIONS[-3:], 1):
        found = []
        for match in (one, other):
            state = state_of(match, len(match.moves))
            if state.seat_to_move is not None:
                view = state.view(state.seat_to_move)
                found.append(recommend(view, Limits(iterations=300), SearchParameters(seed=5)).to_json())
        assert not found or found[0] == found[1]


def test_a_planted_cheat_is_found_out() -> None:
    """One that looks at what the next roll brings."""

    def cheating(state: State, seat: int | None) -> object:
        ahead = state.copy()
        while not ahead.is_over and ahead.view().to_json()["view"]["turn"] == state.view().to_json()["view"]["turn"]:
            moves = ahead.legal_moves()
            ahead.play(next((move for move in ("end", "keep") if move in moves), moves[-1]))
        return state.seen_by(seat), ahead.to_bytes()

    names = ["before the first move", "in front of a treasure", "some saved"]
    assert all(first_difference(one, other, cheating) is not None for one, other in pairs(names, 2))


def test_states_hold_the_table_and_statistics_alone() -> None:
    state = GAME.new(3, seed=1)

    assert set(_engine.state_fields(state.to_bytes())) == {"table", "done", "abilities", "fled", "spare"}
    assert set(_engine.view_fields(state.seen_by(0))) == {"table", "seat", "spare"}
