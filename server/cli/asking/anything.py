"""Questions for any game: the fields of a view one by one, named by its words, as JSON or as words in a row."""

import json
from typing import Any

from machiavel.engines import Game
from machiavel.engines.phrases import Wording
from machiavel.server.cli.asking.steps import PHRASES, Answers, Form, FormStep, Read, Wrong, as_json, listed, players_step

__all__ = ["any_form"]


def meaning_of(game: Game, name: str) -> str:
    """What a field is, in the words of a game that declares it; else its name."""
    phrases = game.plugin.phrases() if game.plugin.views is not None else None
    key = f"fields.{name}.meaning"
    return phrases.wording(key) if phrases is not None and key in phrases else name


def question_of(game: Game, name: str) -> Wording:
    return PHRASES.wording("form.field.question", name=name, meaning=meaning_of(game, name))


def as_value(usual: Any) -> Read:
    """JSON; where the field is a list or a text, words will do as well, such as `C2 HT`."""

    def read(answers: Answers, entry: str) -> Any:
        try:
            return as_json(answers, entry)
        except Wrong:
            if isinstance(usual, list) and "[" not in entry:
                return [int(word) if word.isascii() and word.isdigit() else word for word in listed(entry)]
            if isinstance(usual, str) and '"' not in entry:
                return entry
            raise

    return read


def any_form(game: Game) -> Form:
    fresh: dict[str, Any] = game.new(min(game.players), seed=0).view(0).to_json()["view"]

    def usual(name: str) -> Any:
        def of(answers: Answers) -> str:
            return json.dumps(game.new(answers["players"], seed=0).view(0).to_json()["view"][name])

        return of

    steps = [
        FormStep(
            f"field:{name}",
            question_of(game, name).texts,
            PHRASES.wording("form.field.help", meaning=meaning_of(game, name)).texts,
            as_value(fresh[name]),
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
