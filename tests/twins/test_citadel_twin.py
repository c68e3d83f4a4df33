"""The slow model of citadel keeps the rule sheet and the rulings."""

import random
from collections import Counter

import pytest

from tests.twins.citadel_house import COLOURS
from tests.twins.citadel_scenes import HOUSE, OFF, TRAPS, clocks, markers, on_board, play, roll, set_up

# ---- Examples of the rule sheet ----


def test_the_marker_of_a_45_at_xii_goes_to_ix() -> None:
    match = set_up(treasures="bust_of_nefertiti")
    assert match.on_board("red").clock == 45


def test_the_marker_of_a_40_at_iv_goes_to_xii() -> None:
    match = set_up(treasures="magna_carta sabre mona_lisa excalibur", places=["armoury", None], off=set(TRAPS), time=20)
    play(match, "take")
    assert match.view(0)["treasures"]["green"] == {"id": "excalibur", "room": "study", "clock": 0}


def test_the_crystal_skull_needs_six_traps_off_and_turns_all_six_on_again() -> None:
    skull = {room for room, trap in TRAPS.items() if trap in ("saw", "console", "laser")}
    assert len(skull) == 6
    for missing in sorted(skull):
        match = set_up(treasures="crystal_skull", places=["vault", None], off=set(TRAPS) - {missing})
        assert "take" not in match.legal_moves()
    match = set_up(treasures="crystal_skull", places=["vault", None], off=skull | {"cellar"})
    play(match, "take")
    assert match.saved == ["crystal_skull"] and match.off == {"cellar"} and match.actions == 2


def test_two_blue_chevrons_take_the_professor_through_two_blue_doors() -> None:
    assert roll(set_up(), "2 blue 5").professor == "observatory"


def test_three_red_chevrons_he_locks_rearms_and_destiny_flees() -> None:
    match = set_up("nathan destiny", places=["gallery", "cellar"])
    match.open_doors = {"main_hall:green", "main_hall:red", "main_hall:blue", "vault:blue"}
    match.off = {"library", "gallery", "laboratory"}
    roll(match, "3 red 5")
    # Laboratory, main hall, library, cellar: he came through two open doors, past a trap that was off.
    assert match.professor == "cellar" and match.places == ["gallery", None]
    assert match.open_doors == {"main_hall:blue", "vault:blue"} and match.off == {"gallery", "laboratory"}


def test_the_blue_marker_goes_back_one_space_and_the_green_one_two() -> None:
    match = roll(set_up(), "5 blue 5")
    assert clocks(match) == [30, 40, 45] and match.time == 5 and match.professor == "laboratory"
    assert clocks(roll(match, "10 green 5")) == [30, 30, 45]


@pytest.mark.parametrize(("left", "face", "is_lost"), [(5, "5", True), (10, "10", True), (5, "10", True), (10, "5", False)])
def test_a_treasure_marker_that_reaches_or_passes_the_time_marker_is_a_loss(left: int, face: str, is_lost: bool) -> None:
    match = roll(markers(set_up(time=50), red=(50 + left) % 60, green=40, blue=40), f"{face} red 5")
    # One that is not lost in this way is lost to the clock: it has five minutes left.
    assert match.lost == ["magna_carta"] and match.time == 55
    assert match.on_board("red").clock == ((50 if is_lost else 55) + 50) % 60


@pytest.mark.parametrize(("left", "minutes", "is_lost"), [(5, 5, True), (10, 10, True), (5, 10, True), (10, 5, False)])
def test_a_time_marker_that_reaches_or_passes_a_treasure_marker_is_a_loss(left: int, minutes: int, is_lost: bool) -> None:
    match = roll(markers(set_up(time=50), red=(50 + left) % 60, green=40, blue=40), f"1 red {minutes}")
    assert match.lost == (["magna_carta"] if is_lost else [])
    assert match.on_board("red").treasure == ("sabre" if is_lost else "magna_carta")


def test_several_treasures_may_be_lost_at_once() -> None:
    match = set_up(treasures="magna_carta excalibur mona_lisa sabre peacock_fan", locations="vault armoury study cellar gallery")
    off = set(match.off)
    roll(markers(match, red=10, green=15, blue=5), "1 red 10")
    assert match.lost == ["magna_carta", "mona_lisa"] and on_board(match) == ["sabre", "excalibur", "peacock_fan"]
    assert clocks(match) == [0, 15, 50] and match.off == off
    assert [match.on_board(colour).room for colour in COLOURS] == ["cellar", "armoury", "gallery"]


