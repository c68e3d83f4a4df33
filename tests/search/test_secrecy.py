"""A recommendation depends on nothing that is hidden from the seat it is for; a bot that cheats is found out."""

import ctypes
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest

from machiavel.engines import Engine, Game, NotToMove, State
from machiavel.search import Limits, SearchParameters, make_bot, recommend
from tests.conformance.contract import Contract, capsule_of, contract_of
from tests.engines.agency.distribution import engine_state
from tests.engines.agency.test_secrecy import PASSES
from tests.engines.bond.distribution import engine_state as bond_state
from tests.engines.whist.table import engine_match
from tests.engines.whist.test_secrecy import with_hands
from tests.engines.whist.twin import Match as WhistMatch
from tests.engines.whist.twin import sample
from tests.twins.agency import Match
from tests.twins.agency_sampler import hidden_pair, small_deck
from tests.twins.bond import Match as BondMatch
from tests.twins.bond_sampler import hidden_pair as bond_pair
from tests.twins.bond_sampler import random_move

WAYS: dict[str, dict[str, Any]] = {
    "single": {"variant": "single"},
    "multi": {"variant": "multi"},
    "pimc": {"variant": "pimc", "worlds": 5},
    "weighted": {"variant": "single", "policy": "weighted", "prior": 0.3},
    "own": {"variant": "single", "policy": "own"},
    "threads": {"variant": "multi", "threads": 2},
    "team-player": {"style": "team-player"},
    "points": {"style": "points"},
}
# Nobody's hand is hidden in citadel, and states hold nothing of what is to come.
SECRETIVE = ("agency", "bond", "whist")
QUICK = Limits(iterations=200)

Advice = Callable[[State, int, SearchParameters], bytes]


def agency_matches(rng: random.Random) -> Iterator[tuple[Match, int]]:
    """Matches of the twin, with a seat that has a choice."""
    while True:
        players = rng.randint(2, 5)
        match = Match(players, deck=small_deck(players, plans=PASSES), rng=rng)
        for _ in range(rng.randrange(80)):
            if not match.is_over:
                match.play(rng.choice(match.legal_moves()))
        if not match.is_over:
            yield match, rng.choice(match.to_move)


def whist_matches(rng: random.Random) -> Iterator[tuple[WhistMatch, int]]:
    while True:
        match = WhistMatch.at_random(rng.randint(2, 7), rng)
        for _ in range(rng.randrange(40)):
            if not match.is_over:
                match.play(rng.choice(match.legal_moves()))
        if not match.is_over:
            yield match, match.mover


def bond_matches(rng: random.Random) -> Iterator[tuple[BondMatch, int]]:
    while True:
        match = BondMatch(rng.randint(2, 6), rng=rng)
        for _ in range(rng.randrange(100)):
            if not match.is_over:
                match.play(random_move(match, rng, 0.2))
        if not match.is_over:
            yield match, rng.choice(match.to_move)


def twin_pairs(game: str, rng: random.Random) -> Iterator[tuple[State, State, int]]:
    if game == "agency":
        for match, seat in agency_matches(rng):
            if len(match.legal_moves(seat)) > 1:
                yield engine_state(match), engine_state(hidden_pair(match, seat, rng)), seat
    elif game == "bond":
        for game_of_bond, seat in bond_matches(rng):
            if len(game_of_bond.legal_moves(seat)) > 1:
                other = bond_pair(game_of_bond, seat, rng)
                yield bond_state(game_of_bond), bond_state(other), seat
    else:
        for played, seat in whist_matches(rng):
            hands = sample(played, seat, rng, 500) if len(played.legal_moves()) > 1 else None
            if hands and hands != played.hands:
                yield engine_match(played), engine_match(with_hands(played, hands)), seat


@cache
def state_pairs(game: str, count: int) -> list[tuple[State, State, int]]:
    """Pairs of states that differ in nothing but what a seat with a choice does not know."""
    return list(islice(twin_pairs(game, random.Random(314)), count))


def honest(state: State, seat: int, parameters: SearchParameters) -> bytes:
    """All that the seat is told: with metrics and the lines."""
    return json.dumps(recommend(state.view(seat), QUICK, parameters, explain=True).to_json()).encode()


