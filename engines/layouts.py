"""Luck laid out by a caller: which fields lay out which outcomes of the engine. docs/schema.md tells how."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from machiavel.engines.errors import BadLayout, Problem, shown
from machiavel.engines.fields import Limit, ListOf, Place, RecordOf, Type, limit_of

if TYPE_CHECKING:
    from machiavel.engines.plugin import Rules

__all__ = ["Laid", "LaidHands", "LayoutSchema", "Outcome"]

Outcome = tuple[int, int, bytes]  # purpose, counter, items


@dataclass(frozen=True)
class Laid(Type):
    """A value of a layout that is luck of some purpose.

    Its counter is the number of the item of the list it stands in, or 0. With `each`, every item of its own is an outcome by
    itself: the counter is `stride` times that, and its place.
    """

    of: Type
    purpose: int
    each: bool = False
    stride: Limit = 1
    name: str = field(default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.of.name)

    def read(self, place: Place, value: Any) -> Any:
        return self.of.read(place, value)

    def describe(self) -> dict[str, Any]:
        return self.of.describe()

    def shape(self) -> Type:
        return self.of.shape()

    def outcomes(self, rules: "Rules", value: Any, counter: int) -> Iterator[Outcome]:
        raw = self.of.pack(rules, value)
        if self.each:
            first = counter * limit_of(self.stride, rules)
            yield from ((self.purpose, first + number, bytes([one])) for number, one in enumerate(raw))
        else:
            yield self.purpose, counter, bytes(raw if isinstance(raw, list) else [raw])

    def is_of(self, purpose: int) -> bool:
        return purpose == self.purpose

    def where(self, rules: "Rules", path: str, purpose: int, counter: int) -> str:  # noqa: ARG002
        """Where in a layout an outcome of that purpose stands; `path` is that of this value, with `[]` for the list it is in."""
        if not self.each:
            return path.replace("[]", f"[{counter}]")
        outer, place = divmod(counter, limit_of(self.stride, rules)) if "[]" in path else (0, counter)
        return f"{path.replace('[]', f'[{outer}]')}[{place}]"

    def text(self, rules: "Rules", raw: int) -> str:
        """One item of an outcome, to be read."""
        one: Any = self.of
        while hasattr(one, "of"):
            one = one.of
        kind = getattr(one, "kind", None)
        return str(kind.texts(rules)[raw] if kind is not None else one.json(rules, one.unpack(rules, raw)))


@dataclass(frozen=True)
class LaidHands(Laid):
    """A hand for each seat, all as one outcome: the cards of those still in, seat by seat. A hand of who is out is empty.

    Other seats have other luck: those still in stand in the purpose, too, as bits. `size` is how many cards a hand has in that
    item of the list; in the first one nobody is out.
    """

    size: Callable[[int], int] = field(kw_only=True)

    def read(self, place: Place, value: Any) -> Any:
        hands, count = self.of.read(place, value), self.size(place.number)
        cards: list[int] = []
        for seat, hand in enumerate(hands or ()):
            if len(hand) != count and (hand or not place.number):
                return place.at(seat).bad("some_cards" if place.number else "cards", value=shown(value[seat]), count=count)
            cards += hand
            twice = next((card for card in hand if cards.count(card) > 1), None)
            if twice is not None:
                return place.bad("dealt_twice", item=self.text(place.rules, twice))
        return hands

    def outcomes(self, rules: "Rules", value: Any, counter: int) -> Iterator[Outcome]:  # noqa: ARG002
        seats = sum(bool(hand) << seat for seat, hand in enumerate(value))
        yield self.purpose | seats << 8, counter, bytes(card for hand in value for card in hand)

    def is_of(self, purpose: int) -> bool:
        return purpose & 0xFF == self.purpose

    def where(self, rules: "Rules", path: str, purpose: int, counter: int) -> str:
        seats = ", ".join(str(seat) for seat in range(rules.players) if purpose >> 8 + seat & 1)
        return f"{path.replace('[]', f'[{counter}]')} of seats {seats} alone"


class LayoutSchema:
    """The luck that a caller may lay out: an object whose fields may be left out, and lists that may be cut short."""

    def __init__(self, **fields: Type) -> None:
        self.record = RecordOf(fields, optional=fields)

    def read(self, rules: "Rules", layout: Mapping[str, Any]) -> dict[str, Any]:
        """The values of a layout, without what is null; raises BadLayout for the first problem, with all others beside it."""
        problems: list[Problem] = []
        told = {name: value for name, value in layout.items() if value is not None}
        result = Place(rules, "", problems).whole(self.record, told)
        refuse_layout(problems)
        return dict(result)

    def outcomes(self, rules: "Rules", values: Mapping[str, Any]) -> list[Outcome]:
        """Those of the fields that say their purpose; a game adds the others."""
        return list(laid(rules, self.record, values, 0))

    def outcome_name(self, rules: "Rules", purpose: int, counter: int) -> str:
        """Where in a layout that outcome stands."""
        path, one = self.leaf(purpose)
        return one.where(rules, path, purpose, counter)

    def outcome_text(self, rules: "Rules", purpose: int, items: bytes) -> str:
        _, one = self.leaf(purpose)
        return ", ".join(one.text(rules, item) for item in items)

    def leaf(self, purpose: int) -> tuple[str, Laid]:
        return next((path, one) for path, one in leaves(self.record, "") if one.is_of(purpose))


def refuse_layout(problems: Sequence[Problem]) -> None:
    if problems:
        raise BadLayout(problems[0].field or "layout", problems[0].problem, problems)


def laid(rules: "Rules", kind: Type, value: Any, counter: int) -> Iterator[Outcome]:
    if isinstance(kind, Laid):
        yield from kind.outcomes(rules, value, counter)
    elif isinstance(kind, RecordOf):
        for name, one in value.items():
            yield from laid(rules, kind.fields[name], one, counter)
    elif isinstance(kind, ListOf):
        for number, one in enumerate(value):
            yield from laid(rules, kind.of, one, number)


def leaves(kind: Type, path: str) -> Iterator[tuple[str, Laid]]:
    """All luck that can be laid out, and where it stands."""
    if isinstance(kind, Laid):
        yield path, kind
    elif isinstance(kind, RecordOf):
        for name, one in kind.fields.items():
            yield from leaves(one, f"{path}.{name}" if path else name)
    elif isinstance(kind, ListOf):
        yield from leaves(kind.of, f"{path}[]")
