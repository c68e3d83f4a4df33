"""The end of a match (R7), one test a statement."""

import ctypes

import pytest

from machiavel.engines import State
from machiavel.engines.conformance.engine_struct import RULES_CAPSULE, contract_of, pointer_of
from tests.engines.bond.table import GAME, SPIES, at, lay, play, play_at_random, seen, truth

ALL_SPIES = [value for value, count in SPIES.items() for _ in range(count)]


def near_the_end(
    hand: list[int], lairs: list[list[int]], *, points: list[int], turn: int = 0, others: int = 3, pile: int = 0, idle: int = 0
) -> State:
    """A world in which seat 0 holds the last spies, and has nothing else; asked is whoever's turn it is."""
    gone = list(ALL_SPIES)
    for value in hand:
        gone.remove(value)
    players = len(points)
    taken = sum(map(len, lairs)) + others * (players - 1) + pile
    doublers = "AABBCCDDEEFFGGHHII"
    rest = [1] * 2 + [2] * 4 + [3] * 6 + [4] * 6
    for cards in lairs:
        for value in cards:
            rest.remove(value)
    discarded = 36 - taken
    lairs_gone = min(len(rest), discarded)
    return at(
        players,
        seat=0,
        ply=150,
        phase="spy",
        turn=turn,
        points=points,
        lairs=lairs,
        hands=[{"spies": len(hand) if seat == 0 else 0, "others": 0 if seat == 0 else others} for seat in range(players)],
        hand={"spies": hand},
        pile={"count": pile, "spies": 0},
        discard={"spies": gone, "lairs": rest[:lairs_gone], "doublers": list(doublers[: discarded - lairs_gone])},
        idle=idle,
    )


def test_r7_1_thirty_points_on_anothers_turn_win_at_once_and_alone() -> None:
    state = near_the_end([8, 7], [[], [4, 4], []], points=[29, 22, 29])
    play(state, "spy:8>1 go kill")
    assert state.is_over and state.utilities == (0, 1, 0)
    assert seen(state)["points"] == [29, 30, 29] and seen(state)["mover"] is None and seen(state)["turn"] == 0


def test_r7_1_one_may_taunt_beyond_thirty_points() -> None:
    hands = ["lair:4 lair:4 spy:8 doubler:A doubler:B doubler:C"]
    state = lay(2, hands, "doubler:E", moves="lair:4 end skip end lair:4 spy:8>0 taunt:A let taunt:B let")
    assert "taunt:C" in state.legal_moves() and not state.is_over
    play(state, "taunt:C let kill")
    assert seen(state)["points"] == [64, 0] and state.is_over and state.utilities == (1, 0)


def test_r7_2_the_last_spy_ends_the_match_killed_or_escaped() -> None:
    killed = near_the_end([3], [[4], []], points=[4, 6])
    play(killed, "spy:3>0")
    assert not killed.is_over and killed.seat_to_move == 0  # a captured spy is not discarded yet
    play(killed, "kill")
    assert killed.is_over and killed.utilities == (1, 0) and len(seen(killed)["discard"]["spies"]) == 18
    escaped = play(near_the_end([5], [[4], []], points=[4, 6], pile=7), "spy:5>0")
    assert escaped.is_over and escaped.utilities == (0, 1)
    together = play(near_the_end([5, 4], [[], [4]], points=[4, 4]), "spy:5>1 add:4 go")
    assert together.is_over and together.utilities == (0.5, 0.5)


def test_r7_3_everybody_passing_on_an_empty_pile_ends_the_match() -> None:
    state = GAME.new(3, seed=5)
    while seen(state)["pile"]["count"]:
        play(state, "skip end")
    assert seen(state)["idle"] == 0  # this turn began with a draw
    play(state, "skip end")
    for idle in (1, 2, 3):
        assert not state.is_over and seen(state)["idle"] == idle
        play(state, "skip end")
    assert state.is_over and seen(state)["idle"] == 3


@pytest.mark.parametrize("kind", ["lair", "spy"])
def test_r7_3_a_lair_card_or_a_spy_begins_the_count_anew(kind: str) -> None:
    hands = ["lair:4 lair:4 spy:3", "lair:1"]
    state = lay(2, hands, moves="lair:4 end")
    while seen(state)["pile"]["count"] or seen(state)["turn"] != 0 or not seen(state)["idle"]:
        play(state, "skip end")
    assert seen(state)["idle"] == 1
    play(state, "lair:4" if kind == "lair" else "skip spy:3>0")
    assert seen(state)["idle"] == 0
    play(state, "end" if kind == "lair" else "kill")
    for idle in (1, 2):
        assert seen(state)["idle"] == idle and not state.is_over
        play(state, "skip end")
    assert state.is_over


def test_r7_4_most_points_win_ties_share_and_so_do_all_with_none() -> None:
    none = lay(4)
    while not none.is_over:
        play(none, "skip end")
    assert none.utilities == (0.25, 0.25, 0.25, 0.25) and truth(none)["points"] == [0] * 4
    for seed in range(200):
        state = play_at_random(GAME.new(2 + seed % 5, seed=seed), seed)
        points = seen(state)["points"]
        winners = [seat for seat, value in enumerate(points) if value == max(points)]
        assert state.utilities == pytest.approx([(seat in winners) / len(winners) for seat in range(len(points))])
        ended = (max(points) >= 30, len(seen(state)["discard"]["spies"]) == 18, seen(state)["idle"] == len(points))
        assert any(ended) and len(state.moves) <= 400


def estimate(state: State) -> list[float]:
    """What the engine takes each seat's chance to win for."""
    result = (ctypes.c_float * 8)()
    rules = pointer_of(state.rules.capsule, RULES_CAPSULE)
    contract_of(GAME.plugin).evaluate(rules, state.to_bytes(), result)
    return list(result[: state.players])


def test_the_estimate_shares_one_and_goes_by_points_lairs_and_the_spy_that_is_caught() -> None:
    for seed in range(20):
        state = GAME.new(2 + seed % 5, seed=seed)
        while not state.is_over:
            assert sum(estimate(state)) == pytest.approx(1, abs=1e-5) and min(estimate(state)) > 0
            play_at_random(state, len(state.moves), 1)
    ahead = estimate(near_the_end([8], [[], [4, 4], [4]], points=[0, 5, 9]))
    assert ahead[2] > ahead[1] > ahead[0]
    caught = near_the_end([8], [[], [4, 4], [4]], points=[0, 5, 9])
    assert estimate(play(caught, "spy:8>1 go"))[1] > ahead[1]
