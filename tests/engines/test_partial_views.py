"""Views from which fields were left out at random are refused by a field, or read as a view that is sound."""

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest

from machiavel.engines import BadView, View, load
from machiavel.engines.views import FOLLOWS, FORGOTTEN
from tests.engines.games import INSTALLED

Json = dict[str, Any]


def views(name: str, count: int) -> Iterator[View]:
    rng = random.Random(name)
    game = load(name)
    while count:
        state = game.new(rng.choice(game.players), seed=rng.getrandbits(64))
        for _ in range(rng.randrange(70)):
            if not state.is_over:
                state.play(rng.choice(state.legal_moves()))
        count -= 1
        yield state.view(rng.choice([state.seat_to_move, None]))


def thinned(data: Any, rng: random.Random) -> Any:
    """Some fields gone, of objects within objects too."""
    if isinstance(data, dict):
        return {name: thinned(value, rng) for name, value in data.items() if rng.random() > 0.12}
    return [thinned(item, rng) for item in data] if isinstance(data, list) else data


@pytest.mark.parametrize("name", INSTALLED)
def test_a_view_that_lacks_fields_is_refused_by_one_or_sound(name: str) -> None:
    rng = random.Random(1)
    whole = list(views(name, 60))
    sound = 0
    for _ in range(1200):
        data = copy.deepcopy(rng.choice(whole).to_json())
        data["view"] = thinned(data["view"], rng)
        try:
            view = load(name).view_from_json(data)
        except BadView as error:
            sound += not error.problem
            continue
        assert load(name).view_from_json(view.to_json()) == view
        assert load(name).view_from_bytes(view.rules, view.to_bytes()) == view
        world = view.determinize(7)
        assert world.view(view.seat) == view
        for _ in range(10):
            if not world.is_over:
                world.play(rng.choice(world.legal_moves()))
        sound += 1
    assert sound > 5


@pytest.mark.parametrize("setting", ["without_55", "all"])
def test_citadel_needs_no_word_of_what_is_as_usual(setting: str) -> None:
    state = load("citadel").new(3, seed=5, setting=setting, characters=["nathan", "irene", "leroy"])
    view = state.view(state.seat_to_move)
    usual = {"phase", "held", "open", "saved", "lost", "played", "actions", "power_used", "activated", "under_way", "rerolls"}
    usual |= {"chooses", "discards", "powers", "characters", "ply", "turn", "mover", "locations", "throws", "dice", "result"}
    data = view.to_json()
    data["view"] = {name: value for name, value in data["view"].items() if name not in usual}
    assert load("citadel").view_from_json(data) == view


# What follows from the rest, each alone or all of it at once; and what may be forgotten, for the moves that one has do not depend
# on it. The schema of a game tells, but where a field follows in some phases alone.
LEFT_OUT: dict[str, list[tuple[str, ...]]] = {
    "agency": [("order", "to_move", "hand_counts", "reserve", "winners"), ("ply", "latest", "last_round")],
    "bond": [("ply", "mover"), ()],
    "hearts": [("to_move", "hands_counts", "aside_counts"), ("ply", "may", "passed")],
    "liars_dice": [("to_move",), ("ply", "lifted", "round")],
}


def may_lack(name: str) -> list[tuple[str, ...]]:
    if name in LEFT_OUT:
        return LEFT_OUT[name]
    plugin: Any = load(name).plugin
    return [tuple(one.name for one in plugin.views.fields if one.left_out == kind) for kind in (FOLLOWS, FORGOTTEN)]


def told_in(view: Json) -> set[str]:
    """What follows at other moments, and must be told at this one."""
    if view.get("choosing"):  # nobody can know what others have put aside by now
        return {"to_move", "hands_counts", "aside_counts"}
    # Dice that lie there are told; who has passed a card before oneself shows in `to_move` alone.
    return {"dice": {"dice"}, "pass": {"to_move"}}.get(view.get("phase", ""), set())


@pytest.mark.parametrize("name", INSTALLED)
def test_what_follows_or_is_forgotten_leaves_the_moves_as_they_are(name: str) -> None:
    rng = random.Random(2)
    follows, forgotten = may_lack(name)
    for view in views(name, 60):
        if view.seat is None or view.seat not in view.seats_to_move:
            continue
        whole = view.to_json()
        needed = told_in(whole["view"])
        fields = tuple(field for field in follows + forgotten if field not in needed)
        for left_out in (*((field,) for field in fields), fields, tuple(rng.sample(fields, rng.randrange(len(fields) + 1)))):
            kept = {field: value for field, value in whole["view"].items() if field not in left_out}
            result = load(name).view_from_json(whole | {"view": kept})
            assert result.legal_moves() == view.legal_moves(), left_out
            again = result.to_json()["view"]
            same = [field for field in whole["view"] if field in follows or field not in left_out]
            assert [again[field] for field in same if field != "ply"] == [
                whole["view"][field] for field in same if field != "ply"
            ]
