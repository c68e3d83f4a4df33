"""Hearts laid out for tests."""

from collections.abc import Sequence
from typing import Any

from machiavel.engines import State, load
from machiavel.engines.kit.engine import KitEngine
from tests.engines.kit.hearts.twin import CARDS, Match

__all__ = ["GAME", "NATIVE", "engine_match", "engine_start", "lay", "play", "seen"]

GAME = load("hearts")
assert isinstance(GAME.plugin, KitEngine)
NATIVE = GAME.plugin.native


def lay(*hands: str, way: str | None = None) -> State:
    """A match of these hands, filled up seat by seat from the lowest card that is left; no passing without a way."""
    named = [hand.split() for hand in hands] + [[] for _ in range(4 - len(hands))]
    rest = [card for card in reversed(CARDS) if not any(card in hand for hand in named)]
    for hand in named:
        hand += [rest.pop() for _ in range(13 - len(hand))]
    return begun(named, way)


def begun(hands: Sequence[Sequence[str]], way: str | None) -> State:
    layout: dict[str, Any] = {"hands": [list(hand) for hand in hands]}
    return GAME.new(4, layout=layout | ({} if way is None else {"way": way}), passing=way is not None)


def engine_start(match: Match) -> State:
    """The engine's state at the start of the twin's match."""
    return begun(match.dealt, match.way)


def engine_match(match: Match) -> State:
    """The engine's state of the twin's match as it stands."""
    return play(engine_start(match), match.moves)


def play(state: State, moves: Sequence[str] | str) -> State:
    for move in moves.split() if isinstance(moves, str) else moves:
        state.play(move)
    return state


def seen(state: State, seat: int | None = None) -> dict[str, Any]:
    """The fields of a view."""
    view: dict[str, Any] = state.view(seat).to_json()["view"]
    return view
