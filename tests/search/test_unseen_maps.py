"""The map of unseen cards: what it says is so in the worlds of the view, whatever the game, and however it is asked for."""

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.unseen import gaps, positions, true_numbers
from machiavel.engines import BadOption, Engine, State, View, WorldSampler, games, load
from machiavel.engines.hidden_places import HiddenCells
from machiavel.engines.kit.loading import load_file
from machiavel.search import Limits, Scheduler, SearchParameters, UnseenMap, UnseenThing, unseen_map
from machiavel.search.search_run import SearchRun

GAMES = games()
HOLDING_CARDS = ("agency", "bond", "hearts", "whist")  # hands are sets of cards there
EVERY_FIELD = Path(__file__).parents[1] / "engines/kit/files/every_field.py"
FEW = 40


def views(game: str, count: int) -> list[tuple[State, View]]:
    played = load_file(EVERY_FIELD) if game == "every_field" else load(game)
    return [(state, state.view(state.seat_to_move)) for state in positions(played, "random", count, 5)]


def bare(view: View) -> bytes:
    """The bytes of a view without what stands before them."""
    return view.determinize(0).seen_by(view.seat)


def sampled(view: View, count: int = FEW) -> WorldSampler:
    sampler = WorldSampler(view, count, 1)
    sampler.go_on()
    return sampler


def held(found: UnseenMap, field: str, seat: int | None = None) -> dict[str, float]:
    """By thing, how many of it are in a place on average."""
    at = next(number for number, one in enumerate(found.places) if (one.field, one.seat) == (field, seat))
    return {thing.name: thing.expected[at] for thing in found.things}


def thing(found: UnseenMap, name: str) -> UnseenThing:
    return next(one for one in found.things if one.name == name)


# ---- What is so in the worlds ----


@pytest.mark.parametrize("game", HOLDING_CARDS)
def test_each_hand_holds_what_the_truth_of_each_world_says(game: str) -> None:
    for _, view in views(game, 6):
        sampler = sampled(view)
        worlds = [view.game.plugin.truth_json(view.rules, bare(view), world.tobytes()) for world in sampler.worlds]
        for cells in sampler.cells():
            if cells.field == "hands":
                for world, counts in zip(worlds, cells.counts, strict=True):
                    told = {name: int(number) for name, number in zip(cells.names, counts, strict=True) if number}
                    assert told == Counter(cards_in(world["hands"][cells.seat]))


def cards_in(hand: Any) -> list[str]:
    if isinstance(hand, dict):  # bond's, by sort
        return [f"{sort.removesuffix('s').replace('spie', 'spy')}:{card}" for sort, cards in hand.items() for card in cards]
    return list(hand)


@pytest.mark.parametrize("game", GAMES)
def test_places_hold_as_much_as_their_cards_come_to_and_nothing_of_ones_own(game: str) -> None:
    for state, view in views(game, 8):
        found = unseen_map(view, 3)
        own = {name for place in ("hand", "hands", "cups") for name in listed(view, place)}
        assert own.isdisjoint(one.name for one in found.things) or game in {"bond", "liars_dice"}  # there are equal ones
        for at, place in enumerate(found.places):
            assert place.size == pytest.approx(sum(one.expected[at] for one in found.things), abs=0.01)
            assert place.seat is None or place.seat != view.seat or place.field not in {"hands", "cups"}
        for one in found.things:
            assert len(one.expected) == len(one.chance) == len(found.places)
            assert all(
                0 <= chance <= 1 and chance <= number + 1e-9 for number, chance in zip(one.expected, one.chance, strict=True)
            )
            assert one.count == pytest.approx(sum(one.expected), abs=0.001)
        assert state.view(view.seat) == view


def listed(view: View, place: str) -> list[str]:
    value = view.to_json()["view"].get(place)
    if isinstance(value, list) and view.seat is not None and len(value) == view.players and place != "hand":
        value = value[view.seat]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


