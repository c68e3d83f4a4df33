"""Setting up and turns (R1 to R3), one test a statement."""

from collections import Counter

import pytest

from machiavel.engines import BadOption
from tests.engines.bond.table import CARDS, GAME, empty, lay, play, play_at_random, seen, truth


def all_cards(state: object) -> Counter[str]:
    everything = truth(state)  # type: ignore[arg-type]
    names = {"lairs": "lair", "spies": "spy", "doublers": "doubler"}
    counts: Counter[str] = Counter()
    for heap in (*everything["hands"], everything["pile"], everything["discard"]):
        counts.update(f"{names[sort]}:{mark}" for sort, marks in heap.items() for mark in marks)
    counts.update(f"lair:{value}" for lairs in everything["lairs"] for value in lairs)
    attack = everything["attack"]
    if attack:
        counts.update(f"spy:{value}" for value in everything["committed"] or attack["spies"])
        counts.update(f"doubler:{letter}" for letter in [*attack["taunts"], *filter(None, [attack["taunt"]])])
    return counts


def test_r1_1_points_are_of_spies_killed_in_ones_own_lair_and_most_points_win() -> None:
    state = lay(2, ["lair:4 spy:2", "spy:3"], moves="lair:4 spy:2>0 kill skip spy:3>0 go kill")
    assert seen(state)["points"] == [5, 0]
    ends = {tuple(play_at_random(GAME.new(3, seed=seed), seed).utilities) for seed in range(60)}
    assert {(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)} <= ends


@pytest.mark.parametrize("players", range(2, 7))
def test_r1_1_two_to_six_play(players: int) -> None:
    assert len(seen(GAME.new(players, seed=1))["points"]) == players


@pytest.mark.parametrize("players", [0, 1, 7, True, "2", None])
def test_r1_1_fewer_or_more_are_refused(players: int) -> None:
    with pytest.raises(BadOption, match=r"option 'players' (?:cannot be .*|is missing); expected 2 to 6"):
        GAME.new(players, seed=1)


def test_r2_1_there_are_18_lairs_18_spies_and_two_doublers_of_each_letter() -> None:
    for players in range(2, 7):
        state = GAME.new(players, seed=players)
        while True:
            assert all_cards(state) == Counter(CARDS)
            if state.is_over:
                break
            play_at_random(state, len(state.moves), 1)


@pytest.mark.parametrize(("players", "size"), [(2, 6), (3, 6), (4, 5), (5, 5), (6, 5)])
def test_r2_2_five_cards_are_dealt_and_six_to_two_or_three(players: int, size: int) -> None:
    state = GAME.new(players, seed=4)
    first = state.seat_to_move
    totals = [hand["spies"] + hand["others"] for hand in seen(state)["hands"]]
    assert totals == [size + (seat == first) for seat in range(players)]
    assert seen(state)["pile"]["count"] == 54 - size * players - 1


def test_r2_3_backs_tell_spies_from_other_cards() -> None:
    state = lay(3, ["lair:1 spy:2 spy:3", "spy:8", "lair:2"], "lair:4 spy:5 doubler:A")
    view = seen(state, 2)
    assert view["hands"] == [{"spies": 2, "others": 5}, {"spies": 1, "others": 5}, {"spies": 0, "others": 6}]
    assert view["pile"] == {"count": 35, "spies": 15, "top": "spy"}
    assert seen(play(state, "skip end"))["pile"] == {"count": 34, "spies": 14, "top": "other"}
    assert seen(state, 2)["hands"][1] == {"spies": 2, "others": 5}


def test_r2_4_any_seat_may_begin_and_turns_go_clockwise() -> None:
    assert {GAME.new(5, seed=seed).seat_to_move for seed in range(60)} == set(range(5))
    state = lay(3, first=1)
    turns = []
    for _ in range(4):
        turns.append(state.seat_to_move)
        play(state, "skip end")
    assert turns == [1, 2, 0, 1]


