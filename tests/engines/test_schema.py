"""Declared games: types, all that is wrong at once, room in the struct, what follows from the rest, moves and layouts."""

from collections.abc import Mapping
from typing import Any

import pytest

from machiavel.engines import BadLayout, BadView, IncompatibleEngine, NotAMove, load
from machiavel.engines.errors import Problem
from machiavel.engines.fields import (
    BAD,
    MOST_PROBLEMS,
    Choice,
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
    SeatNumber,
    Seats,
    SeatSet,
    Type,
)
from machiavel.engines.layouts import Laid, LayoutSchema
from machiavel.engines.moves import SEAT, MoveKind, MovePart, MoveSchema
from machiavel.engines.phrases import Phrases, Wording
from machiavel.engines.plugin import Rules
from machiavel.engines.views import BY_SPECTATORS, FOLLOWS, Field, Usual, ViewReader, ViewSchema
from tests.engines.games import GAMES

RULES = Rules(None, 3, {}, "")
CARD = Kind.fixed("card", ["A", "B", "C"], lambda _: Wording({"en": "a card, as A", "fr": "une carte, comme A"}))
SUIT = Kind.fixed("suit", ["C", "D", "H", "S"])
ENTRY = RecordOf({"card": Item(CARD), "by": SeatNumber()}, optional=["by"])

# Type, JSON, what the game's code has of it, what the struct has.
VALUES: list[tuple[Type, Any, Any, Any]] = [
    (Number(1, 7, plus=1), 3, 3, 2),
    (Number(0, 50, step=5), 15, 15, 3),
    (Flag(), True, True, 1),
    (SeatNumber(none=255), 2, 2, 2),
    (SeatNumber(none=255), None, None, 255),
    (Choice(("lead", "play")), "play", 1, 1),
    (Item(CARD), "B", 1, 1),
    (ItemSet(CARD), ["A", "C"], 5, 5),
    (Items(CARD), ["C", "A"], [2, 0], [2, 0]),
    (Seats(), [2, 0], [2, 0], [2, 0]),
    (SeatSet(), [0, 2], [0, 2], 5),
    (PerSeat(Number(0, 9)), [1, 2, 3], [1, 2, 3], [1, 2, 3]),
    (PerSeat(ItemSet(CARD), packed=4), [["A"], [], ["B", "C"]], [1, 0, 6], 0x601),
    (Nullable(Item(CARD), none=255), None, None, 255),
    (ListOf(PairOf(SeatNumber(), Item(CARD))), [[0, "A"]], [[0, 0]], [[0, 0]]),
]


@pytest.mark.parametrize(("kind", "json", "value", "raw"), VALUES)
def test_a_value_is_read_packed_unpacked_and_written(kind: Type, json: Any, value: Any, raw: Any) -> None:
    problems: list[Problem] = []

    assert kind.read(Place(RULES, "field", problems), json) == value and problems == []
    assert kind.pack(RULES, value) == raw
    assert kind.unpack(RULES, raw) == value
    assert kind.json(RULES, value) == json
    writer, unpacker = kind.writer(RULES), kind.unpacker(RULES)
    assert (value if writer is None else writer(value)) == json
    assert (raw if unpacker is None else unpacker(raw)) == value


def test_an_array_of_the_struct_may_be_longer_than_what_it_holds() -> None:
    assert PerSeat(Number(0, 9)).unpack(RULES, [1, 2, 3, 0, 0]) == [1, 2, 3]
    assert Items(CARD, count=2).unpack(RULES, [1, 2, 0, 0]) == [1, 2]


