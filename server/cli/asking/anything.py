"""Questions for any game: the fields of a view one by one, as JSON."""

import json
from typing import Any

from machiavel.engines import Game
from machiavel.server.cli.asking.steps import Answers, Form, FormStep, as_json, players_step

__all__ = ["any_form"]


def any_form(game: Game) -> Form:
    fresh: dict[str, Any] = game.new(min(game.players), seed=0).view(0).to_json()["view"]

    def usual(name: str) -> Any:
        def of(answers: Answers) -> str:
            return json.dumps(game.new(answers["players"], seed=0).view(0).to_json()["view"][name])

        return of

    steps = [
        FormStep(
            f"field:{name}",
            {"en": f"{name} (JSON)", "fr": f"{name} (JSON)"},
            {
                "en": "The value of this field of the view, as JSON. Enter takes that of a match that has just begun.",
                "fr": "La valeur de ce champ de la vue, en JSON. Entrée prend celle d'une partie qui commence.",
            },
            as_json,
            usual=usual(name),
        )
        for name in fresh
    ]
    return Form(
        game,
        [players_step(game), *steps],
        lambda answers: {"players": answers["players"]},
        lambda answers: {name: answers[f"field:{name}"] for name in fresh},
        {name: f"field:{name}" for name in fresh},
    )
