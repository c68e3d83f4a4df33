"""Kinds of things, and what a reader finds wrong: whatever the game."""

from typing import Any

import pytest

from machiavel.engines import BadView, NotAMove, Rules
from machiavel.engines.errors import Problem
from machiavel.engines.fields import Items, Kind, ListOf, Place
from machiavel.engines.moves import MoveKind, MovePart, MoveSchema
from machiavel.engines.phrases import Phrases, Wording
from machiavel.engines.views import Field, ViewReader, ViewSchema

RULES = Rules(None, 2, {}, "")
VALUES = Kind("value", lambda _: {4: 1, 7: 10}, lambda _: {1: 4, 10: 7})


@pytest.mark.parametrize(
    ("value", "numbers"), [([10, 1, 1], [7, 4, 4]), ([True], None), (["1"], None), ([2], None), ([1.0], None)]
)
def test_what_stands_on_things_may_be_a_number(value: list[Any], numbers: list[int] | None) -> None:
    problems: list[Problem] = []
    read = Items(VALUES).read(Place(RULES, "hand", problems), value)
    assert (read or None) == numbers
    assert [one.field for one in problems] == ["hand"] * (numbers is None)
    if numbers:
        assert Items(VALUES).json(RULES, numbers) == value


def test_a_place_is_named_by_the_steps_that_lead_there() -> None:
    place = Place(RULES, "", []).at("attack").at("spies").at(2)
    assert (place.path, place.number) == ("attack.spies[2]", 2)
    assert place.at("value").number == 2
    problems: list[Problem] = []
    ListOf(ListOf(Items(VALUES))).read(Place(RULES, "rows", problems), [[[1], [3]], [[9]]])
    assert [one.field for one in problems] == ["rows[0][1]", "rows[1][0]"]


def test_what_is_told_does_not_end_a_chapter_as_what_is_refused_does() -> None:
    class Reader(ViewReader):
        schema = ViewSchema(Field("hand", Items(VALUES)))
        phrases = Phrases({"en": {"problems": {"odd": "is {what}"}}, "fr": {"problems": {"odd": "est {what}"}}})
        chapters = ("first", "second")

        def first(self) -> None:
            self.tell(True, "hand", "odd", what="right")
            self.tell(False, "hand", "odd", what="told")
            self.expect(False, "hand", "odd", what="refused")
            self.tell(False, "hand", "odd", what="never reached")

        def second(self) -> None:
            self.expect(False, "hand", "odd", what="in the next chapter")

    reader = Reader(RULES, {"hand": [1]})
    with pytest.raises(BadView, match="is told"):
        reader.view()
    assert [one.problem for one in reader.problems] == ["is told", "is refused", "is in the next chapter"]


def test_what_a_move_looks_like_is_said_only_where_a_text_is_none() -> None:
    moves, asked = MoveSchema(MoveKind("play:{value}", 10, [MovePart("value", VALUES, 2)])), list[str]()

    def expected() -> Wording:
        asked.append("what")
        return Wording({"en": "play:1", "fr": "play:1"})

    assert moves.parse(RULES, " PLAY : 10 ", expected) == [24]
    assert moves.parse(RULES, "play:1", expected) == [18]
    assert not asked
    with pytest.raises(NotAMove, match="play:1"):
        moves.parse(RULES, "play:2", expected)
    assert asked == ["what"]
