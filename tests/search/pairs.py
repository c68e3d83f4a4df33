"""Pairs of states that differ in nothing but what a seat does not know."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import islice

from machiavel.engines import State, load
from tests.engines.agency.distribution import engine_state
from tests.engines.agency.secrecy import PASSES
from tests.engines.bond.distribution import engine_state as bond_state
from tests.engines.games import INSTALLED, declared
from tests.engines.secrecy import Secrecy
from tests.twins.agency import Match
from tests.twins.agency_sampler import hidden_pair, small_deck
from tests.twins.bond import Match as BondMatch
from tests.twins.bond_sampler import hidden_pair as bond_pair
from tests.twins.bond_sampler import random_move

# The others hide nobody's hand, and their states hold nothing of what is to come.
SECRETIVE = tuple(game for game in INSTALLED if not load(game).plugin.hides_nothing)
ENDLESS = 1 << 30


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
        yield from secret_pairs(declared("secrecy", "SECRECY")[game])


def secret_pairs(secrecy: Secrecy) -> Iterator[tuple[State, State, int]]:
    """Of the pairs that a game's own tests of secrecy try, those at whose end one who does not know the rest has a choice."""
    for pairs in zip(*(secrecy.pairs(kind, ENDLESS) for kind in secrecy.tries), strict=True):
        for pair in pairs:
            first, second = pair.ends()
            for seat in first.seats_to_move & {*pair.seats}:
                if len(first.legal_moves(seat)) > 1:
                    yield first, second, seat


@cache
def state_pairs(game: str, count: int) -> list[tuple[State, State, int]]:
    """Pairs of states that differ in nothing but what a seat with a choice does not know."""
    return list(islice(twin_pairs(game, random.Random(314)), count))
