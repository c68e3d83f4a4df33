"""Hints at a table in the terminal: what to play, and what about this move. From the seat's view, and nothing else."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console

from machiavel.engines import Game, View
from machiavel.search import (
    Limits,
    Recommendation,
    SearchParameters,
    compare,
    explain,
    measure,
    move_meant,
    recommend,
    unseen_map,
)
from machiavel.server.cli.hint_page import show_advice, show_comparison
from machiavel.server.cli.unseen_page import show_unseen

__all__ = ["Adviser"]

THINKS = Limits(seconds=1.0)
THINKS_OF_ONE = Limits(seconds=0.3)


@dataclass
class Adviser:
    """Thinks about a view once, however often it is asked."""

    game: Game
    language: str
    thoughts: dict[str, tuple[View, Recommendation]] = field(default_factory=dict)  # of the last view alone

    def think(self, seen: Mapping[str, Any]) -> tuple[View, Recommendation]:
        key = json.dumps(seen, sort_keys=True)
        if key not in self.thoughts:
            view = self.game.view_from_json(key)
            self.thoughts = {key: (view, recommend(view, THINKS, SearchParameters(megabytes=64), explain=True))}
        return self.thoughts[key]

    def explain(self, console: Console, seen: Mapping[str, Any]) -> None:
        view, result = self.think(seen)
        show_advice(console, view, result, self.language, explanation=explain(view, result), numbers=view.legal_moves())

    def unseen(self, console: Console, seen: Mapping[str, Any]) -> None:
        view = self.game.view_from_json(json.dumps(seen))
        show_unseen(console, view, unseen_map(view), self.language)

    def compare(self, console: Console, seen: Mapping[str, Any], text: str) -> None:
        """Raises MoveError for what is no legal move."""
        view = self.game.view_from_json(json.dumps(seen))
        move = move_meant(view, text)
        view, result = self.think(seen)
        show_comparison(console, view, compare(view, result, measure(view, move, THINKS_OF_ONE)), self.language)
