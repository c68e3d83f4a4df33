"""Views that contradict themselves, field by field: each is refused by the field that is wrong."""

import copy
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from machiavel.engines import BadLayout, BadView
from tests.engines.agency.table import GAME, lay, play, play_to, play_to_the_end

Json = dict[str, Any]
AGENTS = ["moignons", "belton", "martha"]


@cache
def whole(name: str) -> Json:
    """Views of seat 0, by name."""
    if name == "play":
        # Moignons has looked, a card went round, the second trick is under way and must be followed.
        hands = ["M1 B1 G1 G2 Y1 Y2", "M2 B2 G3 G4 Y3 Y4", "M3 B3 G5 G6 Y5 Y6"]
        state = lay(3, hands, "moignons 1+pass_left 5+follow_suit martha 3", agents=AGENTS)
        play(state, "look:1 pass:B1 pass:B2 pass:B3 G1 G3 G5 M3")
    elif name == "pass":
        state = play(lay(3, ["B1"], "1+pass_left", agents=AGENTS), "pass:B1")
    elif name == "lead":
        state = lay(3, pile="belton 2", agents=AGENTS)
    elif name == "look":
        state = lay(3, pile="moignons 2", agents=AGENTS)
    elif name == "later":
        state = play_to(lay(3, pile="1 2 3 4", agents=AGENTS, medals=9), 2, 4)
    else:
        state = play_to_the_end(lay(3, agents=AGENTS, medals=1))
    return state.view(0).to_json()


Change = Callable[[Json], None]


def put(*path: Any, to: Any) -> Change:
    def apply(view: Json) -> None:
        place: Any = view
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to

    return apply


def add(*path: Any, by: int = 1) -> Change:
    def apply(view: Json) -> None:
        place: Any = view
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] += by

    return apply


def drop(*path: Any) -> Change:
    def apply(view: Json) -> None:
        place: Any = view
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]

    return apply


def everywhere(power: str) -> Change:
    """At work in every trick of the half."""

    def apply(view: Json) -> None:
        for entry in view["half"]:
            entry[power] = True

    return apply