@pytest.mark.parametrize(
    ("time", "minutes", "is_asked"),
    [(10, 5, True), (5, 10, True), (10, 10, True), (5, 5, False), (15, 5, False), (40, 5, True), (40, 10, True), (45, 10, False)],
)
def test_a_power_is_turned_up_when_iii_or_ix_is_reached_or_passed(time: int, minutes: int, is_asked: bool) -> None:
    match = markers(set_up(time=time), red=0, green=0, blue=0)
    roll(match, f"1 red {minutes}")
    assert (match.phase == "activate") == is_asked
    if is_asked:
        assert match.to_move == [0] and match.legal_moves() == ["activate:nathan", "activate:edward"]
        play(match, "activate:edward")
        assert match.powers == [False, True]
    assert match.active == 1 and match.turn == 2


def test_the_third_draw_of_two_is_certain_and_the_next_finds_the_six_shuffled() -> None:
    drawn = Counter[str]()
    for seed in range(200):
        match = set_up("nathan")
        match.rng = random.Random(seed)
        first = set(match.shown)
        roll(match, "1 red 5")
        second = set(match.shown)
        assert match.view(0)["discards"] == [[card for card in HOUSE.characters["nathan"].cards if card in first]]
        roll(match, "1 red 5")
        assert set(match.shown) == set(HOUSE.characters["nathan"].cards) - first - second
        play(roll(match, "1 red 5"), "activate:nathan")
        assert match.turn == 4 and match.view(0)["discards"] == [[]]
        drawn.update(match.shown)
    assert set(drawn) == set(HOUSE.characters["nathan"].cards)


def test_a_deck_is_shuffled_only_when_the_next_draw_needs_it() -> None:
    match = set_up("nathan edward")
    for face_up in (2, 2, 4, 4, 6):
        match = markers(roll(match, "1 red 5"), red=55, green=55, blue=55)
        if match.phase == "activate":
            play(match, "activate:nathan")
        assert len(match.view(0)["discards"][0]) == face_up
    roll(match, "1 red 5")
    view = match.view(0)
    assert view["turn"] == 7 and view["discards"] == [[], list(HOUSE.characters["edward"].cards)] and len(view["shown"]) == 2


# ---- What the players do ----


def test_all_is_locked_and_outside_at_the_start() -> None:
    match = set_up("nathan edward irene")
    view = match.view(None)
    assert view["places"] == [None] * 3 and view["open"] == [] and view["time"] == 0 and view["professor"] == "laboratory"
    assert view["powers"] == [False] * 3 and view["actions"] == 3 and len(HOUSE.all_doors()) == 18
    # By three windows and never by the main hall.
    assert match.actions_of(0) == ["go:gallery", "go:ballroom", "go:library"]


def test_nobody_enters_through_a_window_of_the_professors_room() -> None:
    assert set_up(professor="library").actions_of(0) == ["go:gallery", "go:ballroom"]


def test_nobody_passes_a_locked_door_or_enters_the_professors_room_or_leaves() -> None:
    match = set_up(places=["main_hall", None])
    assert match.actions_of(0) == ["unlock:red", "unlock:green", "unlock:blue", "disarm"]
    play(match, "unlock:green unlock:blue")
    assert match.open_doors == {"main_hall:green", "main_hall:blue"}
    assert match.actions_of(0) == ["go:gallery", "unlock:red", "disarm"]
    play(match, "go:gallery")
    assert match.places == ["gallery", None] and match.actions == 0


def test_a_turn_has_up_to_three_actions_and_only_end_ends_it() -> None:
    match = play(set_up("nathan edward", "second_wind sprint"), "go:library unlock:red disarm")
    assert match.actions == 0 and set(match.legal_moves()) == {"card:sprint:cellar", "card:second_wind", "end"}
    play(match, "card:second_wind unlock:green")
    assert match.actions == 1 and "card:sprint:cellar" not in match.legal_moves()
    play(match, "end")
    assert match.active == 1


def test_unlock_is_for_locked_doors_and_disarm_for_traps_that_are_on() -> None:
    match = set_up(places=["library", None], open_doors={"main_hall:red"}, off=set(OFF) | {"library"})
    assert match.actions_of(0) == ["go:main_hall", "unlock:red", "unlock:green"]


