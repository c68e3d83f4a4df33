"""The cards, abilities and bonuses of the slow model of citadel keep the rulings."""

from typing import Any

import pytest

from tests.twins.citadel import Match
from tests.twins.citadel_house import COLOURS
from tests.twins.citadel_scenes import HOUSE, OFF, TRAPS, clocks, laid, markers, play, roll, scene_tables, set_up

# ---- Effects where the rulings say more than the name ----


def test_nobody_enters_the_professors_room_by_any_means() -> None:
    match = set_up("nathan edward", "skylight follow_me", professor="gallery", open_doors=set(HOUSE.all_doors()))
    assert not any(move.endswith(":gallery") for move in match.legal_moves())
    assert {move for move in match.legal_moves() if "skylight" in move} == {
        f"card:skylight:{room}" for room in HOUSE.rooms if room != "gallery"
    }
    match = set_up("nathan edward", "on_his_heels sprint", professor="gallery", open_doors=set(HOUSE.all_doors()))
    match.places = ["main_hall", None]
    assert not any(move.endswith(":gallery") for move in match.legal_moves())


def test_an_open_room_has_a_window_or_an_open_door_and_is_not_his_nor_ones_own() -> None:
    match = set_up("nathan", "skylight", places=["ballroom"], open_doors={"main_hall:green"})
    leaps = {move for move in match.legal_moves() if "skylight" in move}
    assert leaps == {"card:skylight:main_hall", "card:skylight:gallery", "card:skylight:library"}


def test_shadow_goes_from_inside_next_to_the_professor_doors_or_not() -> None:
    match = set_up("nathan", "on_his_heels", powers=[True])
    assert not any(move.startswith("power") for move in match.legal_moves())
    assert "card:on_his_heels" in match.legal_moves()  # outside only its extra action is left
    match.places = ["cellar"]
    shadows = [move for move in match.legal_moves() if move.startswith("power")]
    assert sorted(shadows) == ["power:main_hall", "power:trophy_room"]


def test_near_is_the_own_room_and_those_behind_its_doors_and_nothing_outside() -> None:
    match = set_up("leroy", "jammer wiring_plan", places=["library"])
    near = [move for move in match.legal_moves() if "jammer" in move]
    assert sorted(near) == [f"card:jammer:{room}" for room in ("armoury", "cellar", "library", "main_hall")]
    match.places = [None]
    assert not any(move.startswith("card") for move in match.legal_moves())


def test_time_back_is_illegal_where_it_would_leave_more_than_55_minutes() -> None:
    for blue, is_legal in ((10, True), (15, False)):
        match = markers(set_up("irene", "rewind", time=20), red=50, green=55, blue=blue)
        assert ("card:rewind" in match.legal_moves()) == is_legal
    match = markers(set_up("irene", "rewind", time=15), red=20, green=55, blue=0)
    play(match, "card:rewind")
    assert match.time == 10 and match.lost == [] and match.phase == "act"


def test_a_marker_goes_on_to_at_most_55_minutes_left() -> None:
    match = markers(set_up("irene", "stopped_watch", time=20), red=5, green=10, blue=30)
    assert [move for move in match.legal_moves() if "watch" in move] == ["card:stopped_watch:red", "card:stopped_watch:blue"]
    play(match, "card:stopped_watch:red")
    assert clocks(match) == [15, 10, 30] and match.minutes_left("red") == 55


def test_a_power_place_passed_again_after_going_back_gives_again() -> None:
    match = markers(set_up("irene nathan", "rewind", time=15), red=50, green=50, blue=50)
    play(match, "card:rewind")
    assert match.phase == "act" and match.time == 10
    assert roll(match, "1 red 5").phase == "activate"


def test_a_card_that_moves_the_time_on_loses_first_and_then_asks_for_a_power_in_its_midst() -> None:
    tiles = "magna_carta sabre mona_lisa excalibur"
    match = markers(set_up("irene nathan", "borrowed_time", treasures=tiles, time=10), red=15, green=55, blue=55)
    play(match, "card:borrowed_time")
    view = match.view(0)
    assert match.lost == ["magna_carta"] and view["phase"] == "activate" and view["actions"] == 3
    assert view["under_way"] == {"source": "borrowed_time", "effect": 1} and view["played"] == "borrowed_time"
    play(match, "activate:irene")
    view = match.view(0)
    # Her ability is there at once, her bonus from her next turn on.
    assert view["phase"] == "act" and view["actions"] == 7 and view["under_way"] is None and view["activated"]
    assert "power:red" in match.legal_moves() and "bonus" not in match.legal_moves()
    roll(match, "1 red 5")
    assert not match.activated
    roll(match, "1 red 5")
    assert match.active == 0 and "bonus" in match.legal_moves()


