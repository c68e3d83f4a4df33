"""What people type for a field of a view, and back: words in a row, in the order of the seats where each has its own."""

import json
from collections.abc import Iterator
from typing import Any

from machiavel.engines import Rules
from machiavel.engines.fields import Flag, ItemSet, Kind, PerSeat, Type
from machiavel.engines.views import Field
from machiavel.server.forms.answer_shapes import holds_lists
from machiavel.server.forms.steps import listed, unaccented, yes

__all__ = ["as_entry", "is_of_one_seat", "read_entry"]

NOTHING = {"-", "–", "null", "none", "nobody", "rien", "personne", "aucun", "aucune"}
BETWEEN = "/"  # the lists of two seats
YES, NO = "yes", "no"


def is_of_one_seat(one: Field) -> bool:
    """Whether each seat has one, and a view shows its owner's alone."""
    return not one.c and isinstance(one.type, PerSeat) and bool(one.type.of.describe().get("null"))


def as_entry(value: Any) -> str:
    """A value of JSON as it is typed."""
    if value is None or value == []:
        return "-"
    if isinstance(value, bool):
        return YES if value else NO
    if isinstance(value, list) and any(isinstance(item, list) for item in value):
        if all(isinstance(item, list) and not any(isinstance(inner, list) for inner in item) for item in value):
            return f" {BETWEEN} ".join(map(as_entry, value))
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return " ".join(map(as_entry, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def read_entry(one: Field, rules: Rules, seat: int | None, entry: str) -> Any:
    """The JSON of what was typed; whether the field may hold it is not its business. Raises Wrong for yes or no alone."""
    if entry.lstrip()[:1] in {"[", "{", '"'}:
        try:
            return json.loads(entry)
        except (ValueError, RecursionError):
            pass
    spelled = {unaccented(str(text)): text for kind in kinds_in(one.type) for text in kind.numbers(rules)}
    kind = one.type
    if is_of_one_seat(one) and isinstance(kind, PerSeat):
        own = value_of(kind.of, spelled, entry)
        return [own if number == (seat or 0) else None for number in range(rules.players)]
    return in_order(kind, rules, value_of(kind, spelled, entry))


def in_order(kind: Type, rules: Rules, value: Any) -> Any:
    """A set in the order of its things, which nobody has to keep."""
    numbers = kind.kind.numbers(rules) if isinstance(kind, ItemSet) else {}
    return sorted(value, key=numbers.__getitem__) if numbers and all(item in numbers for item in value) else value


def value_of(kind: Type, spelled: dict[str, Any], entry: str) -> Any:
    shape, text = kind.describe(), entry.strip()
    if shape.get("type") in {"by_seat", "list"} and isinstance(shape["of"], dict) and holds_lists(shape["of"]):
        inner: Any = getattr(kind.shape(), "of", None)
        return [value_of(inner, spelled, part) for part in text.split(BETWEEN)]
    if holds_lists(shape):
        if text in NOTHING and not shape.get("null"):
            return []
        return [single(word, spelled) for word in listed(text)] if text not in NOTHING else []
    if isinstance(kind.shape(), Flag):
        return yes({}, text)
    return single(text, spelled)


def single(word: str, spelled: dict[str, Any]) -> Any:
    """One thing by its text, however it is spelled; a number; null for nobody and nothing."""
    if unaccented(word) in spelled:
        return spelled[unaccented(word)]
    if word.casefold() in NOTHING:
        return None
    if word.casefold() in {YES, "oui", "true"} or word.casefold() in {NO, "non", "false"}:
        return word.casefold() in {YES, "oui", "true"}
    return int(word) if word.lstrip("-").isascii() and word.lstrip("-").isdigit() else word


def kinds_in(kind: Type) -> Iterator[Kind]:
    """The kinds of things that a value of the type may hold."""
    found: Any = kind
    while isinstance(found, Type):
        own = getattr(found, "kind", None)
        if isinstance(own, Kind):
            yield own
        found = getattr(found, "of", None)
