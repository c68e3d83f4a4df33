"""Worlds of liar's dice are drawn as dice fall."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.engines.chi_square import Fact, least_p
from tests.engines.kit.liars_dice.agreement import random_move
from tests.engines.kit.liars_dice.secrecy import rolled_anew
from tests.engines.kit.liars_dice.table import engine_match
from tests.engines.kit.liars_dice.twin import Match

SIGNIFICANCE = 0.0005


def find(number: int) -> tuple[Match, int | None]:
    rng = random.Random(number)
    match = Match.at_random(2 + number % 3, rng)
    for _ in range(rng.randrange(20)):
        move = random_move(match, rng)
        match.play(move)
        if match.is_over:
            return find(number + 100)
    return match, rng.choice([*range(match.players), None])


def thrown(match: Match, seat: int | None, count: int) -> Iterator[dict[str, Any]]:
    rng = random.Random(7)
    for _ in range(count):
        cups = [cup if owner == seat else [rng.randint(1, 6) for _ in cup] for owner, cup in enumerate(match.cups)]
        yield {"cups": [sorted(cup, reverse=True) for cup in cups]}


def cup_of(seat: int) -> Fact:
    return lambda truth: tuple(truth["cups"][seat])


def fives(truth: dict[str, Any]) -> object:
    return sum(face == 5 for cup in truth["cups"] for face in cup)


def compare(number: int, count: int) -> None:
    match, seat = find(number)
    facts = [*map(cup_of, range(match.players)), fives]
    view = engine_match(match).view(seat)
    worlds = (view.determinize(seed).truth() for seed in range(count))
    p = least_p(facts, worlds, thrown(match, seat, count))
    assert p > SIGNIFICANCE, f"position {number}, seat {seat} of {match.players}: p = {p:.2g}"


@pytest.mark.parametrize("number", range(6))
def test_dice_under_other_cups_fall_as_they_would_be_rolled(number: int) -> None:
    compare(number, 3000)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(6, 30))
def test_many_dice_under_other_cups_fall_as_they_would_be_rolled(number: int) -> None:
    compare(number, 50_000)


def test_a_world_has_the_seats_own_dice_and_as_many_of_the_others_in_order() -> None:
    rng = random.Random(5)
    for number in range(40):
        match, seat = find(number)
        for other in (match, rolled_anew(match, seat, rng)):
            view = engine_match(other).view(seat)
            cups = view.determinize(number).truth()["cups"]
            assert view.determinize(number).view(seat) == view
            assert [len(cup) for cup in cups] == match.dice
            assert cups == [sorted(cup, reverse=True) for cup in cups]
            assert seat is None or cups[seat] == sorted(match.cups[seat], reverse=True)