def told_apart(game: str, count: int, advice: Advice, parameters: SearchParameters) -> int:
    """How many pairs the advice is different for."""
    return sum(
        advice(first, seat, parameters) != advice(second, seat, parameters) for first, second, seat in state_pairs(game, count)
    )


# ---- A cheat: a game whose worlds are the truth ----


class Cheat:
    """An engine that is honest but for `determinize`, which fills the holes of a view with what truly is there."""

    def __init__(self, plugin: Engine) -> None:
        self.contract = Contract.from_buffer_copy(contract_of(plugin))
        field = type(self.contract.determinize)
        pointers = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        self.truth = b""
        self.callback = pointers(self.determinize)
        self.contract.determinize = ctypes.cast(self.callback, field)
        self.capsule = capsule_of(self.contract)
        double = type("Double", (type(plugin),), {"capsule": self.capsule})
        self.game = Game(double())

    def determinize(self, rules: int, view: int, rng: int, world: int) -> None:
        ctypes.memmove(world, self.truth, self.contract.state_size)

    def advice(self, state: State, seat: int, parameters: SearchParameters) -> bytes:
        self.truth = state.to_bytes()
        rules = self.game.make_rules(**state.rules.options)
        view = self.game.view_from_bytes(rules, state.view(seat).to_bytes())
        return json.dumps(recommend(view, QUICK, parameters, explain=True).to_json()).encode()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", SECRETIVE)
def test_advice_is_the_same_for_deals_that_differ_in_what_is_hidden(game: str, way: str) -> None:
    assert told_apart(game, 25, honest, SearchParameters(seed=3, **WAYS[way])) == 0


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("game", SECRETIVE)
def test_advice_is_the_same_in_a_thousand_pairs(game: str) -> None:
    for number, (first, second, seat) in enumerate(state_pairs(game, 1000)):
        parameters = SearchParameters(seed=number, **list(WAYS.values())[number % len(WAYS)])
        assert honest(first, seat, parameters) == honest(second, seat, parameters), (first.record(), second.record(), seat)


@pytest.mark.parametrize("way", ["single", "multi", "pimc", "weighted"])
@pytest.mark.parametrize("game", SECRETIVE)
def test_a_bot_that_searches_the_truth_is_found_out(game: str, way: str) -> None:
    first, *_ = state_pairs(game, 1)[0]
    cheat = Cheat(first.game.plugin)
    assert told_apart(game, 12, cheat.advice, SearchParameters(seed=3, **WAYS[way])) >= 8


@pytest.mark.parametrize("game", SECRETIVE)
def test_the_double_is_honest_where_it_draws_its_worlds_from_the_view(game: str) -> None:
    """It is the truth that gives the cheat away, and not the double."""
    first, *_ = state_pairs(game, 1)[0]
    cheat = Cheat(first.game.plugin)

    def from_the_view(state: State, seat: int, parameters: SearchParameters) -> bytes:
        return cheat.advice(state.view(seat).determinize(5), seat, parameters)

    assert told_apart(game, 12, from_the_view, SearchParameters(seed=3)) == 0


@pytest.mark.parametrize(
    "spec", ["random:seed=1", "greedy", "ismcts:iterations=100,seed=1", "pimc:iterations=100,seed=1", "level3:seed=1"]
)
@pytest.mark.parametrize("game", SECRETIVE)
def test_bots_play_the_same_move_in_deals_that_differ_in_what_is_hidden(game: str, spec: str) -> None:
    for first, second, seat in state_pairs(game, 10):
        assert make_bot(spec).choose(first.view(seat)) == make_bot(spec).choose(second.view(seat))


@pytest.mark.parametrize("game", SECRETIVE)
def test_errors_say_the_same_in_deals_that_differ_in_what_is_hidden(game: str) -> None:
    def error(state: State, seat: int, *arguments: Any) -> str:
        try:
            recommend(state.view(seat), *arguments)
        except Exception as caught:  # noqa: BLE001
            return f"{type(caught).__name__}: {caught}"
        return "no error"

    for first, second, seat in state_pairs(game, 5):
        for arguments in ((QUICK, None, ["no such move"]), (QUICK, None, []), (Limits(iterations=0),)):
            assert error(first, seat, *arguments) == error(second, seat, *arguments) != "no error"
        for other in set(range(first.players)) - first.seats_to_move:
            with pytest.raises(NotToMove):
                recommend(first.view(other), QUICK)
