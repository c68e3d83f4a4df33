"""Pairs of matches of agency that differ in what a seat cannot know, and what of the state is private."""

import random
from collections.abc import Iterator

from machiavel.engines.agency import _engine
from tests.engines.agency.distribution import engine_start
from tests.engines.secrecy import Leak, Pair, Secrecy, leaking
from tests.twins.agency import HOUSE, Match
from tests.twins.agency_sampler import hidden_pair, situations, small_deck

__all__ = ["PASSES", "SECRECY"]

PRIVATE = ("hands", "reserves", "look_cards", "pile", "given")
PASSES = (*HOUSE.plans[:14], *["1+pass_left"] * 3, *["5+follow_suit"] * 3)


def pairs(_kind: str, count: int) -> Iterator[Pair]:
    """In every situation that hides something, and in random matches; at most so many."""
    rng = random.Random(2718)
    builders = [*situations().values()]
    for number in range(count):
        if number % 3:
            match, seat = builders[number % len(builders)](rng)
            seat = seat if number % 2 else rng.randrange(match.players)
        else:
            match, seat = random_match(rng)
        try:
            other = hidden_pair(match, seat, rng)
        except ValueError:  # nothing was hidden from that seat
            continue
        starts = (engine_start(match), engine_start(other))
        yield Pair(starts, (match.moves, other.moves), [seat], range(len(match.moves) + 1))


def random_match(rng: random.Random) -> tuple[Match, int]:
    players = rng.randint(2, 5)
    match = Match(players, deck=small_deck(players, plans=PASSES), rng=rng)
    for _ in range(rng.randrange(150)):
        if not match.is_over:
            match.play(rng.choice(match.legal_moves()))
    return match, rng.randrange(players)


SECRECY = Secrecy(
    game="agency",
    pairs=pairs,
    tries={"matches": (30, 20, 1000)},
    wrong=("Z9", "M1", "G8", "pass:Y1", "lead:0", "look:1", "lead:9", "", "8"),
    state_fields=_engine.state_fields,
    view_fields=_engine.view_fields,
    private=PRIVATE,
    public=("table", "tied_rounds", "staked", "won", "spare"),
    visible=("table", "hand", "look_cards", "seat", "gave", "received", "spare"),
    leaks={field: Leak(leaking(field, _engine.state_fields), {"matches": 40}, 1) for field in PRIVATE},
)
