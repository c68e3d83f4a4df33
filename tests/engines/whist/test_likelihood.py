"""How plausible the others' moves are in a world of whist: as a player would say it."""

from collections.abc import Sequence
from typing import Any

from machiavel.engines import State
from machiavel.engines.conformance.engine_struct import likelihood_of
from tests.engines.whist.table import GAME, lay, play, seen

HANDS = ("D5 C2 C3 C4 C5 C6 C7", "D2 SA H2 H3 H4 H5 H6", "S2 S3 S4 S5 S6 S7 S8")


def worlds(state: State, seat: int, count: int = 400) -> list[tuple[list[list[str]], float]]:
    """The hands of worlds of what the seat sees, and how plausible each world is."""
    result = [state.view(seat).determinize(number) for number in range(count)]
    return [(world.truth()["hands"], likelihood_of(world, seat)) for world in result]


def holds(hand: Sequence[str], cards: str) -> bool:
    return any(card in hand for card in cards.split())


def test_who_did_not_take_a_trick_probably_could_not() -> None:
    state = play(lay(2, ("S", HANDS[:2])), "D5 D2")
    drawn = worlds(state, 0)
    could = [plausible for hands, plausible in drawn if holds(hands[1], "DT DJ DQ DK DA")]
    could_not = [plausible for hands, plausible in drawn if not holds(hands[1], "D6 D7 D8 D9 DT DJ DQ DK DA")]

    assert len(could) > 50 and len(could_not) > 20
    assert max(could) < 0.7 and min(could_not) > 0.9


def test_who_plays_a_high_card_in_vain_probably_has_no_lower_one() -> None:
    state = play(lay(3, ("S", ["DA C2 C3 C4 C5 C6 C7", "DK", "S2"])), "DA DK")
    drawn = worlds(state, 2)
    had = [plausible for hands, plausible in drawn if holds(hands[1], "D2 D3 D4")]
    had_not = [plausible for hands, plausible in drawn if not any(card[0] == "D" for card in hands[1])]

    assert len(had) > 50 and len(had_not) > 20
    assert max(had) < 0.8 and min(had_not) == 1


def test_leads_and_ones_own_cards_say_nothing() -> None:
    state = play(lay(2, ("S", HANDS[:2])), "D5")
    assert {plausible for _, plausible in worlds(state, 1, 50)} == {1}

    state.play("D2")
    assert {plausible for _, plausible in worlds(state, 1, 50)} == {1}


def test_tricks_of_the_round_are_remembered_and_those_before_are_not() -> None:
    state = play(lay(2, ("S", HANDS[:2])), "D5 D2 C7 SA")
    assert seen(state, 0)["past"] == [[[0, "D5"], [1, "D2"]], [[0, "C7"], [1, "SA"]]]
    assert len({plausible for _, plausible in worlds(state, 0, 50)}) > 10

    while seen(state)["round"] == 1:
        state.play(state.legal_moves()[0])
    assert seen(state, 0)["past"] == [] and not state.is_over
    assert {plausible for _, plausible in worlds(state, 0, 20)} == {1}


def test_who_forgot_the_past_tricks_judges_what_lies_on_the_table() -> None:
    state = play(lay(3, ("S", HANDS)), "D5 D2 S8")
    data: dict[str, Any] = state.view(0).to_json()
    del data["view"]["past"]
    view = GAME.view_from_json(data)
    assert view.to_json()["view"]["past"] is None
    assert GAME.view_from_json(view.to_json()) == view
    assert {likelihood_of(view.determinize(number), 0) for number in range(20)} == {1}
    assert len({plausible for _, plausible in worlds(state, 0, 20)}) > 5
