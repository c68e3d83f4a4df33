"""Kuhn poker laid out for tests."""

from typing import Any

from machiavel.engines import State, load
from machiavel.engines.kit.engine import KitEngine
from tests.engines.kit.kuhn.twin import Match

__all__ = ["GAME", "NATIVE", "engine_match", "engine_start", "seen"]

GAME = load("kuhn")
assert isinstance(GAME.plugin, KitEngine)
NATIVE = GAME.plugin.native


def engine_start(match: Match) -> State:
    """The engine's state at the start of the twin's match."""
    return GAME.new(2, layout={"cards": match.cards}, cards=match.size)


def engine_match(match: Match) -> State:
    """The engine's state of the twin's match as it stands."""
    state = engine_start(match)
    for move in match.moves:
        state.play(move)
    return state


def seen(state: State, seat: int | None = None) -> dict[str, Any]:
    """The fields of a view."""
    view: dict[str, Any] = state.view(seat).to_json()["view"]
    return view
