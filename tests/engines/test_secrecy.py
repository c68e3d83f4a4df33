"""Nothing that reaches a seat depends on what the seat cannot know: one suite, over what each game says in its `secrecy.py`."""

from collections.abc import Iterable, Iterator
from itertools import islice

import pytest

from machiavel.engines import State, load
from machiavel.search import Limits, SearchParameters, recommend
from tests.engines.games import INSTALLED, declared
from tests.engines.secrecy import TELLING_LEAKS, Pair, Secrecy, differences_told, first_difference, honest

SECRETS: dict[str, Secrecy] = declared("secrecy", "SECRECY")
KINDS = [(game, kind) for game, secrecy in SECRETS.items() for kind in secrecy.tries]
TELLING = [(game, kind) for game, kind in KINDS if load(game).plugin.event_kinds]
LEAKS = [(game, leak) for game, secrecy in SECRETS.items() for leak in secrecy.leaks]


@pytest.fixture
def secrecy(game: str) -> Secrecy:
    return SECRETS[game]


def test_every_game_is_in_the_suite() -> None:
    assert set(SECRETS) == set(INSTALLED)


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_a_seat_cannot_tell_deals_apart_that_differ_in_what_is_hidden_from_it(secrecy: Secrecy, kind: str) -> None:
    count, least, _ = secrecy.tries[kind]
    compared = 0
    for pair in secrecy.pairs(kind, count):
        assert first_difference(secrecy, pair) is None, pair
        compared += 1
    assert compared >= least


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_no_seat_can_tell_deals_apart_in_a_thousand_pairs(secrecy: Secrecy, kind: str) -> None:
    for pair in secrecy.pairs(kind, secrecy.tries[kind][2]):
        assert first_difference(secrecy, pair) is None, pair


@pytest.mark.parametrize("game", INSTALLED)
def test_the_seeded_recommendation_is_the_same(secrecy: Secrecy) -> None:
    kinds = list(dict.fromkeys([*list(secrecy.tries)[:3], *list(secrecy.tries)[-3:]]))
    for kind in kinds:
        wanted = 6 // len(kinds)
        asked = list(islice(questions(secrecy.pairs(kind, 60)), wanted))
        assert len(asked) == wanted
        for *states, seat in asked:
            first, second = (
                recommend(state.view(seat), Limits(iterations=300), SearchParameters(seed=5)).to_json() for state in states
            )
            assert first == second


def questions(pairs: Iterable[Pair]) -> Iterator[tuple[State, State, int]]:
    """The ends of those pairs where a seat that cannot tell them apart is to move."""
    for pair in pairs:
        first, second = pair.ends()
        if first.seat_to_move is not None and first.seat_to_move in pair.seats:
            yield first, second, first.seat_to_move


@pytest.mark.parametrize(("game", "leak"), LEAKS)
def test_a_planted_leak_is_found_out(secrecy: Secrecy, leak: str) -> None:
    planted = secrecy.leaks[leak]
    result = (
        first_difference(secrecy, pair, planted.view_json) is not None
        for kind, count in planted.pairs.items()
        for pair in secrecy.pairs(kind, count)
    )
    # No more pairs are made than are needed.
    assert len([*islice((one for one in result if one), planted.least)]) == planted.least


@pytest.mark.parametrize(("game", "kind"), TELLING)
def test_a_seat_is_told_the_same_of_deals_that_differ_in_what_is_hidden_from_it(secrecy: Secrecy, kind: str) -> None:
    count, least, _ = secrecy.tries[kind]
    compared = 0
    for pair in secrecy.pairs(kind, count):
        told = list(differences_told(pair, honest))
        assert not any(told), pair
        compared += bool(told)
    assert compared >= least


@pytest.mark.parametrize("place", TELLING_LEAKS)
@pytest.mark.parametrize(("game", "leak"), [(game, leak) for game, leak in LEAKS if load(game).plugin.event_kinds])
def test_a_planted_leak_in_what_is_told_is_found_out(secrecy: Secrecy, leak: str, place: str) -> None:
    planted = secrecy.leaks[leak]
    pairs = (pair for kind, count in planted.pairs.items() for pair in secrecy.pairs(kind, count))
    assert any(any(differences_told(pair, lambda state: TELLING_LEAKS[place](state, planted))) for pair in pairs)


@pytest.mark.parametrize("game", INSTALLED)
def test_every_private_field_has_its_leak_planted(secrecy: Secrecy) -> None:
    (pair,) = islice(secrecy.pairs(next(iter(secrecy.tries)), 10), 1)
    state = pair.starts[0]

    assert {*secrecy.state_fields(state.to_bytes())} == {*secrecy.private, *secrecy.public}
    assert {*secrecy.private} <= {*secrecy.leaks}
    assert {*secrecy.view_fields(state.seen_by(0))} == {*secrecy.visible}