# Type, JSON, where something is wrong, and what.
MISTAKES: list[tuple[Type, Any, str, str]] = [
    (Number(1, 7), 8, "field", "is 8; expected a whole number from 1 to 7"),
    (Number(1, 7), True, "field", "is True; expected a whole number from 1 to 7"),
    (Number(0, 50, step=5), 7, "field", "is 7; expected a multiple of 5 from 0 to 50"),
    (Flag(), 1, "field", "is 1; expected true or false"),
    (SeatNumber(), 3, "field", "is 3; expected a whole number from 0 to 2"),
    (SeatNumber(), None, "field", "is None; expected a whole number from 0 to 2"),
    (Choice(("lead", "play")), "look", "field", "is 'look'; expected one of lead, play"),
    (Item(CARD), ["A"], "field", "holds ['A']; expected a card, as A"),
    (ItemSet(CARD), ["A", "A"], "field", "holds A twice"),
    (ItemSet(SUIT), ["D", "C"], "field", "is ['D', 'C']; expected some of C, D, H, S, in this order"),
    (Items(CARD, count=2), ["A"], "field", "is ['A']; expected a list of 2"),
    (Items(CARD, longest=1), ["A", "B"], "field", "is ['A', 'B']; expected a list of at most 1"),
    (Seats(), [1, 1], "field", "names a seat twice: [1, 1]"),
    (PerSeat(Number(0, 9)), [1, 2], "field", "is [1, 2]; expected a list of 3"),
    (PerSeat(Number(0, 9)), [1, 2, 10], "field[2]", "is 10; expected a whole number from 0 to 9"),
    (ListOf(ENTRY), [{"card": "A"}, {"card": "D"}], "field[1].card", "holds 'D'; expected a card, as A"),
    (ENTRY, {"card": "A", "to": 1}, "field.to", "is unknown; fields here: card, by"),
    (ENTRY, "A", "field", "is 'A'; expected an object with card, by"),
]


@pytest.mark.parametrize(("kind", "json", "path", "problem"), MISTAKES)
def test_what_is_no_value_of_a_type_is_told_with_its_place(kind: Type, json: Any, path: str, problem: str) -> None:
    problems: list[Problem] = []

    assert kind.read(Place(RULES, "field", problems), json) is BAD
    assert problems == [Problem(path, problem)]


def test_all_that_is_wrong_with_a_value_is_told() -> None:
    problems: list[Problem] = []
    ListOf(ENTRY).read(Place(RULES, "half", problems), [{"by": 7}, {"card": "D", "by": 0}])

    assert [problem.field for problem in problems] == ["half[0].card", "half[0].by", "half[1].card"]


@pytest.mark.parametrize(
    ("kind", "told", "result", "is_so"),
    [
        (ItemSet(CARD, any_order=True), ["C", "A"], ["A", "C"], True),
        (Items(CARD), ["C", "A"], ["A", "C"], False),
        (Items(CARD, any_order=True), ["C", "A"], ["A", "C"], True),
        (ListOf(ENTRY), [{"card": "A"}], [{"card": "A", "by": 1}], True),
        (ListOf(ENTRY), [{"card": "A", "by": 0}], [{"card": "A", "by": 1}], False),
        (ListOf(ENTRY), [], [{"card": "A", "by": 1}], False),
        (Nullable(ENTRY), None, {"card": "A", "by": 1}, False),
        (Nullable(ENTRY), None, None, True),
    ],
)
def test_what_was_told_agrees_with_the_whole_as_far_as_it_was_told(kind: Type, told: Any, result: Any, is_so: bool) -> None:
    assert kind.agrees(told, result) is is_so


# ---- Views ----

PHRASES = Phrases({"en": {"problems": {"led": "is {leader}"}}, "fr": {"problems": {"led": "vaut {leader}"}}})


class Bytes:
    """As a compiled engine gives its View to Python."""

    def empty_view(self) -> bytes:
        return b""

    def view_fields(self, _: bytes) -> dict[str, Any]:
        return {"seat": 0, "hand": 0, "table": {"trick": 0, "leader": 0, "points": [0] * 5}}

    def view_bytes(self, fields: Mapping[str, Any]) -> bytes:
        return repr(fields).encode()


VIEWS = ViewSchema(
    Field("seat", SeatNumber(none=-1), "seat"),
    Field("trick", Number(1, 9, plus=1), "table.trick"),
    Field("leader", SeatNumber(), "table.leader", FOLLOWS, or_null=True),
    Field("points", PerSeat(Number(0, 9)), "table.points", Usual((0, 0, 0))),
    Field("hand", ItemSet(CARD, any_order=True), "hand", BY_SPECTATORS, own=True),
    Field("to_move", Seats(), left_out=FOLLOWS),
    Field("gone", Items(CARD), left_out=FOLLOWS, told_only=True),
    derived=lambda _, struct: {"to_move": [struct["table"]["leader"]]},
)


