"""R8 and R9: the end of a round, the next one, and the end of a match."""

from collections.abc import Sequence

import pytest

from machiavel.engines import MatchOver, State
from tests.engines.agency.table import (
    CARDS,
    GAME,
    PLANS,
    SCORING,
    deck_of,
    lay,
    play,
    play_to,
    play_to_the_end,
    play_tricks,
    round_of,
    seen,
    won_by,
)

ONES = "1 1 1 1 1 1 1 1 1 1 1 1 6"
NONE = (0, 0, 0, 0, 0)


def scored(
    players: int,
    winners: Sequence[int],
    pile: str = ONES,
    *,
    greens: Sequence[int] = (),
    yellows: Sequence[int] = (),
    medals: int = 9,
    leader: int = 0,
) -> State:
    """A match whose first round has been won so."""
    tricks = won_by(winners, players, leader, greens=greens, yellows=yellows)
    layout = {"leader": leader, "rounds": [round_of(tricks, pile)]}
    deck = deck_of(SCORING, pile.split())
    return play_tricks(GAME.new(players, seed=1, layout=layout, deck=deck, powers=False, medals=medals), tricks)


def last_round(state: State) -> tuple[list[int], list[int]]:
    last = seen(state)["last_round"]
    return last["points"], last["winners"]


# ---- R8 ----


def test_r8_1_the_points_are_the_values_of_the_plans_taken() -> None:
    state = scored(2, [0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 1], "1 2 3 4 5 6 6 5 4 3 2 1 1")
    # Without green and yellow cards all have the bonus and all have the penalty.
    assert last_round(state) == ([1 + 2 + 4 + 6 + 5 + 4, 3 + 5 + 6 + 3 + 2 + 1], [0])


def test_what_the_round_would_come_to_is_told_all_along_to_everybody() -> None:
    state = GAME.new(3, seed=11)
    while not state.is_over:
        view = state.view(None).to_json()["view"]
        greens, yellows = view["greens"], view["yellows"]
        bonus = [8 * (greens[seat] == min(greens)) - 8 * (yellows[seat] == max(yellows)) for seat in range(3)]
        assert view["bonus"] == bonus
        assert view["points"] == [plans + more for plans, more in zip(view["plan_points"], bonus, strict=True)]
        for seat in range(3):
            assert {name: state.view(seat).to_json()["view"][name] for name in ("points", "bonus")} == {
                name: view[name] for name in ("points", "bonus")
            }
        state.play(state.legal_moves()[0])
    end = state.view(None).to_json()["view"]
    assert end["points"] == end["last_round"]["points"]  # as it was scored


@pytest.mark.parametrize(("players", "bonus"), [(2, 8), (3, 8), (4, 5), (5, 5)])
def test_r8_2_the_fewest_green_bring_8_with_two_or_three_players_and_5_with_more(players: int, bonus: int) -> None:
    winners = [seat for seat in range(players) for _ in range(12)][::players][:12]
    greens = [1] * players
    greens[1] = 0
    yellows = [1] * players if players == 5 else NONE
    points, _ = last_round(scored(players, winners, greens=greens, yellows=yellows))
    penalty = bonus
    assert points == [winners.count(seat) - penalty + (bonus if seat == 1 else 0) for seat in range(players)]


def test_r8_2_not_the_fewest_points_of_green_but_the_fewest_cards() -> None:
    # Seat 0 takes two low green cards, seat 1 a single high one.
    tricks = [["B1", "G1"], ["B3", "G2"], ["B4", "B5"], ["G16", "B6"], *[[f"B{n}", f"B{n + 1}"] for n in range(7, 23, 2)]]
    deck = deck_of({"B": range(1, 40), "G": range(1, 17)}, ONES.split())
    state = GAME.new(2, seed=1, layout={"leader": 0, "rounds": [round_of(tricks, ONES)]}, deck=deck, powers=False, medals=9)
    play_tricks(state, tricks)
    assert last_round(state)[0] == [2 - 8, 10 + 8 - 8]


def test_r8_2_no_green_at_all_is_the_fewest() -> None:
    points, _ = last_round(scored(3, [0] * 6 + [1] * 6, greens=[2, 1, 0]))
    assert points == [6 - 8, 6 - 8, 0 + 8 - 8]


def test_r8_2_tied_least_green_all_get_the_bonus() -> None:
    points, _ = last_round(scored(3, [0] * 4 + [1] * 4 + [2] * 4, greens=[1, 2, 1]))
    assert points == [4 + 8 - 8, 4 - 8, 4 + 8 - 8]


