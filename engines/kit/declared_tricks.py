"""Tricks of a game, declared so that players are told who takes one."""

from collections.abc import Mapping, Sequence
from typing import Any

from machiavel.engines.kit.card_sets import Deck
from machiavel.engines.kit.declared_fields import StateField
from machiavel.engines.kit.file_refusals import author_place, refused

__all__ = ["Trick"]


class Trick:
    """Tells who takes a trick: whoever has the highest trump on `table`, or else the highest card of the suit `led`.

    `table`, `led` and `trumps` are names of fields: a card of each seat, and two suits by their numbers in that deck.
    """

    name: str = ""

    def __init__(self, table: str, *, led: str, trumps: str | None = None) -> None:
        self.path, self.line = author_place()
        self.table = table
        self.led = led
        self.trumps = trumps

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def check(self, fields: Mapping[str, StateField[Any]]) -> None:
        """Refuse fields that hold no trick, or no suit of its deck; raises BadGameFile."""
        table = fields.get(self.table)
        deck = None if table is None else table.deck
        is_laid = table is not None and table.kind == "card" and table.each_seat and table.length is None and not table.is_hidden
        if table is None or not is_laid or not isinstance(deck, Deck) or not deck.suits:
            raise refused("bad_trick", self.path, self.line, trick=self.name, table=repr(self.table))
        for name in (self.led, self.trumps):
            one = None if name is None else fields.get(name)
            is_suit = one is not None and one.kind == "card" and not one.each_seat and one.length is None and not one.is_hidden
            suits = None if one is None else one.deck
            if name is not None and not (is_suit and isinstance(suits, Deck) and len(suits) == len(deck.suits)):
                raise refused("bad_suit_of_trick", self.path, self.line, trick=self.name, field=repr(name), suits=len(deck.suits))

    def taker(self, fields: Mapping[str, StateField[Any]], seen: Mapping[str, Any], cards: Sequence[str | None]) -> int | None:
        """Whose card takes a trick of these cards, one for each seat, in a view before it was whole; None where no card can."""
        deck = fields[self.table].deck
        assert isinstance(deck, Deck)  # noqa: S101 - `check` has seen it
        for name in (self.trumps, self.led):
            suit = None if name is None else self.suit(fields[name], seen[name])
            numbers = [-1 if card is None else deck.card(card) for card in cards]
            best = max((number for number in numbers if number >= 0 and deck.suit_of(number) == suit), default=None)
            if best is not None:
                return numbers.index(best)
        return None

    def suit(self, one: StateField[Any], value: str | None) -> int | None:
        return None if value is None or not isinstance(one.deck, Deck) else one.deck.card(value)
