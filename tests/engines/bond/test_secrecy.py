"""Nothing that reaches a seat of bond depends on what the seat cannot know."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from machiavel.engines import GameError, State
from machiavel.engines.bond import _engine
from tests.engines.bond.distribution import engine_start, engine_state
from tests.twins.bond import Match
from tests.twins.bond_sampler import hidden_pair, random_move, situations

WRONG = (
    "Z9",
    "lair:1",
    "lair:9",
    "spy:5>0",
    "spy:2>1",
    "steal:0>0",
    "steal:1>0",
    "deck>0",
    "add:8",
    "add:2",
    "taunt:A",
    "foil",
    "",
)
PRIVATE = ("hands", "committed", "pile", "top_card")
STATISTICS = ("steals", "turns", "killed", "foiled", "wrecked", "outcome", "spare")

Observation = Callable[[State, int | None], object]


def honest(state: State, seat: int | None) -> dict[str, Any]:
    return state.view(seat).to_json()


def observed(state: State, seat: int | None, view_json: Observation = honest) -> object:
    """Everything the face gives to a seat."""
    view = state.view(seat)
    told: list[object] = [view_json(state, seat), view.to_bytes(), state.view_key(seat), state.observed_moves(seat), repr(view)]
    told.append(view.determinize(3).to_bytes())
    if seat is not None and seat in state.seats_to_move:
        told += [view.legal_moves(), state.weights()]
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


def first_difference(match: Match, other: Match, seat: int | None, observation: Observation) -> int | None:
    """The first ply at which the seat could tell one match from the other; None: it never could."""
    states = [engine_start(match), engine_start(other)]
    for ply in range(len(match.moves) + 1):
        if observation(states[0], seat) != observation(states[1], seat):
            return ply
        if ply < len(match.moves):
            states[0].play(match.moves[ply])
            states[1].play(other.moves[ply])
    return None


def pairs(count: int) -> Iterator[tuple[Match, Match, int | None]]:
    """Pairs of matches that differ only in what a seat, or a spectator, does not know, in every situation there is."""
    rng = random.Random(2718)
    builders = [*situations().values()]
    for number in range(count):
        if number % 3:
            match, found = builders[number % len(builders)](rng)
            seat = (found, rng.randrange(match.players), None)[number % 5 % 3]
        else:
            match = Match(rng.randint(2, 6), rng=rng)
            for _ in range(rng.randrange(100)):
                if not match.is_over:
                    match.play(random_move(match, rng, 0.2))
            seat = rng.randrange(match.players)
        try:
            yield match, hidden_pair(match, seat, rng), seat
        except ValueError:  # nothing was hidden from that seat
            continue


def test_a_seat_cannot_tell_deals_apart_that_differ_in_what_is_hidden_from_it() -> None:
    compared = 0
    for match, other, seat in pairs(30):
        assert first_difference(match, other, seat, observed) is None, (seat, match.layout, other.layout, match.moves)
        compared += 1
    assert compared >= 25


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_no_seat_can_tell_deals_apart_in_a_thousand_pairs() -> None:
    for match, other, seat in pairs(1000):
        assert first_difference(match, other, seat, observed) is None, (seat, match.layout, other.layout, match.moves)


def leaking(field: str) -> Observation:
    """A face whose views carry a private field of the state."""

    def view_json(state: State, seat: int | None) -> dict[str, Any]:
        return honest(state, seat) | {field: _engine.state_fields(state.to_bytes())[field]}

    return lambda state, seat: observed(state, seat, view_json)


@pytest.mark.parametrize("field", PRIVATE)
def test_a_planted_leak_is_found_out(field: str) -> None:
    assert any(first_difference(match, other, seat, leaking(field)) is not None for match, other, seat in pairs(40))


def test_every_private_field_has_its_leak_planted() -> None:
    fields: dict[str, Any] = _engine.state_fields(engine_state(Match(2, rng=random.Random(1))).to_bytes())
    assert set(fields) - {"table", *STATISTICS} == set(PRIVATE)
    view = _engine.view_fields(engine_state(Match(2, rng=random.Random(1))).seen_by(0))
    assert set(view) == {"table", "hand", "committed", "seat", "spare"}


def test_statistics_tell_no_secret() -> None:
    """They are public: the same in every match that a spectator cannot tell from this one."""
    for match, other, _ in pairs(12):
        for one, same in ((match, other), (match, hidden_pair(match, None, random.Random(1)))):
            fields = [_engine.state_fields(engine_state(which).to_bytes()) for which in (one, same)]
            assert [fields[0][name] for name in STATISTICS] == [fields[1][name] for name in STATISTICS]
