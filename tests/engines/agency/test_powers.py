"""R6: the powers of the agents."""

import pytest

from machiavel.engines import State
from tests.engines.agency.table import Cards, full_round, lay, play, play_to, seen


def trio(pile: str, leader: int = 0, hands: list[Cards] | None = None, bottom: str = "", medals: int = 2) -> State:
    """Belton on seat 0, Martha on seat 1, WXT on seat 2."""
    return lay(3, hands or [], pile, bottom=bottom, leader=leader, medals=medals)


def order_after(state: State, moves: str = "") -> tuple[int, int | None, list[int]]:
    view = seen(play(state, moves))
    return view["leader"], view["last"], view["order"]


# ---- R6.0 ----


def test_r6_0_a_power_is_executed_while_it_still_covers_the_pile() -> None:
    state = trio("belton 4 2")
    for seat in (0, 1, 2, None):
        assert seen(state, seat)["pile"][:3] == ["belton", "?", "?"]
    play(state, "lead:1")
    assert seen(state)["pile"][0] == "4" and len(seen(state)["pile"]) == 22


@pytest.mark.parametrize("power", ["belton", "moignons"])
def test_r6_0_who_chooses_does_not_know_what_lies_below(power: str) -> None:
    agents = ["belton", "moignons", "martha"]
    four, martha, two = (lay(3, pile=f"{power} {below}", agents=agents) for below in ("4 2 martha", "martha 4 2", "2 4 martha"))
    for seat in (0, 1, 2, None):
        assert four.view(seat) == martha.view(seat) == two.view(seat)
    choice = four.legal_moves()[-1]
    assert [seen(play(state, choice))["pile"][0] for state in (four, two)] == ["4", "2"]
    assert seen(play(martha, choice))["martha"] and not seen(four)["martha"]


def test_r6_0_several_powers_are_executed_in_the_order_they_come_up() -> None:
    agents = ["moignons", "belton", "martha"]
    state = lay(3, pile="belton moignons martha 1", agents=agents)
    assert (seen(state)["phase"], state.legal_moves()) == ("lead", ["lead:0", "lead:1", "lead:2"])
    play(state, "lead:2")
    assert (seen(state)["phase"], state.legal_moves()) == ("look", ["look:1", "look:2"])
    play(state, "look:2")
    assert seen(state)["martha"] and seen(state)["order"] == [2, 0, 1] and state.moves == ("lead:2", "look:2")


def test_r6_0_the_owner_of_the_power_is_the_one_who_decides() -> None:
    state = lay(4, pile="belton moignons 1", agents=["jean", "wxt", "moignons", "belton"])
    assert state.seat_to_move == 3
    play(state, "lead:0")
    assert state.seat_to_move == 2


def test_r6_0_a_power_works_in_its_own_trick_alone() -> None:
    state = lay(4, ["M1 B1", "B2 B3", "B4 B5", "B6 B7"], "martha wxt jean 1 2", agents=["belton", "martha", "wxt", "jean"])
    view = seen(state)
    assert (view["martha"], view["jean"], view["last"], view["order"]) == (True, True, 2, [0, 1, 3, 2])
    play(state, "M1 B2 B6 B4")
    view = seen(state)
    assert (view["martha"], view["jean"], view["last"], view["order"]) == (False, False, None, [0, 1, 2, 3])


# ---- R6.1 ----


@pytest.mark.parametrize("chosen", [0, 1, 2])
@pytest.mark.parametrize("leader", [0, 1, 2])
def test_r6_1_belton_names_anyone_himself_and_the_present_leader_included(leader: int, chosen: int) -> None:
    state = trio("belton 1", leader)
    assert state.seat_to_move == 0 and seen(state)["leader"] == leader
    assert state.legal_moves() == ["lead:0", "lead:1", "lead:2"]
    assert order_after(state, f"lead:{chosen}") == (chosen, None, [chosen, (chosen + 1) % 3, (chosen + 2) % 3])


# ---- R6.2 ----