@pytest.mark.parametrize("game", ["agency", "hearts", "kuhn", "whist"])
def test_each_unseen_card_is_somewhere_and_once(game: str) -> None:
    for _, view in views(game, 8):
        for one in unseen_map(view).things:
            if one.kind == "card":
                assert one.count == pytest.approx(1, abs=0.001)


@pytest.mark.parametrize("game", [*GAMES, "every_field"])
def test_what_is_there_was_held_possible(game: str) -> None:
    """In a game with a field of every kind as well."""
    for state, view in views(game, 25):
        found, truth = unseen_map(view), true_numbers(state, state.seat_to_move or 0)
        places = [(place.field, place.seat, place.index) for place in found.places]
        for (field, seat, index, kind, name), number in truth.items():
            if number:
                at = places.index((field, seat, index))
                assert any(one.chance[at] for one in found.things if (one.kind, one.name) == (kind, name))


def test_a_card_passed_on_is_known_to_be_there_and_a_void_holds_nothing() -> None:
    """Three cards were passed to the left; a seat that did not follow has none of the suit."""
    state = load("hearts").new(4, seed=3)
    given: list[str] = []
    while state.view().to_json()["view"]["choosing"]:
        seat, move = state.seat_to_move, state.legal_moves()[0]
        given += [move.removeprefix("pass:")] * (seat == 0)
        state.play(move)
    way = state.view(0).to_json()["view"]["way"]
    to = {"left": 1, "across": 2, "right": 3, "keep": 0}[way]
    if to:
        found = unseen_map(state.view(0))
        assert all(held(found, "hands", to)[card] == 1 for card in given if card in held(found, "hands", to))

    rng = random.Random(1)
    while not any(voids := state.view(0).to_json()["view"]["may"][1:]) or all(len(one) > 39 for one in voids):
        state.play(rng.choice(state.legal_moves()))
    seat = 1 + min(range(3), key=lambda at: len(voids[at]))
    cannot = set(held(unseen_map(state.view(0)), "hands", seat)) - set(voids[seat - 1])
    assert cannot
    assert all(held(unseen_map(state.view(0)), "hands", seat)[card] == 0 for card in cannot)


def test_a_hidden_number_is_a_thing_of_its_fields_own_kind() -> None:
    found = unseen_map(views("every_field", 1)[0][1])
    places = {place.field for place in found.places}

    assert {"hands", "pile", "purse", "undealt"} <= places
    assert "noted" not in places  # of cards that lie elsewhere
    assert [one.name for one in found.things if one.kind == "purse"] == [str(number) for number in range(10)]


def test_dice_under_a_cup_are_even() -> None:
    state = load("liars_dice").new(3, seed=1)
    found = unseen_map(state.view(0))

    assert [(place.field, place.seat, place.size) for place in found.places] == [("cups", 1, 3.0), ("cups", 2, 3.0)]
    assert [one.name for one in found.things] == ["1", "2", "3", "4", "5", "6"]
    for one in found.things:
        assert one.expected == pytest.approx((0.5, 0.5), abs=5 * found.standard_error)
        assert one.chance == pytest.approx((91 / 216,) * 2, abs=5 * found.standard_error)


def test_the_error_is_that_of_the_worlds() -> None:
    view = load("kuhn").new(2, seed=1).view(0)
    chances = [unseen_map(view, seed, worlds=500).things[0].chance[0] for seed in range(300)]
    told = unseen_map(view, 1, worlds=500)

    assert told.standard_error == pytest.approx((0.25 / 500) ** 0.5, abs=0.0001)
    assert float(np.std(chances)) == pytest.approx(told.standard_error, rel=0.2)


# ---- Which worlds ----


@pytest.mark.parametrize("game", GAMES)
def test_the_same_question_has_the_same_answer(game: str) -> None:
    for _, view in views(game, 3):
        first, again, other = (unseen_map(view, seed) for seed in (7, 7, 8))
        assert json.dumps(first.to_json()) == json.dumps(again.to_json())
        assert first == other or first.standard_error > 0


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_makes_the_same_map_however_many_threads_it_has(threads: int) -> None:
    _, view = views("agency", 1)[0]
    parameters = SearchParameters(seed=9, threads=threads)
    with Scheduler(workers=2) as scheduler:
        jobs = [scheduler.submit(view, Limits(iterations=300), parameters, unseen=asked) for asked in (True, False)]
        assert jobs[0].result().to_json() == jobs[1].result().to_json()
        assert jobs[0].unseen == unseen_map(view, 9)
        assert jobs[1].unseen is None


