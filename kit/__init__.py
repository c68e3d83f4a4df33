"""What a game of one's own is written with: `from machiavel.kit import …` in one file of Python."""

from machiavel.engines.kit.card_sets import Bag, Deck, cards, has, high, low, one, size
from machiavel.engines.kit.declarations import Action, Game, Luck, Option
from machiavel.engines.kit.declared_cards import Card, Cards
from machiavel.engines.kit.declared_fields import Count, Dice, Flag, Seat, Seats
from machiavel.engines.kit.declared_tallies import Tally
from machiavel.engines.kit.declared_tricks import Trick

__all__ = [
    "Action",
    "Bag",
    "Card",
    "Cards",
    "Count",
    "Deck",
    "Dice",
    "Flag",
    "Game",
    "Luck",
    "Option",
    "Seat",
    "Seats",
    "Tally",
    "Trick",
    "cards",
    "has",
    "high",
    "low",
    "one",
    "size",
]
