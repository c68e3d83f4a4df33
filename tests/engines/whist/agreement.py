"""Random matches of whist, for its engine and its twin to play."""

import copy
import random
from collections.abc import Iterator

from machiavel.engines import GameEvent, State
from tests.engines.agreement import Agreement
from tests.engines.whist.table import GAME, engine_start, seen
from tests.engines.whist.twin import CARDS, Match, winner

__all__ = ["AGREEMENT"]


def random_match(seed: int) -> Match:
    rng = random.Random(seed)
    match = Match.at_random(2 + seed % 6, rng)
    while not match.is_over:
        match.play(rng.choice(match.legal_moves()))
    return match


def twin_start(match: Match) -> Match:
    """The same deals again."""
    return Match(match.players, lambda round_, _contenders: match.dealt[round_])


def compare(state: State, twin: Match) -> None:
    fields = seen(state)
    assert state.is_over == twin.is_over
    assert state.legal_moves() == twin.legal_moves()
    assert fields["contenders"] == twin.contenders
    assert fields["round"] == twin.round + 1
    assert fields["ply"] == len(twin.moves)
    if twin.is_over:
        return
    assert state.seat_to_move == twin.mover
    assert fields["trump"] == twin.trump
    assert fields["tricks"] == twin.tricks
    assert fields["table"] == [[seat, card] for seat, card in twin.trick]
    assert fields["seen"] == sorted((card for _, card in twin.played), key=CARDS.index)
    assert [set(suits) for suits in fields["voids"]] == twin.voids
    hands = [sorted(hand, key=CARDS.index) for hand in twin.hands]
    assert state.truth()["hands"] == hands
    assert [seen(state, seat)["hand"] for seat in range(twin.players)] == hands


def dealt(players: int, seed: int) -> Match:
    """The first round as the engine deals it from the seed."""
    truth = GAME.new(players, seed=seed).truth()
    return Match(players, lambda _round, _contenders: (truth["trump"], truth["hands"]))


def happened(before: Match, move: str, after: Match, _seat: int | None) -> Iterator[GameEvent]:
    """What everybody is told of a card, for nothing that happens is hidden."""
    yield GameEvent("played", {"who": before.mover, "card": move})
    if len(before.trick) + 1 == len(before.contenders):
        yield GameEvent("trick", {"who": winner([*before.trick, (before.mover, move)], before.trump)})
    yield from (GameEvent("out", {"who": seat}) for seat in before.contenders if seat not in after.contenders)
    if after.is_over:
        yield GameEvent("won", {"who": after.contenders[0]})
    elif after.round > before.round:
        yield GameEvent("round", {"round": after.round + 1, "count": max(map(len, after.hands)), "trump": after.trump})


AGREEMENT = Agreement(
    game="whist",
    random_match=random_match,
    engine_start=engine_start,
    twin_start=twin_start,
    compare=compare,
    copied=copy.deepcopy,
    kinds_of=lambda match: {move[0] for move in match.moves},
    kinds="CDHS",
    utilities=lambda match: [float(seat in match.contenders) for seat in range(match.players)],
    matches=60,
    positions=3000,
    dealt=dealt,
    told=GAME.plugin.event_kinds,
    happened=happened,
    counted=[(2, 1, 4), (3, 2, 4), (4, 3, 4), (7, 4, 4)],
)