def test_r6_2_martha_also_takes_the_lowest_plan_when_she_wins() -> None:
    state = trio("martha 1 2", hands=["B1", "M10", "B2"], bottom="6")
    play(state, "B1 M10 B2")
    view = seen(state)
    assert view["plan_points"] == [0, 7, 0] and view["pile"][0] == "2" and len(view["pile"]) == 20
    assert view["segments"][0]["unseen"].count("6") == 1


def test_r6_2_martha_is_not_asked_whether_she_wants_it() -> None:
    state = trio("martha 1 2", hands=["B1", "M10", "B2"], bottom="1")
    play(state, "B1 M10")
    assert state.seat_to_move == 2
    play(state, "B2")
    assert state.moves == ("B1", "M10", "B2") and seen(state)["plan_points"] == [0, 2, 0]
    assert (seen(state)["phase"], seen(state)["trick"], state.seat_to_move) == ("play", 2, 1)
    assert all(move in seen(state, 1)["hand"] for move in state.legal_moves())


def test_r6_2_martha_takes_only_the_stake_of_later_tricks() -> None:
    state = trio("martha 1 2 3", hands=["B1 B3", "M10 M9", "B2 B4"], bottom="6 5")
    play(state, "B1 M10 B2 M9 B4 B3")
    assert seen(state)["plan_points"] == [0, 1 + 5 + 2, 0]


def test_r6_2_the_accomplice_of_the_lowest_plan_does_nothing() -> None:
    for accomplice in ("5+follow_suit", "1+pass_left", "4+blue_over_mauve"):
        state = trio("martha 1 2", hands=["B1 G2", "M10 G1", "B2 Y1 G3"], bottom=accomplice)
        play(state, "B1 M10 B2")
        view = seen(state)
        assert view["plan_points"] == [0, 1 + int(accomplice[0]), 0]
        assert view["phase"] == "play" and not any(trick["follow_suit"] or trick["pass_left"] for trick in view["half"])
        play(state, "G1 Y1")
        assert "G2" in state.legal_moves() and len(state.legal_moves()) == 5


def test_r6_2_power_cards_below_the_lowest_plan_stay_and_are_known_to_all() -> None:
    state = trio("martha 1 2", hands=["B1", "M10", "B2"], bottom="6 wxt belton")
    play(state, "B1 M10 B2")
    for seat in (0, 1, 2, None):
        view = seen(state, seat)
        assert view["pile"][0] == "2" and view["pile"][-2:] == ["wxt", "belton"] and set(view["pile"][1:-2]) == {"?"}
        assert not {"wxt", "belton"} & set(view["segments"][0]["unseen"])
    for seed in range(20):
        assert state.view(0).determinize(seed).truth()["pile"][-2:] == ["wxt", "belton"]


def test_r6_2_that_no_power_lay_below_is_known_too() -> None:
    state = trio("martha 1 2", hands=["B1", "M10", "B2"], bottom="wxt belton 6")
    play(state, "B1 M10 B2")
    for seat in (0, 1, 2, None):
        view = seen(state, seat)
        assert set(view["pile"][1:]) == {"?"} and {"wxt", "belton"} <= set(view["segments"][0]["unseen"])
    met = {state.view(0).determinize(seed).truth()["pile"][-1] for seed in range(200)}
    assert {"wxt", "belton"} <= met and len(met) > 5


def test_r6_2_a_power_seen_below_is_executed_when_it_comes_up() -> None:
    state = trio("martha 1 2", hands=["B1", "M10", "B2"], bottom="6 wxt belton", medals=9)
    play_to(play(state, "B1 M10 B2"), 2, 1)
    left, under = seen(state)["segments"]
    assert left["size"] == 20 + 2 - 13 and under["size"] == 13 + 1
    assert seen(state)["pile"][7:9] == ["wxt", "belton"]
    while seen(state)["pile"][0] != "belton":
        state.play(state.legal_moves()[0])
    assert (seen(state)["phase"], seen(state)["last"]) == ("lead", 2) and seen(state)["trick"] == 8


