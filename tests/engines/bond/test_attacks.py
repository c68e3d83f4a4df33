"""Attacks and captures (R4, R5), one test a statement."""

from tests.engines.bond.table import empty, lay, play, seen, truth


def test_r4_1_a_spy_of_ones_own_another_ones_or_the_top_goes_into_any_lair() -> None:
    state = lay(3, ["lair:1 spy:2", "lair:3 spy:7", "lair:2 spy:4"], "lair:4 lair:4 lair:4 doubler:C spy:3")
    play(state, "lair:1 end lair:3 end lair:2 end skip")
    assert state.legal_moves() == [
        "end",
        *("spy:2>0", "spy:2>1", "spy:2>2"),
        *("steal:1>0", "steal:1>1", "steal:1>2", "steal:2>0", "steal:2>1", "steal:2>2"),
        *("deck>0", "deck>1", "deck>2"),
    ]


def test_r4_1_the_lair_is_named_before_the_spy_is_turned_up() -> None:
    hands = ["lair:2", "lair:4"]
    weak, strong = (lay(2, hands, f"lair:3 lair:3 {spy}", moves="lair:2 end lair:4") for spy in ("spy:2", "spy:8"))
    assert weak.view(1) == strong.view(1)
    attacks = ["deck>0", "deck>1"]
    assert [move for move in weak.legal_moves() if move.startswith("deck")] == attacks
    assert [move for move in strong.legal_moves() if move.startswith("deck")] == attacks
    attack = seen(play(weak, "deck>1"))["attack"]
    assert (attack["target"], attack["spies"], attack["captured"]) == (1, [2], True)
    assert seen(play(strong, "deck>1"))["lairs"] == [[2], []]


def test_r4_2_a_stolen_spy_is_any_of_its_holders_alike() -> None:
    hands = ["lair:4", "spy:2 spy:3 spy:4", "lair:1"]
    for value in (2, 3, 4):
        state = lay(3, hands, steals=[value], moves="lair:4 steal:1>0")
        assert seen(state)["attack"]["spies"] == [value]
        assert seen(state)["hands"][1]["spies"] == 2
    taken = set()
    for seed in range(100):
        state = lay(3, hands, seed=seed, moves="lair:4 steal:1>0")
        (value,) = seen(state)["attack"]["spies"]
        assert sorted([value, *truth(state)["hands"][1]["spies"]]) == [2, 3, 4]
        taken.add(value)
    assert taken == {2, 3, 4}


def test_r4_2_a_stolen_spy_may_go_to_its_holders_own_lair() -> None:
    state = lay(2, ["lair:1", "lair:2 spy:8"], first=1, steals=[8], moves="lair:2 end skip steal:1>1")
    assert seen(state)["lairs"] == [[], []]
    assert seen(state)["discard"] == empty(lairs=[2], spies=[8])


def test_r4_3_the_pile_gives_a_spy_only_if_one_lies_on_top_after_the_draw() -> None:
    state = lay(2, ["lair:4", "lair:3"], "spy:2 lair:4 spy:5 spy:6", moves="lair:4")
    assert "deck>0" not in state.legal_moves()
    play(state, "end lair:3")
    assert {"deck>0", "deck>1"} <= set(state.legal_moves())
    before = seen(state)
    after = seen(play(state, "deck>0"))
    assert after["discard"] == empty(lairs=[4], spies=[5])
    assert before["pile"]["count"] - after["pile"]["count"] == 2  # and the next seat's draw


def test_r4_4_spies_for_another_lair_lie_face_down_until_go_and_are_summed() -> None:
    state = lay(3, ["spy:3 spy:2", "lair:4 lair:1", ""], first=1, moves="lair:4 end skip end skip spy:3>1")
    assert seen(state, 0)["attack"]["spies"] == [3]
    assert seen(state, 1)["attack"]["spies"] == seen(state)["attack"]["spies"] == [None]
    assert seen(state)["hands"][0]["spies"] == 1
    assert state.observed_moves(1)[-1] == "spy:?>1" and state.observed_moves(0)[-1] == "spy:3>1"
    play(state, "add:2")
    assert state.observed_moves(None)[-1] == "add:?" and seen(state, 2)["attack"]["spies"] == [None, None]
    play(state, "go")
    assert seen(state)["discard"] == empty(lairs=[4], spies=[2, 3])


def test_r4_4_a_spy_for_ones_own_lair_is_turned_up_at_once_and_alone() -> None:
    state = lay(2, ["lair:4 spy:3 spy:2"], moves="lair:4 spy:3>0")
    assert seen(state, 1)["attack"]["spies"] == [3] and state.legal_moves() == ["kill"]


def test_r4_5_spies_are_added_from_the_strongest_down_and_go_is_asked_with_nothing_to_add() -> None:
    state = lay(2, ["spy:3 spy:3 spy:5 spy:2", "lair:4 lair:1"], "doubler:A lair:1", first=1, moves="lair:4 end skip spy:3>1")
    assert state.legal_moves() == ["go", "add:2", "add:3"]
    assert play(state, "add:3").legal_moves() == ["go", "add:2"]
    assert play(state, "add:2").legal_moves() == ["go"]
    assert state.seat_to_move == 0
    alone = lay(2, ["spy:3", "lair:4"], "doubler:A doubler:B", first=1, moves="lair:4 end skip spy:3>1")
    assert alone.legal_moves() == ["go"]


def test_r5_1_as_much_as_the_lair_is_captured_and_its_owner_decides_on_anybodys_turn() -> None:
    state = lay(3, ["spy:4", "", "lair:4"], first=2, moves="lair:4 end skip spy:4>2 go")
    assert state.seat_to_move == 2 and seen(state)["turn"] == 0
    assert seen(state)["attack"]["captured"] is True
    assert seen(play(state, "kill"))["points"] == [0, 0, 4]


def test_r5_2_an_escape_empties_the_whole_lair() -> None:
    state = lay(2, ["lair:1 lair:2 spy:4"], moves="lair:1 end skip end lair:2 spy:4>0")
    assert seen(state)["lairs"] == [[], []]
    assert seen(state)["discard"] == empty(lairs=[1, 2], spies=[4])
    assert seen(state)["points"] == [0, 0]
    assert not [move for move in play(state, "skip").legal_moves() if move.endswith(">0")]


def test_r5_3_a_kill_scores_and_the_lair_stays() -> None:
    state = lay(2, ["lair:4 spy:3"], moves="lair:4 spy:3>0 kill")
    assert seen(state)["points"] == [3, 0] and seen(state)["lairs"] == [[4], []]
    assert seen(state)["discard"] == empty(spies=[3])
    hands = ["lair:4 spy:3 doubler:A doubler:B"]
    taunted = lay(2, hands, moves="lair:4 spy:3>0 taunt:B let taunt:A let kill")
    assert seen(taunted)["points"] == [12, 0] and seen(taunted)["lairs"] == [[4], []]
    assert seen(taunted)["discard"] == empty(spies=[3], doublers=["A", "B"])
