"""The types of what fields of a game hold: lists and objects here, single values in `scalars`; docs/schema.md lists them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from machiavel.engines._words import card_list
from machiavel.engines.errors import shown
from machiavel.engines.phrases import Wording
from machiavel.engines.scalars import Change, Choice, Flag, Item, Kind, Number, SeatNumber, Text, Type
from machiavel.engines.value_places import BAD, MOST_PROBLEMS, Glance, Limit, Place, limit_of, problem_text

if TYPE_CHECKING:
    from machiavel.engines.plugin import Rules

__all__ = [
    "BAD",
    "MOST_PROBLEMS",
    "Change",
    "Choice",
    "Each",
    "Flag",
    "Glance",
    "Item",
    "ItemSet",
    "Items",
    "Kind",
    "Limit",
    "ListOf",
    "Nullable",
    "Number",
    "PairOf",
    "PerSeat",
    "Place",
    "RecordOf",
    "SeatNumber",
    "SeatSet",
    "Seats",
    "Text",
    "Type",
    "limit_of",
    "problem_text",
]


def in_order(data: Any) -> Any:
    return sorted(data) if isinstance(data, list) else data


def numbers_of(kind: Kind, place: Place, items: Any, *, is_distinct: bool) -> Any:
    """The things of a list that stand at one place, by number; or BAD."""
    numbers = kind.read(place.of(0, is_numbered=False), items or ())
    if items is BAD or BAD in numbers:
        return BAD
    if is_distinct and len(set(numbers)) < len(numbers):
        return place.bad("twice", item=next(item for at, item in enumerate(items) if item in items[:at]))
    return numbers


@dataclass(frozen=True)
class ItemSet(Type):
    """Different things of a kind, as a list; in the struct and for the game's code the bits of a number."""

    kind: Kind
    any_order: bool = False
    name: str = "list of text"

    def read(self, place: Place, value: Any) -> Any:
        numbers = numbers_of(self.kind, place, place.items(value), is_distinct=True)
        if numbers is BAD:
            return BAD
        if not self.any_order and self.kind.expected is None and numbers != sorted(numbers):
            return place.bad("in_order", value=shown(value), known=self.kind.known(place.rules))
        return sum(1 << number for number in numbers)

    def writer(self, rules: "Rules") -> Change | None:
        texts = self.kind.texts(rules)
        return lambda value: card_list(value, texts)

    def ordered(self, data: Any) -> Any:
        return in_order(data) if self.any_order else data

    def describe(self) -> dict[str, Any]:
        return {"type": "items", "of": self.kind.name}


@dataclass(frozen=True)
class Items(Type):
    """Things of a kind in a row, as a list of numbers; an array of the struct may be longer than `count`."""

    kind: Kind
    count: Limit | None = None
    longest: Limit | None = None
    is_distinct: bool = False
    any_order: bool = False
    name: str = "list of text"

    def read(self, place: Place, value: Any) -> Any:
        numbers = numbers_of(self.kind, place, place.items(value, self.count, self.longest), is_distinct=self.is_distinct)
        return sorted(numbers) if self.any_order and numbers is not BAD else numbers

    def expected(self, rules: "Rules") -> Wording:
        count = None if self.count is None else limit_of(self.count, rules)
        return problem_text("different" if self.is_distinct else "several", count=count, known=self.kind.known(rules))

    def writer(self, rules: "Rules") -> Change | None:
        texts = self.kind.texts(rules)
        return lambda value: [texts[number] for number in value]

    def unpack(self, rules: "Rules", raw: Any) -> Any:
        return raw if self.count is None else raw[: limit_of(self.count, rules)]

    def ordered(self, data: Any) -> Any:
        return in_order(data) if self.any_order else data

    def describe(self) -> dict[str, Any]:
        return {"type": "items", "of": self.kind.name}


@dataclass(frozen=True)
class Seats(Type):
    """Different seats in a row."""

    name: str = "list of int"

    def read(self, place: Place, value: Any) -> Any:
        items, one = place.items(value), SeatNumber()
        seats = [one.read(place, item) for item in items or ()]
        if items is BAD or BAD in seats:
            return BAD
        return seats if len(set(seats)) == len(seats) else place.bad("seat_twice", seats=shown(seats))

    def describe(self) -> dict[str, Any]:
        return {"type": "seats"}


@dataclass(frozen=True)
class SeatSet(Seats):
    """Different seats, ascending; in the struct the bits of a number."""

    def pack(self, rules: "Rules", value: Any) -> Any:  # noqa: ARG002
        return sum(1 << seat for seat in value)

    def unpack(self, rules: "Rules", raw: Any) -> Any:
        return [seat for seat in range(rules.players) if raw >> seat & 1]

    def most(self, rules: "Rules") -> int:
        return (1 << rules.players) - 1


