"""Nothing that reaches a seat of agency depends on what the seat cannot know."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from machiavel.engines import GameError, State
from machiavel.engines.agency import _engine
from tests.conformance.contract import likelihood_of
from tests.engines.agency.distribution import engine_start, engine_state
from tests.twins.agency import HOUSE, Match
from tests.twins.agency_sampler import hidden_pair, situations, small_deck

WRONG = ("Z9", "M1", "G8", "pass:Y1", "lead:0", "look:1", "lead:9", "", "8")
PRIVATE = ("hands", "reserves", "look_cards", "pile", "given")
PASSES = (*HOUSE.plans[:14], *["1+pass_left"] * 3, *["5+follow_suit"] * 3)

Observation = Callable[[State, int], object]


def honest(state: State, seat: int) -> dict[str, Any]:
    return state.view(seat).to_json()


def observed(state: State, seat: int, view_json: Observation = honest) -> object:
    """Everything the face gives to a seat."""
    view = state.view(seat)
    told: list[object] = [view_json(state, seat), view.to_bytes(), state.view_key(seat), state.observed_moves(seat), repr(view)]
    world = view.determinize(3)
    told += [world.to_bytes(), likelihood_of(world, seat)]
    if seat in state.seats_to_move:
        told.append(view.legal_moves())
    if seat == state.seat_to_move:
        told.append(state.weights())
        told += [error_of(state, text) for text in WRONG]
    return told


def error_of(state: State, text: str) -> str:
    before = state.to_bytes()
    try:
        state.resolve(text)
    except GameError as error:
        assert state.to_bytes() == before
        return f"{type(error).__name__}: {error}"
    return "legal"


def first_difference(match: Match, other: Match, seat: int, observation: Observation) -> int | None:
    """The first ply at which the seat could tell one match from the other; None: it never could."""
    states = [engine_start(match), engine_start(other)]
    for ply in range(len(match.moves) + 1):
        if observation(states[0], seat) != observation(states[1], seat):
            return ply
        if ply < len(match.moves):
            states[0].play(match.moves[ply])
            states[1].play(other.moves[ply])
    return None


def pairs(count: int) -> Iterator[tuple[Match, Match, int]]:
    """Pairs of matches that differ only in what a seat does not know, in every situation that hides something."""
    rng = random.Random(2718)
    builders = [*situations().values()]
    for number in range(count):
        if number % 3:
            match, seat = builders[number % len(builders)](rng)
            seat = seat if number % 2 else rng.randrange(match.players)
        else:
            match, seat = random_match(rng)
        try:
            yield match, hidden_pair(match, seat, rng), seat
        except ValueError:  # nothing was hidden from that seat
            continue


def random_match(rng: random.Random) -> tuple[Match, int]:
    players = rng.randint(2, 5)
    match = Match(players, deck=small_deck(players, plans=PASSES), rng=rng)
    for _ in range(rng.randrange(150)):
        if not match.is_over:
            match.play(rng.choice(match.legal_moves()))
    return match, rng.randrange(players)


def test_a_seat_cannot_tell_deals_apart_that_differ_in_what_is_hidden_from_it() -> None:
    compared = 0
    for match, other, seat in pairs(30):
        assert first_difference(match, other, seat, observed) is None, (seat, match.layout, other.layout, match.moves)
        compared += 1
    assert compared >= 20


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_no_seat_can_tell_deals_apart_in_a_thousand_pairs() -> None:
    for match, other, seat in pairs(1000):
        assert first_difference(match, other, seat, observed) is None, (seat, match.layout, other.layout, match.moves)


def leaking(field: str) -> Observation:
    """A face whose views carry a private field of the state."""

    def view_json(state: State, seat: int) -> dict[str, Any]:
        return honest(state, seat) | {field: _engine.state_fields(state.to_bytes())[field]}

    return lambda state, seat: observed(state, seat, view_json)


@pytest.mark.parametrize("field", PRIVATE)
def test_a_planted_leak_is_found_out(field: str) -> None:
    assert any(first_difference(match, other, seat, leaking(field)) is not None for match, other, seat in pairs(40))


def test_every_private_field_has_its_leak_planted() -> None:
    fields: dict[str, Any] = _engine.state_fields(engine_state(Match(2, rng=random.Random(1))).to_bytes())
    assert set(fields) - {"table", "tied_rounds", "staked", "won", "spare"} == set(PRIVATE)
