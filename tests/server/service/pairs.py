"""Pairs of states of every game that differ in nothing but what a seat does not know."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import islice

from machiavel.engines import State
from tests.engines.citadel.secrecy import state_of
from tests.search.pairs import state_pairs
from tests.twins.citadel_sampler import hidden_pair, situations

Pair = tuple[State, State, int]
Response = tuple[object, ...]


def citadel_pairs(rng: random.Random) -> Iterator[Pair]:
    """All see the same there; what differs is what nobody knows: the stacks, the decks, the dice to come, and the seed."""
    builders = [build for name, build in situations().items() if name not in {"over", "won"}]
    while True:
        match = rng.choice(builders)(rng)
        first, second = (state_of(one, len(match.moves)) for one in hidden_pair(match, rng))
        if first.seat_to_move is not None and len(first.legal_moves()) > 1:
            yield first, second, first.seat_to_move


@cache
def pairs(game: str, count: int) -> list[Pair]:
    """Pairs of the twin's matches that differ in nothing but what the seat does not know."""
    return list(islice(citadel_pairs(random.Random(314)), count)) if game == "citadel" else state_pairs(game, count)
