"""Views typed in by a person: what follows from the rest may be left out, and what clashes is named."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from machiavel.engines import BadView, View
from machiavel.engines.phrases import in_language
from tests.engines.bond.table import GAME, lay, play, play_at_random, seen
from tests.twins.bond import Match, replayed
from tests.twins.bond_sampler import situations

Change = Callable[[dict[str, Any]], object]

HANDS = ["spy:3 spy:2 doubler:A", "lair:4 doubler:B", "spy:8 spy:7 doubler:A"]
OPENING = "lair:4 end skip end skip "
FACE_DOWN = OPENING + "spy:3>1 add:2"
CAUGHT = OPENING + "spy:3>1 go"
ASKED = CAUGHT + " taunt:B let"


def at(moves: str, seat: int | None) -> dict[str, Any]:
    data: dict[str, Any] = lay(3, HANDS, "lair:3 doubler:C", first=1, moves=moves).view(seat).to_json()
    return data


def read(data: dict[str, Any], **changes: Any) -> View:
    return GAME.view_from_json(json.loads(json.dumps(data | {"view": data["view"] | changes})))


def without(view: dict[str, Any], *paths: str) -> dict[str, Any]:
    """The view without the values at these places."""
    view = json.loads(json.dumps(view))
    for path in paths:
        *parents, last = path.split(".")
        place: Any = view
        for key in parents:
            place = place[int(key) if key.isdigit() else key]
        del place[last]
    return view


FORGOTTEN = {
    "ply": (OPENING, 0),
    "idle": (OPENING, 0),
    "points": (OPENING, 0),
    "discard": (OPENING, 0),
    "attack": (OPENING, 0),
    "mover": (ASKED, 0),
    "turn": (OPENING, 0),
    "turn, by the attacker": (CAUGHT, 1),
    "pile.count": (OPENING, 0),
    "pile.spies": (OPENING, 2),
    "pile.count, pile.spies": (OPENING, 0),
    "hands.0": (OPENING, 0),
    "hands.1.spies": (OPENING, 0),
    "hands.1.others": (OPENING, 0),
    "hands.2.spies, hands.1.others": (OPENING, 0),
    "attack.source": (CAUGHT, 1),
    "attack.victim": (CAUGHT, 1),
    "attack.attacker": (CAUGHT, 1),
    "attack.target": (CAUGHT, 1),
    "attack.captured": (CAUGHT, 1),
    "attack.taunts": (CAUGHT, 1),
    "attack.taunt": (CAUGHT, 1),
    "attack.declined": (ASKED, 0),
}


@pytest.mark.parametrize("paths", FORGOTTEN)
def test_what_follows_from_the_rest_may_be_left_out(paths: str) -> None:
    moves, seat = FORGOTTEN[paths]
    data = at(moves, seat)
    if paths.startswith("hands.0"):
        left = data["view"] | {"hands": [{}, *data["view"]["hands"][1:]]}
    else:
        left = without(data["view"], *paths.replace("turn, by the attacker", "turn").split(", "))
    result = read(data | {"view": left}).to_json()["view"]
    assert result | {"ply": None} == data["view"] | {"ply": None}
    assert (result["ply"] == data["view"]["ply"]) or "ply" in paths


def test_hardly_anything_is_needed_at_the_start() -> None:
    state = lay(2, ["lair:4 spy:3 spy:2"], "doubler:A spy:6")
    view = seen(state, 0)
    least = {"seat": 0, "phase": "lair", "mover": 0, "hand": view["hand"], "pile": {"count": 41, "spies": 16, "top": "spy"}}
    assert read(state.view(0).to_json() | {"view": least}).legal_moves() == state.legal_moves()


def test_sorts_that_a_hand_lacks_may_be_left_out() -> None:
    data = lay(2, ["spy:2 spy:3 spy:4 spy:5 spy:6 spy:7"], "spy:8").view(0).to_json()
    assert read(data, hand={"spies": [2, 3, 4, 5, 6, 7, 8]}).to_json() == data


def test_cards_may_be_listed_in_any_order() -> None:
    data = at(FACE_DOWN, 0)
    data["view"]["hand"]["doublers"].reverse()
    data["view"]["attack"]["spies"].reverse()
    assert read(data).to_json()["view"]["attack"]["spies"] == [3, 2]


def test_moves_are_listed_as_the_page_tells() -> None:
    hands = ["lair:4 lair:1 spy:5 spy:2 doubler:B doubler:A", "lair:3 spy:7", "lair:2 spy:4"]
    state = lay(3, hands, "lair:4 lair:4 lair:4 spy:2 spy:3")
    assert state.legal_moves() == ["skip", "lair:1", "lair:4"]
    play(state, "lair:4 end lair:3 end lair:2 end skip")
    assert state.legal_moves() == [
        *("end", "spy:2>0", "spy:2>1", "spy:2>2", "spy:5>0", "spy:5>1", "spy:5>2"),
        *("steal:1>0", "steal:1>1", "steal:1>2", "steal:2>0", "steal:2>1", "steal:2>2", "deck>0", "deck>1", "deck>2"),
    ]
    assert play(state, "spy:5>2").legal_moves() == ["go", "add:2"]
    caught = lay(2, ["lair:4 spy:3 doubler:C doubler:A", "doubler:A"], moves="lair:4 spy:3>0")
    assert caught.legal_moves() == ["kill", "taunt:A", "taunt:C"]
    assert play(caught, "taunt:A").legal_moves() == ["foil", "let"]


def test_when_the_match_is_over_hands_stay_and_the_last_spies_lie_in_the_discard() -> None:
    for seed in range(60):
        state = GAME.new(2 + seed % 5, seed=seed)
        while True:
            before = state.copy()
            play_at_random(state, seed + len(state.moves), 1)
            if state.is_over:
                break
        view, was, last = seen(state), seen(before), state.moves[-1]
        assert (view["phase"], view["mover"], view["attack"], view["turn"]) == ("over", None, None, was["turn"])
        assert view["pile"]["count"] in {was["pile"]["count"], was["pile"]["count"] - last.startswith("deck")}
        if was["attack"] and last == "kill":
            spies, doublers = was["attack"]["spies"], was["attack"]["taunts"]
            assert view["discard"]["spies"] == sorted(was["discard"]["spies"] + spies)
            assert view["discard"]["doublers"] == sorted(was["discard"]["doublers"] + doublers)
            assert (view["hands"], view["lairs"]) == (was["hands"], was["lairs"])
        if max(view["points"]) < 30 and len(view["discard"]["spies"]) < 18:
            assert view["idle"] == state.players
        assert all(set(hand) == {"spies", "others"} for hand in view["hands"])


def test_views_of_every_situation_are_read_back() -> None:
    for name, build in situations().items():
        match, _ = build(random.Random(name))
        state = GAME.new(match.players, layout=match.layout)
        twin: Match = replayed(match)[-1]
        for move in match.moves:
            state.play(move)
        for seat in (*range(match.players), None):
            assert read(state.view(seat).to_json()).to_json()["view"] == twin.view(seat)


TOO_MANY = {"spies": 9, "others": 6}
ONE_SPY, TWO_SPIES = {"spies": 1, "others": 6}, {"spies": 2, "others": 5}
WRONG: dict[str, tuple[str, int | None, dict[str, Any], str, str]] = {
    "a spy too many": (
        OPENING,
        0,
        {"hands": [{}, {"spies": 9, "others": 6}, {"spies": 9, "others": 6}]},
        "spies",
        "lies open leaves 18",
    ),
    "another's count": (
        OPENING,
        0,
        {"hands": [{}, {"spies": 1, "others": 6}, {"spies": 2, "others": 5}]},
        "spies",
        "lies open leaves 18",
    ),
    "own count": (OPENING, 0, {"hands": [{"spies": 3, "others": 5}, {}, {}]}, "hands[0].spies", "cards in hand"),
    "a pile that is another": (OPENING, 0, {"pile": {"count": 35, "spies": 14, "top": "spy"}}, "others", "lies open leaves"),
    "more spies than cards": (OPENING, 0, {"pile": {"count": 3, "spies": 5, "top": "spy"}, "hands": [{}] * 3}, "", ""),
    "a top that is not there": (OPENING, 0, {"pile": {"count": 33, "spies": 14, "top": None}}, "pile.top", "33 cards"),
    "a card that is nowhere": (
        OPENING,
        0,
        {"hands": [{}, {"spies": 1, "others": 1}, {"spies": 1, "others": 1}], "pile": {}},
        "pile.count",
        "can be left",
    ),
    "cards there are not": (OPENING, 0, {"discard": {"spies": [9]}}, "discard.spies", "expected some of"),
    "a card too often": (OPENING, 0, {"discard": {"spies": [8, 8, 8]}}, "discard", "3 times spy:8"),
    "a letter too often": (OPENING, 0, {"hand": {"spies": [3, 2], "doublers": ["A"] * 5}}, "hand", "5 times doubler:A"),
    "not ones turn": (OPENING, 0, {"turn": 1}, "mover", "phase spy"),
    "an attack at the wrong time": (OPENING, 0, {"phase": "captured"}, "attack", "phase is captured"),
    "no attack in its phase": (CAUGHT, 1, {"attack": None}, "attack", "phase is captured"),
    "another is asked": (CAUGHT, 1, {"mover": 0}, "mover", "captured"),
    "thirty points, and still playing": (OPENING, 0, {"points": [31, 0, 0]}, "points", "discard.spies"),
    "points without a spy": (OPENING, 0, {"points": [3, 0, 0]}, "points", "discard.spies is empty"),
    "idle with a pile": (OPENING, 0, {"idle": 2}, "idle", "pile.count"),
    "over for no reason": (OPENING, 0, {"phase": "over", "mover": None}, "phase", "pile.count"),
    "too few moves": (OPENING, 0, {"ply": 1}, "ply", "moves at least"),
    "too many moves": (OPENING, 0, {"ply": 9999}, "ply", "whole number"),
    "no hand": (OPENING, 0, {"hand": None}, "hand", "is missing"),
    "a spectator with a hand": (OPENING, None, {"hand": {"spies": [3]}}, "hand", "null"),
    "no such seat": (OPENING, 0, {"seat": 3}, "seat", "0 to 2"),
    "no such phase": (OPENING, 0, {"phase": "draw"}, "phase", "expected one of"),
    "a field there is not": (OPENING, 0, {"cards": 3}, "cards", "unknown"),
    "lairs of others": (OPENING, 0, {"lairs": [[], [4]]}, "lairs", "list of 3"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_is_refused_with_its_field_and_what_it_clashes_with(name: str) -> None:
    moves, seat, changes, field, words = WRONG[name]
    with pytest.raises(BadView) as caught:
        read(at(moves, seat), **changes)
    assert field in caught.value.field
    assert words in str(caught.value)


WRONG_ATTACKS: dict[str, tuple[str, int | None, dict[str, Any], str, str]] = {
    "a spy too strong": (CAUGHT, 1, {"spies": [8]}, "attack.spies", "not captured"),
    "a lair that is none": (FACE_DOWN, 0, {"target": 2}, "attack.target", "lairs[2] is empty"),
    "a steal from nobody": (CAUGHT, 1, {"source": "steal"}, "attack.victim", "attack.source"),
    "a victim of no steal": (CAUGHT, 1, {"victim": 2}, "attack.victim", "attack.source"),
    "one who robs himself": (CAUGHT, 1, {"source": "steal", "victim": 0}, "attack.victim", "turn"),
    "several spies of the pile": (CAUGHT, 1, {"source": "deck", "spies": [2, 2]}, "attack.source", "only from hand"),
    "another attacker": (CAUGHT, 1, {"attacker": 2}, "attack.attacker", "turn"),
    "captured or not": (CAUGHT, 1, {"captured": False}, "attack.captured", "captured"),
    "a letter twice": (ASKED, 0, {"taunts": ["B"]}, "attack.taunts", "attack.taunt"),
    "a letter there is not": (ASKED, 0, {"taunt": "Z"}, "attack.taunts", "letters"),
    "no letter to foil": (ASKED, 0, {"taunt": None}, "attack.taunt", "foil"),
    "asked out of turn": (ASKED, 0, {"declined": [0]}, "attack.declined", "[2, 0]"),
    "all have declined": (ASKED, 0, {"declined": [2, 0]}, "attack.declined", "somebody still is"),
    "face up too soon": (FACE_DOWN, 1, {"spies": [3, 2]}, "attack.spies", "only their owner"),
    "face down to whom they belong": (FACE_DOWN, 0, {"spies": [None, None]}, "attack.spies", "this seat sees them"),
    "some of them face down": (FACE_DOWN, 0, {"spies": [3, None]}, "attack.spies", "null for each"),
    "face down too long": (CAUGHT, 1, {"spies": [None]}, "attack.spies", "phase captured"),
    "no spies": (CAUGHT, 1, {"spies": []}, "attack.spies", "1 to 18"),
    "into ones own lair face down": (FACE_DOWN, 0, {"target": 0}, "attack.target", "one's own lair"),
    "a field there is not": (CAUGHT, 1, {"power": 3}, "attack.power", "unknown"),
}


@pytest.mark.parametrize("name", WRONG_ATTACKS)
def test_an_attack_that_cannot_be_is_refused_with_what_it_clashes_with(name: str) -> None:
    moves, seat, changes, field, words = WRONG_ATTACKS[name]
    data = at(moves, seat)
    with pytest.raises(BadView) as caught:
        read(data, attack=data["view"]["attack"] | changes)
    assert field in caught.value.field
    assert words in str(caught.value)


def test_what_is_needed_is_asked_for() -> None:
    data = at(OPENING, 0)
    for field in ("seat", "phase", "hand"):
        with pytest.raises(BadView, match=f"{field}: is missing"):
            read(data | {"view": without(data["view"], field)})
    with pytest.raises(BadView, match="turn: is missing"):
        read(data | {"view": without(data["view"], "turn", "mover")})
    with pytest.raises(BadView, match=r"pile.top: is missing"):
        read(data | {"view": without(data["view"], "pile.top")})
    with pytest.raises(BadView, match="one of them would follow"):
        read(data | {"view": without(data["view"], "hands.1.spies", "hands.2.spies")})
    late = play_at_random(GAME.new(2, seed=3), 3, 40)
    assert seen(late)["discard"]["spies"]
    view = late.view(0).to_json()
    with pytest.raises(BadView, match="points: are missing"):
        read(view | {"view": without(view["view"], "points")})


# Several faults of one view, and the fields that they are told of, in this order.
AT_ONCE: dict[str, tuple[str, int | None, dict[str, Any], list[str]]] = {
    "values that are none": (
        OPENING,
        0,
        {"phase": "draw", "lairs": [[9], [], []], "hand": {"spies": ["x"]}, "pile": {"top": "A"}, "cards": 1},
        ["cards", "phase", "lairs[0]", "hand.spies", "pile.top"],
    ),
    "what clashes": (
        OPENING,
        0,
        {"turn": 1, "points": [3, 0, 0], "ply": 1, "hands": [{"spies": 5}, {}, {}]},
        ["mover", "hands[0].spies", "points"],
    ),
    "cards too often in several places": (
        OPENING,
        0,
        {"discard": {"spies": [8, 8, 8]}, "lairs": [[1, 1, 1], [], []], "hand": {"doublers": ["A"] * 3}},
        ["discard", "lairs[0]", "hands[0].spies", "hand"],
    ),
    "an attack": (
        CAUGHT,
        1,
        {
            "attack": {
                "target": 2,
                "spies": [3],
                "source": "hand",
                "attacker": 0,
                "taunts": ["A", "A"],
                "captured": False,
                "declined": [2],
            },
            "idle": 1,
        },
        ["attack.taunts", "attack.declined", "attack.captured", "mover", "attack.target"],
    ),
}


@pytest.mark.parametrize("name", AT_ONCE)
def test_all_that_is_wrong_is_told_at_once(name: str) -> None:
    moves, seat, changes, fields = AT_ONCE[name]
    with pytest.raises(BadView) as caught:
        read(at(moves, seat), **changes)
    assert [one.field for one in caught.value.problems] == fields
    assert (caught.value.field, caught.value.problem) == (fields[0], caught.value.problems[0].problem)


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told_in_french_too(name: str) -> None:
    moves, seat, changes, _, _ = WRONG[name]
    with pytest.raises(BadView) as caught:
        read(at(moves, seat), **changes)
    for one in caught.value.problems:
        english, french = (in_language(one.problem, language) for language in ("en", "fr"))
        assert english == one.problem and english != french


def test_what_was_told_is_what_the_view_comes_to() -> None:
    rng = random.Random(4)

    def thin(data: Any) -> Any:
        return {name: thin(one) for name, one in data.items() if rng.random() > 0.1} if isinstance(data, dict) else data

    def expect_same(told: Any, result: Any) -> None:
        if isinstance(told, dict):
            for name, one in told.items():
                expect_same(one, result[name])
        elif isinstance(told, list):
            assert len(told) == len(result)
            for pair in zip(told, result, strict=True):
                expect_same(*pair)
        else:
            assert told == result

    count = 0
    for seed in range(400):
        state = play_at_random(GAME.new(2 + seed % 5, seed=seed), seed, seed % 90)
        whole = state.view((*range(state.players), None)[seed % (state.players + 1)]).to_json()
        told = thin(whole["view"])
        try:
            result = GAME.view_from_json(whole | {"view": told})
        except BadView:
            continue
        expect_same(told, result.to_json()["view"])
        count += 1
    assert count > 40
