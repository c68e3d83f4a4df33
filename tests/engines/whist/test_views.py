"""Views of whist as JSON: what a person may type in, and what is refused."""

import random
from typing import Any

import pytest

from machiavel.engines import BadView, View
from tests.engines.whist.table import GAME, lay, play, seen


def typed(players: int, fields: dict[str, Any]) -> View:
    return GAME.view_from_json({"game": "whist", "rules_version": 1, "options": {"players": players}, "view": fields})


def middle() -> dict[str, Any]:
    """Seat 2 to move in the second trick of a match of three: seat 1 has shown that it holds no hearts."""
    state = lay(3, ("S", ["HA C3 C9 CT", "D3 D4 D5 D6 C4 C6 C7", "H5 C5 D7 D8"]))
    return seen(play(state, "HA D3 H5 C9 C4"), 2)


def test_a_person_leaves_out_what_follows_or_is_forgotten() -> None:
    fields = middle()
    for left_out in ("ply", "to_move", "hand_counts", "winners"):
        del fields[left_out]
    assert typed(3, fields).to_json()["view"] == middle()

    del fields["seen"], fields["voids"]
    assert typed(3, fields).to_json()["view"] == middle()  # the tricks played tell it

    del fields["past"]
    forgetful = typed(3, fields).to_json()["view"]
    assert forgetful["seen"] == ["C4", "C9"]
    assert forgetful["voids"] == [[], [], []]
    fields["seen"] = ["C4", "C9", "D3"]
    assert typed(3, fields).legal_moves() == ["C5"]


def test_a_void_on_the_table_need_not_be_said() -> None:
    fields = seen(play(lay(3, ("S", ["HA", "D3 D4 D5 D6 C4 C6 C7", "H5"])), "HA D3"), 2)
    del fields["voids"]

    assert typed(3, fields).to_json()["view"]["voids"] == [[], ["H"], []]


