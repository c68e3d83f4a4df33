"""Taunts and foils (R6), one test a statement."""

import pytest

from machiavel.engines import IllegalMove
from tests.engines.bond.table import empty, lay, play, seen


def test_r6_1_only_letters_that_are_not_on_the_spy_yet() -> None:
    state = lay(2, ["lair:4 spy:3 doubler:A doubler:A doubler:C", ""], moves="lair:4 spy:3>0")
    assert state.legal_moves() == ["kill", "taunt:A", "taunt:C"]
    play(state, "taunt:A let")
    assert state.legal_moves() == ["kill", "taunt:C"]
    with pytest.raises(IllegalMove, match="A is on the spy already"):
        state.play("taunt:A")


def test_r6_2_the_others_are_asked_from_the_owners_left_until_one_foils() -> None:
    hands = ["spy:3", "doubler:B", "lair:4 doubler:B", ""]
    state = lay(4, hands, first=2, moves="lair:4 end skip end skip spy:3>2 go taunt:B")
    asked = []
    while seen(state)["phase"] == "foil" and state.seat_to_move != 1:
        asked.append(state.seat_to_move)
        assert seen(state)["attack"]["declined"] == asked[:-1]
        play(state, "let")
    assert asked == [3, 0]
    assert state.legal_moves() == ["foil", "let"]
    play(state, "foil")
    assert state.seat_to_move == 1 and seen(state)["phase"] == "lair"


def test_r6_3_a_taunt_that_stands_doubles_for_good() -> None:
    """The rule sheet's example: A stands although another holds the second A; then C; the spy of 3 is worth 12."""
    hands = ["lair:4 spy:3 doubler:A doubler:C doubler:D", "doubler:A"]
    state = lay(2, hands, moves="lair:4 spy:3>0 taunt:A")
    assert state.legal_moves() == ["foil", "let"]
    play(state, "let taunt:C")
    assert state.legal_moves() == ["let"]
    play(state, "let")
    twelve = play(state.copy(), "kill")
    assert seen(twelve)["points"] == [12, 0]
    twenty_four = play(state, "taunt:D let kill")
    assert seen(twenty_four)["points"] == [24, 0]
    assert seen(twenty_four)["discard"] == empty(spies=[3], doublers=["A", "C", "D"])


def test_r6_4_a_foil_on_somebody_elses_turn_loses_spy_lair_and_doublers() -> None:
    hands = ["spy:2", "lair:3 doubler:E doubler:F", "doubler:F"]
    state = lay(3, hands, first=1, moves="lair:3 end skip end skip spy:2>1 go taunt:E let let taunt:F")
    assert seen(state)["turn"] == 0 and state.seat_to_move == 2
    play(state, "foil")
    view = seen(state)
    assert view["points"] == [0, 0, 0] and view["lairs"] == [[], [], []] and view["attack"] is None
    assert view["discard"] == empty(lairs=[3], spies=[2], doublers=["E", "F", "F"])
    assert view["turn"] == 1


def test_r6_5_whoever_cannot_foil_is_asked_too_and_nobody_can_tell() -> None:
    """A safe taunt: the owner holds both, or the other one lies in the discard."""
    both = lay(3, ["lair:4 spy:2 doubler:A doubler:A", "", ""], moves="lair:4 spy:2>0 taunt:A")
    assert both.legal_moves() == ["let"] and both.seat_to_move == 1
    assert play(both, "let").seat_to_move == 2
    assert seen(play(both, "let kill"))["points"] == [4, 0, 0]
    hands = ["lair:4 spy:2 spy:3 doubler:A doubler:A"]
    gone = lay(2, hands, moves="lair:4 spy:2>0 taunt:A let kill skip end skip spy:3>0")
    assert seen(gone)["discard"]["doublers"] == ["A"]
    play(gone, "taunt:A")
    assert gone.legal_moves() == ["let"] and seen(gone)["phase"] == "foil"
    assert seen(play(gone, "let kill"))["points"] == [4 + 6, 0]


def test_r6_6_spies_captured_together_are_one() -> None:
    hands = ["spy:3 spy:2 spy:2", "lair:4 lair:4 doubler:A doubler:B"]
    moves = "lair:4 end skip end lair:4 end skip spy:3>1 add:2 add:2 go"
    state = lay(2, hands, "lair:1 doubler:I lair:1 doubler:H", first=1, moves=moves)
    assert seen(state)["attack"]["spies"] == [3, 2, 2] and state.legal_moves() == ["kill", "taunt:A", "taunt:B"]
    play(state, "taunt:A let")
    assert state.legal_moves() == ["kill", "taunt:B"]
    play(state, "kill")
    assert seen(state)["points"] == [0, 14]
    assert seen(state)["discard"] == empty(spies=[2, 2, 3], doublers=["A"])
