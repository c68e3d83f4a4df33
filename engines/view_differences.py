"""Where views of one seat differ: places in their JSON, each with the values it has among them."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from machiavel.engines.fields import Each, Item, Items, ItemSet, ListOf, Nullable, Number, PairOf, PerSeat, RecordOf, Type
from machiavel.engines.views import ViewSchema

__all__ = [
    "ABSENT",
    "COUNT",
    "Place",
    "ViewDifference",
    "by_text",
    "differences",
    "is_heap",
    "is_within",
    "name_of",
    "put_value",
    "value_at",
    "value_or_absent",
]

Place = tuple[str | int, ...]  # the steps to a value in a view: names of fields, numbers of items
COUNT = "count"  # the last step where it is how many things stand in a row
ABSENT: Any = type("Absent", (), {"__repr__": lambda _: "ABSENT"})()  # what a row has at a place beyond its end
STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


@dataclass(frozen=True)
class ViewDifference:
    """A place at which views differ; `values` has what stands there, view by view.

    `type` is None where the game declares none. Where it is how many things stand in a row, `longest` is the longest row.
    """

    place: Place
    type: Type | None
    values: Sequence[Any]
    longest: Sequence[Any] | None = None

    def key(self, value: Any) -> str:
        """The same for values that are the same; where order means nothing, in any order."""
        if self.is_heap and isinstance(value, dict):
            value = {name: sorted(items, key=str) for name, items in value.items() if items}
        elif self.is_heap and isinstance(value, list):
            value = sorted(value, key=str)
        # An object may have its fields in any order.
        has_objects = isinstance(value, dict) or (
            isinstance(value, list) and any(isinstance(item, dict | list) for item in value)
        )
        return json.dumps(value, sort_keys=True) if has_objects else repr(value)

    @cached_property
    def keys(self) -> Sequence[str]:
        return [self.key(value) for value in self.values]

    @cached_property
    def name(self) -> str:
        return name_of(self.place)

    @cached_property
    def possible(self) -> Mapping[str, Any]:
        """Each value that there is, by its key."""
        pairs = zip(self.keys, self.values, strict=True)
        return dict(sorted((key, value) for key, value in pairs if value is not ABSENT))

    @cached_property
    def is_heap(self) -> bool:
        return is_heap(self.type)

    @cached_property
    def known(self) -> Any:
        """Of things in any order: those that are there in all views; None for other values."""
        return None if not self.is_heap else shared(list(self.possible.values()))

    @cached_property
    def more(self) -> int | None:
        """Of things in any order: how many there are besides; None where that differs."""
        counts = {size_of(value) for value in self.possible.values()} if self.is_heap else set()
        return counts.pop() - size_of(self.known) if len(counts) == 1 else None

    def whole(self, answer: Any) -> Any:
        """The value that was answered, with what is known of it where that was left out."""
        if not self.is_heap or self.more is None or size_of(answer) != self.more or not size_of(self.known):
            return answer
        return added(self.known, answer)


def differences(schema: ViewSchema | None, views: Sequence[Mapping[str, Any]]) -> list[ViewDifference]:
    """All places at which they differ, in the order of the fields: each as small as makes sense to ask for."""
    result: list[ViewDifference] = []
    for name in views[0]:
        one = None if schema is None else schema.by_name.get(name)
        result += found((name,), None if one is None else one.type, [view.get(name) for view in views])
    return result


def found(place: Place, kind: Type | None, values: Sequence[Any]) -> Iterator[ViewDifference]:
    first = values[0]
    if all(value == first for value in values):
        return
    shape = bare(kind)
    if isinstance(first, dict) and not is_heap(shape) and all(is_like(one, first) for one in values):
        for name in first:
            yield from found((*place, name), inside(shape, name), [value[name] for value in values])
    elif isinstance(first, list) and not is_whole(shape) and all(is_like(one, first) for one in values):
        for number in range(len(first)):
            yield from found((*place, number), inside(shape, number), [value[number] for value in values])
    elif isinstance(shape, Items) and not is_whole(shape) and all(isinstance(value, list) for value in values):
        yield from in_row(place, shape, values)
    else:
        yield ViewDifference(place, kind, values)


def in_row(place: Place, shape: Items, values: Sequence[Sequence[Any]]) -> Iterator[ViewDifference]:
    """Things in a row, now more and now fewer: how many there are, and each that is not always the same where it is there."""
    longest = max(values, key=len)
    yield ViewDifference((*place, COUNT), Number(), [len(value) for value in values], longest)
    for number, usual in enumerate(longest):
        items = [value[number] if number < len(value) else ABSENT for value in values]
        if any(item not in (usual, ABSENT) for item in items):
            yield ViewDifference((*place, number), inside(shape, number), items)


def is_like(one: Any, other: dict[str, Any] | list[Any]) -> bool:
    """Whether both are objects with the same fields, or lists of the same length."""
    if isinstance(other, list):
        return isinstance(one, list) and len(one) == len(other)
    return isinstance(one, dict) and one.keys() == other.keys()


def bare(kind: Type | None) -> Type | None:
    """Of what may be null: the type of what is not."""
    while isinstance(kind, Nullable):
        kind = kind.of
    return kind if kind is None or isinstance(kind, Each) else kind.shape()


def inside(shape: Type | None, step: str | int) -> Type | None:
    """The type of an item or field."""
    if isinstance(shape, RecordOf):
        return shape.fields.get(str(step))
    if isinstance(shape, PairOf):
        return (shape.first, shape.second)[int(step)]
    if isinstance(shape, Items):
        return Item(shape.kind)
    return shape.of if isinstance(shape, PerSeat | ListOf | Each) else None


def is_things(kind: Type | None) -> bool:
    """Whether it is a list of things whose order means nothing."""
    shape = bare(kind)
    return isinstance(shape, ItemSet) or (shape is not None and shape.ordered(["b", "a"]) == ["a", "b"])


def is_heap(kind: Type | None) -> bool:
    """Whether it is things in any order: a list, or an object with such lists, as cards by sort."""
    shape = bare(kind)
    return is_things(shape) or (isinstance(shape, RecordOf) and bool(shape.fields) and all(map(is_things, shape.fields.values())))


def is_whole(shape: Type | None) -> bool:
    """Whether it is asked for as one: things in any order, and rows of a game's own type, as dice under a cup."""
    return is_things(shape) or not (shape is None or isinstance(shape, PerSeat | ListOf | PairOf | Items | RecordOf | Each))


