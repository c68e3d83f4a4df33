"""Random matches of Kuhn poker, for its engine and its twin to play."""

import copy
import random

from machiavel.engines import State
from tests.engines.agreement import Agreement
from tests.engines.kit.kuhn.table import GAME, engine_start, seen
from tests.engines.kit.kuhn.twin import Match

__all__ = ["AGREEMENT"]


def random_match(seed: int) -> Match:
    rng = random.Random(seed)
    match = Match.at_random(rng)
    while not match.is_over:
        match.play(rng.choice(match.legal_moves()))
    return match


def compare(state: State, twin: Match) -> None:
    assert state.is_over == twin.is_over
    assert sorted(state.seats_to_move) == twin.to_move
    assert state.legal_moves() == twin.legal_moves()
    for seat in (0, 1, None):
        view = seen(state, seat)
        cards = [shown or held for shown, held in zip(view["table"], view["hands"], strict=True)]
        assert (cards, view["chips"], view["winner"]) == (twin.seen_cards(seat), twin.chips, twin.winner)
    assert [shown or held for shown, held in zip(seen(state)["table"], state.truth()["hands"], strict=True)] == twin.cards


def dealt(_players: int, seed: int) -> Match:
    """As the engine deals from the seed."""
    return Match(GAME.new(2, seed=seed).truth()["hands"])


AGREEMENT = Agreement(
    game="kuhn",
    random_match=random_match,
    engine_start=engine_start,
    twin_start=lambda match: Match(match.cards, match.size),
    compare=compare,
    copied=copy.deepcopy,
    kinds_of=lambda match: set(match.moves),
    kinds=("pass", "bet"),
    dealt=dealt,
    matches=60,
    positions=180,
    counted=[(2, 1, 3), (2, 2, 3)],
)