class Reader(ViewReader):
    schema, native, phrases = VIEWS, Bytes(), PHRASES
    gaps = ("leader",)
    chapters = ("leads", "scores")

    def find_leader(self) -> int:
        return int(self.told.trick) % self.players

    def leads(self) -> None:
        self.expect(self.told.leader != 2, "leader", "led", leader=self.told.leader)

    def scores(self) -> None:
        self.tell(self.told.points[0] != 9, "points", "led", leader=0)
        self.tell_by_seat("points", self.told.points, self.told.trick)


def struct_of(view: dict[str, Any]) -> dict[str, Any]:
    struct: dict[str, Any] = eval(Reader(RULES, view).view())  # noqa: S307 – what Bytes wrote
    return struct


def problems_of(view: dict[str, Any]) -> list[str]:
    with pytest.raises(BadView) as refused:
        Reader(RULES, view).view()
    assert (refused.value.field, refused.value.problem) == (refused.value.problems[0].field, refused.value.problems[0].problem)
    return [problem.field for problem in refused.value.problems]


def test_a_view_becomes_the_struct_and_what_was_left_out_follows() -> None:
    struct = struct_of({"seat": 1, "trick": 4, "hand": ["C", "A"], "gone": ["B"]})

    assert struct == {"seat": 1, "hand": 5, "table": {"trick": 3, "leader": 1, "points": [0] * 5}}
    assert VIEWS.json(RULES, struct) == {
        "seat": 1,
        "trick": 4,
        "leader": 1,
        "points": [0, 0, 0],
        "hand": ["A", "C"],
        "to_move": [1],
    }


def test_a_null_may_stand_for_a_field_that_is_left_out() -> None:
    assert struct_of({"seat": 1, "trick": 4, "hand": [], "leader": None})["table"]["leader"] == 1
    assert problems_of({"seat": 1, "trick": 4, "hand": [], "points": None}) == ["points"]


def test_a_spectator_has_no_hand_and_need_not_say_so() -> None:
    assert VIEWS.json(RULES, struct_of({"seat": None, "trick": 1}))["hand"] is None
    assert problems_of({"seat": None, "trick": 1, "hand": ["A"]}) == ["hand"]
    assert problems_of({"seat": 1, "trick": 1}) == ["hand"]


def test_everything_that_is_wrong_with_a_view_is_told_at_once() -> None:
    assert problems_of({"rounds": 1}) == ["rounds", "seat", "trick", "hand"]
    assert set(problems_of({"seat": 7, "trick": 0, "leader": 2, "points": [9, 0], "hand": ["X"]})) == {
        *("seat", "trick", "leader", "points", "hand"),
    }
    assert problems_of({"seat": 0, "trick": 2, "points": [9, 3, 1], "hand": []}) == ["leader", "points", "points[0]", "points[1]"]


def test_of_very_many_mistakes_no_more_are_looked_for_than_somebody_reads() -> None:
    good, many = {"seat": 0, "trick": 1, "hand": []}, 10 * MOST_PROBLEMS
    unknown = {str(number): 0 for number in range(many)}

    for wrong in ({"hand": ["X"] * many}, {"hand": ["X"] * many, "gone": ["X"] * many, "to_move": [7] * many}, unknown):
        assert len(problems_of(good | wrong)) == MOST_PROBLEMS
    for layout in ({"rounds": [{"pile": ["X"]}] * many}, unknown):
        with pytest.raises(BadLayout) as refused:
            LAYOUTS.read(RULES, layout)
        assert len(refused.value.problems) == MOST_PROBLEMS


def test_what_needs_a_value_that_could_not_be_read_says_nothing_of_it() -> None:
    assert problems_of({"seat": 0, "trick": "one", "hand": []}) == ["trick"]


def test_what_follows_must_be_what_was_told() -> None:
    assert problems_of({"seat": 0, "trick": 4, "hand": [], "to_move": [2]}) == ["to_move"]


