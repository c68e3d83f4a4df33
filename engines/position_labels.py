"""What moves are called in the position in which they are made: a pass is a fold there, where a bet is to be answered."""

from collections.abc import Mapping, Sequence
from typing import Any

from machiavel.engines._face import State, View
from machiavel.engines.errors import GameError, GameFault
from machiavel.engines.plugin import LANGUAGES

__all__ = ["Seen", "labels_here", "seen_along", "seen_here"]

Seen = Mapping[str, Any]
SEED = 0  # of the world in which a line is followed: each time the same


def seen_here(place: State | View) -> Seen:
    """What the moves of a position are named by; nothing in a game that calls each of them the same everywhere."""
    if not place.game.plugin.names_by_position:
        return {}
    view = place if isinstance(place, View) else place.view(None)
    seen: Seen = view.to_json()["view"]
    return seen


def labels_here(place: State | View, text: str, seen: Seen | None = None) -> dict[str, str]:
    """A move of that position as a player reads it, by language; `seen` is `seen_here` of it, or {} where that is not known.

    Raises NotAMove. Where a game fails to say what a move is called there, it has its label.
    """
    plugin, rules = place.game.plugin, place.rules
    here = seen_here(place) if seen is None else seen
    if here and plugin.names_by_position:
        move = plugin.parse_move(rules, text)[0]
        try:
            return {language: plugin.label_here(rules, here, move, language) for language in LANGUAGES}
        except GameFault:
            pass
    return place.game.move_labels(rules, text)


def seen_along(view: View, line: Sequence[str]) -> list[Seen]:
    """What is seen before each move of a line that follows from a view, in a world of it; {} from where that cannot go on.

    Of a game that calls each move the same everywhere it is the view itself, each time.
    """
    seen: Seen = view.to_json()["view"]
    if not view.game.plugin.names_by_position or len(line) < 2:
        return [seen] * len(line)
    result: list[Seen] = []
    try:
        state = view.determinize(SEED)
        for move in line:
            result.append(state.view(None).to_json()["view"])
            state.play(move)
    except GameError:  # a hidden move, or one that this world does not have
        pass
    return result + [{}] * (len(line) - len(result))
