"""Types of values that games of the kit have besides those that all games share: bags of cards, rows of dice, laid-out luck."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from machiavel.engines.fields import BAD, Change, Kind, ListOf, Nullable, Number, Place, Type
from machiavel.engines.kit.card_sets import BITS
from machiavel.engines.layouts import Laid, Outcome
from machiavel.engines.phrases import load_phrases

if TYPE_CHECKING:
    from machiavel.engines.plugin import Rules

__all__ = ["BagItems", "DiceRow", "LaidAt", "laid_at"]


@dataclass(frozen=True)
class BagItems(Type):
    """Cards of kinds of which there are several, in any order; in the struct and for the game's code 4 bits for each kind."""

    kind: Kind
    numbers: tuple[int, ...]  # how many there are of each kind
    name: str = "list of text"

    def read(self, place: Place, value: Any) -> Any:
        items = place.items(value)
        numbers = self.kind.read(place.of(0, is_numbered=False), items or ())
        if items is BAD or BAD in numbers:
            return BAD
        for number in sorted(set(numbers)):
            count, most = numbers.count(number), self.numbers[number]
            if count > most:
                text = self.kind.texts(place.rules)[number]
                return place.bad("more_than", item=text, count=count, most=most)
        return sum(1 << BITS * number for number in numbers)

    def writer(self, rules: "Rules") -> Change | None:
        texts = list(self.kind.texts(rules))
        places = [(BITS * number, [text]) for number, text in enumerate(texts)]

        def write(value: int) -> list[Any]:
            return [text for at, one in places for text in one * (value >> at & 15)]

        return write

    def ordered(self, data: Any) -> Any:
        return sorted(data, key=str) if isinstance(data, list) else data

    def describe(self) -> dict[str, Any]:
        return {"type": "items", "of": self.kind.name}


@dataclass(frozen=True)
class DiceRow(Type):
    """Dice in a row, as what they show; in the struct 0 is no die.

    Where their order means nothing, JSON has those there are, in any order, and the struct the highest first. Else JSON has a
    null where there is none.
    """

    count: int
    sides: int
    is_sorted: bool = True
    name: str = "list of int"

    def read(self, place: Place, value: Any) -> Any:
        items = place.items(value, longest=self.count) if self.is_sorted else place.items(value, self.count)
        face = Number(1, self.sides) if self.is_sorted else Nullable(Number(1, self.sides), 0)
        read = [face.read(place.at(number), one) for number, one in enumerate(items or ())]
        if items is BAD or any(one is BAD for one in read):
            return BAD
        values = [one or 0 for one in read]
        return sorted(values, reverse=True) + [0] * (self.count - len(values)) if self.is_sorted else values

    def writer(self, rules: "Rules") -> Change | None:  # noqa: ARG002
        if self.is_sorted:
            return lambda value: [one for one in value if one]
        return lambda value: [one or None for one in value]

    def shape(self) -> Type:
        face = Number(1, self.sides, is_die=True)
        return ListOf(face, longest=self.count) if self.is_sorted else ListOf(Nullable(face), count=self.count)

    def ordered(self, data: Any) -> Any:
        return sorted(data, reverse=True) if self.is_sorted and isinstance(data, list) else data

    def expected(self, rules: "Rules") -> Any:  # noqa: ARG002
        return load_phrases(__package__ or "").wording("problems.dice", count=self.count, sides=self.sides)

    def most(self, rules: "Rules") -> int:  # noqa: ARG002
        return self.sides

    def describe(self) -> dict[str, Any]:
        return {"type": "list", "of": {"type": "number", "least": 1, "most": self.sides, "null": not self.is_sorted}}


@dataclass(frozen=True)
class LaidAt(Laid):
    """Luck of one purpose, in lists within lists: the counter is made of the places, outermost first."""

    leaf: Type = field(kw_only=True)  # what a single outcome is
    depth: int = field(kw_only=True)

    def outcomes(self, rules: "Rules", value: Any, counter: int) -> Iterator[Outcome]:  # noqa: ARG002
        yield from self.inside(rules, value, 0, self.depth)

    def inside(self, rules: "Rules", value: Any, counter: int, depth: int) -> Iterator[Outcome]:
        if value is None:
            return
        if depth:
            for number, one in enumerate(value):
                yield from self.inside(rules, one, counter << 8 | number, depth - 1)
        else:
            raw = self.leaf.pack(rules, value)
            yield self.purpose, counter, bytes(raw if isinstance(raw, list) else [raw])

    def where(self, rules: "Rules", path: str, purpose: int, counter: int) -> str:  # noqa: ARG002
        first = [counter >> 8 * (self.depth - 1)] if self.depth else []
        rest = [counter >> 8 * step & 255 for step in range(self.depth - 2, -1, -1)]
        return path + "".join(f"[{number}]" for number in first + rest)

    def text(self, rules: "Rules", raw: int) -> str:
        kind = getattr(self.leaf, "kind", None)
        return str(raw if kind is None else kind.texts(rules)[raw])


def laid_at(leaf: Type, purpose: int, depth: int) -> LaidAt:
    """The type of an event of luck; what is null, or left out at the end of a list, is not laid out."""
    kind = leaf
    for step in range(depth):
        # Only the outermost place may be more than a byte.
        kind = ListOf(Nullable(kind), longest=None if step == depth - 1 else 256)
    return LaidAt(kind, purpose, leaf=leaf, depth=depth)