def test_r6_2_in_the_second_round_the_lowest_plan_is_that_of_the_lower_part() -> None:
    state = lay(3, (), "1 1 2 2 2 3 3 3 4 4 4 5 martha 5 6", medals=9)
    pile = state.truth()["pile"]
    hands = ["B1", "M10", "B2"]
    # Belton and WXT are still below; the lowest plan of the second round is the last one shuffled under.
    again = full_round(3, hands, shuffled=pile[:12]) | {"pile": [*pile[1:12], pile[0]]}
    layout = state.record().layout
    assert layout is not None
    state.lay_out({**layout, "rounds": [*layout["rounds"], again]})
    play_to(state, 2, 1)
    view = seen(state)
    assert view["martha"] and view["stake"] == "5" and [segment["size"] for segment in view["segments"]] == [10, 12]
    for _ in range(3):
        state.play(hands[state.seat_to_move or 0])
    view = seen(state)
    assert view["plan_points"] == [0, 5 + int(pile[0]), 0]
    assert [segment["size"] for segment in view["segments"]] == [9, 11]


# ---- R6.3 and R6.6 ----


@pytest.mark.parametrize(("leader", "expected"), [(0, (0, 2, [0, 1, 2])), (1, (1, 2, [1, 0, 2])), (2, (0, 2, [0, 1, 2]))])
def test_r6_3_wxt_plays_last_and_the_next_seat_leads_in_his_place(leader: int, expected: tuple[int, int, list[int]]) -> None:
    assert order_after(trio("wxt 1", leader)) == expected


def test_r6_3_wxt_is_skipped_in_the_turn_order() -> None:
    agents = ["belton", "wxt", "martha", "jean"]
    assert order_after(lay(4, pile="wxt 1", agents=agents, leader=0)) == (0, 1, [0, 2, 3, 1])
    assert order_after(lay(4, pile="wxt 1", agents=agents, leader=3)) == (3, 1, [3, 0, 2, 1])
    assert order_after(lay(4, pile="wxt 1", agents=agents, leader=1)) == (2, 1, [2, 3, 0, 1])


def test_r6_3_with_two_players_wxt_gives_the_lead_away() -> None:
    assert order_after(lay(2, pile="wxt 1", agents=["wxt", "jean"], leader=0)) == (1, 0, [1, 0])


@pytest.mark.parametrize(("chosen", "expected"), [(0, (0, 2, [0, 1, 2])), (1, (1, 2, [1, 0, 2])), (2, (0, 2, [0, 1, 2]))])
def test_r6_6_belton_then_wxt_wxt_still_plays_last(chosen: int, expected: tuple[int, int, list[int]]) -> None:
    assert order_after(trio("belton wxt 1", 1), f"lead:{chosen}") == expected


@pytest.mark.parametrize(("chosen", "expected"), [(0, (0, 2, [0, 1, 2])), (1, (1, 2, [1, 0, 2])), (2, (2, None, [2, 0, 1]))])
@pytest.mark.parametrize("leader", [0, 1, 2])
def test_r6_6_wxt_then_belton_naming_wxt_lets_him_lead(
    leader: int, chosen: int, expected: tuple[int, int | None, list[int]]
) -> None:
    state = trio("wxt belton 1", leader)
    assert seen(state)["leader"] == leader % 2 and seen(state)["last"] == 2
    assert order_after(state, f"lead:{chosen}") == expected


def test_r6_6_a_power_between_belton_and_wxt_changes_nothing() -> None:
    assert order_after(trio("belton martha wxt 1"), "lead:2") == (0, 2, [0, 1, 2])
    assert order_after(trio("wxt martha belton 1"), "lead:2") == (2, None, [2, 0, 1])


# ---- R6.4 ----


@pytest.mark.parametrize(("jeans", "greens", "yellows"), [("M9", [0, 0, 0], [0, 0, 0]), ("B2", [1, 0, 0], [1, 0, 0])])
def test_r6_4_green_and_yellow_of_a_trick_jean_wins_count_for_nobody(jeans: str, greens: list[int], yellows: list[int]) -> None:
    state = lay(3, ["G1", jeans, "Y1"], "jean 3 2", agents=["wxt", "jean", "belton"])
    play(state, f"G1 {jeans} Y1")
    view = seen(state)
    assert (view["greens"], view["yellows"]) == (greens, yellows)
    assert view["plan_points"][1 if jeans == "M9" else 0] == 3


