"""Decks of unique cards and bags of kinds; a set of cards is an int, so that rules are arithmetic."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NoReturn, overload

from machiavel.engines.kit.file_refusals import author_place, refused
from machiavel.engines.looks import COLOURS, SYMBOLS, look_of_suit

__all__ = ["BITS", "MOST_CARDS", "MOST_KINDS", "MOST_OF_A_KIND", "Bag", "Deck", "cards", "has", "high", "low", "one", "size"]

MOST_CARDS = 63  # so that a set is never negative
MOST_KINDS = MOST_OF_A_KIND = 15
BITS = 4  # for the number of each kind in a bag


class Deck:
    """Cards of which each is there once, by number; a set of them has a bit for each.

    Deck(suits="CDHS", ranks="23456789TJQKA"): card = suit * 13 + rank, texts from "C2" to "SA".
    Deck(["sun", "moon", "star"]): as named.
    `looks` has a colour and a symbol for suits, or for cards with names: looks={"M": "mauve moon"}.
    """

    suits: tuple[str, ...] = ()
    ranks: tuple[str, ...] = ()
    texts: tuple[str, ...]

    @overload
    def __init__(self, names: Sequence[str], /, *, looks: Mapping[str, str] | None = None) -> None: ...
    @overload
    def __init__(self, *, suits: Sequence[str], ranks: Sequence[str], looks: Mapping[str, str] | None = None) -> None: ...
    def __init__(
        self,
        *names: Sequence[str],
        suits: Sequence[str] = (),
        ranks: Sequence[str] = (),
        looks: Mapping[str, str] | None = None,
    ) -> None:
        self.path, self.line = author_place()
        self.suits, self.ranks = tuple(suits), tuple(ranks)
        given = names[0] if names else ()
        self.texts = tuple(given.split() if isinstance(given, str) else given)
        if bool(self.texts) == bool(self.suits and self.ranks):
            self._refuse("deck_of_nothing")
        self.texts = self.texts or tuple(suit + rank for suit in self.suits for rank in self.ranks)
        if len(self.texts) > MOST_CARDS:
            self._refuse("deck_too_large", cards=len(self.texts), most=MOST_CARDS)
        _check_texts(self.texts, self.path, self.line)
        self.looks = dict(looks or {})
        _check_looks(self.looks, self.suits or self.texts, self.path, self.line)

    def __len__(self) -> int:
        return len(self.texts)

    def __repr__(self) -> str:
        return f"Deck of {len(self)} cards, {self.texts[0]} to {self.texts[-1]}"

    @property
    def bits(self) -> int:
        """How many bits a set has."""
        return len(self.texts)

    @property
    def all(self) -> int:
        """The set of all cards."""
        return (1 << len(self.texts)) - 1

    @cached_property
    def suit_sets(self) -> tuple[int, ...]:
        """The set of each suit's cards."""
        whole = (1 << len(self.ranks)) - 1
        return tuple(whole << suit * len(self.ranks) for suit in range(len(self.suits)))

    @cached_property
    def rank_sets(self) -> tuple[int, ...]:
        """The set of each rank's cards."""
        first = sum(1 << suit * len(self.ranks) for suit in range(len(self.suits)))
        return tuple(first << rank for rank in range(len(self.ranks)))

    def suit(self, suit: int) -> int:
        """The set of a suit's cards."""
        return self.suit_sets[suit]

    def rank(self, rank: int) -> int:
        """The set of a rank's cards, one of each suit."""
        return self.rank_sets[rank]

    def suit_of(self, card: int) -> int:
        return card // len(self.ranks)

    def rank_of(self, card: int) -> int:
        return card % len(self.ranks)

    def card(self, text: str) -> int:
        """The number of the card with that text."""
        try:
            return self.texts.index(text)
        except ValueError:
            raise refused("no_such_card", *author_place(), card=repr(text), known=", ".join(self.texts)) from None

    def cards(self, texts: str) -> int:
        """The set of the cards with these texts, apart by spaces."""
        result = 0
        for text in texts.split():
            result |= 1 << self.card(text)
        return result

    def _refuse(self, key: str, **parts: object) -> NoReturn:
        raise refused(key, self.path, self.line, **parts)


