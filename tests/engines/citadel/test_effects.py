"""The named effects, one by one (R7), and what the shipped house makes of them (R11)."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import State
from tests.engines.citadel.table import (
    CHARACTERS,
    GAME,
    ROOMS,
    deal,
    house_tables,
    moves,
    play,
    roll,
    seen,
    situation,
    with_effects,
)


def with_card(effect: Mapping[str, Any], *more: Mapping[str, Any], players: int = 1, **changes: Any) -> State:
    """Nathan's turn with a card that has these effects."""
    return situation(players, options=with_effects(effect, *more), **changes)


def card(state: State) -> list[str]:
    return moves(state, "card:sprint:")


def test_r7_1_a_step_is_a_move_without_an_action() -> None:
    state = with_card({"do": "step", "count": 3})
    assert card(state) == ["gallery", "ballroom", "library"]
    play(state, "card:sprint:gallery")
    assert seen(state)["phase"] == "act" and seen(state)["actions"] == 3  # all doors are locked: no second step


def test_r7_2_a_leap_goes_into_any_open_room() -> None:
    doors = ["laboratory:blue", "study:blue"]
    state = with_card({"do": "leap"}, open=doors, places=["gallery"])
    assert card(state) == ["ballroom", "library", "trophy_room", "study", "vault"]
    assert card(with_card({"do": "leap"})) == ["gallery", "ballroom", "library"]


def test_r7_3_a_shadow_stays_next_to_the_professor() -> None:
    state = with_card({"do": "shadow"}, places=["gallery"], professor="vault")
    assert card(state) == ["armoury", "study", "cellar"]
    assert card(with_card({"do": "shadow"}, places=["study"], professor="vault")) == ["armoury", "cellar"]
    assert moves(with_card({"do": "shadow"}, professor="vault"), "card:sprint") == []


def test_r7_4_doors_here_near_and_anywhere() -> None:
    inside: dict[str, Any] = {"places": ["gallery"], "open": ["gallery:red"]}
    assert card(with_card({"do": "unlock_here"}, **inside)) == ["main_hall:blue", "gallery:blue"]
    near = ["main_hall:red", "main_hall:green", "main_hall:blue", "gallery:blue"]
    near += ["conservatory:green", "conservatory:blue", "laboratory:blue", "trophy_room:blue"]
    assert card(with_card({"do": "unlock_near"}, **inside)) == near
    assert len(card(with_card({"do": "unlock_anywhere"}, **inside))) == 17
    assert moves(with_card({"do": "unlock_near"}), "card:sprint") == []
    assert len(card(with_card({"do": "unlock_anywhere"}))) == 18


def test_r7_4_both_names_of_a_door_are_understood() -> None:
    state = with_card({"do": "unlock_anywhere"})
    play(state, "card:sprint:library:blue")
    assert seen(state)["open"] == ["main_hall:red"] and state.moves == ("card:sprint:main_hall:red",)


def test_r7_5_traps_near_and_anywhere_even_under_the_professors_eyes() -> None:
    state = with_card({"do": "disarm_near"}, places=["gallery"], off=[])
    assert card(state) == ["main_hall", "gallery", "conservatory", "trophy_room"]
    assert moves(with_card({"do": "disarm_near"}), "card:sprint") == []
    anywhere = with_card({"do": "disarm_anywhere"}, off=[room for room in ROOMS if room not in {"laboratory", "study"}])
    assert card(anywhere) == ["laboratory", "study"]
    play(anywhere, "card:sprint:laboratory")
    assert "laboratory" in seen(anywhere)["off"]


def test_r7_6_all_traps_of_a_type() -> None:
    state = with_card({"do": "disarm_type"}, off=["library", "gallery"])
    assert card(state) == ["padlock", "saw", "camera", "laser"]
    play(state, "card:sprint:saw")
    assert seen(state)["off"] == ["gallery", "library", "laboratory", "vault"]


def test_r7_7_the_professor_is_lured_by_a_door() -> None:
    state = with_card({"do": "lure"}, open=["gallery:red"], places=["gallery"], professor="trophy_room")
    assert card(state) == ["red", "green", "blue"]
    play(state, "card:sprint:green")
    view = seen(state)
    assert (view["professor"], view["open"], view["places"]) == ("gallery", [], [None])
    assert "gallery" not in view["off"]


