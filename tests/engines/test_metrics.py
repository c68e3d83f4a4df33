"""Metrics of a line count what can be seen to happen on it, from the world that it begins in."""

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from machiavel.engines import State, load
from machiavel.engines.conformance import walk
from machiavel.engines.conformance.engine_struct import measured
from tests.engines.games import INSTALLED

Json = dict[str, Any]
Watch = Callable[[list[Json], int], dict[str, float]]


def lines(name: str, count: int, **options: Any) -> Iterator[tuple[State, list[State]]]:
    """Worlds of random positions, and what is met from each on the way to the end of a random line."""
    rng = random.Random(name)
    game = load(name)
    for _ in range(count):
        state = game.new(rng.choice(game.players), seed=rng.getrandbits(64), **options)
        for _ in range(rng.randrange(60)):
            if not state.is_over:
                state.play(rng.choice(state.legal_moves()))
        if not state.is_over:
            root = state.view(rng.choice([state.seat_to_move, None])).determinize(rng.getrandbits(64))
            yield root, [one.copy() for one, _ in walk(root.copy(), rng.getrandbits(64))]


def seen(state: State) -> Json:
    view: Json = state.view().to_json()["view"]
    return view


def test_agency_tells_who_won_the_trick_under_way_and_who_had_bonus_penalty_and_medal() -> None:
    tricks = 0
    for root, states in lines("agency", 60, medals=1):
        views = [seen(state) for state in states]
        metrics = measured(root, states[-1])
        first, last = views[0], views[-1]
        players = range(root.players)
        after = next((view for view in views if (view["round"], view["trick"]) != (first["round"], first["trick"])), last)
        if last["round"] == first["round"]:
            won = [seat for seat in players if after["tricks"][seat] > first["tricks"][seat]]
            assert [seat for seat in players if metrics[f"trick_{seat}"]] == won
            tricks += 1
        for seat in players:
            assert metrics[f"bonus_{seat}"] == (last["greens"][seat] == min(last["greens"]))
            assert metrics[f"penalty_{seat}"] == (last["yellows"][seat] == max(last["yellows"]))
            assert metrics[f"medal_{seat}"] == (seat in last["last_round"]["winners"])
            assert metrics[f"points_{seat}"] == last["last_round"]["points"][seat]
    assert tricks > 30


def test_bond_tells_points_and_lairs_of_the_line_and_what_became_of_the_attack_of_its_first_turn() -> None:
    outcomes: set[str] = set()
    for root, states in lines("bond", 120):
        views = [seen(state) for state in states]
        metrics = measured(root, states[-1])
        for seat in range(root.players):
            assert metrics[f"scored_{seat}"] == views[-1]["points"][seat] - views[0]["points"][seat]
            lost = any(before["lairs"][seat] and not after["lairs"][seat] for before, after in itertools.pairwise(views))
            assert metrics[f"wrecked_{seat}"] == lost
        outcome = first_attack(states, views)
        assert {name for name in ("killed", "escaped", "foiled") if metrics[f"this_{name}"]} == ({outcome} if outcome else set())
        outcomes.add(outcome)
    assert outcomes == {"", "killed", "escaped", "foiled"}


def first_attack(states: list[State], views: list[Json]) -> str:
    """What became of the attack of the turn that was under way, by what everybody saw."""
    turn = views[0]["turn"]
    for (before, after), state in zip(itertools.pairwise(views), states[1:], strict=True):
        move = state.moves[-1]
        if sum(after["points"]) > sum(before["points"]):
            return "killed"
        if move == "kill":
            return "killed"
        if len(after["discard"]["spies"]) > len(before["discard"]["spies"]):
            return "foiled" if move == "foil" else "escaped"
        if after["turn"] != turn or after["phase"] == "over" or move == "end":
            break
    return ""


def test_citadel_tells_what_became_of_the_treasures_who_fled_and_how_the_house_stands() -> None:
    told = 0
    for root, states in lines("citadel", 60):
        views = [seen(state) for state in states]
        metrics = measured(root, states[-1])
        first, last = views[0], views[-1]
        for colour in ("red", "green", "blue"):
            treasure = first["treasures"][colour]["id"]
            assert metrics[f"saved_{colour}"] == (treasure in last["saved"])
            assert metrics[f"lost_{colour}"] == (treasure in last["lost"])
            told += treasure in last["lost"]
        assert metrics["open_doors"] == len(last["open"])
        assert metrics["traps_off"] == len(last["off"])
        for seat in range(root.players):
            out = any(
                before["places"][seat] is not None and after["places"][seat] is None
                for before, after in itertools.pairwise(views)
            )
            assert metrics[f"fled_{seat}"] >= out  # who flees and is let in again within one move was inside before and after
    assert told > 60


def test_citadel_tells_the_minutes_until_the_first_loss() -> None:
    for root, states in lines("citadel", 20):
        view = seen(root)
        minutes = min((one["clock"] - view["time"] - 5) % 60 + 5 for one in view["treasures"].values())
        assert measured(root, root)["nearest"] == minutes
        assert measured(root, states[-1])["nearest"] == 0  # over


def test_whist_tells_who_won_the_trick_under_way_and_who_is_in_after_the_round() -> None:
    for root, states in lines("whist", 80):
        views = [seen(state) for state in states]
        metrics = measured(root, states[-1])
        first, players = views[0], range(root.players)
        after = next(
            view for view in views if (view["round"], view["trick"]) != (first["round"], first["trick"]) or view["winners"]
        )
        assert [seat for seat in players if metrics[f"trick_{seat}"]] == [after["leader"]]
        stays = next(view for view in views if view["round"] != first["round"] or view["winners"])["contenders"]
        assert [seat for seat in players if metrics[f"stays_{seat}"]] == stays


@pytest.mark.parametrize("name", INSTALLED)
def test_nothing_has_happened_on_a_line_that_ends_where_it_begins(name: str) -> None:
    for root, _ in lines(name, 10):
        metrics = measured(root, root)
        assert not [
            key
            for key in metrics
            if key.startswith(("trick_", "this_", "scored_", "wrecked_", "saved_", "lost_", "fled_")) and metrics[key]
        ]
