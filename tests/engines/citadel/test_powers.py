"""Powers: turned up by the clock, abilities and bonuses (R8)."""

import pytest

from machiavel.engines import IllegalMove
from tests.engines.citadel.table import moves, play, roll, seen, situation, with_effects

DICE = {"professor": "1", "colour": "red", "clock": 5}


def test_r8_1_face_down_it_does_nothing() -> None:
    state = situation(characters=["edward"], places=["gallery"])
    assert moves(state, "power") == [] and moves(state, "bonus") == []
    for text in ("power:main_hall:blue", "bonus:study:red"):
        with pytest.raises(IllegalMove, match="your power lies face down"):
            state.play(text)


@pytest.mark.parametrize(
    ("time", "minutes", "asked"),
    [(10, 5, True), (10, 10, True), (5, 10, True), (15, 5, False), (40, 5, True), (35, 10, True), (55, 5, False)],
)
def test_r8_2_three_and_nine_reached_or_passed(time: int, minutes: int, asked: bool) -> None:
    state = roll("1", "red", minutes, players=2, time=time)
    assert (seen(state)["phase"] == "activate") == asked
    if asked:
        assert state.legal_moves() == ["activate:nathan", "activate:edward"] and seen(state)["mover"] == 0
        play(state, "activate:edward")
        assert seen(state)["powers"] == [False, True] and seen(state)["active"] == 1


def test_r8_2_to_turn_one_up_may_not_be_declined() -> None:
    state = roll("1", "red", 5, players=2, time=10)
    assert state.legal_moves() == ["activate:nathan", "activate:edward"]
    for text in ("end", "keep", "go:gallery"):
        with pytest.raises(IllegalMove, match="a power must be turned up first"):
            state.play(text)


def test_r8_2_one_is_asked_all_the_same_and_none_is_not() -> None:
    one = roll("1", "red", 5, players=2, time=10, powers=[True, False])
    assert one.legal_moves() == ["activate:edward"]
    none = roll("1", "red", 5, players=2, time=10, powers=[True, True])
    assert seen(none)["phase"] == "act"


def test_r8_2_after_the_losses_and_again_after_going_back() -> None:
    state = roll("1", "red", 5, time=10, left={"green": 5})
    assert seen(state)["phase"] == "activate" and seen(state)["lost"] == ["mona_lisa"]
    again = situation(2, characters=["irene", "leroy"], time=15, powers=[True, False])
    play(again, "card:rewind")
    assert seen(again)["time"] == 10 and seen(again)["phase"] == "act"
    assert seen(roll("1", "red", 5, players=2, time=10, powers=[True, False]))["phase"] == "activate"


def test_r8_3_an_ability_once_a_turn_for_what_it_costs() -> None:
    state = situation(places=["gallery"], powers=[True], professor="vault")
    assert moves(state, "power:") == ["armoury", "study", "cellar"]
    play(state, "power:study")
    assert (seen(state)["places"], seen(state)["actions"], seen(state)["power_used"]) == (["study"], 2, True)
    with pytest.raises(IllegalMove, match="used this turn"):
        state.play("power:cellar")
    poor = situation(places=["gallery"], powers=[True], professor="vault", actions=0)
    with pytest.raises(IllegalMove, match="no action is left for it"):
        poor.play("power:study")


def test_r8_3_an_ability_of_dice_is_there_by_itself() -> None:
    state = play(situation(characters=["destiny"], powers=[True]), "end")
    assert seen(state)["phase"] == "dice" and sum(seen(state)["rerolls"]) + seen(state)["chooses"] == 1
    with pytest.raises(IllegalMove, match="by itself"):
        situation(characters=["destiny"], powers=[True]).play("power")


def test_r8_4_a_bonus_turns_the_power_face_down_with_the_ability() -> None:
    options = with_effects({"do": "unlock_anywhere", "count": 2}, {"do": "extra"})
    state = situation(places=["gallery"], powers=[True], professor="vault", options=options)
    play(state, "bonus:study:red")
    assert seen(state)["powers"] == [False] and seen(state)["under_way"] == {"source": "bonus", "effect": 1}
    assert all(move.startswith("bonus:") for move in state.legal_moves())
    play(state, "bonus:cellar:red")
    view = seen(state)
    assert (view["actions"], view["phase"], view["played"]) == (4, "act", None)
    assert moves(state, "power") == [] and moves(state, "bonus") == []


def test_r8_4_a_bonus_is_no_action_and_waits_for_a_card_to_be_done() -> None:
    options = with_effects({"do": "unlock_anywhere", "count": 2})
    state = situation(places=["gallery"], powers=[True], actions=0, options=options)
    play(state, "card:sprint:study:red")
    assert moves(state, "bonus") == []
    play(state, "card:sprint:enough")
    assert "vault:blue" in moves(state, "bonus:")
    play(state, "bonus:vault:blue", "bonus:enough")
    assert (seen(state)["powers"], seen(state)["actions"], seen(state)["played"]) == ([False], 0, "sprint")
    shown = situation(phase="dice", actions=0, chooses=1, powers=[True], dice={"professor": "1", "colour": "red", "clock": 5})
    assert moves(shown, "bonus") == []


def test_r8_4_with_the_bonus_an_ability_of_dice_is_gone() -> None:
    state = situation(characters=["destiny"], powers=[True], options=None)
    play(state, next(move for move in state.legal_moves() if move.startswith("bonus")))
    rights = sum(seen(state)["rerolls"]), seen(state)["chooses"]
    while seen(state)["phase"] == "card":
        play(state, "bonus:enough")
    if sum(rights):
        play(state, "end")
        assert (sum(seen(state)["rerolls"]), seen(state)["chooses"]) == rights


def test_r8_5_turned_up_in_ones_own_turn_the_bonus_waits() -> None:
    options = with_effects({"do": "time_on", "minutes": 5}, {"do": "extra"})
    state = situation(2, time=10, places=["gallery", None], options=options)
    play(state, "card:sprint", "activate:nathan")
    assert seen(state)["activated"] and moves(state, "bonus") == [] and moves(state, "power:") != []
    with pytest.raises(IllegalMove, match="waits for the next"):
        state.play("bonus")
    other = play(situation(2, time=10, options=options), "card:sprint", "activate:edward")
    assert not seen(other)["activated"]
