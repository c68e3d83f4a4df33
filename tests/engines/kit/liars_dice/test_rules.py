"""The rules of liar's dice, by their numbers in engines/kit/games/RULES.md."""

import random
from collections import Counter

import pytest

from machiavel.engines import LANGUAGES, IllegalMove, NotAMove, SeenMove, Teller
from tests.engines.kit.liars_dice.table import GAME, laid, play, seen


@pytest.mark.parametrize("players", [2, 3, 4])
def test_l1_1_three_dice_each_and_the_last_with_dice_wins(players: int) -> None:
    state = GAME.new(players, seed=1)
    assert seen(state)["dice"] == [3] * players
    rng = random.Random(players)
    while not state.is_over:
        state.play(rng.choice(state.legal_moves()[:4]))

    dice = seen(state)["dice"]
    assert sorted(dice)[:-1] == [0] * (players - 1)
    assert state.utilities == tuple(float(count > 0) for count in dice)
    assert state.metrics == {f"dice_{seat}": count for seat, count in enumerate(dice)}


def test_l2_1_all_dice_are_rolled_anew_each_round() -> None:
    state = play(laid(["111", "222"], ["333", "44"]), "3x6 liar")

    assert state.truth()["cups"] == [[3, 3, 3], [4, 4]]


def test_l2_1_each_face_is_as_likely() -> None:
    faces = Counter(face for seed in range(500) for cup in GAME.new(4, seed=seed).truth()["cups"] for face in cup)

    assert set(faces) == set(range(1, 7))
    assert all(850 < count < 1150 for count in faces.values())


def test_l3_1_seat_0_begins_and_seats_with_dice_follow_clockwise() -> None:
    state = laid(["111", "222", "333"])
    movers = []
    for move in ("1x1", "1x2", "1x3", "1x4"):
        movers.append(state.seat_to_move)
        state.play(move)

    assert movers == [0, 1, 2, 0]


def test_l3_2_a_bid_names_a_number_up_to_all_dice_and_a_face() -> None:
    state = laid(["111", "222"])

    assert state.legal_moves() == [f"{number}x{face}" for number in range(1, 7) for face in range(1, 7)]
    with pytest.raises(IllegalMove):
        state.play("7x1")
    with pytest.raises(NotAMove):
        state.play("13x1")


def test_l3_3_each_bid_is_higher_than_the_one_before() -> None:
    state = play(laid(["111", "222"]), "5x4")

    assert state.legal_moves() == ["liar", "5x5", "5x6", *(f"6x{face}" for face in range(1, 7))]


def test_l3_4_a_liar_is_called_only_after_a_bid_and_after_the_highest_nothing_else_is_left() -> None:
    state = laid(["111", "222"])
    assert "liar" not in state.legal_moves()

    assert play(state, "6x6").legal_moves() == ["liar"]


def test_l4_1_and_l4_2_ones_count_as_any_face_and_the_caller_of_a_true_bid_loses_a_die() -> None:
    state = play(laid(["145", "255", "336"]), "2x5 4x5 liar")

    assert seen(state)["dice"] == [3, 3, 2]
    assert seen(state)["lifted"] == [[5, 4, 1], [5, 5, 2], [6, 3, 3]]
    assert state.seat_to_move == 2


def test_l4_1_and_l4_2_the_bidder_of_a_wrong_bid_loses_a_die() -> None:
    state = play(laid(["145", "255", "336"]), "2x5 5x5 liar")

    assert seen(state)["dice"] == [3, 2, 3]
    assert state.seat_to_move == 1


def test_l4_1_in_a_bid_of_ones_nothing_else_counts() -> None:
    assert seen(play(laid(["155", "266"]), "1x1 liar"))["dice"] == [3, 2]
    assert seen(play(laid(["155", "266"]), "2x1 liar"))["dice"] == [2, 3]


@pytest.mark.parametrize(("bid", "found"), [("4x5", 5), ("6x5", 5), ("3x2", 4), ("2x1", 2)])
def test_l4_1_all_are_told_how_many_dice_count_and_what_was_bid(bid: str, found: int) -> None:
    state = play(laid(["145", "255", "126"]), ["1x1", bid])
    before = [seen(state, seat) for seat in (0, 1)]
    play(state, "liar")
    told = []
    for seat, language in enumerate(LANGUAGES):
        teller, after = Teller(GAME.plugin, state.rules, language, seat), seen(state, seat)
        call, count, loss = teller.events(before[seat], SeenMove(2, "liar"), after)
        told.append(teller.text(after, count))

    assert (call.kind, count.kind, loss.kind) == ("liar", "count", "dice")
    number, _, face = bid.partition("x")
    assert told[0] == f"{found} found under the cups; seat 1 bid {number} × {face}."
    assert told[1] == f"On en trouve {found}\N{NO-BREAK SPACE}; tu avais annoncé {number} × {face}."


def test_l4_3_whoever_loses_the_last_die_is_followed_by_the_next_seat() -> None:
    state = laid(["222", "333", "444"], ["22", "333", "444"], ["2", "333", "444"])
    for _ in range(3):
        play(state, "9x6" if "9x6" in state.legal_moves() else state.legal_moves()[-1])
        play(state, "liar")

    assert seen(state)["dice"] == [0, 3, 3]
    assert state.seat_to_move == 1


def test_l4_4_the_match_ends_when_one_seat_has_dice() -> None:
    state = laid(["222", "333"], ["22", "333"], ["2", "333"])
    for _ in range(3):
        play(state, [state.legal_moves()[-1], "liar"])

    assert state.is_over and state.utilities == (0, 1)
    assert seen(state)["cups_counts"] == [0, 0] and seen(state)["lifted"] == [[2], [3, 3, 3]]


def test_l5_1_a_seat_sees_its_dice_and_how_many_the_others_have() -> None:
    state = play(laid(["145", "255", "336"]), "2x5")
    view = seen(state, 1)

    assert view["cups"] == [None, [5, 5, 2], None]
    assert (view["cups_counts"], view["dice"], view["lifted"]) == ([3, 3, 3], [3, 3, 3], [[], [], []])
    assert (view["bidder"], view["number"], view["face"]) == (0, 2, 5)


def test_l5_2_the_order_under_a_cup_means_nothing() -> None:
    first, second = laid(["145", "255"]), laid(["541", "525"])

    assert first.to_bytes() == second.to_bytes()
    assert [first.view_key(seat) for seat in (0, 1, None)] == [second.view_key(seat) for seat in (0, 1, None)]
    assert seen(first, None)["cups"] == [None, None]
