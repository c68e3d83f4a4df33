"""Where hidden things lie in the states of a game, and how many of what lie there in many worlds at once.

A game that is declared says it with its truths: each field of them that its State keeps is a place of hidden things, or several.
What that cannot say a game declares as `hidden`. docs/schema.md tells how.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, singledispatch
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from machiavel.engines import fields

if TYPE_CHECKING:
    from machiavel.engines.plugin import Rules

__all__ = [
    "UNDEALT",
    "Counts",
    "HiddenCells",
    "HiddenField",
    "KindOfThings",
    "WorldColumns",
    "bits_of",
    "by_nobody",
    "by_owner",
    "cells_of_fields",
    "cells_of_json",
    "how_many",
    "left_over",
    "things_in",
]

Struct = Mapping[str, Any]
Counts = NDArray[np.uint8]
Column = NDArray[Any]
UNDEALT = "undealt"  # the place of what lies in no other
Path = tuple[str | int, ...]  # of names and places in lists
MOST_VALUES = 64  # of a hidden number; one with more is no thing that lies somewhere


@dataclass(frozen=True)
class KindOfThings:
    """Things that may lie in a place: what they are called, and how many of each there are, from what structs hold."""

    kind: str  # empty: that of the field where they are
    names: Sequence[str]
    count: Callable[[Column], Counts]  # one axis more, that of the things; of a row of numbers the last axis becomes that
    is_single: bool = True  # whether there is never more than one of a thing in a place


@dataclass(frozen=True)
class HiddenCells:
    """One hidden place in many worlds."""

    field: str
    seat: int | None  # whose it is
    index: int | None  # which of several
    kind: str
    names: Sequence[str]
    counts: Counts  # a row a world, a column a thing
    is_single: bool = False  # whether there is never more than one of a thing


Seen = Callable[[Struct, int | None], bool]  # whether whose view that struct is sees what is that seat's, or nobody's (None)


def by_nobody(view: Struct, owner: int | None) -> bool:  # noqa: ARG001
    return False


def by_owner(view: Struct, owner: int | None) -> bool:
    return bool(view["seat"] == owner)


@dataclass(frozen=True)
class HiddenField:
    """Places where things lie that not everybody sees: one, one for each seat, or several in a row, as its type says.

    `c` is where the engine's State keeps them; what is `seen` is left out. `cells` stands in place of all that for what no type
    says: it gets the rules, the struct of the view, and the worlds.
    """

    name: str
    type: fields.Type | None = None
    c: str = ""
    seen: Seen = by_nobody
    cells: Callable[["Rules", Struct, "WorldColumns"], Iterable[HiddenCells]] | None = None


class WorldColumns:
    """The fields of the structs of many worlds, as arrays with a row a world."""

    def __init__(self, native: Any, worlds: NDArray[np.uint8]) -> None:
        self.worlds = worlds
        self.places = struct_places(native)

    def __getitem__(self, path: str) -> Column:
        place = self.places
        for step in path.split("."):
            place = place[step]
        return self.column(place)

    def column(self, place: Any) -> Column:
        """What stands at a place; in a list, an axis more."""
        if isinstance(place, list):
            first, last = first_place(place), last_place(place)
            if first.is_followed_by(last, shape_of(place)):
                return self.block(first, shape_of(place))
            return np.stack([self.column(one) for one in place], axis=1)
        return self.block(place, ())

    def block(self, first: "BytePlace", shape: tuple[int, ...]) -> Column:
        size = first.width * int(np.prod(shape, dtype=int))
        content = np.ascontiguousarray(self.worlds[:, first.offset : first.offset + size])
        return content.view(first.dtype).reshape(len(self.worlds), *shape)


class BytePlace(NamedTuple):
    """Where in the bytes of a state a number stands."""

    offset: int
    width: int
    is_signed: bool

    @property
    def dtype(self) -> str:
        return f"<{'i' if self.is_signed else 'u'}{self.width}"

    def is_followed_by(self, last: "BytePlace", shape: tuple[int, ...]) -> bool:
        return last.offset - self.offset == self.width * (int(np.prod(shape, dtype=int)) - 1)


@lru_cache(maxsize=64)
def struct_places(native: Any) -> Any:
    """Where each number of a state stands: found by having states read whose bytes say where they are."""
    size = len(native.empty_state())
    low = native.state_fields(bytes(at & 255 for at in range(size)))
    high = native.state_fields(bytes(at >> 8 for at in range(size)))
    ones = native.state_fields(b"\x01" * size)
    most = native.state_fields(b"\xff" * size)
    return place_of(low, high, ones, most)


def place_of(low: Any, high: Any, ones: Any, most: Any) -> Any:
    if isinstance(low, dict):
        return {name: place_of(low[name], high[name], ones[name], most[name]) for name in low}
    if isinstance(low, list):
        return [place_of(*values) for values in zip(low, high, ones, most, strict=True)]
    return BytePlace((low & 255) | (high & 255) << 8, (ones.bit_length() + 7) // 8, most < 0)


def first_place(place: Any) -> BytePlace:
    return first_place(place[0]) if isinstance(place, list) else BytePlace(*place)


def last_place(place: Any) -> BytePlace:
    return last_place(place[-1]) if isinstance(place, list) else BytePlace(*place)


def shape_of(place: Any) -> tuple[int, ...]:
    return (len(place), *shape_of(place[0])) if isinstance(place, list) else ()


# ---- What things a type holds ----


@singledispatch
def things_in(kind: fields.Type, rules: "Rules") -> KindOfThings | None:  # noqa: ARG001
    """The things that values of a type are; None for one that holds none. A game registers types of its own."""
    return None


@things_in.register(fields.ItemSet)
def _(kind: fields.ItemSet, rules: "Rules") -> KindOfThings:
    numbers, names = listed(kind.kind.texts(rules))
    is_all = list(numbers) == list(range(len(numbers)))  # a slice costs nothing
    return KindOfThings(
        kind.kind.name, names, lambda raw: bits_of(raw)[..., : len(names)] if is_all else bits_of(raw)[..., numbers]
    )


@things_in.register(fields.Item)
def _(kind: fields.Item, rules: "Rules") -> KindOfThings:
    numbers, names = listed(kind.kind.texts(rules))
    return KindOfThings(kind.kind.name, names, lambda raw: (raw[..., None] == numbers).astype(np.uint8))


@things_in.register(fields.Items)
def _(kind: fields.Items, rules: "Rules") -> KindOfThings:
    numbers, names = listed(kind.kind.texts(rules))
    count = None if kind.count is None else fields.limit_of(kind.count, rules)
    return KindOfThings(kind.kind.name, names, lambda raw: how_many(raw[..., :count], numbers), is_single=False)


@things_in.register(fields.Nullable)
def _(kind: fields.Nullable, rules: "Rules") -> KindOfThings | None:
    return things_in(kind.of, rules)


@things_in.register(fields.Choice)
def _(kind: fields.Choice, rules: "Rules") -> KindOfThings:  # noqa: ARG001
    return valued(range(len(kind.names)), list(map(str, kind.names)))


@things_in.register(fields.Flag)
def _(kind: fields.Flag, rules: "Rules") -> KindOfThings:  # noqa: ARG001
    return valued(range(2), ["no", "yes"])


@things_in.register(fields.SeatNumber)
def _(kind: fields.SeatNumber, rules: "Rules") -> KindOfThings:  # noqa: ARG001
    return valued(range(rules.players), list(map(str, range(rules.players))))


@things_in.register(fields.Number)
def _(kind: fields.Number, rules: "Rules") -> KindOfThings | None:
    least, most = fields.limit_of(kind.least, rules), fields.limit_of(kind.largest, rules)
    if (most - least) // kind.step >= MOST_VALUES:
        return None
    values = range(least, most + 1, kind.step)
    return valued([kind.pack(rules, value) for value in values], list(map(str, values)))


def valued(values: Iterable[int], names: Sequence[str]) -> KindOfThings:
    numbers = np.array(list(values))
    return KindOfThings("", names, lambda raw: (raw[..., None] == numbers).astype(np.uint8))


def listed(texts: Mapping[int, Any] | Sequence[Any]) -> tuple[NDArray[np.int64], list[str]]:
    """The numbers of things, and what stands on them."""
    pairs = list(texts.items() if isinstance(texts, Mapping) else enumerate(texts))
    return np.array([number for number, _ in pairs], np.int64), [str(text) for _, text in pairs]


def bits_of(raw: Column) -> Counts:
    """Each bit of numbers, the lowest first; one axis more."""
    content = np.ascontiguousarray(raw)[..., None].view(np.uint8)
    return np.unpackbits(content, axis=-1, bitorder="little")


def how_many(raw: Column, numbers: NDArray[np.int64]) -> Counts:
    """How often each of the numbers stands in a row."""
    return np.asarray((raw[..., None] == numbers).sum(axis=-2, dtype=np.uint8))


# ---- The places of a game ----


def cells_of_fields(
    hidden: Iterable[HiddenField], rules: "Rules", view: Struct, native: Any, worlds: NDArray[np.uint8]
) -> Iterator[HiddenCells]:
    """All hidden places of a view, given as a struct, in worlds of it."""
    columns = WorldColumns(native, worlds)
    for one in hidden:
        if one.cells is not None:
            yield from one.cells(rules, view, columns)
        elif one.type is not None and one.c:
            yield from cells_of(one, one.type, rules, view, columns[one.c])


def cells_of(one: HiddenField, kind: fields.Type, rules: "Rules", view: Struct, raw: Column) -> Iterator[HiddenCells]:
    is_by_seat = isinstance(kind, fields.PerSeat)
    inside = kind.of if isinstance(kind, fields.PerSeat) else kind
    for seat in range(rules.players) if is_by_seat else [None]:
        if not one.seen(view, seat):
            yield from cells_in(one.name, inside, rules, raw if seat is None else raw[:, seat], seat)


def cells_in(name: str, kind: fields.Type, rules: "Rules", raw: Column, seat: int | None) -> Iterator[HiddenCells]:
    rows: list[tuple[int | None, Column]] = [(None, raw)]
    if isinstance(kind, fields.ListOf):
        count = raw.shape[1] if kind.count is None else fields.limit_of(kind.count, rules)
        kind, rows = kind.of, [(index, raw[:, index]) for index in range(count)]
    things = things_in(kind, rules)
    if things is not None:
        for index, row in rows:
            yield HiddenCells(name, seat, index, things.kind or name, things.names, things.count(row), things.is_single)


def left_over(name: str, kind: fields.Kind, *paths: str) -> HiddenField:
    """The things of a kind that are in none of these fields, each of which holds sets of them as bits: those not dealt."""

    def cells(rules: "Rules", view: Struct, columns: WorldColumns) -> Iterator[HiddenCells]:  # noqa: ARG001
        numbers, names = listed(kind.texts(rules))
        there = np.zeros(len(columns.worlds), np.uint64)
        for path in paths:
            column = columns[path].astype(np.uint64)
            there |= np.bitwise_or.reduce(column, axis=1) if column.ndim > 1 else column
        yield HiddenCells(name, None, None, kind.name, names, bits_of(~there)[:, numbers], is_single=True)

    return HiddenField(name, cells=cells)


# ---- Games that tell it by JSON alone ----


def cells_of_json(seen: Any, truths: Sequence[Any], which: NDArray[np.int64], players: int) -> Iterator[HiddenCells]:
    """All hidden places of a view as JSON, from the truths of its worlds; `which` is the number of each world's truth.

    What is null in the view, or missing, or otherwise than in truth, is hidden. A list with something for each seat is by seat;
    what the view's own seat has there, always the same, is no secret to it.
    """
    found: dict[Path, dict[int, list[str]]] = {}
    for number, truth in enumerate(truths):
        for path, things in hidden_in(seen, truth, (), players):
            found.setdefault(path, {})[number] = things
    for path, everywhere in found.items():
        seat, index = places_of(path, truths[0], players)
        is_constant = all(everywhere.get(number) == everywhere.get(0) for number in range(len(truths)))
        if seat is not None and seat == seen.get("seat") and is_constant:
            continue
        rows = {name: row for row, name in enumerate(sorted({name for things in everywhere.values() for name in things}))}
        counts = np.zeros((len(truths), len(rows)), np.uint8)
        for number, things in everywhere.items():
            for name in things:
                counts[number, rows[name]] += 1
        yield HiddenCells(str(path[0]), seat, index, str(path[0]), list(rows), counts[which])


def hidden_in(seen: Any, truth: Any, path: Path, players: int) -> Iterator[tuple[Path, list[str]]]:
    if path == ("seat",) or seen == truth:
        return
    if isinstance(truth, Mapping) and isinstance(seen, Mapping):
        for name, value in truth.items():
            yield from hidden_in(seen.get(name), value, (*path, name), players)
    elif isinstance(truth, list) and is_by_place(seen, truth, players):
        for at, value in enumerate(truth):
            yield from hidden_in(None if seen is None else seen[at], value, (*path, at), players)
    else:
        yield path, list(names_in(truth))


def is_by_place(seen: Any, truth: list[Any], players: int) -> bool:
    """Whether the places of a list are told apart: the view has it, or it has a list for each seat."""
    if seen is None:
        return len(truth) == players and all(isinstance(one, list | dict) for one in truth)
    return isinstance(seen, list) and len(truth) == len(seen)


def names_in(truth: Any) -> Iterator[str]:
    """What lies there, one by one: cards sorted under names are `NAME:card`."""
    if isinstance(truth, Mapping):
        for name, value in truth.items():
            yield from (f"{name}:{one}" for one in names_in(value))
    elif isinstance(truth, list):
        for value in truth:
            yield from names_in(value)
    elif truth is not None:
        yield str(truth).lower() if isinstance(truth, bool) else str(truth)


def places_of(path: Path, truth: Any, players: int) -> tuple[int | None, int | None]:
    """Whose place it is, and which of several."""
    numbers = [step for step in path if isinstance(step, int)]
    if numbers and isinstance(truth, Mapping) and len(truth[path[0]]) == players:
        return numbers[0], numbers[1] if numbers[1:] else None
    return None, numbers[0] if numbers else None
