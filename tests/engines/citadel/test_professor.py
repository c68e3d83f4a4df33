"""The professor's ways (R9)."""

import pytest

from tests.engines.citadel.table import GAME, moves, play, roll, seen, situation, with_effects


def test_r9_1_so_many_doors_of_a_colour() -> None:
    """From the laboratory: blue by the trophy room to the observatory; red by main hall and library to the cellar."""
    assert seen(roll("2", "blue"))["professor"] == "observatory"
    assert seen(roll("1", "green"))["professor"] == "cellar"
    assert seen(roll("3", "red"))["professor"] == "cellar"


def test_r9_1_an_open_door_is_locked_behind_him_and_a_locked_one_does_not_stop_him() -> None:
    doors = ["main_hall:green", "main_hall:blue", "library:red"]
    state = roll("3", "red", open=doors)
    assert seen(state)["professor"] == "cellar" and seen(state)["open"] == ["main_hall:blue"]


def test_r9_1_coming_back_to_where_he_began_is_entering() -> None:
    # A blue ring of six does not close within three; a lure does, one door there and one back.
    state = situation(options=with_effects({"do": "lure", "count": 2}), off=["laboratory"])
    play(state, "card:sprint:red", "card:sprint:green")
    assert seen(state)["professor"] == "laboratory" and seen(state)["off"] == []


@pytest.mark.parametrize("room", ["vault", "laboratory"])
def test_r9_2_the_passage_locks_every_door_of_the_treasures_room(room: str) -> None:
    doors = ["armoury:green", "study:blue", "vault:blue", "gallery:red", "laboratory:blue", "main_hall:green"]
    treasures = {
        "red": {"id": "crystal_skull", "room": room, "clock": 50},
        "green": {"id": "mona_lisa", "room": "study", "clock": 50},
        "blue": {"id": "dead_sea_scrolls", "room": "cellar", "clock": 35},
    }
    off = ["gallery", "laboratory", "vault"]
    places = ["trophy_room", "vault", "armoury"]
    state = roll("passage", "red", players=3, open=doors, treasures=treasures, off=off, places=places)
    view = seen(state)
    kept = {
        "vault": ["main_hall:green", "gallery:red", "laboratory:blue"],
        "laboratory": ["gallery:red", "armoury:green", "study:blue", "vault:blue"],
    }
    assert view["professor"] == room and view["open"] == kept[room]
    assert room not in view["off"] and "gallery" in view["off"]
    assert view["places"] == (["trophy_room", None, "armoury"] if room == "vault" else places)


def test_r9_3_he_turns_the_trap_on_and_players_flee() -> None:
    state = roll(
        "2", "red", players=4, places=["library", "library", "main_hall", "gallery"], off=["main_hall", "library", "gallery"]
    )
    view = seen(state)
    assert view["professor"] == "library" and view["off"] == ["gallery"]
    assert view["places"] == [None, None, None, "gallery"]
    assert moves(state, "go:") == ["gallery", "ballroom"]  # by any window but his


def test_r9_3_the_trap_he_begins_at_stays_until_he_enters() -> None:
    assert "laboratory" in seen(roll("1", "red"))["off"]
    assert "laboratory" not in seen(roll("1", "red", professor="trophy_room"))["off"]


def test_r9_4_five_or_ten_move_that_treasures_marker() -> None:
    assert seen(roll("5", "blue"))["treasures"]["blue"]["clock"] == 30
    assert seen(roll("10", "green"))["treasures"]["green"]["clock"] == 40
    assert seen(roll("10", "green"))["professor"] == "laboratory"
    assert seen(roll("5", "red", left={"red": 5}))["lost"] == ["crystal_skull"]
    assert seen(roll("10", "red", left={"red": 5}))["lost"] == ["crystal_skull"]
    assert seen(roll("5", "red", left={"red": 10, "green": 20}, luck=3))["lost"] == ["crystal_skull"]  # five, then the clock


def test_r9_5_rights_are_used_up_the_smallest_first() -> None:
    dice = {"professor": "3", "colour": "red", "clock": 10}
    state = situation(phase="dice", actions=0, rerolls=[1, 0, 1], dice=dice)
    play(state, "reroll:clock")
    assert seen(state)["rerolls"] == [0, 0, 1] and seen(state)["throws"] == [1, 1, 2]
    play(state, "reroll:professor+colour")
    assert seen(state)["phase"] != "dice"


def test_r9_5_a_chosen_face_counts_and_keep_gives_up_what_is_left() -> None:
    dice = {"professor": "3", "colour": "red", "clock": 10}
    state = situation(phase="dice", actions=0, chooses=2, dice=dice)
    assert "choose:professor:3" not in state.legal_moves() and "choose:clock:5" in state.legal_moves()
    play(state, "choose:professor:1", "keep")
    assert seen(state)["professor"] == "main_hall" and seen(state)["time"] == 10
    other = play(situation(phase="dice", actions=0, chooses=2, dice=dice), "choose:colour:blue", "choose:clock:5")
    assert seen(other)["professor"] == "study" and seen(other)["time"] == 5


def test_r9_5_dice_laid_out_are_thrown_in_their_order() -> None:
    turns = [{"cards": ["deja_vu", "long_minute"], "dice": {"professor": ["3", "1"], "colour": ["red"], "clock": [10, 5]}}]
    state = GAME.new(1, seed=1, characters=["irene"], layout={"turns": turns})
    play(state, "card:deja_vu:gallery", "end")
    assert seen(state)["dice"] == {"professor": "3", "colour": "red", "clock": 10}
    play(state, "reroll:professor+clock")
    assert seen(state)["dice"] == {"professor": "1", "colour": "red", "clock": 5} and seen(state)["professor"] == "main_hall"