def test_r6_4_jeans_power_ends_with_its_trick() -> None:
    state = lay(2, ["M9 B1", "G1 G2"], "jean 3 2", agents=["jean", "belton"])
    play(state, "M9 G1 B1 G2")
    assert seen(state)["greens"] == [1, 0]


# ---- R6.5 ----


def test_r6_5_moignons_looks_at_the_hand_of_one_opponent() -> None:
    hand = ["M1", "M2", "B3", "B4", "G5", "Y6"]
    state = lay(3, ["", hand, ""], "moignons 1", agents=["moignons", "wxt", "jean"])
    assert state.legal_moves() == ["look:1", "look:2"]
    play(state, "look:1")
    public = {"trick": 1, "looker": 0, "target": 1, "cards": None}
    assert seen(state, 0)["look"] == public | {"cards": hand}
    assert seen(state, 1)["look"] == seen(state, 2)["look"] == seen(state)["look"] == public


def test_r6_5_he_sees_the_cards_now_in_hand_and_not_the_reserve() -> None:
    state = lay(
        2,
        ["M10 M9 B1", "B2 B3 G1 G2 G3 G4"],
        "1 2 moignons 1",
        agents=["moignons", "wxt"],
        reserves=["", "M1 M2 M3 M4 M5 M6"],
    )
    play(state, "M10 B2 M9 B3 look:1")
    assert seen(state, 0)["look"] == {"trick": 3, "looker": 0, "target": 1, "cards": ["G1", "G2", "G3", "G4"]}


def test_r6_5_the_look_is_told_until_the_half_is_over() -> None:
    state = lay(2, pile="moignons 1", agents=["moignons", "wxt"])
    play_to(play(state, "look:1"), 1, 6)
    assert seen(state, 0)["look"]["trick"] == 1
    play_to(state, 1, 7)
    assert seen(state, 0)["look"] is None and seen(state, 1)["look"] is None


# ---- R6.7 and R6.8 ----


@pytest.mark.parametrize("winner", [0, 1, 2])
def test_r6_7_martha_and_jean_do_something_only_in_tricks_they_win(winner: int) -> None:
    hands: list[Cards] = ["G1", "G2", "G3"]
    hands[winner] = "M1"
    state = lay(3, hands, "martha jean 2 3", bottom="6", agents=["belton", "martha", "jean"])
    play(state, " ".join(map(str, hands)))
    points, greens = [0, 0, 0], [0, 0, 0]
    points[winner] = 8 if winner == 1 else 2
    greens[winner] = 0 if winner == 2 else 2
    assert seen(state)["plan_points"] == points and seen(state)["greens"] == greens


def test_r6_8_a_power_on_top_after_the_twelfth_trick_waits_for_the_deal() -> None:
    state = trio("1 1 2 2 2 3 3 3 4 4 4 5 belton martha 6", medals=9)
    play_to(state, 1, 12)
    while seen(state)["round"] == 1:
        state.play(state.legal_moves()[0])
    view = seen(state, 0)
    assert (view["phase"], view["trick"], view["pile"][0]) == ("lead", 1, "belton") and state.seat_to_move == 0
    assert view["hand_counts"] == [6, 6, 6] and len(view["hand"]) == 6 and view["reserve"] == 6
    assert view["leader"] in view["last_round"]["winners"]
    last = (view["leader"] + 1) % 3
    assert order_after(state, f"lead:{last}")[0] == last and seen(state)["martha"]


def test_r6_8_wxt_waiting_moves_the_lead_of_the_next_round() -> None:
    state = trio("1 1 2 2 2 3 3 3 4 4 4 5 wxt 6", medals=9)
    play_to(state, 2, 1)
    view = seen(state)
    (winner,) = view["last_round"]["winners"]
    assert view["last"] == 2 and view["leader"] == (0 if winner == 2 else winner) and view["order"][-1] == 2


def test_without_powers_nothing_but_cards_is_asked() -> None:
    for seed in range(5):
        state = lay(5, powers=False, accomplices=False, seed=seed, medals=9)
        play_to(state, 3, 1)
        assert not [move for move in state.moves if ":" in move]
