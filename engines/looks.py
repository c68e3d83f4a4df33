"""How things look to whoever draws them and knows no rules: cards, dice, places, and the suits that tell cards apart."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from machiavel.engines.plugin import Rules

__all__ = ["COLOURS", "LOOKS", "PLAIN", "SYMBOLS", "USUAL", "LinkEnd", "SuitLook", "ThingLook", "look_of_suit", "suit_looks"]

LOOKS = ("card", "die", "place", "link", "token")
SYMBOLS = (
    "club", "diamond", "heart", "spade", "star", "circle", "triangle", "square", "hexagon", "moon", "sun", "leaf", "drop",
    "flame", "wave", "crown",
)  # fmt: skip
# Each with the symbol that goes with it where nobody names one.
COLOURS: Mapping[str, str] = {
    "red": "flame",
    "black": "square",
    "green": "leaf",
    "blue": "drop",
    "mauve": "moon",
    "yellow": "sun",
    "orange": "hexagon",
    "teal": "wave",
}
LONGEST_SIGN = 3  # characters of a text that stands for a symbol, such as ♣
SPARE = ("mauve", "blue", "green", "yellow", "red", "orange", "teal", "black")  # in the order in which they are given out


class SuitLook(NamedTuple):
    """A symbol, which tells it from the other suits of its kind, and a colour, which another one may have, too."""

    symbol: str
    colour: str


OF_BRIDGE = {
    ("C", "♣", "clubs"): SuitLook("club", "black"),
    ("D", "♦", "diamonds"): SuitLook("diamond", "red"),
    ("H", "♥", "hearts"): SuitLook("heart", "red"),
    ("S", "♠", "spades"): SuitLook("spade", "black"),
}
# By the text or the English name of a suit. A letter means it where all suits are such letters: elsewhere S may be a sun.
USUAL: Mapping[str, SuitLook] = {text: look for texts, look in OF_BRIDGE.items() for text in texts}
LETTERS = {texts[0] for texts in OF_BRIDGE}


class LinkEnd(NamedTuple):
    """What a link joins, and the colour by which it is known there; empty where it has none."""

    thing: str
    colour: str = ""


@dataclass(frozen=True, eq=False)
class ThingLook:
    """`shape` is one of LOOKS, or empty: then things are told by their names.

    `suits` has a look for suits by their texts, as `mauve moon`; `unknown` stands for a thing that is not seen. Of links, such as
    doors, `ends` are the two things of the kind `linked` that each joins. `spots` are the row and column of places on a map.
    `mentions` are other things that one means, by kind and text: `go:gallery` the gallery.
    """

    shape: str = ""
    suits: Mapping[str, str] = field(default_factory=dict)
    unknown: str = ""
    linked: str = ""
    ends: Callable[["Rules"], Mapping[str, tuple[LinkEnd, LinkEnd]]] = lambda _: {}
    spots: Callable[["Rules"], Mapping[str, tuple[int, int]]] = lambda _: {}
    mentions: Callable[["Rules"], Mapping[str, Sequence[tuple[str, str]]]] = lambda _: {}


PLAIN = ThingLook()


def look_of_suit(text: str) -> tuple[str, str]:
    """The symbol and the colour that `mauve moon`, `moon` or `mauve` names, empty where it names none; raises ValueError."""
    symbol = colour = ""
    for word in text.split():
        if word in COLOURS and not colour:
            colour = word
        elif (word in SYMBOLS or (len(word) <= LONGEST_SIGN and word not in COLOURS)) and not symbol:
            symbol = word
        else:
            raise ValueError(word)
    return symbol, colour


def suit_looks(suits: Sequence[str], given: Mapping[str, str], names: Mapping[str, str]) -> dict[str, SuitLook]:
    """A look for each suit, as given, or as such a suit usually looks, or as its English name says; what is open is filled up.

    No two get the same symbol, unless both are given it.
    """
    usual = USUAL if set(suits) <= LETTERS else {text: look for text, look in USUAL.items() if text not in LETTERS}
    wishes = {suit: wish(suit, given, usual, names) for suit in suits}
    symbols, colours = {one.symbol for one in wishes.values()}, {one.colour for one in wishes.values()}
    spare = cycle([colour for colour in SPARE if colour not in colours] or SPARE)
    result = {}
    for suit, (wished_symbol, wished_colour) in wishes.items():
        colour = wished_colour or next(spare)
        fitting = (one for one in (COLOURS[colour], *SYMBOLS[4:], *SYMBOLS, suit) if one not in symbols)
        symbol = wished_symbol or next(fitting)
        symbols.add(symbol)
        result[suit] = SuitLook(symbol, colour)
    return result


def wish(suit: str, given: Mapping[str, str], usual: Mapping[str, SuitLook], names: Mapping[str, str]) -> SuitLook:
    """What is said of a suit; a part that nobody names is empty."""
    if suit in given:
        return SuitLook(*look_of_suit(given[suit]))
    word = names.get(suit, suit).lower()
    return usual.get(suit) or usual.get(word) or SuitLook("", word if word in COLOURS else "")
