"""What docs/citadel.md tells of views and moves: the order in which moves are listed, and what fields are from `end` on."""

from collections.abc import Mapping
from typing import Any

from tests.engines.citadel.table import ROOMS, deal, moves, play, roll, seen, situation, with_effects

DICE = {"professor": "1", "colour": "red", "clock": 5}


def fields(view: Mapping[str, Any], *names: str) -> list[Any]:
    return [view[name] for name in names]


# ---- The order of moves ----


def test_a_turns_moves_are_actions_end_power_cards_and_bonus() -> None:
    state = situation(places=["gallery"], powers=[True], open=["gallery:red"], off=["study"])
    assert state.legal_moves() == [
        *("go:trophy_room", "unlock:green", "unlock:blue", "disarm", "end"),
        *("power:main_hall", "power:trophy_room", "power:cellar", "card:sprint:trophy_room"),
        *("card:skylight:ballroom", "card:skylight:library", "card:skylight:trophy_room"),
        *("bonus:ballroom", "bonus:library", "bonus:trophy_room"),
    ]
    guards = ["gallery", "laboratory", "vault", "library", "ballroom", "study"]
    assert situation(places=["vault"], off=guards, shown=["sprint", "second_wind"]).legal_moves() == [
        *("unlock:red", "unlock:green", "unlock:blue", "take", "end", "card:second_wind"),
    ]


def test_choices_stand_in_house_order_and_enough_before_them() -> None:
    state = situation(options=with_effects({"do": "unlock_anywhere", "count": 2}))
    doors = moves(state, "card:sprint:")
    assert doors == sorted(doors, key=lambda door: (ROOMS.index(door.split(":")[0]), "red green blue".index(door.split(":")[1])))
    assert len(doors) == 18
    play(state, f"card:sprint:{doors[3]}")
    assert moves(state, "card:sprint:") == ["enough", *doors[:3], *doors[4:]]
    anyone = situation(
        2, options=with_effects({"do": "anyone_acts"}), places=[None, "gallery"], open=["gallery:red"], off=["study"]
    )
    assert moves(anyone, "card:sprint:") == [
        *("nathan:go:gallery", "nathan:go:ballroom", "nathan:go:library", "edward:go:trophy_room"),
        *("edward:unlock:green", "edward:unlock:blue", "edward:disarm"),
    ]


def test_dice_are_kept_rolled_again_or_chosen() -> None:
    state = situation(phase="dice", actions=0, rerolls=[0, 0, 1], chooses=1, dice=DICE)
    assert state.legal_moves() == [
        *("keep", "reroll:professor", "reroll:colour", "reroll:professor+colour", "reroll:clock", "reroll:professor+clock"),
        *("reroll:colour+clock", "reroll:professor+colour+clock"),
        *("choose:professor:2", "choose:professor:3", "choose:professor:passage", "choose:professor:5", "choose:professor:10"),
        *("choose:colour:green", "choose:colour:blue", "choose:clock:10"),
    ]


def test_powers_are_turned_up_by_character() -> None:
    state = roll("1", "red", 5, players=3, time=10, characters=["destiny", "nathan", "irene"])
    assert state.legal_moves() == ["activate:nathan", "activate:irene", "activate:destiny"]


# ---- From `end` on ----


def test_while_the_dice_are_shown_nothing_is_left_of_the_turn_but_that_he_is_held() -> None:
    options = with_effects({"do": "hold"}, {"do": "reroll", "dice": 1})
    state = situation(2, options=options, places=["gallery", None], powers=[True, False], professor="vault")
    play(state, "power:study", "card:sprint")
    assert fields(seen(state), "actions", "held", "power_used", "rerolls") == [2, True, True, [1, 0, 0]]
    play(state, "end")
    view = seen(state)
    assert fields(view, "phase", "active", "mover", "actions", "held") == ["dice", 0, 0, 0, True]
    assert fields(view, "power_used", "activated", "under_way", "rerolls", "throws") == [False, False, None, [1, 0, 0], [1, 1, 1]]
    assert fields(view, "shown", "played", "discards") == [["sprint", "skylight"], "sprint", [[], []]]
    play(state, "keep")
    after = seen(state)
    assert fields(after, "active", "held", "rerolls", "throws") == [1, False, [0, 0, 0], [0, 0, 0]]
    assert fields(after, "played", "discards", "dice") == [None, [["sprint", "skylight"], []], view["dice"]]