@dataclass(frozen=True)
class PerSeat(Type):
    """A value for each seat. In the struct they stand in an array of its own length, or `packed` into so many bits each."""

    of: Type
    packed: int = 0
    is_numbered: bool = True  # whether a problem names the seat
    name: str = field(default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", f"list of {self.of.name}, by seat")

    def read(self, place: Place, value: Any) -> Any:
        items = place.items(value, place.rules.players)
        values = [self.of.read(place.of(seat, is_numbered=self.is_numbered), item) for seat, item in enumerate(items or ())]
        return BAD if items is BAD or any(one is BAD for one in values) else values

    def writer(self, rules: "Rules") -> Change | None:
        of = self.of.writer(rules)
        return None if of is None else lambda value: [of(one) for one in value]

    def pack(self, rules: "Rules", value: Any) -> Any:
        raw = [self.of.pack(rules, one) for one in value]
        return sum(one << self.packed * seat for seat, one in enumerate(raw)) if self.packed else raw

    def unpacker(self, rules: "Rules") -> Change | None:
        of, players, packed, mask = self.of.unpacker(rules), rules.players, self.packed, (1 << self.packed) - 1
        if packed:
            bits = range(0, packed * players, packed)
            return lambda raw: [raw >> bit & mask if of is None else of(raw >> bit & mask) for bit in bits]
        return lambda raw: raw[:players] if of is None else [of(one) for one in raw[:players]]

    def ordered(self, data: Any) -> Any:
        return [self.of.ordered(one) for one in data] if isinstance(data, list) else data

    def most(self, rules: "Rules") -> int:
        return (1 << self.packed * rules.players) - 1 if self.packed else self.of.most(rules)

    def describe(self) -> dict[str, Any]:
        return {"type": "by_seat", "of": self.of.describe()}


@dataclass(frozen=True)
class ListOf(Type):
    """Values in a row."""

    of: Type
    count: Limit | None = None
    longest: Limit | None = None
    is_numbered: bool = True  # whether a problem names the item
    least: int = 0
    name: str = field(default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or f"list of {self.of.name}")

    def read(self, place: Place, value: Any) -> Any:
        items = place.items(value, self.count, self.longest, self.least)
        values = [self.of.read(place.of(number, is_numbered=self.is_numbered), item) for number, item in enumerate(items or ())]
        return BAD if items is BAD or any(one is BAD for one in values) else values

    def writer(self, rules: "Rules") -> Change | None:
        of = self.of.writer(rules)
        return None if of is None else lambda value: [of(one) for one in value]

    def pack(self, rules: "Rules", value: Any) -> Any:
        return [self.of.pack(rules, one) for one in value]

    def unpacker(self, rules: "Rules") -> Change | None:
        of = self.of.unpacker(rules)
        return None if of is None else lambda raw: [of(one) for one in raw]

    def ordered(self, data: Any) -> Any:
        return [self.of.ordered(one) for one in data] if isinstance(data, list) else data

    def expected(self, rules: "Rules") -> Wording:  # noqa: ARG002
        return problem_text("a_list")

    def agrees(self, told: Any, result: Any) -> bool:
        return len(told) == len(result) and all(map(self.of.agrees, told, result))

    def describe(self) -> dict[str, Any]:
        return {"type": "list", "of": self.of.describe()}


@dataclass(frozen=True)
class PairOf(Type):
    """Two values of fixed meaning, such as `[seat, card]`."""

    first: Type
    second: Type
    name: str = "[seat, card]"

    def read(self, place: Place, value: Any) -> Any:
        if not isinstance(value, list) or len(value) != 2:
            return place.bad("pair_inside" if place.is_inside else "pair", value=shown(value), expected=self.name)
        values = [self.first.read(place, value[0]), self.second.read(place, value[1])]
        return BAD if BAD in values else values

    def expected(self, rules: "Rules") -> Wording:  # noqa: ARG002
        return problem_text("a_pair", expected=self.name)

    def json(self, rules: "Rules", value: Any) -> Any:
        return [self.first.json(rules, value[0]), self.second.json(rules, value[1])]

    def describe(self) -> dict[str, Any]:
        return {"type": "pair", "of": [self.first.describe(), self.second.describe()]}


@dataclass(frozen=True)
class Nullable(Type):
    """A value, or null; `none` is what the struct holds for null."""

    of: Type
    none: Any = None
    name: str = field(default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", f"{self.of.name} or null")

    def read(self, place: Place, value: Any) -> Any:
        return None if value is None else self.of.read(place, value)

    def writer(self, rules: "Rules") -> Change | None:
        of = self.of.writer(rules)
        return None if of is None else lambda value: None if value is None else of(value)

    def pack(self, rules: "Rules", value: Any) -> Any:
        return self.none if value is None else self.of.pack(rules, value)

    def unpacker(self, rules: "Rules") -> Change | None:
        of, none = self.of.unpacker(rules), self.none
        return lambda raw: None if raw == none else raw if of is None else of(raw)

    def ordered(self, data: Any) -> Any:
        return None if data is None else self.of.ordered(data)

    def agrees(self, told: Any, result: Any) -> bool:
        return told is result if told is None or result is None else self.of.agrees(told, result)

    def most(self, rules: "Rules") -> int:
        return self.of.most(rules)

    def describe(self) -> dict[str, Any]:
        return self.of.describe() | {"null": True}


@dataclass(frozen=True)
class RecordOf(Type):
    """An object with these fields, by name; `optional` ones may be left out. In the struct they stand in a row.

    What is unknown or missing is told of each field, or, where it `is_whole`, of the object.
    """

    fields: Mapping[str, Type]
    optional: Iterable[str] = ()
    is_whole: bool = False
    name: str = "object"

    def read(self, place: Place, value: Any) -> Any:
        if not isinstance(value, Mapping) or (self.is_whole and value.keys() != self.fields.keys()):
            return place.bad("object", value=shown(value), fields=", ".join(self.fields))
        return read_fields(place, value, self.fields, self.optional)

    def writer(self, rules: "Rules") -> Change | None:
        every = [(name, kind.writer(rules)) for name, kind in self.fields.items()]
        if not self.optional:
            return lambda value: {name: value[name] if of is None else of(value[name]) for name, of in every}
        writers = [(name, of) for name, of in every if of is not None]

        def write(value: Mapping[str, Any]) -> dict[str, Any]:
            result = dict(value)
            for name, of in writers:
                if name in result:
                    result[name] = of(result[name])
            return result

        return write

    def pack(self, rules: "Rules", value: Any) -> Any:
        return [kind.pack(rules, value[name]) for name, kind in self.fields.items()]

    def unpacker(self, rules: "Rules") -> Change | None:
        inside = [(name, kind.unpacker(rules)) for name, kind in self.fields.items()]
        return lambda raw: {name: one if of is None else of(one) for (name, of), one in zip(inside, raw, strict=True)}

    def ordered(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        return {name: self.fields[name].ordered(one) for name, one in sorted(data.items()) if name in self.fields}

    def expected(self, rules: "Rules") -> Wording:  # noqa: ARG002
        return problem_text("an_object", fields=", ".join(self.fields))

    def agrees(self, told: Any, result: Any) -> bool:
        """What was left out does not matter."""
        return all(self.fields[name].agrees(one, result[name]) for name, one in told.items())

    def describe(self) -> dict[str, Any]:
        return {"type": "record", "fields": {name: kind.describe() for name, kind in self.fields.items()}}


def read_fields(place: Place, value: Mapping[str, Any], fields: Mapping[str, Type], optional: Iterable[str] = ()) -> Any:
    result, before = {}, len(place.problems)
    if not value.keys() <= fields.keys():
        for name in [str(name) for name in value if name not in fields]:
            place.at(name).bad("unknown_field", fields=", ".join(fields))
    for name, kind in fields.items():
        if name in value:
            result[name] = kind.read(place.at(name), value[name])
        elif name not in optional:
            place.at(name).bad("missing_of", expected=kind.expected(place.rules))
    return result if len(place.problems) == before else BAD


@dataclass(frozen=True)
class Each(Type):
    """An object with a value for each thing of a kind, such as every room; a list in their order for the game's code.

    Where it `is_whole`, what is unknown or missing is told of the object.
    """

    kind: Kind
    of: Type
    is_whole: bool = False
    name: str = "object"

    def read(self, place: Place, value: Any) -> Any:
        fields = dict.fromkeys(self.kind.numbers(place.rules), self.of)
        if not isinstance(value, Mapping) or (self.is_whole and value.keys() != fields.keys()):
            return place.bad("each", known=self.kind.known(place.rules), expected=self.of.expected(place.rules))
        values = read_fields(place, value, fields)
        return BAD if values is BAD else [values[name] for name in fields]

    def writer(self, rules: "Rules") -> Change | None:
        names, of = list(self.kind.numbers(rules)), self.of.writer(rules)
        return lambda value: dict(zip(names, value if of is None else map(of, value), strict=True))

    def pack(self, rules: "Rules", value: Any) -> Any:
        return [self.of.pack(rules, one) for one in value]

    def unpacker(self, rules: "Rules") -> Change | None:
        of = self.of.unpacker(rules)
        return None if of is None else lambda raw: [of(one) for one in raw]

    def ordered(self, data: Any) -> Any:
        return {name: self.of.ordered(one) for name, one in sorted(data.items())} if isinstance(data, Mapping) else data

    def shape(self) -> Type:
        return RecordOf({})

    def expected(self, rules: "Rules") -> Wording:
        return problem_text("an_each", known=self.kind.known(rules))

    def describe(self) -> dict[str, Any]:
        return {"type": "each", "kind": self.kind.name, "of": self.of.describe()}
