"""What a seat knows (R8), one test a statement."""

from typing import Any

from machiavel.engines import State
from tests.engines.bond.table import empty, lay, play, seen, truth

HANDS = ["spy:3 spy:2 doubler:A", "lair:4 doubler:B", "spy:8 spy:7 doubler:A"]


def worlds(state: State, seat: int | None, count: int = 200) -> list[dict[str, Any]]:
    return [truth(state.view(seat).determinize(seed)) for seed in range(count)]


def test_r8_1_a_view_has_ones_own_hand_and_what_lies_open_and_worlds_keep_to_it() -> None:
    state = lay(3, HANDS, "doubler:D doubler:E spy:6 lair:1", first=1, steals=[8], moves="lair:4 end skip end skip steal:2>1")
    view = seen(state, 2)
    assert view["hand"]["spies"] in ([7], [8]) and seen(state)["hand"] is None
    for world in worlds(state, 0):
        assert world["hands"][0] == truth(state)["hands"][0]
        for seat in range(3):
            heap = world["hands"][seat]
            backs = {"spies": len(heap["spies"]), "others": len(heap["lairs"]) + len(heap["doublers"])}
            assert backs == view["hands"][seat]
        pile = world["pile"]
        assert len(pile["spies"]) == view["pile"]["spies"]
        assert {name: world[name] for name in ("points", "lairs", "discard", "attack")} == {
            name: view[name] for name in ("points", "lairs", "discard", "attack")
        }


def test_r8_2_a_seat_knows_what_it_has_put_face_down_and_others_how_many() -> None:
    state = lay(3, HANDS, first=1, moves="lair:4 end skip end skip spy:3>1 add:2")
    assert {tuple(world["committed"]) for world in worlds(state, 0)} == {(3, 2)}
    seen_by_another = {tuple(world["committed"]) for world in worlds(state, 1)}
    assert len(seen_by_another) > 5
    assert all(len(spies) == 2 and spies[0] >= spies[1] for spies in seen_by_another)
    assert not any({7, 8} <= set(spies) or spies.count(8) > 1 for spies in {tuple(w["committed"]) for w in worlds(state, 2)})


def test_r8_3_not_to_foil_proves_nothing_and_a_spy_taken_is_seen_by_all() -> None:
    hands = ["lair:4 doubler:A", "spy:3 spy:3 spy:4", "doubler:A"]
    state = lay(3, hands, steals=[3], moves="lair:4 steal:1>0 taunt:A let let")
    held = [world["hands"][2]["doublers"] for world in worlds(state, 0)]
    assert any("A" in letters for letters in held)
    before = seen(play(state, "kill"))
    assert before["discard"] == empty(spies=[3], doublers=["A"])
    left = [tuple(world["hands"][1]["spies"]) for world in worlds(state, 0)]
    assert all(spies.count(3) <= 2 for spies in left) and any(3 in spies for spies in left)
