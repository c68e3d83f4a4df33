"""Random matches of liar's dice, for its engine and its twin to play."""

import copy
import random

from machiavel.engines import State
from tests.engines.agreement import Agreement
from tests.engines.kit.liars_dice.table import GAME, engine_start, seen
from tests.engines.kit.liars_dice.twin import Match

__all__ = ["AGREEMENT", "random_move"]


def random_move(match: Match, rng: random.Random) -> str:
    """Low bids more often, so that rounds last."""
    moves = match.legal_moves()
    return moves[0] if moves[0] == "liar" and rng.random() < 0.2 else rng.choice(moves[:8])


def random_match(seed: int) -> Match:
    rng = random.Random(seed)
    match = Match.at_random(2 + seed % 3, rng)
    while not match.is_over:
        match.play(random_move(match, rng))
    return match


def compare(state: State, twin: Match) -> None:
    fields = seen(state)
    assert state.is_over == twin.is_over
    assert sorted(state.seats_to_move) == twin.to_move
    assert state.legal_moves() == twin.legal_moves()
    assert (fields["dice"], fields["lifted"], fields["ply"]) == (twin.dice, twin.lifted, len(twin.moves))
    if twin.is_over:
        return
    bidder, number, face = twin.bids[-1] if twin.bids else (None, 0, 0)
    assert (fields["bidder"], fields["number"], fields["face"]) == (bidder, number, face)
    cups = [sorted(cup, reverse=True) for cup in twin.cups]
    assert state.truth()["cups"] == cups
    assert [seen(state, seat)["cups"][seat] for seat in range(twin.players)] == cups


def dealt(players: int, seed: int) -> Match:
    """The first round as the engine rolls it from the seed."""
    cups = GAME.new(players, seed=seed).truth()["cups"]
    return Match(players, lambda _round, _dice: cups)


AGREEMENT = Agreement(
    game="liars_dice",
    random_match=random_match,
    engine_start=engine_start,
    twin_start=lambda match: Match(match.players, lambda number, _: match.rolled[number]),
    compare=compare,
    copied=copy.deepcopy,
    kinds_of=lambda match: {move if move == "liar" else "bid" for move in match.moves},
    kinds=("liar", "bid"),
    dealt=dealt,
    matches=60,
    positions=1500,
    counted=[(2, 1, 3), (3, 2, 2), (4, 3, 2)],
)
