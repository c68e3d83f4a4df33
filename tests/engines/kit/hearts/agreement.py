"""Random matches of hearts, for its engine and its twin to play."""

import copy
import random

from machiavel.engines import State
from tests.engines.agreement import Agreement
from tests.engines.kit.hearts.table import GAME, engine_start, seen
from tests.engines.kit.hearts.twin import Match, in_order

__all__ = ["AGREEMENT"]


def random_match(seed: int) -> Match:
    rng = random.Random(seed)
    match = Match.at_random(rng)
    while not match.is_over:
        match.play(rng.choice(match.legal_moves()))
    return match


def compare(state: State, twin: Match) -> None:
    fields = seen(state)
    assert state.is_over == twin.is_over
    assert sorted(state.seats_to_move) == twin.to_move
    for seat in twin.to_move:
        assert state.legal_moves(seat) == twin.legal_moves(seat)
    assert (fields["points"], fields["ply"], fields["way"]) == (twin.points, len(twin.moves), twin.way or "keep")
    assert fields["table"] == [dict(twin.trick).get(seat) for seat in range(4)]
    on_table = [card for _, card in twin.trick]
    assert fields["gone"] == in_order([card for _, card in twin.played if card not in on_table])
    hands = [in_order(hand) for hand in twin.hands]
    assert state.truth()["hands"] == hands
    for seat in range(4):
        view = seen(state, seat)
        assert view["hands"] == [hand if owner == seat else None for owner, hand in enumerate(hands)]
        chosen = in_order(twin.chosen[seat])
        assert (view["aside"][seat], view["passed"][seat]) == ((chosen, []) if twin.is_passing else ([], chosen))


def dealt(_players: int, seed: int) -> Match:
    """As the engine deals from the seed."""
    state = GAME.new(4, seed=seed)
    return Match(state.truth()["hands"], seen(state)["way"])


AGREEMENT = Agreement(
    game="hearts",
    random_match=random_match,
    engine_start=engine_start,
    twin_start=lambda match: Match(match.dealt, match.way),
    compare=compare,
    copied=copy.deepcopy,
    kinds_of=lambda match: {move[:-1] for move in match.moves},
    kinds=[f"{before}{suit}" for before in ("", "pass:") for suit in "CDHS"],
    dealt=dealt,
    matches=60,
    positions=3000,
    counted=[(4, 1, 3), (4, 2, 3)],
)
