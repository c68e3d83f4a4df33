"""Decks of bond: the lairs and spies that a match is played with, and the Doublers, which are always the same."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from machiavel.engines.decks import DeckReader, read_deck

__all__ = ["CARDS", "COPIES", "LETTERS", "SORTS", "BondDeck", "load_deck"]

# The engine's numbers.
COPIES, CARDS = 18, 54
SORTS = ("lair", "spy", "doubler")  # in the order of their fields in a heap
LETTERS = "ABCDEFGHI"
MOST_VALUE = 15


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
    def texts(self) -> dict[int, str]:
        """`spy:5` by kind."""
        return {kind: f"{SORTS[kind // COPIES]}:{self.marks[kind]}" for kind in self.counts}

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {text: kind for kind, text in self.texts.items()}

    def kind(self, sort: str, mark: int | str) -> int | None:
        """The kind with that mark; None where the deck has none."""
        return self.numbers.get(f"{sort}:{mark}")

    @cached_property
    def digest(self) -> str:
        """Of what changes the game: provenance and names do not."""
        return hashlib.sha256(json.dumps([self.lairs, self.spies]).encode()).hexdigest()


def load_deck(option: object) -> tuple[BondDeck, str | Mapping[str, Any]]:
    """The deck that an option means, and the option as a record keeps it; raises BadDeck."""
    tables, deck = shipped_deck(option) if isinstance(option, str) else parsed_deck(option)
    return deck, option if isinstance(option, str) else json.loads(json.dumps(tables, default=str))


def parsed_deck(option: object) -> tuple[Mapping[str, Any], BondDeck]:
    source, tables = read_deck("machiavel.engines.bond", option)
    reader = DeckReader(source, tables)
    deck = BondDeck(reader.text("name", "a name"), read_values(reader, "lairs"), read_values(reader, "spies"))
    read_doublers(reader)
    reader.done()
    return tables, deck


# What is shipped does not change while we run, and is asked for at every new match.
shipped_deck = cache(parsed_deck)


def read_values(reader: DeckReader, key: str) -> tuple[int, ...]:
    values: list[int] = []
    for entry in reader.tables(key, "an array of tables with value, count and provenance"):
        values += [entry.number("value", 1, MOST_VALUE)] * entry.number("count", 1, COPIES)
        entry.text("provenance", "where the cards are known from")
        entry.done()
    if len(values) != COPIES:
        raise reader.bad(key, f"are {len(values)}; expected {COPIES}, counted by `count`")
    return tuple(sorted(values))


def read_doublers(reader: DeckReader) -> None:
    """They are the same in every deck; a file names them so that it tells the whole box."""
    entry = reader.table("doublers", "a table with letters, copies and provenance")
    entry.choice("letters", (LETTERS,))
    entry.number("copies", 2, 2)
    entry.text("provenance", "where the cards are known from")
    entry.done()
