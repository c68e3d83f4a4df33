"""The rules of whist, one by one."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from machiavel.engines import IllegalMove, State
from tests.engines.whist.table import GAME, lay, play, play_to_the_end, seen
from tests.engines.whist.twin import CARDS, SUITS, winner


def matches(players: int, count: int) -> Iterator[State]:
    """The states of random matches."""
    for seed in range(count):
        rng = random.Random(seed)
        state = GAME.new(players, seed=seed)
        yield state
        while not state.is_over:
            state.play(rng.choice(state.legal_moves()))
            yield state


def ends_of_rounds(players: int, count: int) -> Iterator[tuple[dict[str, Any], str, State]]:
    """What everybody saw before the last card of a round, that card, and the state after it."""
    for state in matches(players, count):
        before = seen(state)
        if sum(before["hand_counts"]) == 1:
            (card,) = state.legal_moves()
            after = state.copy()
            after.play(card)
            yield before, card, after


def test_r1_1_whoever_takes_no_trick_is_out_and_the_last_one_in_wins() -> None:
    for players in range(2, 8):
        state = play_to_the_end(GAME.new(players, seed=players))
        (winner,) = seen(state)["winners"]
        assert state.utilities == tuple(float(seat == winner) for seat in range(players))


def test_r2_1_the_deck_has_52_cards() -> None:
    dealt = {card for seed in range(100) for hand in GAME.new(7, seed=seed).truth()["hands"] for card in hand}

    assert dealt == set(CARDS)
    assert len(CARDS) == 52
    assert [GAME.plugin.move_text(GAME.make_rules(2), card) for card in (0, 12, 16, 60)] == ["C2", "CA", "D2", "SA"]


def test_r2_2_every_seat_still_in_is_dealt_one_card_fewer_each_round() -> None:
    for players in range(2, 8):
        state = GAME.new(players, seed=players)
        rounds = set()
        while not state.is_over:
            truth = state.truth()
            if truth["trick"] == 1 and not truth["table"]:
                rounds.add(truth["round"])
                assert [len(hand) for hand in truth["hands"]] == [
                    8 - truth["round"] if seat in truth["contenders"] else 0 for seat in range(players)
                ]
            state.play(state.legal_moves()[-1])
        assert rounds == set(range(1, max(rounds) + 1))


def test_r2_2_every_card_comes_to_every_seat_alike() -> None:
    counts = np.zeros((3, 52))
    trumped = np.zeros((4, 52))
    for seed in range(12_000):
        truth = GAME.new(3, seed=seed).truth()
        for seat, hand in enumerate(truth["hands"]):
            for card in hand:
                counts[seat, CARDS.index(card)] += 1
                trumped[SUITS.index(truth["trump"]), CARDS.index(card)] += 1

    assert chisquare(counts.ravel()).pvalue > 0.001
    assert chisquare(trumped.ravel()).pvalue > 0.001


def test_r2_3_nobody_sees_the_cards_not_dealt() -> None:
    state = GAME.new(2, seed=4)
    dealt = {card for hand in state.truth()["hands"] for card in hand}
    for seat in (0, 1, None):
        fields = seen(state, seat)
        assert {*fields["seen"], *(fields["hand"] or [])} <= dealt
    assert not set(CARDS) - dealt & set(seen(state, 0)["hand"])


def in_the_second_round(seed: int) -> State:
    state = GAME.new(2, seed=seed)
    while seen(state)["round"] == 1 and not state.is_over:
        state.play(state.legal_moves()[0])
    return state


def test_r2_4_trumps_are_random_and_known_to_all() -> None:
    trumps = [seen(GAME.new(2, seed=seed))["trump"] for seed in range(4000)]
    later = [seen(in_the_second_round(seed))["trump"] for seed in range(1000)]

    assert chisquare([trumps.count(suit) for suit in SUITS]).pvalue > 0.001
    assert chisquare([later.count(suit) for suit in SUITS]).pvalue > 0.001
    for seat in (0, 1, None):
        assert seen(lay(2, ("D", [])), seat)["trump"] == "D"


def test_r3_1_seat_0_leads_first_and_then_the_winner_of_the_trick() -> None:
    state = lay(3, ("S", ["H2 C3", "HA C4", "H5 C5"]))

    assert state.seat_to_move == 0
    play(state, "H2 HA H5")
    assert state.seat_to_move == seen(state)["leader"] == 1
    play(state, "C4")
    assert state.seat_to_move == 2


def test_r3_2_the_others_play_clockwise_leaving_out_who_is_out() -> None:
    left_out = set()
    for state in matches(5, 20):
        fields = seen(state)
        for at, (seat, _) in enumerate([*fields["table"], [state.seat_to_move, ""]] if not state.is_over else []):
            ring = fields["contenders"]
            assert seat == ring[(ring.index(fields["leader"]) + at) % len(ring)]
            left_out |= set(range(5)) - set(ring)
    assert left_out == set(range(5))


def test_r3_3_who_can_follow_must_and_who_cannot_plays_anything() -> None:
    state = lay(3, ("C", ["H2", "H9 HJ D3 C2 C3 C4 C5", "D4 D5 D6 D7 D8 C6 S2"]))
    state.play("H2")

    assert state.legal_moves() == ["H9", "HJ"]
    with pytest.raises(IllegalMove, match="illegal move C2 for seat 1: must follow hearts; legal: H9, HJ"):
        state.play("C2")
    with pytest.raises(IllegalMove, match="the 3 of hearts is not in the hand"):
        state.play("H3")
    state.play("H9")
    assert state.legal_moves() == ["C6", "D4", "D5", "D6", "D7", "D8", "S2"]


@pytest.mark.parametrize(
    ("trump", "cards", "winner"),
    [
        ("S", "H2 H9 HJ", 2),
        ("S", "HA HK HQ", 0),
        ("S", "H2 CA DA", 0),
        ("S", "H2 S3 HA", 1),
        ("S", "H2 S3 S4", 2),
        ("S", "S5 HA S4", 0),
        ("H", "C2 D9 H2", 2),
        ("C", "CT DA C9", 0),
    ],
)
def test_r3_4_the_highest_trump_wins_or_else_the_highest_of_the_suit_led(trump: str, cards: str, winner: int) -> None:
    # Whoever does not follow here has nothing but what it plays and one other suit that was not led.
    first = cards.split()
    led = first[0][0]
    spare = [card for card in CARDS if card[0] not in {led, trump} and card not in first]
    hands = [[card, *[spare.pop() for _ in range(6)]] for card in first]
    state = play(lay(3, (trump, hands)), cards)

    assert state.seat_to_move == winner
    assert seen(state)["tricks"] == [int(seat == winner) for seat in range(3)]


def test_r3_5_a_seat_with_one_card_to_play_is_asked_for_it() -> None:
    state = lay(2, ("C", ["H2", "H9 D3 D4 D5 C2 C3 C4"]))
    state.play("H2")
    assert state.legal_moves() == ["H9"] and state.seat_to_move == 1
    while len(seen(state)["seen"]) < 12:
        state.play(state.legal_moves()[0])
    for ply in (13, 14):
        (card,) = state.legal_moves()
        state.play(card)
        assert state.moves[-1] == card and len(state.moves) == ply


def test_r4_1_a_seat_without_a_trick_is_out_for_good() -> None:
    for before, card, after in ends_of_rounds(4, 100):
        tricks = before["tricks"]
        tricks[winner([*before["table"], (before["to_move"][0], card)], before["trump"])] += 1
        truth = after.truth()
        assert truth["contenders"] == [seat for seat in before["contenders"] if tricks[seat]]
        assert all(bool(hand) == (seat in truth["contenders"] and not after.is_over) for seat, hand in enumerate(truth["hands"]))


def test_r4_2_the_winner_of_the_last_trick_leads_the_next_round() -> None:
    leaders = set()
    for before, card, after in ends_of_rounds(3, 100):
        leader = winner([*before["table"], (before["to_move"][0], card)], before["trump"])
        assert after.is_over or after.seat_to_move == seen(after)["leader"] == leader
        leaders.add(leader)
    assert leaders == {0, 1, 2}


def test_r5_1_the_match_ends_when_one_seat_is_left() -> None:
    state = lay(3, ("H", ["HA HK HQ HJ HT H9 H8"]))
    while not state.is_over:
        state.play(state.legal_moves()[-1])

    assert state.utilities == (1, 0, 0)
    assert seen(state, 1)["winners"] == [0]
    taken = {"tricks_0": 7, "tricks_1": 0, "tricks_2": 0}
    stays = {"trick_0": 1, "trick_1": 0, "trick_2": 0, "stays_0": 1, "stays_1": 0, "stays_2": 0}
    assert state.metrics == {"rounds": 1} | taken | stays
    for before, _, after in ends_of_rounds(2, 50):
        assert after.is_over == (len(seen(after)["contenders"]) == 1)
        assert before["winners"] == []


def test_r5_2_one_seat_is_left_after_the_round_of_one_card() -> None:
    lasted = 0
    for seed in range(400):
        state = play_to_the_end(GAME.new(7, seed=seed), seed)
        fields = seen(state)
        lasted += fields["round"] == 7
        assert len(fields["winners"]) == 1
        assert sorted(state.utilities) == [0] * 6 + [1]
    assert lasted


def test_r6_1_a_seat_sees_its_hand_the_cards_played_and_the_tricks() -> None:
    state = play(lay(3, ("S", ["H2 C3 C9", "HA C4", "H5 C5"])), "H2 HA H5 C4")
    fields = seen(state, 2)

    assert fields["hand"] == state.truth()["hands"][2]
    assert fields["seen"] == ["C4", "H2", "H5", "HA"]
    assert fields["table"] == [[1, "C4"]]
    assert fields["tricks"] == [0, 1, 0]
    assert fields["contenders"] == [0, 1, 2]
    assert fields["hand_counts"] == [6, 5, 6]
    assert (fields["ply"], fields["round"], fields["trick"], fields["trump"]) == (4, 1, 2, "S")


def test_r6_2_a_void_shown_is_public_for_the_round_and_every_world_respects_it() -> None:
    state = play(lay(3, ("S", ["HA HK C3 C4", "D2 D3 D4 D5 D6 D7 C2", "H5 C5"])), "HA D2 H5 HK")

    for seat in (0, 1, 2, None):
        assert seen(state, seat)["voids"] == [[], ["H"], []]
    for seed in range(300):
        assert not [card for card in state.view(2).determinize(seed).truth()["hands"][1] if card[0] == "H"]
    while seen(state)["round"] == 1:
        assert "H" in seen(state)["voids"][1]
        state.play(state.legal_moves()[0])
    assert seen(state)["voids"] == [[], [], []]


def test_r6_3_others_hands_are_in_nobodys_view() -> None:
    state = GAME.new(4, seed=9)
    hands = state.truth()["hands"]
    for seat in range(4):
        fields = seen(state, seat)
        text = str(fields)
        assert fields["hand"] == hands[seat]
        assert not [card for other in range(4) if other != seat for card in hands[other] if f"'{card}'" in text]
    assert seen(state)["hand"] is None