CHANGES: list[tuple[str, Change, str]] = [
    ("play", drop("hand"), "hand"),
    ("play", drop("seat"), "seat"),
    ("later", drop("medals"), "medals"),
    ("play", put("rounds", to=1), "rounds"),
    ("play", put("seat", to=3), "seat"),
    ("play", put("seat", to=True), "seat"),
    ("play", put("seat", to=1), "look.cards"),
    ("play", put("seat", to=None), "half[0].gave"),
    ("play", put("ply", to=-1), "ply"),
    ("play", put("ply", to="8"), "ply"),
    ("play", add("ply"), "ply"),
    ("play", put("ply", to=70000), "ply"),
    ("play", put("round", to=0), "round"),
    ("play", put("round", to=2), "medals"),
    ("play", put("round", to=9), "round"),
    ("play", put("trick", to=0), "trick"),
    ("play", put("trick", to=13), "trick"),
    ("play", put("trick", to=3), "pile"),
    ("play", put("phase", to="between tricks"), "phase"),
    ("play", put("phase", to="pass"), "phase"),
    ("play", put("phase", to="lead"), "phase"),
    ("play", put("phase", to="look"), "phase"),
    ("play", put("phase", to="over"), "trick"),
    ("play", put("to_move", to=[]), "to_move"),
    ("play", put("to_move", to=[1]), "to_move"),
    ("play", put("to_move", to=[0, 1]), "to_move"),
    ("play", put("to_move", to=[4]), "to_move"),
    ("play", put("agents", to=[]), "agents"),
    ("play", put("agents", 2, to="belton"), "agents"),
    ("play", put("agents", 2, to="castor"), "agents"),
    ("play", put("agents", 2, to="wxt"), "agents"),
    ("play", put("medals", to=[0, 0]), "medals"),
    ("play", put("medals", 0, to=1), "medals"),
    ("play", put("medals", 0, to=-1), "medals[0]"),
    ("play", put("medals", 0, to=2), "medals[0]"),
    ("play", put("leader", to=3), "leader"),
    ("play", put("leader", to=1), "order"),
    ("play", put("last", to=1), "last"),
    ("play", put("last", to=7), "last"),
    ("play", put("order", to=[0, 1, 2]), "order"),
    ("play", put("order", to=[]), "order"),
    ("play", put("martha", to=1), "martha"),
    ("play", put("martha", to=True), "martha"),
    ("play", put("jean", to=True), "jean"),
    ("play", put("stake", to=None), "stake"),
    ("play", put("stake", to="5"), "stake"),
    ("play", put("stake", to="martha"), "stake"),
    ("play", put("pile", to=[]), "segments"),
    ("play", put("pile", 0, to="?"), "pile"),
    ("play", put("pile", 0, to="1+pass_left"), "stake"),
    ("play", put("pile", 0, to="7"), "pile"),
    ("play", put("pile", 3, to="martha"), "segments[0].unseen"),
    ("play", drop("pile", 3), "segments[0].unseen"),
    ("play", put("segments", to=[]), "segments"),
    ("play", put("segments", 0, "size", to=0), "segments[0].size"),
    ("play", put("segments", 0, "size", to=5), "segments[0].unseen"),
    ("play", drop("segments", 0, "size"), "segments[0]"),
    ("play", drop("segments", 0, "unseen", 0), "segments[0].unseen"),
    ("play", put("segments", 0, "unseen", 0, to="7"), "segments[0].unseen"),
    ("play", put("segments", 0, "unseen", 0, to="6"), "pile"),
    ("play", put("segments", 0, "unseen", 0, to="5"), "pile"),
    ("play", add("plan_points", 0), "plan_points"),
    ("play", put("plan_points", 0, to=-1), "plan_points[0]"),
    ("play", put("greens", to=[0, 0, 4]), "greens"),
    ("play", put("greens", to=[0, 0, 2]), "greens"),
    ("play", put("greens", to=[3, 0, 0]), "greens"),
    ("play", put("yellows", to=[1, 0, 0]), "yellows"),
    ("play", put("tricks", to=[0, 0, 2]), "tricks"),
    ("play", put("tricks", to=[1, 0, 0]), "latest"),
    ("play", put("table", to=[]), "to_move"),
    ("play", put("table", to=[[0, "M3"]]), "table[0]"),
    ("play", put("table", to=[[2, "M3", 1]]), "table[0]"),
    ("play", put("table", to=[[2, "M11"]]), "table[0]"),
    ("play", put("table", to=[[2, "M2"]]), "half[1]"),
    ("play", put("table", to=[[2, "M3"], [0, "M3"], [1, "M3"]]), "table"),
    ("play", put("seen", to=[]), "seen"),
    ("play", put("seen", to=["G1", "G3", "G5"]), "seen"),
    ("play", put("seen", to=["M3", "G1", "G3", "G3"]), "seen"),
    ("play", put("seen", to=["M3", "G1", "G3", "G16"]), "half"),
    ("play", put("half", to=[]), "look.trick"),
    ("play", drop("half", 0), "look.trick"),
    ("play", put("half", 0, "trick", to=2), "half[0].trick"),
    ("play", put("half", 0, "order", to=[0, 1]), "half[0].order"),
    ("play", put("half", 0, "cards", to=["G1", "G3"]), "half[0].cards"),
    ("play", put("half", 0, "cards", to=["G1", "G3", "G16"]), "half"),
    ("play", put("half", 0, "cards", to=["G1", "G3", "G3"]), "half"),
    ("play", put("half", 0, "follow_suit", to=True), "half[0]"),
    ("play", put("half", 0, "follow_suit", to=1), "half[0].follow_suit"),
    ("play", put("half", 0, "pass_left", to=False), "half[0].gave"),
    ("play", put("half", 0, "gave", to=None), "half[0].gave"),
    ("play", put("half", 0, "received", to=None), "half[0].received"),
    ("play", put("half", 0, "received", to="Y16"), "view"),
    ("play", put("half", 0, "received", to="G5"), "view"),
    ("play", put("half", 0, "received", to="X1"), "half[0].received"),
    ("play", put("half", 0, "gave", to="M1"), "view"),
    ("play", put("half", 0, "gave", to="G5"), "view"),
    ("play", put("half", 1, "follow_suit", to=False), "half[1]"),
    ("play", put("half", 0, "stake", to="2"), "half[0].stake"),
    ("play", put("half", 0, "stake", to="moignons"), "half[0].stake"),
    ("play", put("half", 0, "stake", to=1), "half[0].stake"),
    ("play", put("half", 0, "stake", to=None), "half[0].stake"),
    ("play", put("half", 0, "martha", to=True), "half[0].martha"),
    ("play", put("half", 0, "martha", to="no"), "half[0].martha"),
    ("play", put("half", 0, "jean", to=True), "half[0].jean"),
    ("play", put("half", 1, "stake", to="5"), "half"),
    ("play", put("half", 1, "stake", to=None), "half"),
    ("later", put("half", 0, "stake", to="2"), "half"),
    ("over", everywhere("martha"), "half"),
    ("over", everywhere("jean"), "half[0].jean"),
    ("play", put("half", 1, "gave", to="B1"), "half[1].gave"),
    ("play", put("look", to=3), "look"),
    ("play", put("look", to=None), "look"),
    ("play", drop("look", "cards"), "look"),
    ("play", put("look", "trick", to=3), "look.trick"),
    ("play", put("look", "trick", to=2), "look.cards"),
    ("play", put("look", "looker", to=1), "look"),
    ("play", put("look", "target", to=0), "look"),
    ("play", put("look", "target", to=4), "look.target"),
    ("play", put("look", "target", to=2), "view"),
    ("play", put("look", "cards", to=None), "look.cards"),
    ("play", put("look", "cards", 0, to="M1"), "view"),
    ("play", put("look", "cards", to=["M2"]), "look.cards"),
    ("play", put("look", "cards", to=["B2", "G1", "G3", "G4", "Y3", "Y4"]), "view"),
    ("play", put("hand", to=None), "hand"),
    ("play", put("hand", 0, to="M3"), "hand"),
    ("play", put("hand", 0, to="B1"), "view"),
    ("play", put("hand", 0, to="M2"), "view"),
    ("play", put("hand", 0, to="Y1"), "hand"),
    ("play", drop("hand", 0), "hand"),
    ("play", add("hand_counts", 0), "hand"),
    ("play", add("hand_counts", 1, by=-1), "hand_counts"),
    ("play", put("reserve", to=0), "reserve"),
    ("play", put("last_round", to={"points": [0, 0, 0], "winners": [0, 1, 2]}), "last_round"),
    ("play", put("winners", to=[0]), "winners"),
    ("pass", put("to_move", to=[2]), "ply"),
    ("pass", put("to_move", to=[0, 1, 2]), "half[0].gave"),
    ("pass", put("to_move", to=[0, 2]), "to_move"),
    ("pass", put("to_move", to=[]), "to_move"),
    ("pass", put("half", 0, "gave", to="B2"), "view"),
    ("pass", put("half", 0, "received", to="B2"), "half[0].received"),
    ("pass", put("table", to=[[0, "B1"]]), "table"),
    ("pass", put("phase", to="play"), "to_move"),
    ("lead", put("to_move", to=[0]), "to_move"),
    ("lead", put("order", to=[0, 1, 2]), "order"),
    ("lead", put("stake", to="belton"), "order"),
    ("lead", put("table", to=[[0, "M1"]]), "order"),
    ("lead", put("pile", 0, to="2"), "pile"),
    ("lead", put("phase", to="look"), "phase"),
    ("look", put("phase", to="lead"), "phase"),
    ("look", put("to_move", to=[1]), "to_move"),
    ("look", put("look", to={"trick": 1, "looker": 0, "target": 1, "cards": ["M1"] * 6}), "look"),
    ("later", put("segments", 0, "size", to=30), "segments[0]"),
    ("later", put("last_round", "winners", to=[]), "last_round.winners"),
    ("later", add("last_round", "points", 0, by=99), "last_round"),
    ("later", put("medals", to=[0, 0, 0]), "medals"),
    ("later", put("medals", to=[2, 0, 0]), "medals"),
    ("over", put("phase", to="play"), ""),
    ("over", put("medals", to=[0, 0, 0]), "medals"),
    ("over", put("winners", to=[]), "winners"),
    ("over", put("to_move", to=[0]), "to_move"),
    ("over", put("trick", to=11), "trick"),
    ("over", put("hand", to=["M1"]), "hand"),
    ("over", put("martha", to=True), "martha"),
    ("over", put("last", to=0), "last"),
]


