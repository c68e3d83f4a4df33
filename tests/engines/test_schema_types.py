"""Types of values that games declare: what they read, what they refuse and in which words, and what their forms come to."""

from dataclasses import dataclass
from typing import Any

import pytest

from machiavel.engines import BadDeck, NotAMove, Rules
from machiavel.engines.decks import Deck
from machiavel.engines.errors import Problem
from machiavel.engines.fields import (
    BAD,
    Choice,
    Each,
    Flag,
    Item,
    Items,
    ItemSet,
    Kind,
    ListOf,
    Nullable,
    Number,
    PairOf,
    PerSeat,
    Place,
    RecordOf,
    Text,
    Type,
)
from machiavel.engines.moves import MoveKind, MovePart, MoveSchema
from machiavel.engines.phrases import Phrases, Wording
from machiavel.engines.views import FOLLOWS, NEVER, Field, Usual, ViewSchema


@dataclass(frozen=True)
class House:
    """What the kinds here find in the rules."""

    rooms: tuple[str, ...]


RULES = Rules(None, 2, {}, "", House(("hall", "attic", "cellar")))
ROOM = Kind.listed("room", lambda rules: rules.tables.rooms)
FACE = Kind.fixed("face", (5, 10))
TILE = RecordOf({"id": Item(ROOM), "clock": Number(0, 55, step=5)}, is_whole=True)
WORDS = Phrases({"en": {"problems": {"odd": "is {value}"}}, "fr": {"problems": {"odd": "vaut {value}"}}})


def read(kind: Type, value: Any) -> tuple[Any, list[tuple[str, str]]]:
    problems: list[Problem] = []
    result = kind.read(Place(RULES, "x", problems), value)
    return result, [(problem.field, problem.problem) for problem in problems]


READ: list[tuple[Type, Any, Any, Any]] = [
    (Item(ROOM), "attic", 1, 1),
    (Item(FACE), 10, 1, 1),
    (Choice((5, 10)), 10, 1, 1),
    (Items(ROOM, any_order=True), ["cellar", "hall"], [0, 2], [0, 2]),
    (ItemSet(ROOM, any_order=True), ["cellar", "hall"], 5, 5),
    (Each(ROOM, Item(FACE)), {"attic": 10, "hall": 5, "cellar": 5}, [0, 1, 0], [0, 1, 0]),
    (TILE, {"id": "attic", "clock": 35}, {"id": 1, "clock": 35}, [1, 7]),
    (Nullable(TILE, [255, 255]), None, None, [255, 255]),
    (PerSeat(Flag(), packed=1), [False, True], [False, True], 2),
    (PerSeat(Nullable(Item(ROOM), 15)), [None, "hall"], [None, 0], [15, 0]),
    (PerSeat(Number(0, 3), packed=2), [3, 1], [3, 1], 7),
    (ListOf(Number(1, 9, plus=1)), [1, 9], [1, 9], [0, 8]),
]


@pytest.mark.parametrize(("kind", "told", "value", "raw"), READ)
def test_a_value_has_three_forms(kind: Type, told: Any, value: Any, raw: Any) -> None:
    assert read(kind, told) == (value, [])
    assert kind.pack(RULES, value) == raw
    assert kind.unpack(RULES, raw) == value
    assert kind.ordered(kind.json(RULES, value)) == kind.ordered(told)
    assert kind.agrees(told, kind.json(RULES, value))
    writer = kind.writer(RULES)
    assert (value if writer is None else writer(value)) == kind.json(RULES, value)


REFUSED: list[tuple[Type, Any, list[tuple[str, str]]]] = [
    (Item(ROOM), "barn", [("x", "is 'barn'; expected one of hall, attic, cellar")]),
    (Item(FACE), True, [("x", "is True; expected one of 5, 10")]),
    (Item(ROOM), ["hall"], [("x", "is ['hall']; expected one of hall, attic, cellar")]),
    (Choice((5, 10)), "5", [("x", "is '5'; expected one of 5, 10")]),
    (Number(5, 55, step=5), 7, [("x", "is 7; expected a multiple of 5 from 5 to 55")]),
    (Items(ROOM), ["barn"], [("x", "holds 'barn'; expected some of hall, attic, cellar")]),
    (Items(ROOM, count=2), ["hall"], [("x", "is ['hall']; expected a list of 2")]),
    (Items(ROOM, longest=1), ["hall", "hall"], [("x", "is ['hall', 'hall']; expected a list of at most 1")]),
    (Items(ROOM, is_distinct=True), ["hall", "hall"], [("x", "holds hall twice")]),
    (ItemSet(ROOM, any_order=True), ["hall", "hall"], [("x", "holds hall twice")]),
    (ListOf(Number(), least=1), [], [("x", "is []; expected a list of at least 1")]),
    (ListOf(TILE, least=2, longest=3), [{}], [("x", "are 1; expected 2 to 3")]),
    (ListOf(TILE, count=2), [{}], [("x", "are 1; expected 2")]),
    (PerSeat(Flag()), [True, 1], [("x[1]", "is 1; expected true or false")]),
    (PerSeat(Flag(), is_numbered=False), [True, 1], [("x", "holds 1; expected true or false")]),
    (TILE, {"id": "hall"}, [("x", "is {'id': 'hall'}; expected an object with id, clock")]),
    (TILE, {"id": "barn", "clock": 60}, [("x.id", "is 'barn'; expected one of hall, attic, cellar"), ("x.clock", "is 60; ")]),
    (
        RecordOf({"a": Number(0, 9), "b": Flag()}),
        {"c": 1},
        [
            ("x.c", "is unknown; fields here: a, b"),
            ("x.a", "is missing; expected a whole number from 0 to 9"),
            ("x.b", "is missing; expected true or false"),
        ],
    ),
    (
        Each(ROOM, Item(FACE)),
        {"hall": 7, "barn": 5, "attic": 5},
        [
            ("x.barn", "is unknown; fields here: hall, attic, cellar"),
            ("x.hall", "is 7; expected one of 5, 10"),
            ("x.cellar", "is missing; expected one of 5, 10"),
        ],
    ),
    (Each(ROOM, Item(FACE), is_whole=True), {}, [("x", "expected an object with one of 5, 10 for each of hall, attic, cellar")]),
    (Text(), 3, [("x", "is 3; expected a text")]),
    (PairOf(Number(), Number(), name="[row, column]"), [1], [("x", "is [1]; expected [row, column]")]),
]