class Bag:
    """Kinds of cards of which there are several each, such as Bag({"guard": 5, "priest": 2}).

    A set has four bits for each kind, with how many of it are there: `bag - BAG.one(kind)` takes one away.
    """

    texts: tuple[str, ...]
    numbers: tuple[int, ...]

    def __init__(self, kinds: Mapping[str, int], /) -> None:
        self.path, self.line = author_place()
        self.texts, self.numbers = tuple(kinds), tuple(kinds.values())
        if not self.texts:
            raise refused("deck_of_nothing", self.path, self.line)
        if len(self.texts) > MOST_KINDS:
            raise refused("too_many_kinds", self.path, self.line, kinds=len(self.texts), most=MOST_KINDS)
        for text, number in kinds.items():
            if not 1 <= number <= MOST_OF_A_KIND:
                raise refused("too_many_of_a_kind", self.path, self.line, kind=repr(text), number=number, most=MOST_OF_A_KIND)
        _check_texts(self.texts, self.path, self.line)

    def __len__(self) -> int:
        return len(self.texts)

    def __repr__(self) -> str:
        return f"Bag of {sum(self.numbers)} cards of {len(self)} kinds"

    @property
    def bits(self) -> int:
        """How many bits a set has."""
        return BITS * len(self.texts)

    @property
    def all(self) -> int:
        """The set of all cards."""
        return sum(number << BITS * kind for kind, number in enumerate(self.numbers))

    def kind(self, text: str) -> int:
        """The number of the kind with that text."""
        try:
            return self.texts.index(text)
        except ValueError:
            raise refused("no_such_card", *author_place(), card=repr(text), known=", ".join(self.texts)) from None

    def one(self, kind: int) -> int:
        """The set of one card of that kind."""
        return 1 << BITS * kind

    def number(self, bag: int, kind: int) -> int:
        """How many of a kind a set has."""
        return bag >> BITS * kind & 15

    def has(self, bag: int, kind: int) -> bool:
        return bag >> BITS * kind & 15 > 0

    def size(self, bag: int) -> int:
        """How many cards a set has."""
        return sum(bag >> BITS * kind & 15 for kind in range(16))

    def kinds(self, bag: int) -> Iterator[int]:
        """The different kinds in a set, to loop over."""
        return (kind for kind in range(16) if bag >> BITS * kind & 15)


def _check_texts(texts: Sequence[object], path: str, line: int) -> None:
    for text in texts:
        if not isinstance(text, str) or not text or any(mark in text for mark in ' {}:?"'):
            raise refused("bad_card_text", path, line, card=repr(text))
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise refused("card_twice", path, line, card=repr(twice))


def _check_looks(looks: Mapping[str, str], known: Sequence[str], path: str, line: int) -> None:
    symbols: dict[str, str] = {}
    for suit, look in looks.items():
        if suit not in known:
            raise refused("look_of_what", path, line, suit=repr(suit), known=", ".join(known))
        try:
            symbol, _ = look_of_suit(look)
        except (AttributeError, ValueError):
            parts = {"colours": ", ".join(COLOURS), "symbols": ", ".join(SYMBOLS)}
            raise refused("bad_look", path, line, suit=suit, look=repr(look), **parts) from None
        if symbol and symbol in symbols:
            raise refused("like_another", path, line, suit=suit, other=symbols[symbol], symbol=symbol)
        symbols[symbol] = suit


# ---- Sets of unique cards ----


def one(card: int) -> int:
    """The set of one card."""
    return 1 << card


def has(cards: int, card: int) -> bool:
    """Whether a card is in a set."""
    return bool(cards >> card & 1)


def size(cards: int) -> int:
    """How many cards are in a set."""
    if cards < 0:
        raise ValueError(f"{cards} is no set of cards: it is negative")
    return cards.bit_count()


def low(cards: int) -> int:
    """The card with the lowest number; ValueError where there is none."""
    if cards <= 0:
        raise ValueError("low() of no cards" if cards == 0 else f"{cards} is no set of cards: it is negative")
    return (cards & -cards).bit_length() - 1


def high(cards: int) -> int:
    """The card with the highest number; ValueError where there is none."""
    if cards <= 0:
        raise ValueError("high() of no cards" if cards == 0 else f"{cards} is no set of cards: it is negative")
    return cards.bit_length() - 1


def cards(cards: int) -> Iterator[int]:
    """The cards of a set, ascending, to loop over."""
    if cards < 0:
        raise ValueError(f"{cards} is no set of cards: it is negative")
    while cards:
        yield (cards & -cards).bit_length() - 1
        cards &= cards - 1
