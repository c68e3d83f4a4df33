"""The worked example of the rule sheet, move by move."""

from machiavel.engines import State
from tests.engines.agency.table import lay, play, seen

MAELYS, NATHANIEL, MATHIS = range(3)


def laid_out() -> State:
    """Maëlys is Martha, Nathaniel Belton; she leads the first trick, and the cards to come lie as in the example."""
    hands = ["M5 G8 M3 B1 B2 B3", "B9 Y12 B7 B4 B5 B6", "Y1 G11 Y6 B10 B11 B12"]
    return lay(3, hands, "1 3 belton martha 2 4", bottom="6", agents=["martha", "belton", "wxt"])


def test_the_example_of_the_rule_sheet() -> None:
    state = laid_out()

    # Maëlys has won the first trick and its plan, which has shown a new one.
    play(state, "M5 B9 Y1")
    view = seen(state)
    assert view["plan_points"] == [1, 0, 0] and view["stake"] == "3" and view["trick"] == 2

    # She plays first, since she won the trick before: a green 8.
    assert state.seat_to_move == MAELYS
    play(state, "G8")

    # Nathaniel plays a yellow 12: he need not follow.
    assert state.seat_to_move == NATHANIEL and "B7" in state.legal_moves()
    play(state, "Y12")

    # Mathis plays a green 11, and wins: no mauve, and the highest of the first colour. He takes the three cards and the plan.
    assert state.seat_to_move == MATHIS
    play(state, "G11")
    view = seen(state)
    assert view["tricks"] == [1, 0, 1] and view["plan_points"] == [1, 0, 3]
    assert view["greens"] == [0, 0, 2] and view["yellows"] == [1, 0, 1]

    # Belton's power card is on top. Nathaniel is Belton: he decides who begins, and names himself.
    assert view["pile"][0] == "belton" and view["phase"] == "lead" and state.seat_to_move == NATHANIEL
    assert view["leader"] == MATHIS
    play(state, f"lead:{NATHANIEL}")

    # Taking it has shown Martha's power card; Maëlys is Martha. Below it lies a plan of 2.
    view = seen(state)
    assert view["martha"] and view["stake"] == "2" and view["pile"][:2] == ["2", "?"]
    assert view["order"] == [NATHANIEL, MATHIS, MAELYS]

    # Nathaniel plays a blue 7, Mathis a yellow 6, Maëlys a mauve 3: the only mauve card wins.
    play(state, "B7 Y6 M3")
    view = seen(state)
    assert view["tricks"] == [2, 0, 1] and view["half"][2]["cards"] == ["B7", "Y6", "M3"]

    # She takes the three cards, the plan on top and, by her power, the plan at the bottom.
    assert view["plan_points"] == [1 + 2 + 6, 0, 3] and view["yellows"] == [2, 0, 1]
    assert view["stake"] == "4" and len(view["pile"]) == 23 - 6
    assert state.seat_to_move == MAELYS and view["trick"] == 4
    assert not view["martha"]


def test_the_example_replays_from_its_record() -> None:
    state = play(laid_out(), "M5 B9 Y1 G8 Y12 G11 lead:1 B7 Y6 M3")
    assert state.game.replay(state.record()).truth() == state.truth()