# ---- Heaps ----


def parts(value: Any) -> dict[str, list[Any]]:
    return value if isinstance(value, dict) else {"": value or []}


def as_before(value: Any, result: dict[str, list[Any]]) -> Any:
    return result if isinstance(value, dict) else result.get("", [])


def size_of(value: Any) -> int:
    return sum(map(len, parts(value).values()))


def shared(values: Sequence[Any]) -> Any:
    """What is in all of them; a thing as often as in the one that has the fewest."""
    first, *others = values
    counts: dict[str, Counter[Any]] = {name: Counter(items) for name, items in parts(first).items()}
    for other in others:
        counts = {name: some & Counter(parts(other).get(name, [])) for name, some in counts.items()}
    return as_before(first, {name: list(some.elements()) for name, some in counts.items()})


def added(known: Any, more: Any) -> Any:
    names = dict.fromkeys([*parts(known), *parts(more)])
    return as_before(known, {name: [*parts(known).get(name, []), *parts(more).get(name, [])] for name in names})


# ---- Places and values ----


def name_of(place: Place) -> str:
    """`hands[0].spies`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place).removeprefix(".")


def is_within(field: str, name: str) -> bool:
    """Whether a field of a view is what `name` names, or a part of it: `hand.cards` of `hand`, and not `hands[0]`."""
    return field.startswith(name) and field[len(name) : len(name) + 1] in {"", ".", "["}


def value_at(view: Any, place: Place) -> Any:
    for step in place:
        view = len(view) if step == COUNT and isinstance(view, list) else view[step]
    return view


def value_or_absent(view: Any, place: Place) -> Any:
    """What stands there; ABSENT where the view has no such place."""
    try:
        return value_at(view, place)
    except (LookupError, TypeError):
        return ABSENT


def put_value(view: Any, one: ViewDifference, value: Any) -> None:
    """Has the view say so. Of a row, how many there are is put in before what they are; a thing beyond its end is left out."""
    *path, last = one.place
    inside_of = value_at(view, tuple(path))
    if one.longest is not None:
        inside_of[:] = [*inside_of, *one.longest[len(inside_of) :]][:value]
    elif value is not ABSENT:
        inside_of[last] = value


def by_text(kind: Type | None, rules: Any, value: Any) -> Any:
    """A value whose things are told by their texts, as its view has it: some games have numbers for spies, say."""
    if isinstance(kind, Nullable):
        return by_text(kind.of, rules, value)
    if isinstance(kind, PerSeat | ListOf) and isinstance(value, list):
        return [by_text(kind.of, rules, one) for one in value]
    if isinstance(kind, RecordOf) and isinstance(value, dict):
        return {name: by_text(kind.fields.get(name), rules, one) for name, one in value.items()}
    if not isinstance(kind, Item | Items | ItemSet):
        return value
    things = {str(thing): thing for thing in kind.kind.numbers(rules)}
    if isinstance(value, list):
        return [things.get(one, one) if isinstance(one, str) else one for one in value]
    return things.get(value, value) if isinstance(value, str) else value
