"""The rule sheet's own examples, one after the other."""

from tests.engines.citadel.table import deal, moves, play, roll, seen, situation

SKULL = ["gallery", "ballroom", "library", "laboratory", "study", "vault"]


def test_r5_1_the_sheets_markers() -> None:
    """XII and 45 minutes are IX; IV and 40 minutes are XII."""
    assert seen(deal(treasures=["tide_glass", "excalibur", "magna_carta"]))["treasures"]["red"]["clock"] == 45
    tiles, rooms = ["dead_sea_scrolls", "mona_lisa", "crystal_skull", "excalibur"], ["gallery", "study", "vault", "armoury"]
    dice = {"dice": {"professor": ["1"], "colour": ["green"], "clock": [10]}}
    turns = [{"cards": ["sprint", "skylight"], **dice}, dice]
    state = deal(
        turns=turns, treasures=tiles, locations=rooms, off=["gallery", "laboratory", "vault", "study", "library", "armoury"]
    )
    play(state, "end", "end", "activate:nathan", "go:gallery", "take")
    assert seen(state)["time"] == 20 and seen(state)["treasures"]["red"]["clock"] == 0


def test_r5_2_the_sheets_crystal_skull() -> None:
    """Three saws, a console and two lasers guard it; one on is enough, and all six are on again once it is saved."""
    for room in SKULL:
        others = [one for one in SKULL if one != room]
        assert "take" not in situation(places=["vault"], off=others).legal_moves()
    state = play(situation(places=["vault"], off=SKULL), "take")
    assert seen(state)["saved"] == ["crystal_skull"] and seen(state)["off"] == []


def test_r9_1_the_sheets_blue_two() -> None:
    assert seen(roll("2", "blue"))["professor"] == "observatory"


def test_r9_1_and_r9_3_the_sheets_red_three() -> None:
    """The first door was open and is locked; a trap off in the second room is on again; in the third somebody has to flee."""
    who = ["nathan", "destiny"]
    state = roll("3", "red", players=2, characters=who, open=["main_hall:green"], off=["library"], places=[None, "cellar"])
    view = seen(state)
    assert (view["professor"], view["open"], view["off"], view["places"]) == ("cellar", [], [], [None, None])


def test_r9_2_the_sheets_passage() -> None:
    """Straight to the treasure; its doors are locked, its trap is on, whoever is there flees."""
    state = roll(
        "passage", "red", places=["vault"], open=["armoury:green", "study:blue", "gallery:red"], off=["vault", "gallery"]
    )
    view = seen(state)
    assert (view["professor"], view["open"], view["off"], view["places"]) == ("vault", ["gallery:red"], ["gallery"], [None])


def test_r9_4_the_sheets_blue_five_and_green_ten() -> None:
    assert seen(roll("5", "blue"))["treasures"]["blue"]["clock"] == 35 - 5
    assert seen(roll("10", "green"))["treasures"]["green"]["clock"] == 50 - 10


def test_r4_1_the_sheets_three_ways_in() -> None:
    assert moves(situation(), "go:") == ["gallery", "ballroom", "library"]


def test_r8_3_the_sheets_nathan() -> None:
    """Next to the professor, whatever the doors are."""
    assert moves(situation(places=["gallery"], powers=[True], professor="vault"), "power:") == ["armoury", "study", "cellar"]
