"""R7: the Castor's accomplices."""

import pytest

from tests.engines.agency.table import GAME, deck_of, full_round, lay, play, play_to, seen

HOUSE_PLAN = {
    "blue_over_mauve": "4+blue_over_mauve",
    "plain_mauve": "3+plain_mauve",
    "low_wins": "2+low_wins",
    "follow_suit": "5+follow_suit",
    "pass_left": "1+pass_left",
}


def winner_of(cards: str, accomplice: str, *, accomplices: bool = True) -> int:
    """The seat that wins when each plays one card, from seat 0 on."""
    hands = cards.split()
    stake = HOUSE_PLAN[accomplice] if accomplices else HOUSE_PLAN[accomplice][0]
    state = play(lay(len(hands), hands, f"{stake} 6", powers=False, accomplices=accomplices), hands)
    assert sum(seen(state)["plan_points"]) == int(stake[0])
    tricks: list[int] = seen(state)["tricks"]
    return tricks.index(1)


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("G8 M10 B1", 2),
        ("B1 M10 B2 M9", 2),
        ("B3 M10 G16", 0),
        ("M10 B1", 1),
        ("G8 M10 Y16", 1),
        ("G8 M1 G16", 1),
        ("M2 M3 Y16", 1),
        ("G8 Y12 G9", 2),
        ("Y1 G16 G15", 0),
    ],
)
def test_r7_1_blue_beats_mauve_and_mauve_the_colour_led(cards: str, winner: int) -> None:
    assert winner_of(cards, "blue_over_mauve") == winner


@pytest.mark.parametrize(
    ("cards", "winner"),
    [("G8 M10 G7", 0), ("G8 M10 G9", 2), ("M1 G16 M2", 2), ("M1 G16 B18", 0), ("B1 M10 M9", 0), ("Y2 Y1 M1", 0)],
)
def test_r7_2_plain_mauve_wins_only_if_it_was_led(cards: str, winner: int) -> None:
    assert winner_of(cards, "plain_mauve") == winner


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("G8 G3 Y1", 1),
        ("G3 G8 G4", 0),
        ("G8 Y1 B1", 0),
        ("G3 M9 M4", 2),
        ("G1 M10", 1),
        ("M9 M4 M5", 1),
        ("M9 G1 B1", 0),
        ("B18 Y1 G1", 0),
    ],
)
def test_r7_3_the_lowest_card_of_the_winning_colour_wins_and_mauve_stays_trump(cards: str, winner: int) -> None:
    assert winner_of(cards, "low_wins") == winner


def test_r7_4_who_holds_the_colour_led_must_play_it() -> None:
    state = lay(3, ["G8 M1", "M2 B3 G5 G7 Y4 Y5", "M3 B4 B5 Y6 Y7 Y8"], "5+follow_suit")
    assert len(state.legal_moves()) == 6
    play(state, "G8")
    assert state.legal_moves() == ["G5", "G7"]
    play(state, "G5")
    assert state.legal_moves() == ["M3", "B4", "B5", "Y6", "Y7", "Y8"]


def test_r7_4_mauve_too_must_be_followed() -> None:
    state = play(lay(2, ["M8", "M1 M2 G1 Y1 B1 B2"], "5+follow_suit"), "M8")
    assert state.legal_moves() == ["M1", "M2"]


def test_r7_4_a_colour_in_the_reserve_does_not_bind() -> None:
    state = lay(2, ["G8", "M1 M2 M3 M4 Y1 Y2"], "5+follow_suit", reserves=["", "G1 G2 G3 G4 G5 G6"])
    assert play(state, "G8").legal_moves() == ["M1", "M2", "M3", "M4", "Y1", "Y2"]


