"""Luck laid out by the caller: taken as it is, or refused with the field that is wrong."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from machiavel.engines import BadLayout, GameError, MissingLuck, Record, State
from tests.engines.agency.table import AGENTS, GAME, PLANS, full_round, play_to, play_to_the_end, seen

Layout = dict[str, Any]


def layout(players: int = 3, rounds: int = 1, *, powers: bool = True) -> Layout:
    """A full layout of a first round, in which seat n is the n-th agent."""
    agents = list(AGENTS[:players])
    first = full_round(players, pile="1 2 3 4 5 6", shuffled=[*PLANS, *(agents if powers else ())])
    whole: Layout = {"leader": 1, "rounds": [first] * rounds}
    return whole | ({"agents": agents} if powers else {})


def to_the_last_card(state: State) -> str:
    """Play on until one card of the round is left; returns it."""
    play_to(state, 1, 12)
    while len(seen(state)["table"]) < state.players - 1:
        state.play(state.legal_moves()[0])
    (move,) = state.legal_moves()
    return move


# ---- Taken ----


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_layout_is_what_is_dealt(players: int) -> None:
    laid = layout(players)
    truth = GAME.new(players, layout=laid).truth()
    (deal,) = laid["rounds"]
    assert truth["agents"] == laid["agents"] and truth["leader"] == 1 and truth["pile"] == deal["pile"]
    assert [sorted(hand) for hand in truth["hands"]] == [sorted(hand) for hand in deal["hands"]]
    assert [sorted(hand) for hand in truth["reserves"]] == [sorted(hand) for hand in deal["reserves"]]


def test_the_order_of_cards_in_a_hand_does_not_matter() -> None:
    laid = layout()
    turned = copy.deepcopy(laid)
    turned["rounds"][0]["hands"][0].reverse()
    assert GAME.new(3, layout=laid).to_bytes() == GAME.new(3, layout=turned).to_bytes()


def test_what_a_layout_leaves_out_comes_from_the_seed() -> None:
    assert seen(GAME.new(3, seed=1, layout={"leader": 2}, powers=False))["leader"] == 2
    for left_out in ("leader", "agents", "rounds"):
        part = layout()
        del part[left_out]
        if left_out == "agents":
            part["rounds"] = []
        one, other = GAME.new(3, seed=1, layout=part), GAME.new(3, seed=1, layout=part)
        assert one.truth() == other.truth()
    nothing: Layout = {}
    assert GAME.new(3, seed=1, layout=nothing).truth() == GAME.new(3, seed=1).truth()


def test_a_layout_of_one_part_leaves_the_seeds_other_parts_as_they_are() -> None:
    plain = GAME.new(3, seed=8, powers=False).truth()
    leader = (plain["leader"] + 1) % 3
    led = GAME.new(3, seed=8, powers=False, layout={"leader": leader}).truth()
    assert (led["hands"], led["reserves"], led["pile"]) == (plain["hands"], plain["reserves"], plain["pile"])


def test_the_callers_layout_is_not_kept_by_reference() -> None:
    laid = layout()
    state = GAME.new(3, seed=1, layout=laid)
    laid["rounds"][0]["hands"][0][0] = "nothing"
    assert GAME.replay(state.record()).truth() == state.truth()


# ---- Refused ----


def put(*path: Any, to: Any) -> Callable[[Layout], None]:
    def apply(laid: Layout) -> None:
        place: Any = laid
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to

    return apply


def drop(*path: Any) -> Callable[[Layout], None]:
    def apply(laid: Layout) -> None:
        place: Any = laid
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]

    return apply


HAND = ("rounds", 0, "hands", 1)
RESERVE = ("rounds", 0, "reserves", 2)
PILE = ("rounds", 0, "pile")
BAD = [
    (put("seats", to=3), "seats", "is unknown; fields here: leader, agents, rounds"),
    (put("leader", to=3), "leader", "is 3; expected a whole number from 0 to 2"),
    (put("leader", to=-1), "leader", "is -1; expected a whole number from 0 to 2"),
    (put("leader", to="0"), "leader", "is '0'; expected a whole number from 0 to 2"),
    (put("leader", to=True), "leader", "is True; expected a whole number from 0 to 2"),
    (put("agents", to=["belton", "martha"]), "agents", "expected a list of 3"),
    (put("agents", to="belton"), "agents", "expected a list of 3"),
    (put("agents", 1, to="castor"), "agents", "holds 'castor'; expected one of belton, martha, wxt, jean, moignons"),
    (put("agents", 1, to="belton"), "agents", "does not hold what is shuffled there: belton, martha, wxt, jean, moignons"),
    (put("agents", 1, to="jean"), "rounds[0].pile", "does not hold what is shuffled there"),
    (put("rounds", to={}), "rounds", "is {}; expected a list"),
    (put("rounds", 0, to=[]), "rounds[0]", "is []; expected an object with hands, reserves, pile"),
    (drop("rounds", 0, "reserves"), "rounds[0].reserves", "is missing"),
    (put("rounds", 0, "deck", to=[]), "rounds[0].deck", "is unknown; fields here: hands, reserves, pile"),
    (put("rounds", 0, "hands", to=[]), "rounds[0].hands", "expected a list of 3"),
    (drop(*RESERVE), "rounds[0].reserves", "expected a list of 3"),
    (drop(*HAND, 0), "rounds[0].hands[1]", "expected a list of 6"),
    (put(*HAND, to="M1 M2 M3 M4 M5 M6"), "rounds[0].hands[1]", "expected a list of 6"),
    (put(*HAND, 2, to="G17"), "rounds[0].hands[1]", "holds 'G17'; expected a card of the deck, as M1"),
    (put(*HAND, 2, to="g8"), "rounds[0].hands[1]", "holds 'g8'; expected a card of the deck, as M1"),
    (put(*HAND, 2, to=8), "rounds[0].hands[1]", "holds 8; expected a card of the deck, as M1"),
    (put(*HAND, 2, to=["G8"]), "rounds[0].hands[1]", "holds ['G8']; expected a card of the deck, as M1"),
    (put(*RESERVE, 2, to=None), "rounds[0].reserves[2]", "holds None; expected a card of the deck, as M1"),
    (put(*HAND, 0, to="Y16"), "rounds[0]", "Y16 is dealt twice"),
    (put(*PILE, to="1"), "rounds[0].pile", "is '1'; expected a list"),
    (put(*PILE, 0, to="7"), "rounds[0].pile", "holds '7'; expected one of 1, 1+pass_left, 2"),
    (put(*PILE, 0, to="1+low_wins"), "rounds[0].pile", "holds '1+low_wins'; expected one of 1, 1+pass_left, 2"),
    (put(*PILE, 0, to="6"), "rounds[0].pile", "does not hold what is shuffled there: 1, 1, 1+pass_left, 2, 2, 2, 2+low_wins"),
    (drop(*PILE, 0), "rounds[0].pile", "does not hold what is shuffled there: 1, 1, 1+pass_left"),
    (put(*PILE, 5, to="jean"), "rounds[0].pile", "6, 6, belton, martha, wxt"),
]


@pytest.mark.parametrize(
    ("spoil", "field", "problem"), BAD, ids=[f"{field}-{number}" for number, (_, field, _) in enumerate(BAD)]
)
def test_a_bad_layout_is_refused_with_the_field_and_what_would_be_right(
    spoil: Callable[[Layout], None], field: str, problem: str
) -> None:
    laid = copy.deepcopy(layout())
    spoil(laid)
    for seed in (None, 1):
        with pytest.raises(BadLayout) as refused:
            GAME.new(3, seed=seed, layout=laid)
        assert refused.value.field == field and problem in refused.value.problem


@pytest.mark.parametrize("laid", [[], "leader", 3, [["leader", 1]]])
def test_a_layout_that_is_no_object_is_refused(laid: Any) -> None:
    with pytest.raises(GameError):
        GAME.new(3, seed=1, layout=laid)


def test_agents_stand_in_the_option_or_in_the_layout_and_not_in_both() -> None:
    with pytest.raises(BadLayout, match=r"layout: agents: are given by the option; leave them out"):
        GAME.new(3, layout=layout(), agents=list(AGENTS[:3]))
    with pytest.raises(BadLayout, match=r"layout: agents: are not in play without powers; leave them out"):
        GAME.new(3, layout=layout(powers=False) | {"agents": list(AGENTS[:3])}, powers=False)


def test_with_accomplices_off_plans_are_plain_in_layouts_too() -> None:
    with pytest.raises(BadLayout, match=r"rounds\[0\]\.pile: holds '.\+.*'; expected one of 1, 2, 3, 4, 5, 6, belton"):
        GAME.new(3, layout=layout(), accomplices=False)


@pytest.mark.parametrize(
    ("left_out", "field"), [("leader", "leader"), ("agents", "agents"), ("rounds", "rounds[0].hands and .reserves")]
)
def test_missing_luck_is_named(left_out: str, field: str) -> None:
    laid = layout()
    del laid[left_out]
    with pytest.raises(MissingLuck) as refused:
        GAME.new(3, layout=laid)
    assert refused.value.field == field
    assert str(refused.value) == f"not laid out: {field}; lay it out or give a seed"


# ---- Later rounds ----


def test_a_round_that_is_not_laid_out_stops_the_move_that_needs_it_and_changes_nothing() -> None:
    state = GAME.new(3, layout=layout())
    move = to_the_last_card(state)
    before = (state.to_bytes(), state.moves, state.truth())
    for _ in range(2):
        with pytest.raises(MissingLuck, match=r"not laid out: rounds\[1\]\.hands and \.reserves"):
            state.play(move)
        assert (state.to_bytes(), state.moves, state.truth()) == before


def next_round(state: State, pile: list[str]) -> Layout:
    return full_round(3, ["M1 M2"], shuffled=pile) | {"pile": pile}


def test_the_next_round_can_be_laid_out_when_it_is_known() -> None:
    laid = layout()
    state = GAME.new(3, layout=laid)
    move = to_the_last_card(state)
    taken = laid["rounds"][0]["pile"][: 12 + 23 - 12 - len(state.truth()["pile"]) + 1]
    again = next_round(state, taken[::-1])
    state.lay_out({**laid, "rounds": [*laid["rounds"], again]})
    state.play(move)
    truth = state.truth()
    assert truth["round"] == 2 and truth["pile"] == [*laid["rounds"][0]["pile"][len(taken) :], *taken[::-1]]
    assert [sorted(hand) for hand in truth["hands"]] == [sorted(hand) for hand in again["hands"]]
    assert GAME.replay(Record.from_json(json.dumps(state.record().to_json()))).truth() == truth


def test_a_wrong_pile_for_the_next_round_is_refused_with_what_it_must_hold() -> None:
    laid = layout(powers=False)
    state = GAME.new(3, layout=laid, powers=False)
    move = to_the_last_card(state)
    taken = laid["rounds"][0]["pile"][:12]
    state.lay_out({**laid, "rounds": [*laid["rounds"], next_round(state, [*taken[:11], "6"])]})
    before = (state.to_bytes(), state.moves)
    with pytest.raises(BadLayout) as refused:
        state.play(move)
    assert refused.value.field == "rounds[1].pile"
    assert refused.value.problem == f"does not hold what is shuffled there: {', '.join(sorted(taken))}"
    assert (state.to_bytes(), state.moves) == before


def test_laying_out_more_may_not_change_or_leave_out_what_was_laid_before() -> None:
    laid = layout()
    state = GAME.new(3, layout=laid)
    other = copy.deepcopy(laid)
    other["leader"] = 2
    with pytest.raises(BadLayout, match=r"layout: leader: was laid out otherwise before"):
        state.lay_out(other)
    shorter = copy.deepcopy(laid)
    shorter["rounds"] = []
    with pytest.raises(BadLayout, match=r"layout: leaves out what was laid out before; give all of it"):
        state.lay_out(shorter)
    assert state.record().layout == laid
    state.lay_out(laid)


def test_what_the_seed_has_dealt_cannot_be_laid_out_otherwise() -> None:
    state = GAME.new(3, seed=1, powers=False)
    wrong = (seen(state)["leader"] + 1) % 3
    with pytest.raises(BadLayout, match=r"layout: leader: "):
        state.lay_out({"leader": wrong})
    assert GAME.replay(state.record()).truth() == state.truth()


def test_a_world_has_no_layout() -> None:
    with pytest.raises(BadLayout, match=r"the past of a world is not known"):
        GAME.new(3, seed=1).view(0).determinize(1).lay_out({})


def test_a_copy_goes_its_own_way() -> None:
    state = GAME.new(3, seed=1, layout=layout())
    before = (state.truth(), state.record().to_json())
    other = play_to_the_end(state.copy())
    assert other.is_over and (state.truth(), state.record().to_json()) == before
    assert play_to_the_end(state).truth() == other.truth()