def test_r2_5_the_values_of_lairs_and_spies() -> None:
    cards = all_cards(GAME.new(4, seed=1))
    assert {card: count for card, count in cards.items() if card.startswith("lair")} == {
        "lair:1": 2,
        "lair:2": 4,
        "lair:3": 6,
        "lair:4": 6,
    }
    assert {card: count for card, count in cards.items() if card.startswith("spy")} == {
        **{f"spy:{value}": 3 for value in (2, 3, 4, 5)},
        **{f"spy:{value}": 2 for value in (6, 7, 8)},
    }


def test_r3_1_a_turn_begins_with_a_draw_while_there_is_a_pile_and_hands_have_no_limit() -> None:
    state = lay(2, pile="spy:7 lair:4")
    assert seen(state, 0)["hand"]["spies"] == [7]
    play(state, "skip end")
    assert 4 in seen(state, 1)["hand"]["lairs"]
    counts = []
    while seen(state)["pile"]["count"]:
        play(state, "skip end")
        counts.append(seen(state)["pile"]["count"])
    assert counts == list(range(39, -1, -1))
    assert [hand["spies"] + hand["others"] for hand in seen(state)["hands"]] == [27, 27]
    assert seen(play(state, "skip end"))["hands"][1] == seen(state)["hands"][1]


def test_r3_2_at_most_one_lair_card_then_the_sum_counts_and_none_is_no_lair() -> None:
    state = lay(2, ["lair:2 lair:3 spy:5", "spy:4 spy:3"], moves="lair:2")
    assert not [move for move in state.legal_moves() if move.startswith("lair")]
    assert all(move.endswith(">0") for move in state.legal_moves() if ">" in move)
    play(state, "end skip end lair:3")
    assert seen(state)["lairs"] == [[2, 3], []]
    assert seen(play(state, "spy:5>0"))["phase"] == "captured"


def test_r3_3_after_an_attack_the_turn_goes_on_from_the_active_seat() -> None:
    killed = lay(4, ["spy:2", "", "lair:4", ""], first=2, moves="lair:4 end skip end skip spy:2>2 go")
    assert killed.seat_to_move == 2
    assert play(killed, "kill").seat_to_move == 1
    escaped = lay(4, ["spy:8", "", "lair:4", ""], first=2, moves="lair:4 end skip end skip spy:8>2 go")
    assert escaped.seat_to_move == 1
    foiled = lay(4, ["spy:2", "doubler:A", "lair:4 doubler:A", ""], first=2, moves="lair:4 end skip end skip spy:2>2 go")
    assert play(foiled, "taunt:A let let foil").seat_to_move == 1
    assert seen(foiled)["attack"] is None
    assert seen(foiled)["discard"] == empty(lairs=[4], spies=[2], doublers=["A", "A"])


def test_r3_4_without_a_lair_card_skip_is_asked_all_the_same() -> None:
    hand = " ".join(f"doubler:{letter}" for letter in "ABCDEF")
    state = lay(2, [hand], "doubler:G")
    assert state.legal_moves() == ["skip"]
    assert play(state, "skip").legal_moves() == ["end"]


def test_r3_4_equal_cards_are_one_move() -> None:
    state = lay(2, ["lair:4 lair:4 spy:3 spy:3 doubler:A doubler:A"], "lair:4")
    assert state.legal_moves() == ["skip", "lair:4"]
    play(state, "lair:4")
    assert [move for move in state.legal_moves() if move.startswith("spy")] == ["spy:3>0"]
    assert play(state, "spy:3>0").legal_moves() == ["kill", "taunt:A"]


def test_r3_4_a_kill_is_asked_for_without_a_doubler() -> None:
    state = lay(2, ["lair:4 spy:3 lair:1 lair:1 lair:2 lair:2"], "lair:3", moves="lair:4 spy:3>0")
    assert state.legal_moves() == ["kill"] and state.seat_to_move == 0
    assert play(state, "kill").moves == ("lair:4", "spy:3>0", "kill")