def test_a_lured_professor_locks_rearms_and_frightens_as_by_his_own_dice() -> None:
    match = set_up(
        "destiny nathan", "coin_toss", places=["main_hall", "library"], open_doors={"main_hall:green", "main_hall:blue"}
    )
    match.off = {"main_hall", "library"}
    play(match, "card:coin_toss:red")
    assert match.professor == "main_hall" and match.places == [None, "library"]
    assert match.open_doors == {"main_hall:blue"} and match.off == {"library"} and match.phase == "card"


def test_to_hold_him_twice_is_without_effect() -> None:
    tables = scene_tables()
    destiny = next(character for character in tables["characters"] if character["id"] == "destiny")
    destiny["bonus"] = next(card for card in destiny["cards"] if card["id"] == "joker")["effects"] = [{"do": "hold"}]
    match = Match(1, characters=["destiny"], deck=tables, layout={"turns": [{"cards": ["joker", "lucky_break"]}]})
    match.powers = [True]
    assert {"card:joker", "card:lucky_break", "bonus"} <= set(match.legal_moves())
    play(match, "bonus")
    # The other card has an extra action left.
    assert match.held and "card:joker" not in match.legal_moves() and "card:lucky_break" in match.legal_moves()


def test_a_power_turned_up_for_another_under_a_card_leaves_the_own_bonus_alone() -> None:
    match = markers(set_up("irene nathan", "borrowed_time", time=10), red=50, green=55, blue=55)
    match.powers = [True, False]
    play(match, "card:borrowed_time activate:nathan")
    assert match.powers == [True, True] and not match.activated and "bonus" in match.legal_moves()


def test_the_fourth_loss_under_a_card_ends_the_match() -> None:
    match = markers(set_up("irene", "borrowed_time", time=10, lost=["sabre", "tide_glass", "excalibur"]), red=15)
    play(match, "card:borrowed_time")
    view = match.view(0)
    assert match.is_over and view["under_way"] is None and view["actions"] == 0 and view["played"] == "borrowed_time"
    assert view["powers"] == [False] and len(view["shown"]) == 2


def test_a_bonus_turns_the_power_down_with_the_ability_before_its_effects() -> None:
    match = set_up("edward", places=["library"], powers=[True])
    play(match, "bonus:main_hall:red")
    assert match.powers == [False] and match.phase == "card"
    assert {move.split(":")[0] for move in match.legal_moves()} == {"bonus"}
    play(match, "bonus:enough")
    assert match.phase == "act" and not any(move.startswith(("power", "bonus")) for move in match.legal_moves())


def test_a_bonus_that_could_do_nothing_cannot_be_used() -> None:
    match = markers(set_up("irene", powers=[True], time=20), red=10, green=30, blue=30)
    assert "bonus" not in match.legal_moves()


def test_a_power_face_down_does_nothing_and_one_face_up_gives_its_ability_once_a_turn() -> None:
    match = set_up("leroy", places=["library"])
    assert not any(move.startswith(("power", "bonus")) for move in match.legal_moves())
    match.powers = [True]
    play(match, "power:cellar")
    assert match.actions == 2 and match.power_used and not any(move.startswith("power") for move in match.legal_moves())
    match = play(set_up("leroy", places=["library"], powers=[True]), "unlock:red unlock:green unlock:blue")
    assert not any(move.startswith("power") for move in match.legal_moves())  # it costs an action
    match = play(set_up("edward", places=["library"], powers=[True]), "unlock:red unlock:green disarm power:main_hall:red")
    assert match.actions == 0


