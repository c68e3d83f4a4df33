"""Schemas of games and messages of the API say the same; what is wrong with a view is told all at once."""

from typing import Any

import pytest

from machiavel import v1
from machiavel.clients import BadLayout, BadView, Client
from machiavel.engines import games, load
from machiavel.engines.fields import Choice, Flag, Item, Items, Kind, ListOf, Nullable, Number, PairOf, RecordOf, SeatNumber, Type
from machiavel.engines.layouts import LayoutSchema
from machiavel.engines.views import Field, ViewSchema
from machiavel.server.service.message_schemas import layout_mismatches, view_mismatches

TYPED = [name for name in games() if name in v1.View.DESCRIPTOR.fields_by_name and load(name).plugin.views is not None]


@pytest.mark.parametrize("name", TYPED)
def test_the_messages_of_a_game_are_those_of_its_schema(name: str) -> None:
    plugin: Any = load(name).plugin
    view, layout = (part.DESCRIPTOR.fields_by_name[name].message_type for part in (v1.View, v1.Layout))

    assert view_mismatches(plugin.views, view) == []
    assert layout_mismatches(plugin.layouts, layout) == []


CARDS = Kind.fixed("card", ["A", "B"])
WRONG: list[tuple[str, Type, str]] = [
    ("trump", Number(), "trump: is a number; expected an int32"),
    ("round", Flag(), "round: is true or false; expected a bool"),
    ("round", Nullable(Number()), "round: may be null, but the message cannot say so"),
    ("leader", SeatNumber(none=255), "leader: may be null"),
    ("tricks", Number(), "tricks: is Number; the message has a list"),
    ("trump", Items(CARDS), "trump: is a list; expected a repeated field"),
    ("seen", ListOf(PairOf(SeatNumber(), Item(CARDS))), "seen: "),
    ("table", Items(CARDS), "table: is a list of texts; the message has other items"),
    ("past", ListOf(RecordOf({"cards": Number(), "more": Flag()})), r"past[].more: is in the schema alone"),
    ("extra", Number(), "extra: is in the schema alone"),
]


@pytest.mark.parametrize(("name", "kind", "problem"), WRONG)
def test_a_field_of_another_type_is_found(name: str, kind: Type, problem: str) -> None:
    plugin: Any = load("whist").plugin
    others = [one for one in plugin.views.fields if one.name != name]

    found = view_mismatches(ViewSchema(*others, Field(name, kind)), v1.WhistView.DESCRIPTOR)

    assert any(one.startswith(problem) for one in found), found
    assert view_mismatches(ViewSchema(*others), v1.WhistView.DESCRIPTOR) or name == "extra"


def test_a_choice_that_a_message_cannot_say_is_found() -> None:
    schema = LayoutSchema(phase=Choice(("lead", "sleep")))

    found = layout_mismatches(schema, v1.AgencyView.DESCRIPTOR)

    assert "phase: may be sleep, which the message cannot say" in found


def test_every_field_that_is_wrong_has_a_violation_of_its_own(service: Client) -> None:
    seen = service.get_view(service.new_state("whist", 3, seed=1), 0).view
    seen.whist.trump = "X"
    seen.whist.hand.cards[0] = "Z9"
    seen.whist.tricks.append(1)

    with pytest.raises(BadView) as caught:
        service.recommend_move(seen)

    assert list(caught.value.fields) == ["view.whist.trump", "view.whist.hand", "view.whist.tricks"]
    assert caught.value.field == "trump"
    assert str(caught.value) == "view: trump: is 'X'; expected one of C, D, H, S"
    assert caught.value.fields["view.whist.hand"] == "view: hand: holds 'Z9'; expected a card, as HT"


def test_so_has_every_field_of_a_layout(service: Client) -> None:
    rounds = [v1.WhistRoundLayout(trump="X"), v1.WhistRoundLayout(trump="Y")]
    layout = v1.Layout(whist=v1.WhistLayout(rounds=rounds))

    with pytest.raises(BadLayout) as caught:
        service.new_state("whist", 3, layout=layout)

    assert list(caught.value.fields) == ["layout", "layout.rounds[1].trump"]
    assert caught.value.field == "rounds[0].trump"


def test_a_choice_that_a_message_does_not_make_is_missing(service: Client) -> None:
    seen = service.get_view(service.new_state("bond", 3, seed=1), 0).view
    seen.bond.ClearField("phase")

    with pytest.raises(BadView) as caught:
        service.recommend_move(seen)

    assert dict(caught.value.fields) == {"view.bond.phase": "view: phase: is missing"}
