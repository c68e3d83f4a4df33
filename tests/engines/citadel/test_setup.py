"""The aim, setting up, and what is known (R1, R2, R12)."""

from collections import Counter
from typing import Any

import pytest

from machiavel.engines import BadOption
from machiavel.engines.conformance.engine_struct import RULES_CAPSULE, contract_of, pointer_of
from tests.engines.citadel.table import CHARACTERS, GAME, ROOMS, deal, house_tables, play, roll, seen, situation


def test_r1_1_the_fourth_treasure_saved_wins_at_once() -> None:
    saved = ["magna_carta", "hope_diamond", "da_vincis_notebook"]
    free = {"red": {"id": "dead_sea_scrolls", "room": "vault", "clock": 35}}
    others = {
        "green": {"id": "mona_lisa", "room": "study", "clock": 50},
        "blue": {"id": "excalibur", "room": "cellar", "clock": 40},
    }
    state = situation(places=["vault"], saved=saved, treasures=free | others, off=["gallery", "laboratory", "vault"])
    state.play("take")
    assert state.is_over and state.utilities == (1.0,)
    after = seen(state)
    assert after["result"] == "won" and after["treasures"]["red"] is None and len(after["saved"]) == 4


def test_r1_1_the_fourth_treasure_lost_ends_it_before_the_clock_is_rolled() -> None:
    lost = ["magna_carta", "hope_diamond", "da_vincis_notebook"]
    state = roll("10", "red", 10, players=3, lost=lost, left={"red": 10})
    assert state.is_over and state.utilities == (0.0, 0.0, 0.0)
    assert seen(state)["time"] == 0 and seen(state)["result"] == "lost"


def test_r1_1_of_several_losses_those_after_the_fourth_do_not_happen() -> None:
    lost = ["magna_carta", "hope_diamond", "da_vincis_notebook"]
    state = roll("1", "red", 5, time=10, lost=lost, left={"red": 5, "green": 5, "blue": 5})
    after = seen(state)
    assert state.is_over and after["lost"] == ["magna_carta", "hope_diamond", "da_vincis_notebook", "crystal_skull"]
    assert after["treasures"]["red"] is None and after["treasures"]["green"]["id"] == "mona_lisa"
    assert after["phase"] == "over"  # III is reached, and no power is asked for


def test_r1_2_a_match_undecided_after_a_hundred_turns_is_lost_and_nothing_more_is_asked() -> None:
    # On the way to III: even a power is not asked for any more.
    changes: dict[str, Any] = {"turn": 100, "discards": [[]], "shown": ["sprint", "skylight"], "time": 10}
    state = roll("1", "red", **changes)
    assert state.is_over and state.utilities == (0.0,) and seen(state)["turn"] == 100
    before = roll("1", "red", **(changes | {"turn": 97}))
    assert seen(before)["phase"] == "activate"


@pytest.mark.parametrize("players", range(1, 6))
def test_r1_2_no_match_is_longer_than_is_stated(players: int) -> None:
    """A hundred turns of three acts, the longest card, bonus and ability with all they bring, `end` and a power turned up."""
    rules = GAME.make_rules(players)
    stated = contract_of(GAME.plugin).max_plies(pointer_of(rules.capsule, RULES_CAPSULE))
    assert stated == 100 * longest_turn()
    runs = GAME.playouts(2000, 1, players=players, policies=["greedy"] + ["random"] * (players - 1))
    assert runs.plies.max() <= stated and runs.metric("turns").max() <= 100


def longest_turn() -> int:
    """From the file of the house: each effect is a move, and some bring another one."""
    more = {"extra", "reroll", "choose", "time_on"}

    def plies(effects: list[dict[str, int | str]]) -> int:
        return sum(int(e.get("count", 1)) * (2 if e["do"] in more else 1) for e in effects)

    return max(
        3 + max(plies(card["effects"]) for card in character["cards"]) + plies(character["bonus"]) + 4
        for character in house_tables()["characters"]
    )


def test_r2_1_every_room_has_three_exits_and_all_doors_are_locked() -> None:
    house = GAME.make_rules(1).tables.house
    assert len(house.doors) == 18 and len(house.rooms) == 12
    for room, exits in enumerate(house.exits):
        assert len(set(exits)) == 3
        for to in exits:
            assert room in house.exits[to]
    for colour in range(3):
        assert sorted(exits[colour] for exits in house.exits) == list(range(12))
    assert seen(deal())["open"] == []


def test_r2_2_each_room_has_one_trap_and_six_are_off() -> None:
    counts: Counter[str] = Counter()
    for seed in range(200):
        view = seen(GAME.new(1, seed=seed))
        assert Counter(view["traps"].values()) == {"padlock": 4, "saw": 3, "camera": 2, "laser": 2, "console": 1}
        assert len(view["off"]) == 6
        counts.update(view["off"])
    assert set(counts) == set(ROOMS) and min(counts.values()) > 60


def test_r2_3_the_professor_in_the_laboratory_players_outside_the_clock_at_twelve() -> None:
    view = seen(GAME.new(4, seed=3))
    assert (view["professor"], view["places"], view["time"]) == ("laboratory", [None] * 4, 0)