@pytest.mark.parametrize(("kind", "told", "problems"), REFUSED)
def test_what_is_no_such_value_is_told_all_at_once(kind: Type, told: Any, problems: list[tuple[str, str]]) -> None:
    value, found = read(kind, told)
    assert value is BAD
    assert [field for field, _ in found] == [field for field, _ in problems]
    assert all(text.startswith(expected) for (_, text), (_, expected) in zip(found, problems, strict=True)), found
    assert all(isinstance(text, Wording) and text.texts["fr"] != text for _, text in found)


def missing_and_values(schema: ViewSchema, data: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    problems: list[Problem] = []
    values = schema.values(RULES, data, problems, {})
    return [problem.field for problem in problems], values


def test_what_a_field_usually_is_may_follow_from_the_rules_or_have_to_be_told() -> None:
    schema = ViewSchema(
        Field("seat", Number(), left_out=FOLLOWS),
        Field("rooms", ItemSet(ROOM), left_out=Usual(["hall", "attic"])),
        Field("powers", PerSeat(Flag()), left_out=Usual(lambda rules: [False] * rules.players)),
        Field("given", Item(ROOM), left_out=Usual(lambda _: BAD)),
        Field("other", Item(ROOM), left_out=NEVER),
    )
    missing, values = missing_and_values(schema, {})
    assert missing == ["other", "given"]
    assert values == {"seat": None, "rooms": 3, "powers": [False, False], "given": BAD, "other": BAD}
    assert missing_and_values(schema, {"given": "attic", "other": "hall", "rooms": []})[1]["rooms"] == 0


# ---- Decks ----

ENTRY = RecordOf({"id": Text(), "to": Item(ROOM)})


def deck(*entries: Any) -> Deck:
    return Deck("mine.toml", {"rooms": list(entries)}, WORDS)


def refused(act: Any) -> tuple[str, str]:
    with pytest.raises(BadDeck) as caught:
        act()
    assert caught.value.source == "mine.toml"
    return caught.value.key, caught.value.problem


def test_a_deck_is_read_by_its_ids_and_then_by_its_types() -> None:
    mine = deck({"id": "hall", "to": "attic"}, {"id": "attic", "to": "hall"})
    known = House(mine.ids("rooms"))
    assert known.rooms == ("hall", "attic")
    values = mine.values(RecordOf({"rooms": ListOf(ENTRY)}), known)
    assert values == {"rooms": [{"id": "hall", "to": 1}, {"id": "attic", "to": 0}]}
    nested = Deck("mine.toml", {"a": [{"b": [{"id": "x"}]}, 7, {"b": [{"id": "x"}]}]}, WORDS)
    assert refused(lambda: nested.ids("a.b")) == ("a[2].b[0].id", "is 'x' again; each id once")


def test_what_is_wrong_with_a_deck_is_told_with_its_key() -> None:
    schema = RecordOf({"rooms": ListOf(ENTRY)})
    assert refused(lambda: deck({"id": "Hall"}).ids("rooms"))[0] == "rooms[0].id"
    assert "none of red" in refused(lambda: deck({"id": "red"}).ids("rooms", ["red"]))[1]
    key, problem = refused(lambda: deck({"id": "hall", "to": "barn"}).values(schema, RULES.tables))
    assert (key, problem) == ("rooms[0].to", "is 'barn'; expected one of hall, attic, cellar")
    assert refused(lambda: deck({"id": "hall"}).values(schema, RULES.tables))[0] == "rooms[0].to"
    key, problem = refused(lambda: deck().expect(False, "rooms", "odd", value=3))
    assert (key, problem) == ("rooms", "is 3")
    deck().expect(True, "rooms", "odd", value=3)


# ---- Moves ----


def test_one_text_may_mean_two_moves_and_tables_are_shared_by_what_they_depend_on() -> None:
    needs = Kind("need", lambda _: {0: "", 1: ":hall", 5: ":hall"}, lambda _: {})
    schema = MoveSchema(
        MoveKind("card{need}", 10, [MovePart("need", needs)]),
        MoveKind("Go:{room}", 20, [MovePart("room", ROOM)]),
        shorter=lambda _, text: [text[3:]] if text.startswith("Go:") else [],
        depends_on=lambda rules: rules.tables,
    )
    other = Rules(None, 3, {}, "", RULES.tables)
    assert schema.table(RULES) is schema.table(other)
    expected = Wording({"en": "a move", "fr": "un coup"})
    for text, moves in (("card:hall", [11, 15]), ("CARD : hall", [11, 15]), ("card", [10]), ("go:attic", [21]), ("attic", [21])):
        assert list(schema.parse(RULES, text, lambda: expected)) == moves
    with pytest.raises(NotAMove, match="expected a move"):
        schema.parse(RULES, "go", lambda: expected)
