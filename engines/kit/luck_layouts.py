"""The luck of a game of the kit as a caller may lay it out: its events by name, in lists where `at` tells them apart."""

from machiavel.engines.fields import Item, Items, Number, Type
from machiavel.engines.kit.card_sets import Deck
from machiavel.engines.kit.game_description import GameDescription, LuckEvent
from machiavel.engines.kit.game_fields import card_kind
from machiavel.engines.kit.value_types import laid_at
from machiavel.engines.layouts import LayoutSchema

__all__ = ["layouts_of"]

MOST_SIDES = 255


def layouts_of(game: GameDescription) -> LayoutSchema:
    """{"hands": [["C2", …], …], "roll": [3, null]}: what is null or left out is drawn from the seed."""
    return LayoutSchema(**{name: laid_at(leaf_of(game, event), event.purpose, event.depth) for name, event in game.luck.items()})


def leaf_of(game: GameDescription, event: LuckEvent) -> Type:
    """A single outcome."""
    if event.kind == "die":
        return Number(1, event.sides or MOST_SIDES)
    deck = game.decks[event.deck or 0]
    if event.kind == "card":
        return Item(card_kind(deck))
    return Items(card_kind(deck), is_distinct=isinstance(deck, Deck))