@pytest.mark.parametrize(
    ("setting", "minutes"),
    [
        ("without_55", {30, 35, 40, 45, 50}),
        ("all", {30, 35, 40, 45, 50, 55}),
        ("without_30", {35, 40, 45, 50, 55}),
        ("without_30_and_55", {35, 40, 45, 50}),
    ],
)
def test_r2_4_the_setting_leaves_tiles_out(setting: str, minutes: set[int]) -> None:
    result = {
        treasure["clock"]
        for seed in range(150)
        for treasure in seen(GAME.new(1, seed=seed, setting=setting))["treasures"].values()
    }
    assert result == minutes
    with pytest.raises(BadOption, match="without_30_and_55"):
        GAME.new(1, setting="hard")


def test_r2_5_three_treasures_are_put_out_red_green_blue() -> None:
    treasures = seen(deal())["treasures"]
    assert [treasures[colour]["id"] for colour in treasures] == ["crystal_skull", "mona_lisa", "dead_sea_scrolls"]
    assert [treasures[colour]["room"] for colour in treasures] == ["vault", "study", "cellar"]
    assert [treasures[colour]["clock"] for colour in treasures] == [50, 50, 35]


def test_r2_5_the_location_cards_are_shuffled_again_before_the_treasures() -> None:
    """Which rooms have their traps off says nothing of where treasures come."""
    counts: Counter[str] = Counter()
    for seed in range(600):
        view = seen(GAME.new(1, seed=seed, layout={"off": ROOMS[:6]}))
        counts.update(treasure["room"] for treasure in view["treasures"].values())
    assert set(counts) == set(ROOMS) and counts.total() == 1800
    assert sum((count - 150) ** 2 / 150 for count in counts.values()) < 31


def test_r2_6_characters_differ_and_their_powers_lie_face_down() -> None:
    result = set()
    for seed in range(100):
        view = seen(GAME.new(3, seed=seed))
        assert len(set(view["characters"])) == 3 and view["powers"] == [False] * 3
        result |= set(view["characters"])
    assert result == set(CHARACTERS)
    chosen = GAME.new(2, seed=1, characters=["leroy", "irene"])
    assert seen(chosen)["characters"] == ["leroy", "irene"]
    for wrong in (["leroy"], ["leroy", "leroy"], ["leroy", "bond"], "leroy"):
        with pytest.raises(BadOption, match="2 different ones"):
            GAME.new(2, characters=wrong)


def test_r2_7_anybody_may_begin_and_the_next_seat_follows() -> None:
    assert {seen(GAME.new(4, seed=seed))["active"] for seed in range(60)} == {0, 1, 2, 3}
    state = deal(3, first=2, turns=[])
    order = []
    for _ in range(4):
        order.append(seen(state)["active"])
        play(state, "end")
        if seen(state)["phase"] == "activate":
            play(state, state.legal_moves()[0])
    assert order == [2, 0, 1, 2]
    assert list(GAME.players) == [1, 2, 3, 4, 5]


def test_r2_8_eighteen_treasures_with_one_to_three_types_of_traps() -> None:
    house = GAME.make_rules(1, setting="all").tables.house
    assert Counter(minutes for minutes, _ in house.tiles) == dict.fromkeys((30, 35, 40, 45, 50, 55), 3)
    assert all(1 <= len(set(types)) <= 3 for _, types in house.tiles)
    drawn = {
        treasure["id"] for seed in range(60) for treasure in seen(GAME.new(1, seed=seed, setting="all"))["treasures"].values()
    }
    assert drawn == set(house.treasures) and len(drawn) == 18


def test_r2_9_the_faces_of_the_dice() -> None:
    thrown: dict[str, Counter[str]] = {die: Counter() for die in ("professor", "colour", "clock")}
    for seed in range(600):
        for die, face in seen(play(GAME.new(1, seed=seed), "end"))["dice"].items():
            thrown[die][str(face)] += 1
    expected = {
        "professor": dict.fromkeys(("1", "2", "3", "passage", "5", "10"), 100),
        "colour": dict.fromkeys(("red", "green", "blue"), 200),
        "clock": {"5": 500, "10": 100},
    }
    for die, faces in expected.items():
        assert set(thrown[die]) == set(faces)
        assert sum((thrown[die][face] - count) ** 2 / count for face, count in faces.items()) < 20


def test_r12_1_all_that_lies_on_the_table_is_in_every_view() -> None:
    state = deal(3)
    play(state, "go:gallery", "unlock:red", "end")
    whole = state.truth() | {"seat": None}
    for seat in (0, 1, 2, None):
        assert state.view(seat).to_json()["view"] | {"seat": None} == whole


def test_r12_2_what_nobody_knows_is_in_no_state() -> None:
    """Two matches that differ in all that is still face down, and one public script: not a byte differs."""
    one = deal(2, seed=1)
    other = deal(2, seed=2, treasures=["crystal_skull", "mona_lisa", "dead_sea_scrolls", "excalibur"])
    assert one.to_bytes() == other.to_bytes()
    for text in ("go:gallery", "unlock:red", "unlock:green"):
        one.play(text)
        other.play(text)
        assert one.to_bytes() == other.to_bytes()
    futures = set()
    for seed in range(30):
        world = one.view(0).determinize(seed)
        world.play("end")
        futures.add(world.to_bytes())
    assert len(futures) > 20