def test_a_view_of_one_who_is_out_and_of_a_spectator_can_be_read() -> None:
    rng = random.Random(4)
    state = GAME.new(7, seed=5)
    while not state.is_over:
        state.play(rng.choice(state.legal_moves()))
        for seat in (*range(7), None):
            assert GAME.view_from_json(state.view(seat).to_json()) == state.view(seat)
    assert seen(state)["winners"]


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("seat", 3, "view: seat: is 3; expected a whole number from 0 to 2"),
        ("seat", True, "view: seat: is True"),
        ("ply", 6, "view: ply: is 6; round 1 never is there with these contenders after so many moves"),
        ("round", 8, "view: round: is 8"),
        ("round", 2, "view: leader: is 0, who has not|view: ply: is 5|view: hand: "),
        ("trick", 8, "view: trick: is 8"),
        ("trick", 3, "view: tricks: are .* 2 tricks of this round are finished"),
        ("trump", "hearts", "view: trump: is 'hearts'; expected one of C, D, H, S"),
        ("contenders", [0, 2], "view: contenders: are .* in round 1"),
        ("contenders", [0, 0, 1, 2], "view: contenders: "),
        ("contenders", [], "view: contenders: "),
        ("leader", 1, "view: leader: is 1, who has not taken a trick in this round"),
        ("tricks", [1, 1, 0], "view: tricks: are .*; 1 tricks of this round are finished"),
        ("tricks", [1, 0], r"view: tricks: is \[1, 0\]; expected a list of 3"),
        ("tricks", [True, 0, 0], r"view: tricks\[0\]: is True"),
        ("table", [[0, "C9"], [2, "C4"]], r"view: table\[1\]: is \[2, 'C4'\]; expected \[1, card\]"),
        ("table", [[0, "C9"], [1, "C9"]], r"view: table\[1\]: C9 has been played twice"),
        ("table", [[0, "C9"], [1, "C4"], [2, "C5"]], "view: table: holds 3 cards; expected at most 2"),
        ("table", [[0, "C9"], [1, "14"]], r"view: table\[1\]: holds '14'; expected a card, as HT"),
        ("seen", ["C4", "C9", "D3", "D3"], "view: seen: holds D3 twice"),
        ("seen", ["D3", "H5"], "view: seen: lacks a card that lies on the table"),
        ("seen", ["C2", "C4", "C9", "D3", "H5", "HA"], "view: seen: are 6 cards; 5 have been played in this round"),
        ("seen", ["HA", "H5", "D3", "C9", "C4"], "view: seen: is .*; the rest of the view makes it"),
        ("hand", ["C5"], "view: hand: is .*; expected a list of 6"),
        ("hand", ["C5", "C5", "D7", "D8", "S8", "S9"], "view: hand: holds C5 twice"),
        ("hand", ["C5", "C4", "D7", "D8", "S8", "S9"], "view: hand: holds a card that has been played"),
        ("hand", None, "view: hand: is None; expected a list"),
        ("voids", [["H"], ["H"], []], None),
        ("voids", [[], ["D", "H", "S"], []], r"view: voids\[1\]: is .*; this seat has followed to 2 tricks at most"),
        ("voids", [[], ["C", "H"], []], r"view: voids\[1\]: names a suit of which the seat has a card on the table"),
        ("voids", [[], ["S", "H"], []], r"view: voids\[1\]: is .*; expected some of C, D, H, S, in this order"),
        ("voids", [[], ["H"], ["C"]], r"view: voids\[2\]: names a suit that is in the hand"),
        ("voids", [[], [["H"]], []], r"view: voids\[1\]: "),
        ("hand_counts", [6, 6, 6], r"view: hand_counts: is \[6, 6, 6\]; the rest of the view makes it \[5, 5, 6\]"),
        ("to_move", [1], r"view: to_move: is \[1\]; the rest of the view makes it \[2\]"),
        ("winners", [0], "view: winners: "),
        ("past", [], "view: past: is .*; expected a list of 1"),
        ("past", "HA D3 H5", "view: past: is .*; expected a list"),
        ("past", [[[0, "HA"], [1, "D3"]]], r"view: past\[0\]: is .*; expected a list of 3"),
        ("past", [[[0, "HA"], [1, "D3"], "H5"]], r"view: past\[0\]: holds 'H5'; expected \[seat, card\]"),
        ("past", [[[0, "HA"], [1, "D3"], [3, "H5"]]], r"view: past\[0\]: is 3; expected a whole number from 0 to 2"),
        ("past", [[[0, "HA"], [1, "D3"], [2, "X5"]]], r"view: past\[0\]: holds 'X5'; expected a card, as HT"),
        ("past", [[[0, "HA"], [1, "D3"], [2, "C9"]]], r"view: past\[0\]: C9 has been played twice"),
        ("past", [[[0, "HA"], [2, "H5"], [1, "D3"]]], r"view: past\[0\]: is \[2, 'H5'\]; expected \[1, card\]"),
        ("past", [[[1, "D3"], [2, "H5"], [0, "HA"]]], r"view: past\[0\]: is \[1, 'D3'\]; expected \[0, card\]"),
        ("past", [[[0, "H4"], [1, "D3"], [2, "H5"]]], r"view: past: gives the seats \[0, 0, 1\] tricks and seat 2 the last"),
        ("past", [[[0, "HA"], [1, "D3"], [2, "H6"]]], "view: seen: lacks a card that lies on the table, or in past"),
        ("past", [[[0, "HA"], [1, "H3"], [2, "H5"]]], "view: seen: lacks a card"),
        ("voids", [[], [], []], r"view: voids\[1\]: lacks hearts, which the seat did not follow"),
    ],
)
def test_what_no_match_could_show_is_refused_by_its_field(field: str, value: Any, problem: str | None) -> None:
    fields = middle() | {field: value}
    if problem is None:
        assert typed(3, fields).to_json()["view"][field] == value
        return
    with pytest.raises(BadView, match=problem):
        typed(3, fields)


@pytest.mark.parametrize("field", ["seat", "round", "trick", "trump", "contenders", "leader", "table", "tricks", "hand"])
def test_what_nobody_forgets_must_be_said(field: str) -> None:
    fields = middle()
    del fields[field]
    with pytest.raises(BadView, match=f"view: {field}: is missing"):
        typed(3, fields)
    with pytest.raises(BadView, match="view: more: is unknown"):
        typed(3, middle() | {"more": 1})


def test_voids_that_leave_no_cards_for_a_hand_are_refused() -> None:
    fields = {
        "seat": 0,
        "round": 1,
        "trick": 4,
        "trump": "S",
        "contenders": [0, 1],
        "leader": 1,
        "table": [],
        "tricks": [0, 3],
        "seen": "C2 C3 C4 C5 C6 C7".split(),
        "hand": "C8 C9 CT CJ".split(),
    }
    assert typed(2, fields | {"voids": [[], ["D", "H"]]}).seats_to_move == {1}
    with pytest.raises(BadView, match="view: voids: leave too few unseen cards for the hands"):
        typed(2, fields | {"voids": [[], ["D", "H", "S"]]})


def test_the_number_of_moves_must_be_one_that_a_match_can_reach() -> None:
    fields = seen(lay(2, ("S", [])), 0) | {"round": 2, "hand": "C2 C3 C4 C5 C6 C7".split()}
    fields["hand_counts"] = [6, 6]
    del fields["ply"]
    assert typed(2, fields).to_json()["view"]["ply"] == 14
    with pytest.raises(BadView, match="view: ply: is 15"):
        typed(2, fields | {"ply": 15})
