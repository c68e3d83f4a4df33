"""Faults of rules that matches meet by themselves, so that no view which somebody typed in is blamed for them."""

import random
from typing import TYPE_CHECKING

from machiavel.engines.errors import BadView, GameError, GameFault, said

if TYPE_CHECKING:
    from machiavel.engines._face import Game, State
    from machiavel.engines.plugin import Rules

__all__ = ["fault_of_view"]

MATCHES, POSITIONS = 40, 1000  # so many are looked at, at the most

Place = tuple[str, str]  # a fault's kind and place


def fault_of_view(game: "Game", rules: "Rules", fault: GameFault) -> BadView | GameFault:
    """What is wrong where rules fail from a view that came from outside: the view, unless matches meet that fault, too."""
    return fault if is_met(game, rules, fault) else BadView("view", said("impossible_view", what=fault.what))


def is_met(game: "Game", rules: "Rules", fault: GameFault) -> bool:
    """Whether it comes up in a few random matches, or in the worlds that those who play them imagine."""
    known: frozenset[Place] | None = rules.made.get(is_met)
    if known is None:
        known = rules.made[is_met] = frozenset(met_faults(game, rules))
    return (fault.kind, fault.place) in known


def met_faults(game: "Game", rules: "Rules") -> set[Place]:
    found, left = set[Place](), POSITIONS
    for seed in range(MATCHES):
        try:
            state, chance = game.deal(rules, seed=seed), random.Random(seed)
            while left and not state.is_over:
                left -= 1
                imagine(state, left)
                state.play(chance.choice(state.legal_moves()))
            if state.is_over:
                _ = state.utilities
        except GameFault as fault:
            found.add((fault.kind, fault.place))
        except GameError:
            continue
    return found


def imagine(state: "State", seed: int) -> None:
    """A world of the seat that is asked."""
    world = state.view(state.seat_to_move).determinize(seed)
    world.legal_moves()
