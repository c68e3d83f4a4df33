"""Pairs of matches of citadel that differ in what nobody knows, the decks and the dice to come, in every situation."""

import random
from collections.abc import Iterator
from typing import Any

from machiavel.engines import State
from machiavel.engines.citadel import _engine
from tests.engines.citadel.table import GAME
from tests.engines.secrecy import Leak, Pair, Secrecy, view_json
from tests.twins.citadel import Match
from tests.twins.citadel_sampler import hidden_pair, situations

__all__ = ["SECRECY", "SITUATIONS", "state_of", "twin_pairs"]

SITUATIONS = [name for name in situations() if name not in {"over", "won"}]
PAIRS = 1000 // len(SITUATIONS) + 1
WRONG = ("go:attic", "go:vault", "unlock:red", "take", "card:joker", "bonus", "power", "keep", "activate:irene", "", "x" * 500)


def state_of(match: Match, moves: int) -> State:
    """The engine's match with this luck laid out, after so many moves; its seed is the match's own."""
    state = GAME.new(layout=match.layout, seed=len(str(match.layout)), **match.options)
    for move in match.moves[:moves]:
        state.play(move)
    return state


def twin_pairs(names: list[str], count: int) -> Iterator[tuple[Match, Match]]:
    """Matches of the twin with the same public past and other futures."""
    for name in names:
        for number in range(count):
            rng = random.Random(f"{name} {number}")
            match = situations()[name](rng)
            yield hidden_pair(match, rng)


def pairs(kind: str, count: int) -> Iterator[Pair]:
    for one, other in twin_pairs([kind], count):
        assert one.moves == other.moves
        plies = {0, len(one.moves) // 2, len(one.moves)}
        yield Pair((state_of(one, 0), state_of(other, 0)), (one.moves, other.moves), [*range(one.players), None], plies)


def looking_ahead(state: State, seat: int | None) -> dict[str, Any]:
    """A face that shows what the next roll brings."""
    ahead = state.copy()
    while not ahead.is_over and ahead.view().to_json()["view"]["turn"] == state.view().to_json()["view"]["turn"]:
        moves = ahead.legal_moves()
        ahead.play(next((move for move in ("end", "keep") if move in moves), moves[-1]))
    return view_json(state, seat) | {"ahead": ahead.to_bytes()}


SECRECY = Secrecy(
    game="citadel",
    pairs=pairs,
    tries=dict.fromkeys(SITUATIONS, (1, 1, PAIRS)),
    wrong=WRONG,
    state_fields=_engine.state_fields,
    view_fields=_engine.view_fields,
    private=(),
    public=("table", "done", "abilities", "fled", "spare"),
    visible=("table", "seat", "spare"),
    leaks={
        "what is to come": Leak(
            looking_ahead, dict.fromkeys(("before the first move", "in front of a treasure", "some saved"), 2), 6
        )
    },
)
