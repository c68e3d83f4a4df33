"""Treasures and the clock, with the rule sheet's examples (R5, R10)."""

import pytest

from tests.engines.citadel.table import deal, play, roll, seen, situation

ALL_SKULL = ["gallery", "ballroom", "library", "laboratory", "study", "vault"]


def test_r5_1_twelve_and_45_minutes_is_nine() -> None:
    view = seen(deal(treasures=["bust_of_nefertiti", "excalibur", "magna_carta"]))
    assert view["treasures"]["red"]["clock"] == 45 and view["time"] == 0


def test_r5_1_four_and_40_minutes_is_twelve() -> None:
    """Played to it: a treasure of 40 minutes that comes while the time marker is on IV."""
    dice = [{"dice": {"professor": ["1"], "colour": ["green"], "clock": [10]}} for _ in range(4)]
    turns = [{"cards": ["sprint", "skylight"], **dice[0]}, *dice[1:]]
    tiles, rooms = ["dead_sea_scrolls", "mona_lisa", "crystal_skull", "excalibur"], ["gallery", "study", "vault", "armoury"]
    state = deal(
        turns=turns, treasures=tiles, locations=rooms, off=["gallery", "laboratory", "vault", *["study", "library", "armoury"]]
    )
    play(state, "end", "end", "activate:nathan")
    assert seen(state)["time"] == 20
    assert seen(state)["professor"] == "library"
    play(state, "go:gallery", "take")
    view = seen(state)
    assert view["saved"] == ["dead_sea_scrolls"]
    assert view["treasures"]["red"] == {"id": "excalibur", "room": "armoury", "clock": 0}


def test_r5_2_the_skulls_six_traps_are_on_again() -> None:
    state = situation(places=["vault"], off=[*ALL_SKULL, "conservatory"])
    play(state, "take")
    assert seen(state)["off"] == ["conservatory"]


def test_r5_2_a_new_treasure_takes_the_colour() -> None:
    view = seen(play(situation(places=["vault"], off=ALL_SKULL), "take"))
    new = view["treasures"]["red"]
    assert new["id"] not in {"crystal_skull", "mona_lisa", "dead_sea_scrolls"}
    assert new["room"] not in {"vault", "study", "cellar"} and new["room"] in view["locations"]


def test_r5_3_a_treasure_may_come_where_somebody_stands_and_be_taken_at_once() -> None:
    off = ["gallery", "vault", "laboratory", "main_hall", "armoury", "trophy_room", "cellar"]
    tiles, rooms = ["dead_sea_scrolls", "mona_lisa", "crystal_skull", "excalibur"], ["gallery", "study", "vault", "laboratory"]
    turns = [{"cards": ["sprint", "skylight"]}]
    state = deal(2, treasures=tiles, locations=rooms, turns=turns, off=off[:6])
    play(state, "go:gallery", "take")
    view = seen(state)
    assert view["treasures"]["red"]["room"] == "laboratory" == view["professor"]
    assert view["places"] == ["gallery", None]
    rooms = [treasure["room"] for treasure in view["treasures"].values()]
    assert len(set(rooms)) == 3


@pytest.mark.parametrize("minutes", [5, 10])
def test_r10_1_the_clock_goes_on_at_the_end_of_every_turn(minutes: int) -> None:
    assert seen(roll("1", "red", minutes))["time"] == minutes
    assert seen(roll("1", "red", minutes, held=True))["time"] == minutes


def test_r10_2_reached_and_passed_from_both_sides() -> None:
    """By the treasure's marker (5, 10) and by the time marker (the clock), landing on it and going over it."""
    assert seen(roll("5", "blue", left={"blue": 5}))["lost"] == ["dead_sea_scrolls"]
    assert seen(roll("10", "blue", left={"blue": 5}))["lost"] == ["dead_sea_scrolls"]
    assert seen(roll("1", "red", 5, left={"blue": 5}))["lost"] == ["dead_sea_scrolls"]
    assert seen(roll("1", "red", 10, left={"blue": 5}))["lost"] == ["dead_sea_scrolls"]
    assert seen(roll("1", "red", 5, left={"blue": 10}))["lost"] == []


def test_r10_2_a_loss_changes_no_trap() -> None:
    view = seen(roll("5", "blue", left={"blue": 5}, off=["gallery", "vault"]))
    assert view["lost"] == ["dead_sea_scrolls"] and view["off"] == ["gallery", "vault"]


def test_r10_3_several_at_once_in_the_order_red_green_blue() -> None:
    """The next tiles and rooms are laid out: for red, for green, for blue, all counted from where the clock now is."""
    dice = {"professor": ["1"], "colour": ["red"], "clock": [10]}
    tiles = ["magna_carta", "hope_diamond", "da_vincis_notebook", "excalibur", "tide_glass", "mona_lisa"]
    rooms = ["vault", "study", "cellar", "armoury", "ballroom", "library"]
    turns = [{"cards": ["sprint", "skylight"], "dice": dice}, {"dice": dice}, {"dice": dice}]
    state = deal(1, treasures=tiles, locations=rooms, turns=turns)
    play(state, "end", "end", "activate:nathan", "end")
    view = seen(state)
    assert view["lost"] == ["magna_carta", "hope_diamond", "da_vincis_notebook"] and view["time"] == 30
    assert view["treasures"] == {
        "red": {"id": "excalibur", "room": "armoury", "clock": (30 + 40) % 60},
        "green": {"id": "tide_glass", "room": "ballroom", "clock": (30 + 45) % 60},
        "blue": {"id": "mona_lisa", "room": "library", "clock": (30 + 50) % 60},
    }


def test_r10_3_what_replaces_a_loss_by_ten_feels_the_clock() -> None:
    tiles = ["magna_carta", "mona_lisa", "dead_sea_scrolls", "excalibur"]
    turns = [
        {"cards": ["sprint", "skylight"], "dice": {"professor": ["10"], "colour": ["red"], "clock": [10]}},
        {"dice": {"professor": ["10"], "colour": ["red"], "clock": [5]}},
    ]
    state = deal(treasures=tiles, locations=["vault", "study", "cellar", "armoury"], turns=turns)
    play(state, "end")
    assert seen(state)["treasures"]["red"]["clock"] == 20  # 30 - 10, and the clock is on 10
    play(state, "end")
    view = seen(state)
    assert view["lost"] == ["magna_carta"] and view["time"] == 15
    assert view["treasures"]["red"]["clock"] == 10 + 40  # from where the clock was: 35 minutes are left


def test_r10_4_markers_may_share_a_space() -> None:
    clocks = [treasure["clock"] for treasure in seen(deal())["treasures"].values()]
    assert clocks == [50, 50, 35]