def test_r7_7_a_professor_who_is_held_can_be_lured() -> None:
    state = play(with_card({"do": "hold"}, {"do": "lure"}), "card:sprint")
    assert seen(state)["held"] and card(state) == ["enough", "red", "green", "blue"]
    play(state, "card:sprint:red")
    assert (seen(state)["professor"], seen(state)["held"]) == ("main_hall", True)


def test_r7_8_held_he_stays_but_markers_and_clock_do_not() -> None:
    for professor in ("1", "2", "3", "passage"):
        state = roll(professor, "red", 5, held=True, places=["gallery"])
        assert seen(state)["professor"] == "laboratory" and seen(state)["time"] == 5 and not seen(state)["held"]
    pressed = roll("5", "red", 5, held=True)
    assert seen(pressed)["treasures"]["red"]["clock"] == 45
    assert moves(with_card({"do": "hold"}, held=True), "card:sprint") == []
    assert seen(play(with_card({"do": "hold"}), "card:sprint"))["held"]


def test_r7_9_time_back_never_leaves_more_than_55_minutes() -> None:
    state = play(with_card({"do": "time_back", "minutes": 5}, time=15), "card:sprint")
    assert seen(state)["time"] == 10 and seen(state)["phase"] == "act"
    assert [t["clock"] for t in seen(state)["treasures"].values()] == [5, 5, 50]
    assert moves(with_card({"do": "time_back", "minutes": 10}), "card:sprint") == []
    one_too_many = with_card({"do": "time_back", "minutes": 5}, left={"blue": 55})
    assert moves(one_too_many, "card:sprint") == []


def test_r7_9_going_back_gives_no_power_and_takes_nothing() -> None:
    state = play(with_card({"do": "time_back", "minutes": 10}, time=20, left={"red": 5, "green": 5, "blue": 45}), "card:sprint")
    view = seen(state)
    assert view["time"] == 10 and view["phase"] == "act" and view["lost"] == []


def test_r7_10_time_on_brings_losses_and_then_a_power() -> None:
    state = with_card({"do": "time_on", "minutes": 10}, {"do": "extra", "count": 2}, time=10, left={"red": 10, "green": 5})
    play(state, "card:sprint")
    view = seen(state)
    assert view["time"] == 20 and view["lost"] == ["mona_lisa", "crystal_skull"] and view["phase"] == "activate"
    assert view["under_way"] == {"source": "sprint", "effect": 1} and view["actions"] == 3
    play(state, "activate:nathan")
    assert seen(state)["actions"] == 5 and seen(state)["phase"] == "act" and seen(state)["activated"]


def test_r7_10_time_on_may_end_the_match_under_a_card() -> None:
    lost = ["magna_carta", "hope_diamond", "da_vincis_notebook"]
    state = with_card({"do": "time_on", "minutes": 5}, {"do": "extra"}, lost=lost, left={"green": 5, "blue": 5})
    play(state, "card:sprint")
    view = seen(state)
    assert state.is_over and view["lost"][-1] == "mona_lisa" and view["under_way"] is None
    assert view["treasures"]["green"] is None and view["treasures"]["blue"]["clock"] == 5  # reached too, but later


def test_r7_11_a_marker_goes_on_up_to_55_minutes_left() -> None:
    state = with_card({"do": "marker_on", "minutes": 10})
    assert card(state) == ["blue"]
    play(state, "card:sprint:blue")
    assert seen(state)["treasures"]["blue"]["clock"] == 45
    assert card(with_card({"do": "marker_on", "minutes": 5})) == ["red", "green", "blue"]


def test_r7_12_an_extra_action() -> None:
    assert seen(play(with_card({"do": "extra", "count": 2}), "card:sprint"))["actions"] == 5


def test_r7_13_dice_are_shown_before_they_count() -> None:
    state = with_card({"do": "reroll", "dice": 2}, {"do": "choose"})
    play(state, "card:sprint", "end")
    view = seen(state)
    assert view["phase"] == "dice" and view["rerolls"] == [0, 1, 0] and view["chooses"] == 1 and view["throws"] == [1, 1, 1]
    assert view["professor"] == "laboratory" and view["time"] == 0
    pairs = ["professor", "colour", "professor+colour", "clock", "professor+clock", "colour+clock"]
    assert moves(state, "reroll:") == pairs
    assert len(moves(state, "choose:")) == 5 + 2 + 1


