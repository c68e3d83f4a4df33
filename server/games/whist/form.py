"""What is asked of a person at a table of whist."""

from typing import Any

from machiavel.engines import Game
from machiavel.engines.views import clockwise
from machiavel.engines.whist.schema import CARD, CARDS, ROUNDS, SUIT, SUITS
from machiavel.server.forms import steps
from machiavel.server.forms.steps import Answers, Form, Questions, by_seat, item_of, items_of, unaccented, whole

__all__ = ["whist_form"]

PLACES = {"contenders": "still_in", "leader": "table", "to_move": "table", "round": "dealt", "trick": "hand", "past": "seen"}


def whist_form(game: Game) -> Form:
    phrases = game.plugin.phrases()
    suits = {unaccented(phrases(f"suits.{suit}", language)): suit for language in phrases.languages for suit in SUITS}
    ask, card = Questions(phrases).ask, item_of(CARD, fold=lambda word: word.upper().replace("10", "T"))
    asked = [
        steps.players_step(game),
        ask("dealt", whole(1, ROUNDS), usual=str(ROUNDS)),
        ask("trump", item_of(SUIT, fold=lambda word: suits.get(unaccented(word), word.upper()))),
        ask("hand", items_of("hand", card, 1, lambda answers: answers["dealt"])),
        ask("still_in", steps.seats_in, needed=lambda answers: answers.get("dealt", ROUNDS) < ROUNDS, usual=steps.everybody),
        ask("table", items_of("table", card), usual=""),
        ask("tricks", by_seat(whole(0, ROUNDS)), needed=is_later),
        ask("seen", items_of("seen", card), needed=is_later, usual=""),
    ]
    return Form(game, asked, lambda answers: {"players": answers["players"]}, view, PLACES)


def is_later(answers: Answers) -> bool:
    return bool(len(answers.get("hand", ())) < answers.get("dealt", 0))


def view(answers: Answers) -> dict[str, Any]:
    """You are seat 0, but in the first trick of a match, which seat 0 leads."""
    players, table = answers["players"], answers["table"]
    still_in = answers.get("still_in", list(range(players)))
    is_first = answers["dealt"] == ROUNDS and not is_later(answers)
    order = still_in if is_first else clockwise(still_in, 1)[-1 - len(table) :]
    seen = [*answers.get("seen", ()), *table]
    result: dict[str, Any] = {
        "seat": min(len(table), players - 1) if is_first else 0,
        "round": ROUNDS + 1 - answers["dealt"],
        "trick": answers["dealt"] - len(answers["hand"]) + 1,
        "trump": answers["trump"],
        "contenders": still_in,
        "leader": order[0],
        "table": [list(pair) for pair in zip(order, table, strict=False)],
        "tricks": answers.get("tricks", [0] * players),
        "hand": [card for card in CARDS.values() if card in answers["hand"]],
    }
    return result | ({"seen": [card for card in CARDS.values() if card in seen]} if answers.get("seen") else {})
