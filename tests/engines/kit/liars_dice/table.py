"""Liar's dice laid out for tests."""

from collections.abc import Sequence
from typing import Any

from machiavel.engines import State, load
from machiavel.engines.kit.engine import KitEngine
from tests.engines.kit.liars_dice.twin import Match

__all__ = ["GAME", "NATIVE", "engine_match", "engine_start", "laid", "play", "seen"]

GAME = load("liars_dice")
assert isinstance(GAME.plugin, KitEngine)
NATIVE = GAME.plugin.native


def laid(*rounds: Sequence[str], players: int | None = None) -> State:
    """A match whose first rounds are rolled like that, each cup as a text such as "145"."""
    roll = [[[int(face) for face in cup] for cup in cups] for cups in rounds]
    return GAME.new(players or len(rounds[0]), seed=1, layout={"roll": roll})


def engine_start(match: Match) -> State:
    """The engine's state at the start of the twin's match; what it did not roll comes from a seed."""
    return GAME.new(match.players, seed=1, layout={"roll": match.rolled})


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