@pytest.mark.parametrize(("players", "penalty"), [(2, 8), (3, 8), (4, 5), (5, 5)])
def test_r8_3_the_most_yellow_cost_8_with_two_or_three_players_and_5_with_more(players: int, penalty: int) -> None:
    winners = [seat for seat in range(players) for _ in range(12)][::players][:12]
    yellows = [1] * players
    yellows[1] = 2
    points, _ = last_round(scored(players, winners, yellows=yellows, greens=[1] * players if players == 5 else NONE))
    assert points == [winners.count(seat) + penalty - (penalty if seat == 1 else 0) for seat in range(players)]


def test_r8_3_tied_most_yellow_all_get_the_penalty() -> None:
    points, _ = last_round(scored(3, [0] * 4 + [1] * 4 + [2] * 4, yellows=[2, 2, 1]))
    assert points == [4 + 8 - 8, 4 + 8 - 8, 4 + 8]


def test_r8_3_nobody_with_yellow_is_a_tie_of_all() -> None:
    points, _ = last_round(scored(3, [0] * 12, greens=[1, 0, 0]))
    assert points == [12 - 8, 8 - 8, 8 - 8]


def test_r8_2_and_r8_3_one_seat_may_have_both() -> None:
    points, _ = last_round(scored(3, [0] * 4 + [1] * 4 + [2] * 4, greens=[0, 1, 1], yellows=[1, 0, 0]))
    assert points == [4 + 8 - 8, 4, 4]


def test_r8_4_all_with_the_most_points_take_a_medal() -> None:
    state = scored(3, [0] * 6 + [2] * 6)
    assert last_round(state) == ([6, 0, 6], [0, 2]) and seen(state)["medals"] == [1, 0, 1]


def test_r8_4_points_may_be_negative() -> None:
    state = scored(3, [0] * 10 + [2, 2], greens=[1, 0, 1], yellows=[0, 0, 1])
    assert last_round(state)[0] == [10, 8, 2 - 8]
    lowest = scored(3, [0] * 6 + [1] * 6, greens=[1, 1, 0], yellows=[1, 1, 0])
    assert last_round(lowest) == ([-2, -2, 8], [2])


def test_r8_4_a_seat_that_won_no_trick_may_win_the_round() -> None:
    state = scored(3, [0] * 6 + [1] * 6, greens=[1, 1, 0], yellows=[1, 1, 0])
    assert seen(state)["medals"] == [0, 0, 1]


def test_a_new_round_counts_from_nothing() -> None:
    state = scored(3, [0] * 6 + [2] * 6)
    view = seen(state)
    assert [view[name] for name in ("plan_points", "greens", "yellows", "tricks")] == [[0, 0, 0]] * 4
    assert (view["round"], view["trick"], view["seen"], view["table"]) == (2, 1, [], [])


# ---- R9 ----


def test_r9_1_the_match_ends_with_the_round_that_brings_the_medals_needed() -> None:
    state = scored(2, [0] * 12, medals=1)
    assert state.is_over and state.seats_to_move == frozenset() and state.seat_to_move is None
    assert seen(state)["phase"] == "over" and seen(state)["trick"] == 12 and seen(state)["round"] == 1
    assert state.legal_moves() == [] and seen(state)["to_move"] == []
    with pytest.raises(MatchOver):
        state.play("B1")
    assert not scored(2, [0] * 12, medals=2).is_over


def test_r9_1_other_seats_medals_do_not_end_it() -> None:
    for seed in range(10):
        state = play_to_the_end(GAME.new(5, seed=seed))
        medals = seen(state)["medals"]
        assert max(medals) == 2 and seen(state)["round"] <= sum(medals)


def test_r9_2_the_winner_has_it_all() -> None:
    state = scored(3, [1] * 12, medals=1, leader=1)
    assert state.utilities == (0, 1, 0) and seen(state)["winners"] == [1]


@pytest.mark.parametrize(("winners", "utilities"), [([0] * 6 + [2] * 6, (0.5, 0, 0.5)), ([0, 1, 2] * 4, (1 / 3, 1 / 3, 1 / 3))])
def test_r9_2_several_share_the_victory(winners: list[int], utilities: tuple[float, ...]) -> None:
    state = scored(3, winners, medals=1)
    assert state.utilities == pytest.approx(utilities)
    assert seen(state)["winners"] == [seat for seat in range(3) if utilities[seat]]


@pytest.mark.parametrize("winner", [0, 1, 2])
def test_r9_3_the_rounds_winner_leads_the_next(winner: int) -> None:
    # The last trick goes to another seat.
    state = scored(3, [winner] * 11 + [(winner + 1) % 3])
    assert last_round(state)[1] == [winner] and seen(state)["leader"] == winner == state.seat_to_move


