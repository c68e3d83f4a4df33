"""Random matches of bond, for its engine and its twin to play."""

import random

from machiavel.engines import State
from tests.engines.agreement import Agreement, compare_seats
from tests.engines.bond.distribution import engine_start
from tests.twins.bond import FLAT, HOUSE, Deck, Match, observed, replayed
from tests.twins.bond_sampler import random_move

__all__ = ["AGREEMENT"]

HIDDEN = ("hands", "committed", "pile")


def random_deck(rng: random.Random) -> Deck:
    """The house deck mostly; else flat splits, values of all sorts, or all alike."""
    kind = rng.randrange(6)
    if kind < 3:
        return HOUSE
    if kind == 3:
        return FLAT
    most = rng.choice((1, 4, 15))
    lairs, spies = (tuple(sorted(rng.randint(1, most) for _ in range(18))) for _ in range(2))
    return Deck(lairs, spies)


def random_match(seed: int) -> Match:
    rng = random.Random(seed)
    match = Match(2 + seed % 5, deck=random_deck(rng), rng=rng)
    patience = rng.choice((0.0, 0.0, 0.3, 0.8))
    while not match.is_over:
        match.play(random_move(match, rng, patience))
    return match


def seen_moves(match: Match, seat: int) -> list[str]:
    """As the twin says; the engine names no spy of another's hand in a move, also one that was turned up at once."""
    movers = [stood.mover for stood in replayed(match)]
    return [
        f"spy:?>{move[-1]}" if move.startswith("spy:") and mover != seat else move
        for mover, move in zip(movers, observed(match, seat), strict=False)
    ]


def compare(state: State, twin: Match) -> None:
    compare_seats(state, twin)
    truth = state.truth()
    assert {name: truth[name] for name in HIDDEN} == twin.truth()


def compare_end(state: State, match: Match) -> None:
    assert [seen_moves(match, seat) for seat in range(match.players)] == [
        list(state.observed_moves(seat)) for seat in range(match.players)
    ]


AGREEMENT = Agreement(
    game="bond",
    random_match=random_match,
    engine_start=engine_start,
    # A copy would not take along the steals laid out for later.
    twin_start=lambda match: Match(**match.options, layout=match.layout, rng=random.Random(0)),
    compare=compare,
    copied=Match.copy,
    kinds_of=lambda match: {move.partition(">")[0].partition(":")[0] for move in match.moves},
    kinds="lair skip spy steal deck end add go kill taunt foil let".split(),
    compare_end=compare_end,
    matches=24,
    positions=1500,
    dealt=None,
    counted=(),
)