def test_what_was_turned_up_in_this_turn_is_forgotten_at_end() -> None:
    options = with_effects({"do": "time_on", "minutes": 5}, {"do": "choose"})
    state = play(situation(1, time=10, options=options), "card:sprint", "activate:nathan")
    assert seen(state)["activated"]
    play(state, "end")
    assert fields(seen(state), "phase", "activated") == ["dice", False]


def test_when_a_power_is_turned_up_after_the_dice_he_is_no_longer_held() -> None:
    view = seen(roll("1", "red", 5, players=2, time=10, held=True))
    assert fields(view, "phase", "mover", "active", "actions", "held", "under_way") == ["activate", 0, 0, 0, False, None]
    assert fields(view, "rerolls", "chooses", "throws", "dice") == [[0, 0, 0], 0, [0, 0, 0], DICE]


def test_when_a_power_is_turned_up_under_a_card_the_effect_after_it_is_told() -> None:
    first = with_effects({"do": "time_on", "minutes": 5}, {"do": "step"})
    state = play(situation(2, time=10, options=first), "card:sprint")
    view = seen(state)
    assert fields(view, "phase", "under_way", "actions") == ["activate", {"source": "sprint", "effect": 1}, 3]
    assert fields(seen(play(state, "activate:edward")), "phase", "under_way") == ["card", {"source": "sprint", "effect": 1}]
    last = with_effects({"do": "extra", "count": 2}, {"do": "hold"}, {"do": "reroll", "dice": 2}, {"do": "time_on", "minutes": 5})
    state = play(situation(2, time=10, options=last), "card:sprint")
    view = seen(state)
    assert fields(view, "phase", "under_way", "actions", "held") == ["activate", {"source": "sprint", "effect": 5}, 5, True]
    assert fields(view, "rerolls", "throws", "dice") == [[0, 1, 0], [0, 0, 0], None]
    assert fields(seen(play(state, "activate:edward")), "phase", "under_way", "held") == ["act", None, True]
    bonus = play(situation(1, time=10, options=first, powers=[True], places=["gallery"]), "bonus")
    assert seen(bonus)["under_way"] == {"source": "bonus", "effect": 1}


def test_when_the_match_is_over_nothing_is_under_way() -> None:
    lost = ["magna_carta", "hope_diamond", "da_vincis_notebook"]
    options = with_effects({"do": "hold"}, {"do": "reroll", "dice": 1}, {"do": "time_on", "minutes": 5}, {"do": "extra"})
    state = situation(
        1, options=options, places=["gallery"], powers=[True], professor="vault", lost=lost, left={"red": 5, "blue": 5}
    )
    play(state, "power:study", "card:sprint")
    view = seen(state)
    assert fields(view, "phase", "mover", "active", "actions", "held") == ["over", None, 0, 0, False]
    assert fields(view, "power_used", "activated", "under_way", "rerolls", "throws") == [False, False, None, [0, 0, 0], [0, 0, 0]]
    assert fields(view, "shown", "played", "dice") == [["sprint", "skylight"], "sprint", None]
    assert view["treasures"]["red"] is None and view["treasures"]["blue"]["clock"] == view["time"] == 5


def test_before_the_first_roll_there_are_no_dice() -> None:
    state = deal(2)
    assert seen(state)["dice"] is None
    assert seen(play(state, "end"))["dice"] is not None
