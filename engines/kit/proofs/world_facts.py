"""What stands in the bytes of a state, element by element, and small facts of the worlds in which it is hidden."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from machiavel.engines.kit.card_sets import BITS
from machiavel.engines.kit.program import Slot

__all__ = ["MANY", "CardTexts", "FieldElement", "WorldFacts", "field_elements"]

SPREADS = 4  # sets of cards of which it counts how many lie where, so that it sees what is drawn together
MANY = "of "  # begins what is said of several cards


@dataclass(frozen=True)
class CardTexts:
    """A deck: the texts of its cards or kinds, and how many there are of each."""

    texts: Sequence[str]
    numbers: Sequence[int]
    is_bag: bool
    groups: Mapping[str, int] = field(default_factory=dict)  # sets of cards that rules speak of, such as suits, by their names

    def cards(self, cards: int) -> Iterator[tuple[int, int]]:
        """The cards or kinds of a set, and how often each is in it."""
        while cards:
            bit = (cards & -cards).bit_length() - 1
            if self.is_bag:
                kind = bit // BITS
                number = cards >> BITS * kind & 15
                yield kind, number
                cards ^= number << BITS * kind
            else:
                yield bit, 1
                cards &= cards - 1


@dataclass(frozen=True)
class FieldElement:
    """A value in the bytes of a state, and what the author calls it."""

    name: str  # hands[0], cups[1][2]
    slot: Slot
    offset: int

    def value(self, state: bytes) -> int:
        return int.from_bytes(state[self.offset : self.offset + self.slot.width], "little", signed=self.slot.signed)


def field_elements(slots: Sequence[Slot]) -> list[FieldElement]:
    """All values that these rules use."""
    result = []
    for slot in slots:
        for indices in product(*map(range, slot.used)):
            place = 0
            for index, length in zip(indices, slot.lengths, strict=True):
                place = place * length + index
            name = slot.name + "".join(f"[{index}]" for index in indices)
            result.append(FieldElement(name, slot, slot.offset + place * slot.width))
    return result


class WorldFacts:
    """The facts of worlds: where each card lies, how many of a suit or of some cards lie where, what other hidden fields hold."""

    def __init__(self, slots: Sequence[Slot], decks: Sequence[CardTexts]) -> None:
        hidden = [slot for slot in slots if slot.seen_by != "all"]
        elements = field_elements(slots)
        self._decks = decks
        self.hides = bool(hidden)
        # Of cards that are no place, worlds know nothing of what is hidden: they are notes, such as what a seat has passed on.
        self._others = [one for one in elements if one.slot in hidden and one.slot.kind not in {"cards", "card"}]
        # The places of each deck, and of those that have hidden ones.
        self._all_zones = {
            deck: [one for one in elements if one.slot.is_zone and one.slot.deck == deck] for deck in range(len(decks))
        }
        self._zones = {
            deck: zones for deck, zones in self._all_zones.items() if any(slot.is_zone and slot.deck == deck for slot in hidden)
        }
        draw = random.Random(0)
        self._secret = {zone.name for zones in self._zones.values() for zone in zones if zone.slot in hidden}
        self._spreads = {
            deck: [draw.getrandbits(len(decks[deck].texts)) for _ in range(SPREADS)]
            for deck in self._zones
            if not decks[deck].is_bag
        }

    def of(self, state: bytes) -> Iterator[tuple[str, str]]:
        """Every fact of a state: what it is about, and what is so."""
        for other in self._others:
            yield other.name, f"is {other.value(state)}"
        for deck, zones in self._zones.items():
            known = self._decks[deck]
            held = [(zone.name, self.cards(zone, state)) for zone in zones]
            where = [""] * len(known.texts)
            for name, cards in held:
                for card, number in known.cards(cards):
                    said = name if number == 1 else f"{name} ({number} times)"
                    where[card] = f"{where[card]} and {said}" if where[card] else f"is in {said}"
            yield from zip(known.texts, (said or "is nowhere" for said in where), strict=True)
            for group, whole in known.groups.items():
                for name, cards in held:
                    if name in self._secret:
                        yield f"{MANY}{group} in {name}", f"are {(cards & whole).bit_count()}"
            for spread in self._spreads.get(deck, ()):
                among = ", ".join(text for card, text in enumerate(known.texts) if spread >> card & 1)
                counts = [f"{(cards & spread).bit_count()} in {name}" for name, cards in held if cards & spread]
                yield f"{MANY}{among}", f"are {', '.join(counts) or 'none in any place'}"

    def too_many(self, state: bytes) -> str:
        """A card that is there more often than its deck has it, and where; empty where there is none."""
        for deck, zones in self._all_zones.items():
            known = self._decks[deck]
            held = [(zone.name, self.cards(zone, state)) for zone in zones]
            totals = Counter[int]()
            for _, cards in held:
                totals.update(dict(known.cards(cards)))
            for card, total in totals.items():
                if total > known.numbers[card]:
                    where = [(name, number) for name, cards in held if (number := dict(known.cards(cards)).get(card, 0))]
                    counts = ", ".join(name if number == 1 else f"{name} ({number} times)" for name, number in where)
                    return f"{known.texts[card]} is in {counts}, and the deck has {known.numbers[card]}"
        return ""

    def cards(self, zone: FieldElement, state: bytes) -> int:
        """What lies in a place, as a set, also where its field holds the number of a card."""
        value = zone.value(state)
        if zone.slot.kind != "card":
            return value
        is_bag = zone.slot.deck is not None and self._decks[zone.slot.deck].is_bag
        return 0 if value < 0 else 1 << (value * BITS if is_bag else value)
