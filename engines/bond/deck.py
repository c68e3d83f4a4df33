"""Decks of bond: the lairs and spies that a match is played with, and the Doublers, which are always the same."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from machiavel.engines._words import card_list
from machiavel.engines.decks import Deck, read_deck
from machiavel.engines.fields import Choice, ListOf, Number, RecordOf, Text
from machiavel.engines.phrases import load_phrases

__all__ = ["CARDS", "COPIES", "FIRST_DOUBLER", "FIRST_SPY", "LETTERS", "SORTS", "BondDeck", "hand_size", "load_deck"]

# The engine's numbers.
COPIES, CARDS = 18, 54
SORTS, FIRST_SPY, FIRST_DOUBLER = ("lair", "spy", "doubler"), COPIES, 2 * COPIES  # and where their fields begin in a heap
LETTERS = "ABCDEFGHI"
# A deck as a file has it. The Doublers are the same in every one; a file names them so that it tells the whole box.
CARDS_OF_A_SORT = ListOf(RecordOf({"value": Number(1, 15), "count": Number(1, COPIES), "provenance": Text()}))
DOUBLERS = RecordOf({"letters": Choice([LETTERS]), "copies": Number(2, 2), "provenance": Text()})
BOX = RecordOf({"name": Text(), "lairs": CARDS_OF_A_SORT, "spies": CARDS_OF_A_SORT, "doublers": DOUBLERS})


@dataclass(frozen=True)
class BondDeck:
    """What is in the box: 18 lairs, 18 spies, and the Doublers A to I, each twice."""

    name: str
    lairs: tuple[int, ...]  # values, ascending
    spies: tuple[int, ...]

    @cached_property
    def marks(self) -> tuple[int | str, ...]:
        """What stands on each card, in the order of the bits of a heap: a value, or a letter."""
        return (*self.lairs, *self.spies, *(letter for letter in LETTERS for _ in range(2)))

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """The kind of each bit: the first bit with the same sort and mark."""
        first: dict[tuple[int, int | str], int] = {}
        return tuple(first.setdefault((bit // COPIES, mark), bit) for bit, mark in enumerate(self.marks))

    @cached_property
    def counts(self) -> Counter[int]:
        """How many cards there are of each kind."""
        return Counter(self.kinds)

    @cached_property
    def sorts(self) -> list[dict[int, int | str]]:
        """The mark of each kind, sort by sort."""
        return [{kind: self.marks[kind] for kind in self.counts if kind // COPIES == sort} for sort in range(len(SORTS))]

    @cached_property
    def marked(self) -> list[dict[int | str, int]]:
        """The kind with each mark, sort by sort."""
        return [{mark: kind for kind, mark in marks.items()} for marks in self.sorts]

    @cached_property
    def texts(self) -> dict[int, str]:
        """`spy:5` by kind."""
        return {kind: f"{SORTS[kind // COPIES]}:{self.marks[kind]}" for kind in self.counts}

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {text: kind for kind, text in self.texts.items()}

    def kinds_in(self, heap: int) -> list[int]:
        """Of all cards in a heap, ascending."""
        return card_list(heap, self.kinds)

    def heap(self, kinds: Sequence[int]) -> int:
        """The n lowest bits of each kind's field."""
        return sum(((1 << kinds.count(kind)) - 1) << kind for kind in set(kinds))

    def rest(self, kinds: Sequence[int]) -> int:
        """The heap of all other cards."""
        return sum(((1 << count - kinds.count(kind)) - 1) << kind for kind, count in self.counts.items())

    @cached_property
    def digest(self) -> str:
        """Of what changes the game: provenance and names do not."""
        return hashlib.sha256(json.dumps([self.lairs, self.spies]).encode()).hexdigest()


def hand_size(players: int) -> int:
    """How many cards are dealt to each seat (R2.2)."""
    return 6 if players <= 3 else 5


def load_deck(option: object) -> tuple[BondDeck, str | Mapping[str, Any]]:
    """The deck that an option means, and the option as a record keeps it; raises BadDeck."""
    tables, deck = shipped_deck(option) if isinstance(option, str) else parsed_deck(option)
    return deck, option if isinstance(option, str) else json.loads(json.dumps(tables, default=str))


def parsed_deck(option: object) -> tuple[Mapping[str, Any], BondDeck]:
    source, tables = read_deck("machiavel.engines.bond", option)
    deck = Deck(source, tables, load_phrases("machiavel.engines.bond"))
    box, values = deck.values(BOX, None), list[tuple[int, ...]]()
    for key in ("lairs", "spies"):
        values.append(tuple(sorted(entry["value"] for entry in box[key] for _ in range(entry["count"]))))
        deck.expect(len(values[-1]) == COPIES, key, "copies", count=len(values[-1]), most=COPIES)
    return tables, BondDeck(box["name"], *values)


# What is shipped does not change while we run, and is asked for at every new match.
shipped_deck = cache(parsed_deck)