def test_a_map_is_made_where_there_is_one_move_and_given_up_where_there_is_no_time() -> None:
    state = load("whist").new(2, seed=1)
    while len(state.legal_moves()) > 1:
        state.play(state.legal_moves()[0])
    run = SearchRun(state.view(state.seat_to_move), Limits(iterations=5), unseen=True)
    late = SearchRun(state.view(state.seat_to_move), Limits(seconds=1e-9), unseen=True)

    assert (run.work(0), late.work(0)) == ("forced", "forced")
    assert run.unseen is not None
    assert late.unseen is None


def test_worlds_count_as_habits_and_the_others_moves_say() -> None:
    agency, bond = (views(game, 4)[3][1] for game in ("agency", "bond"))

    assert unseen_map(agency).weighed_by == ()
    assert unseen_map(agency).effective_worlds == unseen_map(agency).worlds >= 500
    assert unseen_map(agency, inference=True).weighed_by == ("inference",)
    assert unseen_map(bond, inference=True).weighed_by == ("habits",)
    assert unseen_map(bond).effective_worlds < unseen_map(bond).worlds


def test_before_anybody_has_moved_inference_changes_nothing() -> None:
    view = load("whist").new(4, seed=1).view(0)

    assert unseen_map(view, 2, inference=True).things == unseen_map(view, 2).things


@pytest.mark.parametrize(("given", "field"), [({"seed": -1}, "seed"), ({"seed": 1.5}, "seed"), ({"worlds": 0}, "worlds")])
def test_what_cannot_be_asked_is_refused(given: dict[str, Any], field: str) -> None:
    with pytest.raises(BadOption) as caught:
        unseen_map(load("kuhn").new(2, seed=1).view(0), **given)
    assert caught.value.option == field


# ---- Games that declare nothing ----


@pytest.mark.parametrize("game", ["hearts", "kuhn", "whist"])
def test_a_game_without_a_schema_has_the_same_hands_from_its_json(game: str) -> None:
    for _, view in views(game, 5):
        sampler = sampled(view)
        declared = {(one.field, one.seat): totals(one) for one in sampler.cells() if one.field == "hands"}
        plain = Engine.hidden_cells(view.game.plugin, view.rules, bare(view), sampler.worlds)
        from_json = {(one.field, one.seat): totals(one) for one in plain if one.field == "hands"}
        assert {key: value for key, value in from_json.items() if value} == {
            key: value for key, value in declared.items() if value
        }


def totals(cells: HiddenCells) -> dict[str, int]:
    sums = cells.counts.sum(axis=0, dtype=int)
    return {name: int(number) for name, number in zip(cells.names, sums, strict=True) if number}


# ---- Whether it is right ----


@pytest.mark.parametrize(("game", "play"), [("whist", "greedy"), ("bond", "greedy"), ("agency", "random"), ("hearts", "random")])
def test_what_is_told_at_so_many_per_cent_is_there_in_so_many(game: str, play: str) -> None:
    """A small part of what `python -m bench.unseen` does."""
    report = gaps(load(game), play, 150, 3)

    assert report.pairs > 5000
    assert report.mean_gap < 0.03
    assert report.was_elsewhere == 0


def test_a_map_that_is_off_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def hopeful(*arguments: Any, **named: Any) -> UnseenMap:
        found = unseen_map(*arguments, **named)
        return replace(
            found, things=tuple(replace(one, chance=tuple(chance**0.8 for chance in one.chance)) for one in found.things)
        )

    monkeypatch.setattr("bench.unseen.unseen_map", hopeful)

    assert not gaps(load("whist"), "random", 150, 3).is_within
