"""The rules of hearts, by their numbers in engines/kit/games/RULES.md."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from machiavel.engines import IllegalMove, SeenMove, State, Teller
from tests.engines.kit.hearts.table import GAME, lay, play, seen

CLUBS = "C2 C3 C4 C5 C6 C7 C8 C9 CT CJ CQ CK CA"
DIAMONDS, HEARTS, SPADES = (CLUBS.replace("C", suit) for suit in "DHS")


def test_h1_1_thirteen_cards_of_fifty_two_for_each_of_four_seats_and_one_deal() -> None:
    state = GAME.new(4, seed=0)
    hands = state.truth()["hands"]

    assert list(GAME.players) == [4]
    assert [len(hand) for hand in hands] == [13] * 4
    assert {card for hand in hands for card in hand} == {suit + rank for suit in "CDHS" for rank in "23456789TJQKA"}
    rng = random.Random(1)
    while not state.is_over:
        state.play(rng.choice(state.legal_moves()))
    assert len(state.moves) == 64


def test_h2_1_chance_draws_one_of_four_ways_each_as_likely() -> None:
    found = Counter(seen(GAME.new(4, seed=seed))["way"] for seed in range(800))

    assert set(found) == {"left", "across", "right", "keep"}
    assert min(found.values()) > 150


@pytest.mark.parametrize(("way", "receiver"), [("left", 1), ("across", 2), ("right", 3)])
def test_h2_1_cards_go_to_the_left_across_or_to_the_right(way: str, receiver: int) -> None:
    state = lay(CLUBS, DIAMONDS, HEARTS, SPADES, way=way)
    for hand in (CLUBS, DIAMONDS, HEARTS, SPADES):
        play(state, [f"pass:{card}" for card in hand.split()[:3]])

    assert state.truth()["hands"][receiver][:3] == ["C2", "C3", "C4"]
    assert state.seat_to_move == receiver


def test_h2_2_each_seat_chooses_three_of_the_cards_it_was_dealt_face_down() -> None:
    state = lay(CLUBS, way="left")
    assert state.legal_moves() == [f"pass:{card}" for card in CLUBS.split()]
    play(state, "pass:C2 pass:CA")

    assert "pass:C2" not in state.legal_moves()
    assert seen(state, 0)["aside"][0] == ["C2", "CA"]
    assert seen(state, 1)["aside"][0] is None and seen(state, 1)["aside_counts"][0] == 2
    assert state.observed_moves(1) == ("pass:?", "pass:?")
    play(state, "pass:C3")
    assert state.seat_to_move == 1


def test_h2_3_nobody_sees_what_it_receives_before_all_have_chosen() -> None:
    state = lay(CLUBS, DIAMONDS, HEARTS, SPADES, way="left")
    play(state, "pass:C2 pass:C3 pass:C4 pass:D2 pass:D3 pass:D4 pass:H2 pass:H3 pass:H4 pass:S2 pass:S3")
    assert seen(state, 1)["hands"][1] == DIAMONDS.split()[3:]
    assert "pass:C2" not in state.legal_moves(3)
    play(state, "pass:S4")

    assert seen(state, 1)["hands"][1] == ["C2", "C3", "C4", *DIAMONDS.split()[3:]]


def told(state: State, seat: int | None, language: str = "en") -> list[str]:
    """What a seat reads of the moves of a match."""
    rules, lines = GAME.make_rules(4), list[str]()
    teller, before = Teller(GAME.plugin, rules, language, seat), None
    again = GAME.replay(replace(state.record(), moves=()))
    for move in (None, *state.moves):
        mover = again.seat_to_move
        if move is not None:
            again.play(move)
        text, after = again.last_move(seat), seen(again, seat)
        step = None if move is None or mover is None or text is None else SeenMove(mover, text)
        lines += [teller.text(after, event) for event in teller.events(before, step, after)]
        before = after
    return lines


def test_h2_2_a_seat_is_told_how_many_cards_it_has_chosen() -> None:
    state = play(lay(CLUBS, DIAMONDS, HEARTS, SPADES, way="across"), "pass:C2 pass:C3 pass:C4 pass:D2")

    assert told(state, 0)[:6] == [
        line for number in (1, 2, 3) for line in (f"You pass the {number + 1} of clubs.", f"That makes {number} of 3.")
    ]
    assert told(state, 1, "fr")[-1] == "Ça fait 1 sur 3."
    assert told(state, 2) == told(state, None) == [*3 * ["Seat 0 passes a card."], "Seat 1 passes a card."]


def test_h2_3_a_seat_alone_is_told_what_it_received() -> None:
    state = lay(CLUBS, DIAMONDS, HEARTS, SPADES, way="left")
    play(state, "pass:C2 pass:C3 pass:C4 pass:D2 pass:D3 pass:D4 pass:H2 pass:H3 pass:H4 pass:S2 pass:S3 pass:S4")

    assert told(state, 1)[-1] == "You get the 2 of clubs, the 3 of clubs and the 4 of clubs."
    assert told(state, 0, "fr")[-1] == "Tu reçois le 2 de pique, le 3 de pique et le 4 de pique."
    assert told(state, None)[-1] == "Seat 3 passes a card."


def test_h2_4_all_are_asked_together_and_answers_are_taken_in_the_order_of_seats() -> None:
    state = lay(CLUBS, DIAMONDS, HEARTS, SPADES, way="across")
    movers: list[int | None] = []
    for hand in (CLUBS, DIAMONDS, HEARTS, SPADES):
        for card in hand.split()[:3]:
            assert sorted(state.seats_to_move) == list(range(len(movers) // 3, 4))
            movers.append(state.seat_to_move)
            play(state, [f"pass:{card}"])

    assert movers == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert len(state.seats_to_move) == 1


def test_h2_5_without_the_option_nobody_passes() -> None:
    state = GAME.new(4, seed=1, passing=False)

    assert (seen(state)["way"], state.legal_moves()) == ("keep", ["C2"])


def test_h3_1_whoever_has_the_two_of_clubs_after_passing_leads_it() -> None:
    state = lay(CLUBS, DIAMONDS, HEARTS, SPADES, way="right")
    play(state, "pass:C2 pass:C3 pass:C4 pass:D2 pass:D3 pass:D4 pass:H2 pass:H3 pass:H4 pass:S2 pass:S3 pass:S4")

    assert (state.seat_to_move, state.legal_moves()) == (3, ["C2"])
    for seed in range(8):
        state = GAME.new(4, seed=seed, passing=False)
        assert "C2" in state.truth()["hands"][state.seat_to_move or 0]


def test_h3_2_a_card_of_the_suit_led_must_be_played() -> None:
    state = play(lay("C2", "C3 CA", "", "C4"), "C2")

    assert state.seat_to_move == 1
    assert set(state.legal_moves()) == {card for card in state.truth()["hands"][1] if card[0] == "C"}
    with pytest.raises(IllegalMove):
        state.play(next(card for card in state.truth()["hands"][1] if card[0] != "C"))


def test_h3_3_no_points_in_the_first_trick() -> None:
    state = play(lay("C2", "D2 D3 H2 H3 H4 H5 H6 S2 S3 S4 S5 SQ SK"), "C2")

    assert state.legal_moves() == ["D2", "D3", "S2", "S3", "S4", "S5", "SK"]


def test_h3_3_points_in_the_first_trick_where_there_is_nothing_else() -> None:
    points = "H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK SQ"
    state = play(lay("C2", points), "C2")

    assert state.legal_moves() == points.split()
    state.play("SQ")
    assert seen(state)["may"][1] == ["H2", "H3", "H4", "H5", "H6", "H7", "H8", "H9", "HT", "HJ", "HQ", "HK", "HA", "SQ"]


def test_h3_4_the_highest_card_of_the_suit_led_takes_the_trick_and_leads() -> None:
    state = play(lay("C2", "CT", "DA D2 D3 D4 D5 D6 D7 D8 D9 DT DJ DQ DK", "C9"), "C2 CT DA C9")

    assert state.seat_to_move == 1
    assert seen(state)["gone"] == ["C2", "C9", "CT", "DA"]
    assert seen(state)["table"] == [None] * 4


def test_h3_4_every_trick_is_told_with_points_or_without_and_the_last_one_too() -> None:
    state = lay(CLUBS, DIAMONDS, HEARTS, SPADES)
    while not state.is_over:
        play(state, [state.legal_moves()[-1]])
    lines = told(state, None)

    assert lines[:6] == [
        *("Seat 0 plays the 2 of clubs.", "Seat 1 plays the ace of diamonds.", "Seat 2 plays the ace of hearts."),
        *("Seat 3 plays the ace of spades.", "Seat 0 takes the trick.", "Seat 0 takes 1 point."),
    ]
    assert lines.count("Seat 0 takes the trick.") == 13
    quiet = play(lay("C2 D2", "C3 D3", "C4 DA", "C5 D5"), "C2 C3 C4 C5")
    assert told(quiet, 3)[-2:] == ["You play the 5 of clubs.", "You take the trick."]


def test_h3_5_hearts_are_not_led_before_a_heart_or_the_queen_of_spades_was_played() -> None:
    hands = ("C2 CA D5 H5 H6", "C3 D2 D3", "C4 D4 D6", "C5 S2 SQ H2")
    state = play(lay(*hands), "C2 C3 C4 C5")
    assert state.seat_to_move == 3
    assert not any(card[0] == "H" for card in state.legal_moves())
    state.play("SQ")
    for _ in range(3):
        state.play(state.legal_moves()[0])

    leads = state.truth()["hands"][state.seat_to_move or 0]
    assert state.legal_moves() == leads


def test_h3_5_a_hand_of_hearts_alone_may_lead_one() -> None:
    hearts = "H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK"
    state = lay(f"CA {hearts}")
    for _ in range(4):
        state.play(state.legal_moves()[0])

    assert (state.seat_to_move, state.legal_moves()) == (0, hearts.split())
    state.play("H2")
    assert seen(state)["may"][0] == [*hearts.split(), "HA"]


def test_h3_6_the_last_card_is_asked_for_like_any_other() -> None:
    state = GAME.new(4, seed=3, passing=False)
    rng = random.Random(1)
    while len(state.moves) < 48:
        state.play(rng.choice(state.legal_moves()))

    assert len(state.legal_moves()) == 1 and not state.is_over


def test_h4_1_hearts_are_a_point_each_and_the_queen_of_spades_thirteen() -> None:
    state = GAME.new(4, seed=3, passing=False)
    rng = random.Random(1)
    taken = [0] * 4
    while not state.is_over:
        before, card = seen(state)["points"], rng.choice(state.legal_moves())
        trick = [one for one in seen(state)["table"] if one] + [card]
        state.play(card)
        now = seen(state)["points"]
        if len(trick) == 4:
            gained = [new - old for new, old in zip(now, before, strict=True)]
            assert sum(gained) == sum(13 if one == "SQ" else one[0] == "H" for one in trick)
            taken = [sum(pair) for pair in zip(taken, gained, strict=True)]

    assert sum(taken) == 26 and state.metrics == {f"points_{seat}": points for seat, points in enumerate(taken)}


def test_h4_2_and_h4_3_after_the_moon_one_has_all() -> None:
    """Seat 0 has every trick but the first in its hand, and takes that with the ace."""
    state = lay("CA CK CQ CJ DA DK DQ HA HK HQ SA SK SQ")
    while not state.is_over:
        moves = state.legal_moves()
        state.play(moves[-1] if state.seat_to_move == 0 else moves[0])

    assert seen(state)["points"] == [26, 0, 0, 0]
    assert state.utilities == (1, 0, 0, 0)


def test_h4_2_and_h4_3_a_result_is_26_less_the_points_and_a_utility_its_share() -> None:
    for seed in range(20):
        state = GAME.new(4, seed=seed)
        rng = random.Random(seed)
        while not state.is_over:
            state.play(rng.choice(state.legal_moves()))
        points = seen(state)["points"]
        if 26 not in points:
            assert state.utilities == pytest.approx([(26 - one) / 78 for one in points])


def test_h5_1_a_seat_sees_its_own_hand_the_cards_played_and_the_points() -> None:
    state = play(lay("C2", "C3", "C4", "C5"), "C2 C3")
    view = seen(state, 2)

    assert view["hands"] == [None, None, state.truth()["hands"][2], None]
    assert view["hands_counts"] == [12, 12, 13, 13]
    assert (view["table"], view["points"], view["way"]) == (["C2", "C3", None, None], [0] * 4, "keep")


def test_h5_2_a_seat_that_does_not_follow_has_none_of_the_suit() -> None:
    state = lay("C2", "D2 D3 D4 D5 D6 D7 D8 D9 DT DJ DQ DK DA")
    assert [("C2" in cards) for cards in seen(state)["may"]] == [True, False, False, False]
    play(state, "C2 D2")

    assert not any(card[0] == "C" for card in seen(state)["may"][1])


def test_h5_3_a_seat_knows_who_has_the_cards_it_passed_until_they_are_played() -> None:
    state = lay(CLUBS, DIAMONDS, HEARTS, SPADES, way="left")
    play(state, "pass:CK pass:CQ pass:CJ pass:DA pass:DK pass:DQ pass:H2 pass:H3 pass:H4 pass:S2 pass:S3 pass:S4")
    assert seen(state, 0)["passed"] == [["CJ", "CQ", "CK"], None, None, None]
    for seed in range(40):
        assert {"CJ", "CQ", "CK"} <= set(state.view(0).determinize(seed).truth()["hands"][1])
    play(state, "C2 CK")
    assert {"CJ", "CQ"} <= set(state.view(0).determinize(1).truth()["hands"][1])


def test_h5_4_others_do_not_see_hands_nor_what_is_passed() -> None:
    state = lay(CLUBS, DIAMONDS, HEARTS, SPADES, way="left")
    play(state, "pass:CK pass:CQ pass:CJ")
    view = seen(state, 2)

    assert (view["hands"][0], view["aside"][0], view["passed"][0]) == (None, None, None)
    assert state.observed_moves(2) == ("pass:?",) * 3
