"""Nothing that reaches a seat of whist depends on what the seat cannot know."""

import copy
import random
from collections.abc import Callable, Iterator

from machiavel.engines import GameError, State
from machiavel.engines.whist import _engine
from tests.conformance.contract import likelihood_of
from tests.engines.whist.table import engine_match
from tests.engines.whist.twin import Match, sample

WRONG = ("Z9", "C2", "HA", "SA", "", "8", "play C2")

Observation = Callable[[State, int], object]


def observed(state: State, seat: int) -> object:
    """Everything the face gives to a seat."""
    view = state.view(seat)
    told: list[object] = [view.to_json(), view.to_bytes(), state.view_key(seat), state.observed_moves(seat), repr(view)]
    world = view.determinize(3)
    told += [world.to_bytes(), likelihood_of(world, seat), view.seats_to_move, view.is_over]
    if seat == state.seat_to_move:
        told += [view.legal_moves(), state.weights(), *(error_of(state, text) for text in WRONG)]
    return told


def error_of(state: State, text: str) -> str:
    try:
        state.resolve(text)
    except GameError as error:
        return f"{type(error).__name__}: {error}"
    return "legal"


def pairs(count: int) -> Iterator[tuple[Match, Match, int]]:
    """Pairs of matches that differ only in what a seat does not know."""
    rng = random.Random(2718)
    while count:
        match = Match.at_random(rng.randint(2, 7), rng)
        for _ in range(rng.randrange(40)):
            if not match.is_over:
                match.play(rng.choice(match.legal_moves()))
        seat = rng.randrange(match.players)
        hands = sample(match, seat, rng, 2000)
        if not match.is_over and hands and hands != match.hands:
            count -= 1
            yield match, with_hands(match, hands), seat


def with_hands(match: Match, hands: list[list[str]]) -> Match:
    """The match as it would have been if these were the hands now."""
    other = copy.copy(match)
    first = [list(hand) for hand in hands]
    for seat, card in match.played:
        first[seat].append(card)
    other.dealt = [*match.dealt[:-1], (match.trump, first)]
    return other


def first_difference(match: Match, other: Match, seat: int, observation: Observation) -> int | None:
    """The first ply of the present round at which the seat could tell one match from the other; None: it never could."""
    for ply in range(len(match.moves) - len(match.played), len(match.moves) + 1):
        told = []
        for one in (match, other):
            cut = copy.copy(one)
            cut.moves = match.moves[:ply]
            told.append(observation(engine_match(cut), seat))
        if told[0] != told[1]:
            return ply
    return None


def test_a_seat_cannot_tell_deals_apart_that_differ_in_what_is_hidden_from_it() -> None:
    for match, other, seat in pairs(150):
        assert first_difference(match, other, seat, observed) is None, (seat, match.dealt, other.dealt, match.moves)


def test_a_planted_leak_is_found_out() -> None:
    def leaking(state: State, seat: int) -> object:
        return state.seen_by(seat), _engine.state_fields(state.to_bytes())["hands"]

    assert all(first_difference(match, other, seat, leaking) is not None for match, other, seat in pairs(10))


def test_the_hands_are_all_that_is_private() -> None:
    state = engine_match(Match.at_random(3, random.Random(1)))

    assert set(_engine.state_fields(state.to_bytes())) - {"table", "tricks", "first", "first_safe", "spare"} == {"hands"}
    assert set(_engine.view_fields(state.seen_by(0))) - {"table", "seat", "spare"} == {"hand"}
