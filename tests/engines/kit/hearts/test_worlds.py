"""Worlds of hearts are drawn as a rejection sampler draws them."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.engines.chi_square import Fact, least_p
from tests.engines.kit.hearts.table import engine_match
from tests.engines.kit.hearts.twin import CARDS, Match, in_order, sample

SIGNIFICANCE = 0.0005

Wanted = Callable[[Match, int | None], bool]


def void_seats(match: Match, seat: int | None) -> set[int]:
    """Others who have shown that something is missing."""
    tricks = [match.played[at : at + 4] for at in range(0, len(match.played), 4)]
    return {
        other for trick in tricks for other, card in trick if card[0] != trick[0][1][0] and other != seat and match.hands[other]
    }


SITUATIONS: dict[str, tuple[range, Wanted]] = {
    "others have chosen cards to pass": (range(6, 12), lambda match, _: match.is_passing),
    "cards were passed on": (range(12, 30), lambda match, seat: seat is not None and any(match.chosen) and not match.is_passing),
    "nobody passed": (range(5, 20), lambda match, _: not any(match.chosen)),
    "several hands have voids": (range(30, 48), lambda match, seat: len(void_seats(match, seat)) > 1),
}


def find(situation: str, number: int) -> tuple[Match, int | None]:
    """A position of that kind."""
    plies, is_wanted = SITUATIONS[situation]
    rng = random.Random(f"{situation} {number}")
    while True:
        match, seat = Match.at_random(rng), rng.choice([*range(4), None])
        for _ in range(rng.choice(plies)):
            match.play(rng.choice(match.legal_moves()))
        if is_wanted(match, seat) and sample(match, seat, rng, 50):
            return match, seat


def facts_of(match: Match, seat: int | None) -> list[Fact]:
    """Where each unseen card is, and how many of each suit a hand has."""
    unseen = [card for other in range(4) if other != seat for card in match.hands[other] + match.chosen[other] * match.is_passing]
    others = [other for other in range(4) if other != seat]
    return [*map(place_of, unseen), *(suit_of(other, suit) for other in others for suit in "CDHS")]


def place_of(card: str) -> Fact:
    return lambda truth: place(truth, card)


def suit_of(seat: int, suit: str) -> Fact:
    return lambda truth: sum(card[0] == suit for card in truth["hands"][seat])


def place(truth: dict[str, Any], card: str) -> object:
    return next((kind, seat) for kind in ("hands", "aside") for seat, cards in enumerate(truth[kind]) if card in cards)


def engine_worlds(match: Match, seat: int | None, count: int) -> Iterator[dict[str, Any]]:
    view = engine_match(match).view(seat)
    return (view.determinize(seed).truth() for seed in range(count))


def sampled_worlds(match: Match, seat: int | None, count: int) -> Iterator[dict[str, Any]]:
    rng = random.Random(7)
    for _ in range(count):
        world = sample(match, seat, rng, 100_000)
        assert world is not None
        yield {"hands": world.hands, "aside": world.chosen if world.is_passing else [[]] * 4}


def compare(situation: str, number: int, count: int) -> None:
    match, seat = find(situation, number)
    p = least_p(facts_of(match, seat), engine_worlds(match, seat, count), sampled_worlds(match, seat, count))
    assert p > SIGNIFICANCE, f"{situation}, position {number}, seat {seat}: p = {p:.2g}"


@pytest.mark.parametrize("situation", SITUATIONS)
def test_worlds_are_distributed_as_a_rejection_sampler_draws_them(situation: str) -> None:
    compare(situation, 0, 400)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("number", range(1, 6))
@pytest.mark.parametrize("situation", SITUATIONS)
def test_many_worlds_are_distributed_as_a_rejection_sampler_draws_them(situation: str, number: int) -> None:
    compare(situation, number, 5000)


def test_worlds_that_forget_what_was_passed_are_found_out() -> None:
    """What the comparison is worth: the same view, as somebody sees it who passed nothing."""
    match, seat = find("cards were passed on", 0)
    assert seat is not None
    view = engine_match(match).view(seat)
    data = view.to_json()
    data["view"]["passed"][seat] = []
    forgetful = view.game.view_from_json(data)
    worlds = (forgetful.determinize(seed).truth() for seed in range(400))

    assert least_p(facts_of(match, seat), worlds, sampled_worlds(match, seat, 400)) < SIGNIFICANCE


def test_worlds_respect_voids_points_and_what_was_passed() -> None:
    rng = random.Random(11)
    for _ in range(30):
        match = Match.at_random(rng)
        state = engine_match(match)
        while not match.is_over:
            for seat in (*range(4), None):
                view = state.view(seat)
                world = view.determinize(rng.getrandbits(64))
                now = world.truth()
                assert world.view(seat) == view
                cards = [card for kind in ("hands", "aside") for hand in now[kind] for card in hand]
                assert in_order(cards + [card for _, card in match.played]) == [*CARDS]
                if seat is not None and not match.is_passing:
                    held = [card for card in match.chosen[seat] if (match.receiver(seat), card) not in match.played]
                    assert {*held} <= {*now["hands"][match.receiver(seat)]}
            move = rng.choice(match.legal_moves())
            match.play(move)
            state.play(move)
