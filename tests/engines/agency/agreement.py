"""Random matches of agency, for its engine and its twin to play."""

import random
from typing import Any

from machiavel.engines import State
from machiavel.engines.agency.events import EVENT_KINDS
from tests.engines.agency.distribution import engine_start
from tests.engines.agency.telling import happened
from tests.engines.agreement import Agreement, compare_seats
from tests.twins.agency import HOUSE, Deck, Match
from tests.twins.agency_sampler import copy_match, replayed, small_deck

__all__ = ["AGREEMENT"]

WILD = ("1+pass_left", "2+low_wins", "3+plain_mauve", "4+blue_over_mauve", "5+follow_suit")


def random_deck(rng: random.Random, players: int) -> Deck:
    """The house deck mostly; else a small or an odd one, with accomplices on many plans."""
    kind = rng.randrange(4)
    if kind < 2:
        return HOUSE
    plans = tuple(rng.choice((*WILD, *HOUSE.plans)) for _ in range(rng.randint(13, 23)))
    deck = small_deck(players) if kind == 2 else HOUSE
    return Deck(deck.cards, tuple(sorted(plans)), deck.agents)


def random_match(seed: int) -> Match:
    rng = random.Random(seed)
    players = 2 + seed % 4
    deck = random_deck(rng, players)
    options: dict[str, Any] = {
        "powers": rng.random() < 0.8,
        "accomplices": rng.random() < 0.8,
        "medals": rng.choice((1, 2, 2, 2, 3)),
    }
    if options["powers"] and rng.random() < 0.5:
        options["agents"] = rng.sample(deck.agents, players)
    match = Match(players, deck=deck, rng=rng, **options)
    while not match.is_over:
        match.play(rng.choice(match.legal_moves()))
    return match


def compare(state: State, twin: Match) -> None:
    compare_seats(state, twin)
    for seat in twin.to_move:
        assert state.legal_moves(seat) == twin.legal_moves(seat)
    assert state.truth() == twin.truth()


AGREEMENT = Agreement(
    game="agency",
    random_match=random_match,
    engine_start=engine_start,
    twin_start=lambda match: replayed(match, moves=[])[-1],
    compare=compare,
    copied=copy_match,
    kinds_of=lambda match: {move.partition(":")[0] if ":" in move else "card" for move in match.moves},
    kinds=("lead", "look", "pass", "card"),
    matches=24,
    positions=2400,
    dealt=lambda players, seed: Match(players, rng=random.Random(seed)),
    counted=[(2, 1, 3), (3, 2, 3), (5, 3, 3)],
    told=EVENT_KINDS,
    happened=happened,
)