def test_r7_14_anyone_goes_or_acts_by_the_same_rules() -> None:
    inside: dict[str, Any] = {"places": [None, "gallery"], "open": ["gallery:red"], "off": ["gallery"]}
    state = with_card({"do": "anyone_goes"}, players=2, **inside)
    assert card(state) == ["nathan:go:gallery", "nathan:go:ballroom", "nathan:go:library", "edward:go:trophy_room"]
    state = with_card({"do": "anyone_acts"}, players=2, **inside)
    theirs = [move for move in card(state) if move.startswith("edward")]
    assert theirs == ["edward:go:trophy_room", "edward:unlock:green", "edward:unlock:blue"]
    play(state, "card:sprint:edward:unlock:blue")
    assert seen(state)["open"] == ["gallery:red", "gallery:blue"] and seen(state)["actions"] == 3


def test_r7_14_another_may_take_a_treasure() -> None:
    off = ["gallery", "laboratory", "vault", "library", "ballroom", "study"]
    state = with_card({"do": "anyone_acts"}, players=2, places=[None, "vault"], off=off)
    play(state, "card:sprint:edward:take")
    assert seen(state)["saved"] == ["crystal_skull"]


# ---- R11 ----


def test_r11_1_every_character_has_six_cards_of_its_own_and_a_power() -> None:
    house = GAME.make_rules(1).tables.house
    assert house.characters == CHARACTERS and len(set(house.cards)) == 30
    lists = [sorted(house.lists[6 * number + place]) for number in range(5) for place in range(6)]
    assert len({tuple(effects) for effects in lists}) == 30
    assert len(house.abilities) == 5 and all(house.lists[30 + number] for number in range(5))


def written(effect: Mapping[str, Any]) -> str:
    text = f"`{effect['do']}`" + "".join(f" {effect[more]}" for more in ("minutes", "dice") if more in effect)
    return text + (f" × {effect['count']}" if effect.get("count", 1) > 1 else "")


def test_r11_2_the_rulebook_lists_the_cards_and_powers_of_the_shipped_house() -> None:
    text = (Path(__file__).parents[3] / "engines" / "citadel" / "RULES.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:`\w+`)?) ?\| (`\w+`|ability|bonus) \| (.*) \|$", text, re.MULTILINE)
    expected = []
    for character in house_tables()["characters"]:
        power = character["power"]
        price = f"for {power['cost']} action" if power["cost"] else "free"
        expected.append((f"`{character['id']}`", "ability", f"{written(power['effect'])}, {price}"))
        expected.append(("", "bonus", ", ".join(map(written, character["bonus"]))))
        expected += [("", f"`{one['id']}`", ", ".join(map(written, one["effects"]))) for one in character["cards"]]
    assert rows == expected


@pytest.mark.parametrize("name", [one["id"] for character in house_tables()["characters"] for one in character["cards"]])
def test_r11_2_every_card_does_something_for_one_who_plays_alone(name: str) -> None:
    character = next(one for one in house_tables()["characters"] if name in {each["id"] for each in one["cards"]})
    other = next(each["id"] for each in character["cards"] if each["id"] != name)
    state = deal(1, characters=[character["id"]], turns=[{"cards": [name, other]}])
    play(state, "go:gallery")
    if not moves(state, f"card:{name}"):  # Rewind waits for a clock that has gone on
        state = situation(
            characters=[character["id"]], shown=sorted([name, other], key=[c["id"] for c in character["cards"]].index), time=20
        )
    before = seen(state)
    play(state, next(move for move in state.legal_moves() if move.startswith(f"card:{name}")))
    changed = {field for field, value in seen(state).items() if value != before[field]} - {"ply", "played", "under_way", "phase"}
    assert changed


@pytest.mark.parametrize("language", ["en", "fr"])
def test_r11_2_every_card_power_and_bonus_is_told_in_words(language: str) -> None:
    from machiavel.engines.citadel.labels import ability_words, list_words

    house = GAME.make_rules(1).tables.house
    told = [list_words(house, effects, language) for effects in house.lists]
    told += [ability_words(house, number, language) for number in range(5)]
    assert all("{" not in text and len(text) > 8 for text in told) and len(set(told)) == len(told)