@pytest.mark.parametrize(
    ("field", "problem"),
    [
        (Field("trick", Number(), "table.tricks"), "the field trick stands nowhere: its View has no table.tricks"),
        (Field("trick", Number(), "trick.table.now"), "the field trick stands nowhere: its View has no trick.table.now"),
        (Field("trick", Number(1, 257, plus=1), "trick"), "the field trick may be 256; trick of its View holds 255 at the most"),
        (Field("voids", PerSeat(Number(0, 15), packed=4), "trick"), "the field voids may be 4095; trick of its View holds 255"),
        (Field("won", PerSeat(Number(0, 9)), "won"), "the field won is for 3 seats; won is for 2"),
    ],
)
def test_a_struct_without_room_for_a_field_is_refused(field: Field, problem: str) -> None:
    with pytest.raises(IncompatibleEngine) as refused:
        ViewSchema(field).check_struct("stub", {"trick": 255, "table": {}, "won": [255] * 2}, RULES)
    assert problem in refused.value.what


def test_a_field_that_fits_the_struct_is_none() -> None:
    ViewSchema(Field("trick", Number(1, 256, plus=1), "trick")).check_struct("stub", {"trick": 255}, RULES)
    for name in GAMES:
        load(name).make_rules(3)


# ---- Moves and layouts ----

MOVES = MoveSchema(
    MoveKind("{card}", 0, [MovePart("card", CARD)]),
    MoveKind("give:{card}>{seat}", 8, [MovePart("card", CARD, 4), MovePart("seat", SEAT)], hidden="give:?>{seat}"),
    shorter=lambda _, text: [text.partition(">")[0]] if ">" in text else [],
)


def test_moves_are_numbered_by_their_parts() -> None:
    table = MOVES.table(RULES)

    assert table.texts == {0: "A", 1: "B", 2: "C"} | {
        8 + 4 * card + seat: f"give:{'ABC'[card]}>{seat}" for card in range(3) for seat in range(3)
    }
    assert table.public[13] == "give:?>1" and table.public[1] == "B"


def test_a_move_is_read_from_its_text_or_from_less() -> None:
    def expected() -> Wording:
        return Wording({"en": "a card", "fr": "une carte"})

    assert list(MOVES.parse(RULES, "give:B>1", expected)) == [13]
    assert list(MOVES.parse(RULES, " GIVE : b > 1 ", expected)) == [13]
    assert list(MOVES.parse(RULES, "give:b", expected)) == [12, 13, 14]
    for text in ("D", "give:B>3", "give", ""):
        with pytest.raises(NotAMove, match="expected a card"):
            MOVES.parse(RULES, text, expected)


LAYOUTS = LayoutSchema(
    first=Laid(SeatNumber(), 0),
    rounds=ListOf(RecordOf({"pile": Laid(Items(CARD), 1), "dice": Laid(Items(CARD), 2, each=True, stride=9)})),
)


def test_a_layout_is_outcomes_by_purpose_and_counter() -> None:
    rounds = [{"pile": ["A"], "dice": []}, {"pile": ["B", "C"], "dice": ["C", "A"]}]
    values = LAYOUTS.read(RULES, {"first": 2, "rounds": rounds})

    assert LAYOUTS.outcomes(RULES, values) == [(0, 0, b"\2"), (1, 0, b"\0"), (1, 1, b"\1\2"), (2, 9, b"\2"), (2, 10, b"\0")]
    assert LAYOUTS.outcome_name(RULES, 1, 1) == "rounds[1].pile" and LAYOUTS.outcome_name(RULES, 2, 10) == "rounds[1].dice[1]"
    assert LAYOUTS.outcome_text(RULES, 1, b"\1\2") == "B, C"
    assert LAYOUTS.outcomes(RULES, LAYOUTS.read(RULES, {"first": None})) == []


def test_all_that_is_wrong_with_a_layout_is_told() -> None:
    with pytest.raises(BadLayout) as refused:
        LAYOUTS.read(RULES, {"first": 3, "seats": 1, "rounds": [{"pile": ["D"]}]})
    assert sorted(problem.field for problem in refused.value.problems) == ["first", "rounds[0].dice", "rounds[0].pile", "seats"]