def test_a_door_is_understood_by_both_names_and_listed_by_the_first_rooms() -> None:
    match = set_up("edward", "master_key")
    assert "card:master_key:main_hall:red" in match.legal_moves()
    assert "card:master_key:library:blue" not in match.legal_moves()
    play(match, "card:master_key:library:blue card:master_key:vault:green")
    assert match.open_doors == {"main_hall:red", "study:blue"}
    assert match.moves == ["card:master_key:main_hall:red", "card:master_key:study:blue"]


def test_the_doors_join_one_exit_of_each_colour() -> None:
    for room in HOUSE.rooms:
        assert len(set(HOUSE.doors(room))) == 3
        for colour in COLOURS:
            assert room in HOUSE.next_to(HOUSE.exits[room][colour])


def test_a_trap_is_disarmed_from_afar_even_with_the_professor_there() -> None:
    match = play(set_up("leroy", "remote_control"), "card:remote_control:laboratory")
    assert "laboratory" in match.off


def test_a_save_rearms_before_the_new_tile_is_shown_and_it_may_be_taken_in_the_same_turn() -> None:
    tiles, rooms = "tide_glass magna_carta sabre", "vault armoury observatory cellar"
    for fourth, is_free in (("dead_sea_scrolls", False), ("excalibur", True)):
        # The new one falls where the team-mate stands. It needs the saws that were just turned on again, or the padlocks.
        match = set_up(treasures=f"{tiles} {fourth}", locations=rooms, places=["vault", "cellar"], open_doors={"vault:blue"})
        match.off = set(TRAPS)
        play(match, "take go:cellar")
        assert match.places == ["cellar", "cellar"] and match.on_board("red").room == "cellar"
        assert {"gallery", "ballroom"}.isdisjoint(match.off) and ("take" in match.legal_moves()) == is_free
    play(match, "take")
    assert match.saved == ["tide_glass", "excalibur"] and match.actions == 0


def test_a_new_treasure_in_the_professors_room_has_no_effect() -> None:
    match = set_up(locations="vault armoury observatory laboratory", places=["vault", None], off=set(TRAPS))
    play(match, "take")
    assert match.on_board("red").room == match.professor == "laboratory" and match.phase == "act"


def test_the_fourth_save_wins_at_once() -> None:
    match = set_up(places=["vault", None], off=set(TRAPS), saved=["sabre", "excalibur", "peacock_fan"], powers=[True, False])
    play(match, "take")
    view = match.view(1)
    assert match.is_over and match.utilities() == [1.0, 1.0] and view["result"] == "won" and view["phase"] == "over"
    assert view["treasures"]["red"] is None and view["treasures"]["green"]["id"] == "excalibur"
    assert view["mover"] is None and view["active"] == 0 and view["actions"] == 0 and match.legal_moves() == []
    assert len(view["locations"]) == 3 and "magna_carta" in view["saved"]


# ---- The end of a turn ----


def test_the_professors_dice_come_before_the_clock_and_a_replacement_loses_the_clocks_time() -> None:
    match = roll(markers(set_up(), red=5), "10 red 10")
    assert match.lost == ["magna_carta"] and match.on_board("red").treasure == "sabre"
    assert match.on_board("red").clock == 50 and match.time == 10 and match.minutes_left("red") == 40


def test_the_fourth_loss_ends_the_match_before_the_clock_moves() -> None:
    match = roll(markers(set_up(lost=["sabre", "tide_glass", "peacock_fan"]), red=5, green=5), "5 red 5")
    view = match.view(0)
    assert view["result"] == "lost" and match.utilities() == [0.0, 0.0] and match.time == 0
    assert view["treasures"]["red"] is None and view["treasures"]["green"]["clock"] == 5
    assert view["turn"] == 1 and view["dice"] == {"professor": "5", "colour": "red", "clock": 5} and view["actions"] == 0


def test_losses_come_red_green_blue_and_after_the_fourth_the_others_stay() -> None:
    match = set_up(lost=["sabre", "tide_glass"], treasures="magna_carta excalibur mona_lisa hope_diamond crown_jewels")
    roll(markers(match, red=5, green=10, blue=10), "1 red 10")
    assert match.lost == ["sabre", "tide_glass", "magna_carta", "excalibur"] and match.time == 10
    treasures = match.view(0)["treasures"]
    assert treasures["red"]["id"] == "hope_diamond" and treasures["red"]["clock"] == 40
    assert treasures["green"] is None and treasures["blue"] == {"id": "mona_lisa", "room": "observatory", "clock": 10}


