"""R4 and R5: playing and winning tricks."""

import pytest

from tests.engines.agency.table import lay, play, play_to, seen

PLAIN = "1 2 3 4 5 6"


def winner_of(hands: str) -> int:
    """The seat that wins when each plays one card, from seat 0 on."""
    cards = hands.split()
    state = lay(len(cards), cards, PLAIN, powers=False)
    play(state, cards)
    tricks: list[int] = seen(state)["tricks"]
    return tricks.index(1)


# ---- R4 ----


def test_r4_1_powers_come_first_and_then_the_plan_on_top_is_the_stake() -> None:
    state = lay(3, pile="belton martha 4 2", leader=1)
    assert seen(state)["phase"] == "lead" and seen(state)["stake"] is None and seen(state)["order"] == []
    play(state, "lead:2")
    view = seen(state)
    assert (view["phase"], view["stake"], view["order"], view["martha"]) == ("play", "4", [2, 0, 1], True)


@pytest.mark.parametrize(("leader", "order"), [(0, [0, 1, 2, 3]), (1, [1, 2, 3, 0]), (3, [3, 0, 1, 2])])
def test_r4_1_the_order_is_clockwise_from_the_leader(leader: int, order: list[int]) -> None:
    state = lay(4, ["B1", "B2", "B3", "B4"], PLAIN, leader=leader)
    assert seen(state)["order"] == order
    for seat in order:
        assert state.seat_to_move == seat and state.seats_to_move == {seat}
        play(state, f"B{seat + 1}")


def test_r4_2_any_card_of_the_hand_may_be_played_and_nothing_obliges_to_follow() -> None:
    state = lay(3, ["G8", "G1 M2 B3 Y4 G5 B6", ""], PLAIN)
    play(state, "G8")
    assert state.legal_moves() == ["M2", "B3", "B6", "G1", "G5", "Y4"]
    play(state, "Y4")
    assert seen(state)["table"] == [[0, "G8"], [1, "Y4"]] and seen(state)["hand_counts"] == [5, 5, 6]


def test_r4_2_only_cards_of_the_hand_not_of_the_reserve() -> None:
    state = lay(2, ["M1 M2 M3 M4 M5 M6", ""], PLAIN, reserves=["B1 B2 B3 B4 B5 B6", ""])
    assert state.legal_moves() == ["M1", "M2", "M3", "M4", "M5", "M6"]


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("G8 Y12 G11", 2),
        ("G8 Y12 G7", 0),
        ("G8 M1 G16", 1),
        ("B7 Y6 M3", 2),
        ("M3 M9 M5", 1),
        ("M10 G16 B18", 0),
        ("Y1 G16 B18", 0),
        ("Y1 G16 B18 Y2", 3),
        ("B1 M2 Y16 M1 G16", 1),
    ],
)
def test_r4_3_the_highest_mauve_wins_else_the_highest_of_the_first_colour(cards: str, winner: int) -> None:
    assert winner_of(cards) == winner


def test_r4_3_the_first_colour_is_the_one_led_not_the_colour_of_seat_0() -> None:
    state = lay(3, ["G16", "Y1", "Y2"], PLAIN, leader=1)
    play(state, "Y1 Y2 G16")
    assert seen(state)["tricks"] == [0, 0, 1]


# ---- R5 ----


def test_r5_1_the_winner_takes_the_stake_and_the_cards() -> None:
    state = lay(3, ["G1 G2", "M1 B9", "Y1 G3"], "4 6 1")
    play(state, "G1 M1 Y1")
    view = seen(state)
    assert (view["plan_points"], view["greens"], view["yellows"]) == ([0, 4, 0], [0, 1, 0], [0, 1, 0])
    assert view["seen"] == ["M1", "G1", "Y1"] and view["table"] == []
    play(state, "B9 G3 G2")
    view = seen(state)
    assert (view["plan_points"], view["greens"], view["yellows"]) == ([0, 10, 0], [0, 3, 0], [0, 1, 0])


def test_r5_2_green_and_yellow_cards_count_for_the_winner_whoever_played_them() -> None:
    state = lay(4, ["G1", "G2", "Y1", "G3"], PLAIN)
    play(state, "G1 G2 Y1 G3")
    assert seen(state)["greens"] == [0, 0, 0, 3] and seen(state)["yellows"] == [0, 0, 0, 1]


def test_r5_2_blue_and_mauve_cards_count_nothing() -> None:
    state = lay(2, ["B1", "M1"], PLAIN)
    play(state, "B1 M1")
    assert seen(state)["greens"] == seen(state)["yellows"] == [0, 0]


@pytest.mark.parametrize("winner", [0, 1, 2])
def test_r5_3_the_winner_leads_the_next_trick(winner: int) -> None:
    hands = ["B1 G1", "B2 G2", "B3 G3"]
    hands[winner] += " M1"
    state = lay(3, hands, PLAIN)
    play(state, ["M1" if seat == winner else f"B{seat + 1}" for seat in range(3)])
    assert seen(state)["leader"] == winner == state.seat_to_move
    assert seen(state)["order"] == [(winner + seat) % 3 for seat in range(3)]


def test_r5_4_after_the_sixth_trick_everybody_takes_the_reserve() -> None:
    state = lay(3, reserves=["M1 M2 M3 M4 M5 M6", "B1 B2 B3 B4 B5 B6", "G1 G2 G3 G4 G5 G6"])
    play_to(state, 1, 6)
    assert seen(state)["reserve"] == 6 and seen(state)["hand_counts"] == [1, 1, 1]
    play_to(state, 1, 7)
    assert seen(state)["reserve"] == 0 and seen(state)["hand_counts"] == [6, 6, 6]
    assert [seen(state, seat)["hand"] for seat in range(3)] == [[f"{colour}{n}" for n in range(1, 7)] for colour in "MBG"]
    assert state.truth()["reserves"] == [[], [], []]


def test_r4_4_forced_moves_are_asked_and_recorded_like_any_other() -> None:
    state = lay(2, powers=False, accomplices=False)
    play_to(state, 1, 6)
    for _ in range(2):
        (move,) = state.legal_moves()
        play(state, move)
        assert state.moves[-1] == move
    assert len(state.moves) == seen(state)["ply"] == 12
    only = lay(2, pile="moignons 1", agents=["moignons", "jean"])
    assert only.legal_moves() == ["look:1"] and only.seat_to_move == 0
    play(only, "look:1")
    assert only.moves == ("look:1",)