@pytest.mark.parametrize(("cards", "winner"), [("G3 M9 G16", 1), ("G3 Y16 B18", 0), ("G3 G9 G16", 2)])
def test_r7_4_under_follow_suit_the_trick_is_won_as_ever(cards: str, winner: int) -> None:
    hands = [f"{card} {fill}" for card, fill in zip(cards.split(), ("B1 B2 B3 B4 B5", "", "B6 B7 B8 B9 B10"), strict=True)]
    hands[1] += " M1 M2 M3 M4 M5" if "G" not in hands[1] else ""
    state = play(lay(3, hands, "5+follow_suit 6", powers=False), cards)
    assert seen(state)["tricks"].index(1) == winner


def test_r7_4_the_next_trick_is_free_again() -> None:
    state = lay(2, ["M8 G8", "M1 G1 Y1"], "5+follow_suit 1")
    assert "Y1" in play(state, "M8 M1 G8").legal_moves() and "G1" in state.legal_moves()


# ---- R7.5 ----


def test_r7_5_they_pass_in_the_order_of_the_seats_whoever_leads() -> None:
    state = lay(3, ["B1", "B2", "B3"], "1+pass_left", leader=2)
    assert seen(state)["order"] == [2, 0, 1]
    for seat in range(3):
        assert state.seat_to_move == seat and state.seats_to_move == set(range(seat, 3))
        assert seen(state)["to_move"] == list(range(seat, 3)) and seen(state)["phase"] == "pass"
        play(state, f"pass:B{seat + 1}")
    assert state.seat_to_move == 2 and seen(state)["phase"] == "play"


def test_r7_5_each_seat_passes_to_the_next_number_and_the_last_to_seat_0() -> None:
    state = play(lay(4, ["B1", "B2", "B3", "B4"], "1+pass_left"), "pass:B1 pass:B2 pass:B3 pass:B4")
    assert [[card for card in hand if card in {"B1", "B2", "B3", "B4"}] for hand in state.truth()["hands"]] == [
        ["B4"],
        ["B1"],
        ["B2"],
        ["B3"],
    ]


def test_r7_5_two_players_exchange_a_card() -> None:
    state = play(lay(2, ["B1", "B2"], "1+pass_left"), "pass:B1 pass:B2")
    assert "B2" in seen(state, 0)["hand"] and "B1" in seen(state, 1)["hand"] and seen(state)["hand_counts"] == [6, 6]


def test_r7_5_hands_change_when_all_have_given() -> None:
    state = lay(3, ["B1", "B2", "B3"], "1+pass_left")
    before = state.truth()["hands"]
    play(state, "pass:B1 pass:B2")
    assert state.truth()["hands"] == before and seen(state)["hand_counts"] == [6, 6, 6]
    assert "pass:B1" not in state.legal_moves(2)
    play(state, "pass:B3")
    assert state.truth()["hands"] != before and seen(state)["hand_counts"] == [6, 6, 6]


def test_r7_5_a_card_received_may_be_played_at_once() -> None:
    state = play(lay(3, ["B1", "B2", "M10"], "1+pass_left"), "pass:B1 pass:B2 pass:M10")
    assert "M10" in state.legal_moves() and "B1" not in state.legal_moves()
    assert seen(play(state, "M10"))["table"] == [[0, "M10"]]


def test_r7_5_reserve_cards_cannot_be_passed() -> None:
    state = lay(2, ["M1 M2 M3 M4 M5 M6", ""], "1+pass_left", reserves=["G1 G2 G3 G4 G5 G6", ""])
    assert state.legal_moves() == [f"pass:M{rank}" for rank in range(1, 7)]


def test_r7_5_that_a_seat_has_given_is_public_and_the_card_is_not() -> None:
    state = play(lay(3, ["B1", "B2", "B3"], "1+pass_left"), "pass:B1")
    assert seen(state, 1)["to_move"] == seen(state)["to_move"] == [1, 2]
    assert state.observed_moves(0) == ("pass:B1",)
    assert state.observed_moves(1) == state.observed_moves(2) == state.observed_moves(None) == ("pass:?",)
    other = play(lay(3, ["B1", "B2", "B3"], "1+pass_left"), "pass:Y16")
    assert other.seen_by(1) == state.seen_by(1) and other.seen_by(None) == state.seen_by(None)


