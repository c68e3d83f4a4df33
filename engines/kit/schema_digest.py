"""What of a game's declarations changes how its records replay, as one hash: never its text, its words or its comments."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from machiavel.engines.kit.card_sets import Bag, Deck
from machiavel.engines.kit.declarations import ActionPart
from machiavel.engines.kit.game_description import GameDescription

__all__ = ["schema_digest"]


def schema_digest(game: GameDescription) -> str:
    """The SHA-256, in hexadecimal, of name and version, decks, fields, actions, options and events of luck."""
    content = {
        "name": game.name,
        "version": game.version,
        "decks": [cards_of(deck) for deck in game.decks],
        "fields": [
            [
                *(name, one.kind, None if one.deck is None else game.deck_number(one.deck), one.each_seat, one.length),
                *(one.low, one.high, one.seen_by, one.within, one.is_zone, one.is_sorted),
            ]
            for name, one in game.fields.items()
        ],
        "actions": [
            [action.name, action.action.text, [[part.name, *part_of(game, part)] for part in action.action.parts]]
            for action in game.actions.values()
        ],
        "options": [[name, one.least, one.most, one.is_flag] for name, one in game.options.items()],
        "luck": sorted([name, one.kind, one.depth] for name, one in game.luck.items()),
    }
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def cards_of(deck: Deck | Bag) -> Sequence[Any]:
    return [list(deck.texts), list(deck.numbers) if isinstance(deck, Bag) else None]


def part_of(game: GameDescription, part: ActionPart) -> Sequence[Any]:
    if isinstance(part.kind, Deck | Bag):
        return ["deck", game.deck_number(part.kind)]
    return ["seat"] if part.is_seat else [part.start, list(part.texts())]
