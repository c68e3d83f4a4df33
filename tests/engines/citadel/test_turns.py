"""A turn, its actions and its cards (R3, R4, R6)."""

import pytest

from machiavel.engines import BadLayout, IllegalMove
from tests.engines.citadel.table import ROOMS, deal, moves, play, roll, seen, situation, with_effects


def through_three_turns() -> list[list[str]]:
    """The pairs of cards that one player draws in four turns of a match of its own."""
    state = deal(1, turns=[{"cards": ["sprint", "skylight"]}])
    shown = []
    for _ in range(4):
        shown.append(seen(state)["shown"])
        play(state, "end")
        while seen(state)["phase"] == "activate":
            play(state, state.legal_moves()[0])
    return shown


# ---- R3 ----


def test_r3_1_two_cards_are_drawn_and_shown() -> None:
    view = seen(deal(2))
    assert view["shown"] == ["sprint", "skylight"] and view["discards"] == [[], []]


def test_r3_2_three_actions_a_card_at_any_moment_and_only_end_ends_the_turn() -> None:
    state = situation(open=["gallery:blue"], options=with_effects({"do": "unlock_anywhere", "count": 2}))
    play(state, "go:gallery", "card:sprint:armoury:green", "card:sprint:study:blue", "go:conservatory", "unlock:green")
    view = seen(state)
    assert (view["actions"], view["played"], view["places"]) == (0, "sprint", ["conservatory"])
    assert state.legal_moves() == ["end"]
    assert seen(situation())["actions"] == 3
    play(state, "end")
    assert seen(state)["turn"] == 2 or seen(state)["phase"] == "activate"


def test_r3_2_a_second_card_is_not_played() -> None:
    state = situation(characters=["edward"])
    play(state, "card:master_key:vault:red", "card:master_key:enough")
    with pytest.raises(IllegalMove, match="a card has been played this turn"):
        state.play("card:bunch_of_keys:vault:green")


def test_r3_3_first_professor_and_colour_then_the_clock_then_the_power() -> None:
    # What comes for a treasure lost by 10 is counted from XII, then the clock takes five of its minutes.
    state = roll("10", "red", 5, left={"red": 10, "green": 30})
    view = seen(state)
    new = view["treasures"]["red"]
    assert view["lost"] == ["crystal_skull"] and new["id"] != "crystal_skull" and view["time"] == 5
    minutes = {tile[0] for tile in state.rules.tables.house.tiles}
    assert new["clock"] in minutes
    reached = roll("2", "red", 5, time=10, places=["gallery"])
    assert seen(reached)["phase"] == "activate" and seen(reached)["professor"] == "library"


def test_r3_4_cards_go_face_up_under_the_deck_and_the_third_draw_is_certain() -> None:
    shown = through_three_turns()
    assert shown[0] == ["sprint", "skylight"]
    assert len({card for pair in shown[:3] for card in pair}) == 6
    state = situation(discards=[["sprint", "skylight", "on_his_heels", "second_wind"]], shown=["shoulder_charge", "follow_me"])
    assert seen(state)["discards"] == [["sprint", "skylight", "on_his_heels", "second_wind"]]
    play(state, "end")  # all six are shuffled
    assert seen(state)["discards"] == [[]] and len(seen(state)["shown"]) == 2


def test_r3_4_the_two_cards_on_the_table_are_shuffled_with_the_others() -> None:
    four, two = ["sprint", "skylight", "on_his_heels", "second_wind"], ["shoulder_charge", "follow_me"]
    drawn = {card for luck in range(40) for card in seen(play(situation(discards=[four], shown=two, luck=luck), "end"))["shown"]}
    assert drawn == {*four, *two}


def test_r3_4_what_is_certain_cannot_be_laid_out_otherwise() -> None:
    turns = [{"cards": ["sprint", "skylight"]}, {"cards": ["second_wind", "follow_me"]}, {"cards": ["sprint", "follow_me"]}]
    state = deal(1, turns=turns)
    play(state, "end")
    while seen(state)["phase"] == "activate":
        play(state, state.legal_moves()[0])
    with pytest.raises(BadLayout, match=r"turns\[2\]\.cards.*on_his_heels, shoulder_charge"):
        play(state, "end", *["activate:nathan"])


def test_r3_5_a_player_with_one_move_is_asked_for_it() -> None:
    state = situation(actions=0, played="sprint")
    assert state.legal_moves() == ["end"] and state.seat_to_move == 0
    assert play(state, "end").moves[-1:] == ("end",)
    one = roll("1", "red", 5, players=2, time=10, powers=[True, False])
    assert one.legal_moves() == ["activate:edward"] and one.seat_to_move == 0


# ---- R4 ----


def test_r4_1_in_by_the_windows_and_on_through_open_doors() -> None:
    state = situation()
    assert moves(state, "go:") == ["gallery", "ballroom", "library"]
    with pytest.raises(IllegalMove, match="that room has no window"):
        state.play("go:main_hall")
    play(state, "go:gallery")
    assert moves(state, "go:") == []
    with pytest.raises(IllegalMove, match="the red door is locked"):
        state.play("go:trophy_room")
    play(state, "unlock:red", "go:trophy_room")
    assert seen(state)["places"] == ["trophy_room"] and seen(state)["actions"] == 0