def test_r7_5_powers_come_before_the_pass() -> None:
    state = lay(3, ["B1", "B2", "B3"], "moignons 1+pass_left", agents=["moignons", "jean", "belton"])
    play(state, "look:1")
    assert seen(state)["phase"] == "pass" and "B2" in seen(state, 0)["look"]["cards"]
    play(state, "pass:B1 pass:B2 pass:B3")
    assert seen(state, 0)["look"]["cards"] == [*seen(state, 0)["look"]["cards"]] and "B2" in seen(state, 0)["look"]["cards"]


def test_r7_5_with_one_card_in_hand_it_must_be_passed_and_the_received_one_played() -> None:
    plans = [*["1"] * 12, "1+pass_left"]
    deck = deck_of({"B": range(1, 25)}, plans)
    first = full_round(2, (), [*["1"] * 5, "1+pass_left"], cards=[f"B{rank}" for rank in range(1, 25)], shuffled=plans)
    state = GAME.new(2, seed=1, layout={"leader": 0, "rounds": [first]}, deck=deck, powers=False)
    play_to(state, 1, 6)
    hands = state.truth()["hands"]
    for seat in range(2):
        assert state.legal_moves() == [f"pass:{hands[seat][0]}"]
        state.play(state.legal_moves()[0])
    assert state.truth()["hands"] == [hands[1], hands[0]]


# ---- All of them ----


@pytest.mark.parametrize("accomplice", HOUSE_PLAN)
def test_r7_0_an_accomplice_works_for_its_one_trick(accomplice: str) -> None:
    pile = f"{HOUSE_PLAN[accomplice]} 1 6"
    state = lay(3, ["G8 G9 M1", "M10 M9 Y1", "B1 G1 B2"], pile, powers=False)
    if accomplice == "pass_left":
        play(state, "pass:Y16 pass:Y1 pass:B2")
    play(state, "G8")
    play(state, "M10" if "M10" in state.legal_moves() else state.legal_moves()[0])
    play(state, "G1" if "G1" in state.legal_moves() else state.legal_moves()[0])
    assert seen(state)["trick"] == 2 and seen(state)["phase"] == "play"
    assert [entry["follow_suit"] or entry["pass_left"] for entry in seen(state)["half"]][1] is False
    leader = seen(state)["leader"]
    order = seen(state)["order"]
    hands = [seen(state, seat)["hand"] for seat in range(3)]
    lead = next((card for card in hands[leader] if card[0] != "M"), hands[leader][0])
    play(state, lead)
    for seat in order[1:]:
        assert state.legal_moves() == hands[seat]
        play(state, next((card for card in hands[seat] if card[0] == "M"), hands[seat][0]))
    cards = seen(state)["half"][1]["cards"]
    mauve = [card for card in cards if card[0] == "M"] or [card for card in cards if card[0] == cards[0][0]]
    best = order[cards.index(max(mauve, key=lambda card: int(card[1:])))]
    assert seen(state)["leader"] == best


@pytest.mark.parametrize(
    ("accomplice", "cards", "winner"),
    [("blue_over_mauve", "G8 M10 B1", 1), ("plain_mauve", "G8 M10 G7", 1), ("low_wins", "G8 G3 Y1", 0)],
)
def test_r7_6_without_accomplices_every_plan_is_plain(accomplice: str, cards: str, winner: int) -> None:
    assert winner_of(cards, accomplice, accomplices=False) == winner


def test_r7_6_without_accomplices_the_values_of_the_plans_stay() -> None:
    state = GAME.new(2, seed=4, accomplices=False, powers=False)
    assert sorted(state.truth()["pile"]) == sorted("1 1 1 2 2 2 2 3 3 3 3 4 4 4 4 5 5 5 6 6".split())
    for seed in range(10):
        state = play_to(GAME.new(3, seed=seed, accomplices=False, medals=9), 2, 1)
        assert not [move for move in state.moves if move.startswith("pass")]