@pytest.mark.parametrize(
    ("name", "spoil", "field"), CHANGES, ids=[f"{name}-{field}-{number}" for number, (name, _, field) in enumerate(CHANGES)]
)
def test_a_view_that_contradicts_itself_is_refused_by_the_field(name: str, spoil: Change, field: str) -> None:
    data = copy.deepcopy(whole(name))
    spoil(data["view"])
    assert data != whole(name)
    with pytest.raises(BadView) as refused:
        GAME.view_from_json(data)
    assert refused.value.field.startswith(field) and refused.value.problem


@pytest.mark.parametrize("name", ["play", "pass", "lead", "look", "later", "over"])
def test_the_views_they_are_made_from_are_possible(name: str) -> None:
    assert GAME.view_from_json(whole(name)).to_json() == whole(name)


def test_all_that_is_wrong_is_told_at_once_and_in_each_language() -> None:
    data = copy.deepcopy(whole("play"))
    data["view"] |= {"rounds": 1, "medals": [0, 1, 0], "winners": "nobody", "latest": [0, 0, 0], "hand": ["M3", "G2", "Y1", "Y2"]}
    data["view"]["half"][0]["gave"] = None
    data["view"]["half"][0]["cards"][0] = "X1"
    with pytest.raises(BadView) as refused:
        GAME.view_from_json(data)
    told = {problem.field: problem.problem for problem in refused.value.problems}
    assert told["rounds"] == "is unknown"
    assert told["medals"] == "are [0, 1, 0]; 0 finished rounds bring at least one each, and each seat at most one"
    assert told["winners"] == "is 'nobody'; expected a list"
    assert told["half[0].cards"] == "holds 'X1'; expected a card of the deck, as M1"
    assert told["latest"] == "are [0, 0, 0]; expected the number of the latest trick of each who won one, else 0"
    assert refused.value.field == refused.value.problems[0].field == "rounds"

    data = copy.deepcopy(whole("play"))
    data["view"] |= {"stake": "1", "hand": ["M3", *data["view"]["hand"][1:]]}
    with pytest.raises(BadView) as refused:
        GAME.view_from_json(data)
    told_in_french = refused.value.message("fr").replace("\N{NO-BREAK SPACE}", " ")
    assert told_in_french == "vue : stake : vaut '1' ; il faut le plan sur le dessus de la pile"
    assert [problem.field for problem in refused.value.problems] == ["stake", "half[1]", "hand"]


def test_a_layout_tells_all_that_is_wrong() -> None:
    with pytest.raises(BadLayout) as refused:
        GAME.new(3, layout={"leader": 3, "agents": ["belton"], "rounds": [{"hands": [], "pile": ["7"]}]})
    assert {problem.field for problem in refused.value.problems} == {
        *("leader", "agents", "rounds[0].hands", "rounds[0].reserves", "rounds[0].pile"),
    }
