"""Fields that are places for cards."""

from typing import Literal, TypeVar, Unpack, overload

from machiavel.engines.kit.card_sets import Bag, Deck
from machiavel.engines.kit.declared_fields import FieldSettings, StateField
from machiavel.engines.kit.file_refusals import refused

__all__ = ["Card", "Cards"]

Value = TypeVar("Value")


class _OfDeck(StateField[Value]):
    """A place for cards."""

    is_zone = True

    def _place(self, deck: object, within: str | None, zone: bool) -> None:
        if not isinstance(deck, Deck | Bag):
            raise refused("no_deck", self.path, self.line, given=repr(deck))
        self.deck, self.within, self.is_zone = deck, within, bool(zone)


class Cards(_OfDeck[Value]):
    """A set of a deck's cards. `within` names the field that says what a hidden set can hold."""

    @overload
    def __init__(
        self: "Cards[int]",
        deck: Deck | Bag,
        /,
        *,
        within: str | None = None,
        zone: bool = True,
        each_seat: Literal[False] = False,
        length: None = None,
        **more: Unpack[FieldSettings],
    ) -> None: ...
    @overload
    def __init__(
        self: "Cards[list[int]]",
        deck: Deck | Bag,
        /,
        *,
        within: str | None = None,
        zone: bool = True,
        each_seat: Literal[True],
        length: None = None,
        **more: Unpack[FieldSettings],
    ) -> None: ...
    @overload
    def __init__(
        self: "Cards[list[int]]",
        deck: Deck | Bag,
        /,
        *,
        within: str | None = None,
        zone: bool = True,
        each_seat: Literal[False] = False,
        length: int,
        **more: Unpack[FieldSettings],
    ) -> None: ...
    @overload
    def __init__(
        self: "Cards[list[list[int]]]",
        deck: Deck | Bag,
        /,
        *,
        within: str | None = None,
        zone: bool = True,
        each_seat: Literal[True],
        length: int,
        **more: Unpack[FieldSettings],
    ) -> None: ...
    def __init__(
        self,
        deck: Deck | Bag,
        /,
        *,
        within: str | None = None,
        zone: bool = True,
        each_seat: bool = False,
        length: int | None = None,
        **more: Unpack[FieldSettings],
    ) -> None:
        self._declare(each_seat, length, more)
        self._place(deck, within, zone)
        self.high = (1 << deck.bits) - 1


class Card(_OfDeck[Value]):
    """One card, by number, or -1 for none."""

    low, nothing = -1, -1

    @overload
    def __init__(
        self: "Card[int]",
        deck: Deck | Bag,
        /,
        *,
        within: str | None = None,
        zone: bool = True,
        each_seat: Literal[False] = False,
        length: None = None,
        **more: Unpack[FieldSettings],
    ) -> None: ...
    @overload
    def __init__(
        self: "Card[list[int]]",
        deck: Deck | Bag,
        /,
        *,
        within: str | None = None,
        zone: bool = True,
        each_seat: Literal[True],
        length: None = None,
        **more: Unpack[FieldSettings],
    ) -> None: ...
    @overload
    def __init__(
        self: "Card[list[int]]",
        deck: Deck | Bag,
        /,
        *,
        within: str | None = None,
        zone: bool = True,
        each_seat: Literal[False] = False,
        length: int,
        **more: Unpack[FieldSettings],
    ) -> None: ...
    @overload
    def __init__(
        self: "Card[list[list[int]]]",
        deck: Deck | Bag,
        /,
        *,
        within: str | None = None,
        zone: bool = True,
        each_seat: Literal[True],
        length: int,
        **more: Unpack[FieldSettings],
    ) -> None: ...
    def __init__(
        self,
        deck: Deck | Bag,
        /,
        *,
        within: str | None = None,
        zone: bool = True,
        each_seat: bool = False,
        length: int | None = None,
        **more: Unpack[FieldSettings],
    ) -> None:
        self._declare(each_seat, length, more)
        self._place(deck, within, zone)
        self.high = len(deck) - 1