@pytest.mark.parametrize(
    ("winners", "leader"),
    [
        ([0] * 5 + [2] * 5 + [1, 1], 2),
        ([2] * 5 + [0] * 5 + [1, 1], 0),
        ([0, 0, 0, 0, 2, 2, 2, 2, 2, 0, 1, 1], 0),
        ([2] + [0] * 5 + [1, 1] + [2] * 4, 2),
    ],
)
def test_r9_3_of_tied_winners_the_one_who_won_the_latest_trick_leads(winners: list[int], leader: int) -> None:
    state = scored(3, winners)
    assert last_round(state)[1] == [0, 2] and seen(state)["leader"] == leader


@pytest.mark.parametrize(("last", "leader"), [(0, 2), (1, 2)])
def test_r9_3_of_tied_winners_without_a_trick_the_first_clockwise_from_the_last_winner_leads(last: int, leader: int) -> None:
    winners = [1 - last] * 6 + [last] * 6
    state = scored(4, winners, greens=[1, 1, 0, 0], yellows=[1, 1, 0, 0])
    # Seats 2 and 3 took nothing: 0 + 5 each, against 6 - 5.
    assert last_round(state) == ([1, 1, 5, 5], [2, 3]) and seen(state)["leader"] == leader


def test_r9_3_clockwise_goes_round_the_end() -> None:
    # Seats 0 and 1 are tied without a trick; the last trick's winner is seat 2, then seat 3 follows.
    state = scored(4, [3] * 6 + [2] * 6, greens=[0, 0, 1, 1], yellows=[0, 0, 1, 1], leader=2)
    assert last_round(state)[1] == [0, 1] and seen(state)["leader"] == 0
    between = scored(4, [0] * 6 + [2] * 6, greens=[1, 0, 1, 0], yellows=[1, 0, 1, 0], leader=2)
    assert last_round(between)[1] == [1, 3] and seen(between)["leader"] == 3


def test_r9_3_a_tied_winner_with_a_trick_comes_before_one_without() -> None:
    state = scored(3, [0] * 5 + [1] * 3 + [0] * 4, "1 1 1 1 1 4 2 2 1 1 1 1 1", greens=[1, 1, 0], yellows=[1, 0, 0])
    # Seat 0: 9 - 8; seat 1 took 4 + 2 + 2, seat 2 nothing but the bonus.
    assert last_round(state) == ([1, 8, 8], [1, 2]) and seen(state)["leader"] == 1


def test_r9_4_what_was_taken_goes_under_what_is_left_which_keeps_its_order() -> None:
    state = lay(2, (), "belton 1 6 2 3", powers=True, agents=["belton", "jean"], medals=9)
    pile = state.truth()["pile"]
    play_to(state, 1, 12)
    left = state.truth()["pile"]
    assert left[0] in PLANS
    play_to(state, 2, 1)
    again = seen(state)["segments"]
    size = again[0]["size"]
    assert size == len(left) - 1
    assert state.truth()["pile"][:size] == left[1:] == pile[-size:]
    assert sorted(state.truth()["pile"][size:]) == sorted(pile[: len(pile) - size])
    assert "belton" in again[1]["unseen"]


def test_r9_4_all_action_cards_are_dealt_anew() -> None:
    state = lay(5, powers=False, medals=9)
    before = state.truth()["hands"] + state.truth()["reserves"]
    play_to(state, 2, 1)
    truth = state.truth()
    after = truth["hands"] + truth["reserves"]
    assert sorted(card for some in after for card in some) == sorted(CARDS) and after != before
    assert [len(some) for some in after] == [6] * 10


def test_r9_4_the_shuffled_part_comes_in_any_order() -> None:
    orders = set()
    for seed in range(8):
        state = play_to(lay(2, powers=False, medals=9, seed=seed), 2, 1)
        orders.add(tuple(state.truth()["pile"][8:]))
    assert len(orders) == 8


def test_a_deck_of_13_plans_can_be_used_up() -> None:
    plans = ["1"] * 13
    deck = deck_of({"B": range(1, 25), "M": range(1, 11)}, plans)
    hands = [[f"M{rank}" for rank in range(1, 7)], [f"B{rank}" for rank in range(1, 7)]]
    reserves = [["M7", "M8", "M9", "M10", "B23", "B24"], [f"B{rank}" for rank in range(7, 13)]]
    first = {"hands": hands, "reserves": reserves, "pile": ["martha", *plans, "jean"]}
    state = GAME.new(2, seed=2, layout={"leader": 0, "rounds": [first]}, deck=deck, agents=["martha", "jean"], medals=9)
    play(state, "M1 B1")
    assert seen(state)["plan_points"] == [2, 0] and seen(state)["pile"][-1] == "jean"
    play_to(state, 1, 12)
    assert seen(state)["pile"] == ["1", "jean"]
    play_to(state, 2, 1)
    view = seen(state)
    # Jean waited on top, and was executed after the deal.
    assert view["jean"] and view["segments"] == [{"size": 14, "unseen": ["1"] * 12 + ["martha"]}]
