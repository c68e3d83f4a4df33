"""What is asked of a person who holds a card of Kuhn poker and wants a hint."""

from collections.abc import Mapping
from typing import Any

from machiavel.engines import LANGUAGES, Game
from machiavel.server.forms.steps import Answers, Form, FormStep, Wrong, listed, whole

from . import ENGINE, HISTORIES, OVER, RANKS
from .table import ENTRIES

__all__ = ["kuhn_form"]

CARDS = (3, 13)


def kuhn_form(game: Game) -> Form:
    steps = [
        FormStep("deck", texts("deck"), texts("deck_help"), whole(*CARDS), usual=lambda _: str(CARDS[0])),
        FormStep("card", texts("card"), texts("card_help"), read_card),
        FormStep("moves", texts("moves"), texts("moves_help"), read_moves, usual=lambda _: ""),
    ]
    return Form(game, steps, lambda answers: {"players": 2, "cards": answers["deck"]}, view, {"cards": "card", "seat": "moves"})


def texts(key: str, **parts: object) -> Mapping[str, str]:
    return {language: ENGINE.phrases()(f"form.{key}", language, **parts) for language in LANGUAGES}


def read_card(answers: Answers, entry: str) -> str:
    cards, card = RANKS[-answers["deck"] :], entry.upper().replace("10", "T")
    if len(card) != 1 or card not in cards:
        raise Wrong(**texts("wrong_card", entry=entry, cards=", ".join(cards)))
    return card


def read_moves(_: Answers, entry: str) -> list[str]:
    moves = [ENTRIES.get(word, word) for word in listed(entry.casefold())]
    if tuple(moves) not in HISTORIES - OVER:
        raise Wrong(**texts("wrong_moves", entry=entry))
    return moves


def view(answers: Answers) -> dict[str, Any]:
    """Whoever asks is to move: seat 1 after one move, else seat 0."""
    me = len(answers["moves"]) % 2
    return {"seat": me, "moves": answers["moves"], "cards": [answers["card"] if seat == me else None for seat in range(2)]}