def test_a_team_mate_obeys_all_rules_without_his_powers_and_the_player_decides() -> None:
    match = set_up("irene leroy", "synchrony", places=[None, "armoury"], powers=[False, True], professor="library")
    match.off |= {"armoury", "main_hall", "trophy_room", "cellar"}
    moves = {move.removeprefix("card:synchrony:") for move in match.legal_moves() if "synchrony" in move}
    unlocks = {f"leroy:unlock:{colour}" for colour in COLOURS}
    assert moves == {"irene:go:gallery", "irene:go:ballroom", "leroy:take", *unlocks}
    play(match, "card:synchrony:leroy:take")
    assert match.saved == ["excalibur"] and match.actions == 3 and match.to_move == [0] and "armoury" not in match.off
    play(match, "card:synchrony:leroy:disarm")
    assert "armoury" in match.off and match.phase == "act" and match.actions == 3


def test_effects_that_could_do_nothing_are_passed_over_when_their_turn_comes() -> None:
    match = set_up("edward", "door_wedge", professor="cellar")
    # Outside nothing is unlocked; then he steps in and unlocks there.
    play(match, "card:door_wedge:library")
    assert match.view(0)["under_way"] == {"source": "door_wedge", "effect": 2}
    play(match, "card:door_wedge:main_hall:red")
    assert match.phase == "act" and match.open_doors == {"main_hall:red"}
    # Unlocked towards the professor: no step, and the last unlocking is asked at once.
    match = set_up("edward", "door_wedge", professor="cellar", places=["library"])
    play(match, "card:door_wedge:library:red")
    assert match.view(0)["under_way"] == {"source": "door_wedge", "effect": 2}


def test_enough_gives_up_an_effect_and_all_after_it_and_is_no_way_to_begin() -> None:
    match = set_up("nathan", "sprint", open_doors={"main_hall:blue"})
    assert "card:sprint:enough" not in match.legal_moves()
    play(match, "card:sprint:gallery")
    assert match.legal_moves() == ["card:sprint:main_hall", "card:sprint:enough"]
    play(match, "card:sprint:enough")
    assert match.phase == "act" and match.played == "sprint" and match.actions == 3


def test_a_match_won_under_a_card_is_over() -> None:
    match = set_up("irene leroy", "synchrony", places=[None, "vault"], off=set(TRAPS), saved=["sabre", "excalibur", "mona_lisa"])
    play(match, "card:synchrony:leroy:take")
    assert match.result == "won" and match.view(0)["under_way"] is None


def test_a_reroll_uses_up_the_smallest_right_that_covers_it() -> None:
    match = laid(set_up("destiny", "double_or_quits", powers=[True]), "1/2/3 red/green/blue 5/10/5")
    play(match, "card:double_or_quits end")
    view = match.view(0)
    assert view["phase"] == "dice" and view["rerolls"] == [1, 0, 2] and view["throws"] == [1, 1, 1] and view["actions"] == 0
    assert view["dice"] == {"professor": "1", "colour": "red", "clock": 5} and match.professor == "laboratory"
    assert len(match.legal_moves()) == 8 and "choose:clock:10" not in match.legal_moves()
    play(match, "reroll:colour")
    assert match.view(0)["rerolls"] == [0, 0, 2] and match.view(0)["dice"]["colour"] == "green"
    play(match, "reroll:professor+clock")
    assert match.view(0)["rerolls"] == [0, 0, 1] and match.view(0)["throws"] == [2, 2, 2]
    play(match, "reroll:professor")
    assert match.turn == 2 and match.view(0)["dice"] == {"professor": "3", "colour": "green", "clock": 10}
    assert match.view(0)["throws"] == [0, 0, 0] and match.view(0)["rerolls"] == [0, 0, 0] and match.time == 10


def test_a_right_of_one_die_rolls_one_die() -> None:
    match = play(set_up("destiny", "joker"), "card:joker:gallery end")
    assert match.legal_moves() == ["reroll:professor", "reroll:colour", "reroll:clock", "keep"]


def test_a_chosen_face_is_another_one_and_each_is_listed_once() -> None:
    match = play(laid(set_up("destiny", "loaded_dice"), "passage red 5"), "card:loaded_dice end")
    faces = [f"choose:professor:{face}" for face in ("1", "2", "3", "5", "10")]
    assert match.legal_moves() == [*faces, "choose:colour:green", "choose:colour:blue", "choose:clock:10", "keep"]
    play(match, "choose:clock:10")
    assert match.time == 10 and match.professor == "vault"