def test_r4_2_never_into_the_professors_room_and_never_out() -> None:
    inside = situation(places=["gallery"], open=["main_hall:blue", "gallery:red", "gallery:blue"], professor="trophy_room")
    assert moves(inside, "go:") == ["main_hall", "conservatory"]
    with pytest.raises(IllegalMove, match="the professor is there"):
        inside.play("go:trophy_room")
    assert moves(situation(professor="library"), "go:") == ["gallery", "ballroom"]


def test_r4_3_one_of_the_three_doors_if_it_is_locked() -> None:
    state = situation(places=["gallery"], open=["main_hall:blue"])
    assert moves(state, "unlock:") == ["red", "blue"]
    play(state, "unlock:blue")
    assert seen(state)["open"] == ["main_hall:blue", "gallery:blue"]
    with pytest.raises(IllegalMove, match="that door is open"):
        state.play("unlock:blue")
    with pytest.raises(IllegalMove, match="you stand outside"):
        situation().play("unlock:red")


def test_r4_4_the_trap_of_ones_room_if_it_is_on() -> None:
    state = situation(places=["study"])
    play(state, "disarm")
    assert "study" in seen(state)["off"]
    with pytest.raises(IllegalMove, match="the trap here is off"):
        state.play("disarm")


def test_r4_5_a_treasure_whose_traps_are_all_off() -> None:
    # The skull: saws in gallery, laboratory and vault, the console in the library, lasers in ballroom and study.
    armed = situation(places=["vault"], off=["gallery", "laboratory", "vault", "library", "ballroom"])
    with pytest.raises(IllegalMove, match="traps that protect it are on: study"):
        armed.play("take")
    free = situation(places=["vault"], off=["gallery", "laboratory", "vault", "library", "ballroom", "study"])
    play(free, "take")
    assert seen(free)["saved"] == ["crystal_skull"]
    with pytest.raises(IllegalMove, match="there is no treasure here"):
        situation(places=["gallery"]).play("take")


def test_r4_6_what_would_change_nothing_cannot_be_done() -> None:
    state = situation(places=["gallery"], open=["main_hall:blue", "gallery:red", "gallery:blue"], off=["gallery"])
    assert [move for move in state.legal_moves() if move.startswith("unlock") or move == "disarm"] == []
    options = with_effects({"do": "unlock_anywhere"}, {"do": "disarm_anywhere"})
    doors = moves(situation(options=options), "card:sprint:")
    assert len(doors) == 18
    carded = situation(open=[door for door in doors if door != "study:blue"], off=list(ROOMS[1:]), options=options)
    assert moves(carded, "card:sprint:") == ["study:blue"]
    assert moves(play(carded, "card:sprint:study:blue"), "card:sprint:") == ["enough", "main_hall"]
    assert moves(situation(open=doors, off=list(ROOMS), options=options), "card:sprint") == []


# ---- R6 ----


def test_r6_1_a_list_is_done_in_its_order() -> None:
    options = with_effects({"do": "unlock_here"}, {"do": "step"}, {"do": "disarm_near"})
    state = situation(places=["gallery"], options=options, off=["gallery"])
    play(state, "card:sprint:gallery:red")
    assert moves(state, "card:sprint:") == ["enough", "trophy_room"]
    play(state, "card:sprint:trophy_room")
    assert moves(state, "card:sprint:") == ["enough", "laboratory", "trophy_room", "observatory"]
    play(state, "card:sprint:observatory")
    assert seen(state)["under_way"] is None and seen(state)["actions"] == 3


def test_r6_2_what_can_do_nothing_is_passed_over() -> None:
    # Outside there is no door of one's room, and nothing next to it; so a step is the first that can be done.
    options = with_effects({"do": "unlock_here"}, {"do": "disarm_near"}, {"do": "step"})
    state = situation(options=options)
    assert moves(state, "card:sprint:") == ["gallery", "ballroom", "library"]
    useless = with_effects({"do": "unlock_here"}, {"do": "disarm_near"})
    assert moves(situation(options=useless), "card:sprint") == []


def test_r6_2_an_effect_that_has_become_impossible_is_passed_over_too() -> None:
    options = with_effects({"do": "disarm_anywhere", "count": 2}, {"do": "extra"})
    off = [room for room in seen(deal())["traps"] if room != "study"]
    state = situation(options=options, off=off)
    play(state, "card:sprint:study")
    assert (seen(state)["actions"], seen(state)["phase"]) == (4, "act")


def test_r6_3_what_needs_nothing_is_done_at_once_and_the_rest_is_asked() -> None:
    options = with_effects({"do": "extra"}, {"do": "unlock_anywhere", "count": 2})
    state = situation(options=options)
    play(state, "card:sprint")
    assert seen(state)["actions"] == 4 and seen(state)["under_way"] == {"source": "sprint", "effect": 1}
    assert all(move.startswith("card:sprint:") for move in state.legal_moves())
    with pytest.raises(IllegalMove, match="a card or bonus is under way"):
        state.play("go:gallery")
    play(state, "card:sprint:study:red", "card:sprint:enough")
    assert seen(state)["open"] == ["observatory:blue"] and seen(state)["phase"] == "act"


def test_r6_4_after_the_list_the_turn_goes_on() -> None:
    state = situation(characters=["leroy"])
    play(state, "card:remote_control:study")
    assert seen(state)["under_way"] is None and "go:gallery" in state.legal_moves()