def test_markers_may_share_a_space() -> None:
    match = roll(set_up(treasures="excalibur peacock_fan mona_lisa"), "10 blue 5")
    assert clocks(match) == [40, 40, 40]


def test_losses_come_before_the_power_is_chosen() -> None:
    match = roll(markers(set_up(time=5), red=15, green=0, blue=0), "1 red 10")
    assert match.phase == "activate" and match.lost == ["magna_carta"] and match.on_board("red").treasure == "sabre"
    view = match.view(0)
    assert (view["active"], view["mover"], view["actions"], view["turn"], view["under_way"]) == (0, 0, 0, 1, None)


def test_the_power_choice_is_mandatory_with_one_face_down_and_falls_away_with_none() -> None:
    match = roll(markers(set_up(time=10, powers=[True, False]), red=0, green=0, blue=0), "1 red 5")
    assert match.legal_moves() == ["activate:edward"]
    match = roll(markers(set_up(time=10, powers=[True, True]), red=0, green=0, blue=0), "1 red 5")
    assert match.phase == "act" and match.active == 1


def test_xii_at_the_start_gives_no_power_and_nor_does_xii_later() -> None:
    assert set_up().phase == "act"
    assert roll(markers(set_up(time=55), red=30, green=30, blue=30), "1 red 5").phase == "act"


def test_the_laboratorys_own_trap_stays_until_he_comes_back() -> None:
    match = set_up("leroy", "false_alarm", off={"laboratory", "main_hall"})
    play(match, "card:false_alarm:red")
    assert match.off == {"laboratory"} and match.professor == "main_hall"
    roll(play(match, "card:false_alarm:enough"), "1 green 5")
    # He entered where the turn had found him: that counts.
    assert match.professor == "laboratory" and match.off == set()


def test_the_passage_locks_all_doors_of_the_room_rearms_and_frightens() -> None:
    match = set_up(places=["vault", "gallery"], off={"vault", "gallery"})
    match.open_doors = {"armoury:green", "study:blue", "vault:blue", "main_hall:blue"}
    roll(match, "passage red 5")
    assert match.professor == "vault" and match.open_doors == {"main_hall:blue"}
    assert match.off == {"gallery"} and match.places == [None, "gallery"]


def test_the_passage_to_where_he_already_is_locks_and_rearms_all_the_same() -> None:
    match = set_up(professor="vault", off={"vault"}, open_doors={"vault:blue"})
    # No way leads there, but fleeing does not ask how a player came in.
    match.places = ["vault", None]
    roll(match, "passage red 5")
    assert match.professor == "vault" and match.open_doors == set() and match.off == set() and match.places == [None, None]


def test_who_fled_may_come_back_by_any_window() -> None:
    match = roll(set_up(places=["main_hall", "main_hall"]), "1 red 5")
    assert match.places == [None, None] and match.actions_of(1) == ["go:gallery", "go:ballroom", "go:library"]


@pytest.mark.parametrize("face", ["1", "2", "3", "passage"])
def test_hold_cancels_chevrons_and_the_passage(face: str) -> None:
    match = play(set_up("destiny", "lucky_break"), "card:lucky_break")
    assert match.view(0)["held"]
    match.open_doors, before = {"main_hall:green", "vault:blue"}, set(match.off)
    roll(match, f"{face} red 5")
    assert match.professor == "laboratory" and match.open_doors == {"main_hall:green", "vault:blue"} and match.off == before
    assert not match.held and match.time == 5


def test_hold_cancels_neither_5_nor_10_nor_the_clock() -> None:
    match = roll(play(set_up("destiny", "lucky_break"), "card:lucky_break"), "10 blue 10")
    assert clocks(match) == [30, 40, 40] and match.time == 10


def test_the_hundredth_turn_is_the_last_and_nothing_is_asked_after_its_dice() -> None:
    match = markers(set_up(turn=99, time=5), red=0, green=0, blue=0)
    match.layout["turns"] = [{}] * 98 + match.layout["turns"]
    play(roll(match, "1 red 10"), "activate:nathan")
    assert match.turn == 100
    match.time = 40
    roll(markers(match, red=0, green=0, blue=0), "1 red 5")
    assert match.is_over and match.result == "lost" and match.turn == 100 and match.time == 45