def test_keep_gives_up_all_rights_left() -> None:
    match = play(laid(set_up("destiny", powers=[True]), "1 red 5"), "bonus end")
    assert match.view(0)["chooses"] == 2 and match.view(0)["rerolls"] == [0, 0, 0]
    play(match, "keep")
    assert match.professor == "main_hall" and match.turn == 2


def test_the_dice_are_not_shown_to_who_has_no_right() -> None:
    assert roll(set_up("destiny"), "1 red 5").turn == 2
    assert roll(set_up("destiny nathan", powers=[False, True]), "1 red 5").turn == 2


# ---- Each card, ability and bonus ----

OPEN = {"gallery:blue", "conservatory:blue"}
DEEDS: list[tuple[str, str | None, str, dict[str, Any]]] = [
    (
        "sprint",
        None,
        "card:sprint:gallery card:sprint:conservatory card:sprint:ballroom",
        {"places": ["ballroom", None], "actions": 3},
    ),
    ("skylight", None, "card:skylight:conservatory", {"places": ["conservatory", None], "actions": 3}),
    ("on_his_heels", "gallery", "card:on_his_heels:cellar", {"places": ["cellar", None], "actions": 4}),
    ("second_wind", None, "card:second_wind", {"actions": 5}),
    (
        "shoulder_charge",
        "library",
        "card:shoulder_charge:main_hall:red card:shoulder_charge:main_hall",
        {"places": ["main_hall", None], "open": ["main_hall:red", *sorted(OPEN, reverse=True)]},
    ),
    (
        "follow_me",
        None,
        "card:follow_me:edward:go:gallery card:follow_me:edward:go:conservatory card:follow_me:nathan:go:library",
        {"places": ["library", "conservatory"], "actions": 3},
    ),
    ("nathan", "gallery", "power:cellar", {"places": ["cellar", None], "actions": 2, "power_used": True}),
    ("nathan bonus", None, "bonus:conservatory", {"places": ["conservatory", None], "actions": 5, "powers": [False, False]}),
    (
        "master_key",
        None,
        "card:master_key:main_hall:red card:master_key:study:blue",
        {"open": ["main_hall:red", "gallery:blue", "conservatory:blue", "study:blue"]},
    ),
    (
        "bunch_of_keys",
        "library",
        "card:bunch_of_keys:vault:blue card:bunch_of_keys:armoury:green card:bunch_of_keys:main_hall:green",
        {"open": ["main_hall:green", "gallery:blue", "conservatory:blue", "armoury:green", "vault:blue"]},
    ),
    (
        "door_wedge",
        "library",
        "card:door_wedge:armoury:blue card:door_wedge:armoury card:door_wedge:armoury:green",
        {"places": ["armoury", None], "open": ["gallery:blue", "conservatory:blue", "armoury:green", "armoury:blue"]},
    ),
    (
        "cut_wire",
        "library",
        "card:cut_wire:armoury:blue card:cut_wire:cellar",
        {
            "open": ["gallery:blue", "conservatory:blue", "armoury:blue"],
            "off": {*OFF, "cellar"},
        },
    ),
    (
        "jammed_lock",
        None,
        "card:jammed_lock card:jammed_lock:study:blue",
        {"held": True, "open": ["gallery:blue", "conservatory:blue", "study:blue"]},
    ),
    (
        "clockwork_hand",
        "library",
        "card:clockwork_hand card:clockwork_hand:armoury:blue",
        {"actions": 4, "open": ["gallery:blue", "conservatory:blue", "armoury:blue"]},
    ),
    (
        "edward",
        "library",
        "power:armoury:blue",
        {"actions": 3, "power_used": True, "open": ["gallery:blue", "conservatory:blue", "armoury:blue"]},
    ),
    (
        "edward bonus",
        None,
        "bonus:main_hall:red bonus:main_hall:green bonus:main_hall:blue bonus:study:blue",
        {
            "open": ["main_hall:red", "main_hall:green", "main_hall:blue", "gallery:blue", "conservatory:blue", "study:blue"],
            "powers": [False, False],
        },
    ),
    ("rewind", None, "card:rewind", {"time": 55, "actions": 3}),
    ("stopped_watch", None, "card:stopped_watch:green", {"treasures": [30, 50, 50]}),
    ("borrowed_time", None, "card:borrowed_time", {"time": 5, "actions": 7}),
    ("long_minute", None, "card:long_minute:red", {"treasures": [35, 40, 50], "actions": 4}),
    ("deja_vu", None, "card:deja_vu", {"rerolls": [0, 0, 1], "actions": 4}),
    ("synchrony", None, "card:synchrony:nathan:go:gallery card:synchrony:irene:go:library", {"places": ["library", "gallery"]}),
    ("irene", None, "power:blue", {"treasures": [30, 40, 55], "actions": 2, "power_used": True}),
    ("irene bonus", None, "bonus", {"time": 50, "treasures": [30, 40, 40], "powers": [False, False]}),
    ("remote_control", None, "card:remote_control:cellar", {"off": {*OFF, "cellar"}}),
    ("short_circuit", None, "card:short_circuit:padlock", {"off": {*OFF, "main_hall", "armoury", "cellar"}}),
    ("jammer", "library", "card:jammer:cellar card:jammer:library", {"off": {*OFF, "cellar", "library"}}),
    (
        "wiring_plan",
        "library",
        "card:wiring_plan:cellar card:wiring_plan:vault:blue",
        {"off": {*OFF, "cellar"}, "open": ["gallery:blue", "conservatory:blue", "vault:blue"]},
    ),
    (
        "false_alarm",
        None,
        "card:false_alarm:blue card:false_alarm:cellar",
        {"professor": "trophy_room", "off": {*OFF, "cellar"} - {"trophy_room"}},
    ),
    ("toolbox", "library", "card:toolbox card:toolbox:cellar", {"actions": 4, "off": {*OFF, "cellar"}}),
    ("leroy", "library", "power:library", {"actions": 2, "power_used": True, "off": {*OFF, "library"}}),
    ("leroy bonus", None, "bonus:saw bonus:cellar", {"off": {*OFF, "library", "vault", "cellar"}, "powers": [False, False]}),
    ("loaded_dice", None, "card:loaded_dice", {"chooses": 1, "actions": 4}),
    ("double_or_quits", None, "card:double_or_quits", {"rerolls": [0, 0, 2], "actions": 4}),
    ("lucky_break", None, "card:lucky_break", {"held": True, "actions": 4}),
    (
        "beginners_luck",
        None,
        "card:beginners_luck card:beginners_luck:nathan:go:gallery card:beginners_luck:nathan:unlock:red",
        {"rerolls": [1, 0, 0], "places": [None, "gallery"], "open": ["gallery:red", "gallery:blue", "conservatory:blue"]},
    ),
    (
        "coin_toss",
        "library",
        "card:coin_toss:red card:coin_toss:red",
        {"professor": "library", "places": [None, None], "actions": 4},
    ),
    ("joker", None, "card:joker:gallery", {"rerolls": [1, 0, 0], "places": ["gallery", None]}),
    ("destiny", None, "end reroll:clock", {"turn": 2}),
    ("destiny bonus", None, "bonus", {"chooses": 2, "actions": 5, "powers": [False, False]}),
]


@pytest.mark.parametrize(("name", "place", "moves", "expected"), DEEDS, ids=[deed[0] for deed in DEEDS])
def test_each_card_ability_and_bonus_does_what_it_says(
    name: str, place: str | None, moves: str, expected: dict[str, Any]
) -> None:
    who = name.split(maxsplit=1)[0]
    is_power = who in HOUSE.characters
    character = who if is_power else next(c for c, told in HOUSE.characters.items() if who in told.cards)
    other = "edward" if character == "nathan" else "nathan"
    match = set_up(f"{character} {other}", "" if is_power else name, places=[place, None], open_doors=set(OPEN))
    match.powers = [is_power, False]
    if name == "irene bonus":
        markers(match, blue=40)
    play(match, moves)
    view = match.view(1)
    view["treasures"] = clocks(match)
    for key, content in expected.items():
        assert (set(view[key]) if key == "off" else view[key]) == content, key
    assert view["under_way"] is None and view["phase"] == "act"
    assert view["played"] == (None if is_power else name)


def test_every_card_ability_and_bonus_is_among_them() -> None:
    told = {name for name, character in HOUSE.characters.items() for name in (name, f"{name} bonus", *character.cards)}
    assert {deed[0] for deed in DEEDS} == told and len(told) == 5 * 8
