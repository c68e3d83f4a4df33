"""Compares two ways to draw worlds of bond: many small facts of each world, their frequencies by χ²."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from machiavel.engines import State, View, load
from tests.engines.chi_square import Fact, least_p
from tests.twins.bond import HOUSE, Deck, Match
from tests.twins.bond_sampler import RejectionSampler, unseen_cards

__all__ = ["Fact", "deck_option", "engine_start", "engine_state", "engine_worlds", "facts_of", "least_p", "twin_worlds"]

FACTS = 40


def deck_option(deck: Deck) -> Any:
    """A deck of the twin's as the engine takes it."""
    if deck == HOUSE:
        return "house"
    return {
        "name": "for a test",
        **{
            sort: [{"value": value, "count": count, "provenance": "house"} for value, count in Counter(values).items()]
            for sort, values in (("lairs", deck.lairs), ("spies", deck.spies))
        },
        "doublers": {"letters": "ABCDEFGHI", "copies": 2, "provenance": "house"},
    }


def engine_start(match: Match) -> State:
    """The engine's state at the start of the twin's match."""
    return load("bond").new(match.players, layout=match.layout, deck=deck_option(match.deck))


def engine_state(match: Match) -> State:
    """The engine's state of the twin's match as it stands."""
    state = engine_start(match)
    for move in match.moves:
        state.play(move)
    return state


def heap_of(seat: int, sort: str) -> Fact:
    return lambda truth: tuple(truth["hands"][seat][sort])


def count_of(seat: int, sort: str, mark: object) -> Fact:
    return lambda truth: truth["hands"][seat][sort].count(mark)


def pile_count(sort: str, mark: object) -> Fact:
    return lambda truth: truth["pile"][sort].count(mark)


def committed(truth: dict[str, Any]) -> object:
    return tuple(truth["committed"])


def together(first: Fact, second: Fact) -> Fact:
    return lambda truth: (first(truth), second(truth))


def facts_of(view: dict[str, Any], deck: Deck, rng: random.Random) -> list[Fact]:
    """What the view leaves open, one by one and in pairs."""
    sorts = {"lair": "lairs", "spy": "spies", "doubler": "doublers"}
    unseen = [card.split(":") for card in dict.fromkeys(unseen_cards(view, deck))]
    marks = [(sorts[sort], mark if sort == "doubler" else int(mark)) for sort, mark in unseen]
    others = [seat for seat in range(len(view["hands"])) if seat != view["seat"]]
    single: list[Fact] = [count_of(seat, sort, mark) for seat in others for sort, mark in marks]
    single += [pile_count(sort, mark) for sort, mark in marks]
    single += [heap_of(seat, "spies") for seat in others if view["hands"][seat]["spies"] <= 3]
    pairs = [together(*rng.sample(single, 2)) for _ in range(len(single)) if len(single) > 1]
    facts = rng.sample(single + pairs, min(FACTS, len(single) + len(pairs)))
    attack = view["attack"]
    if attack and None in attack["spies"]:
        own = heap_of(attack["attacker"], "spies")
        facts += [committed, together(committed, own), lambda truth: truth["committed"][0], lambda truth: truth["committed"][-1]]
    return facts


def engine_worlds(view: View, count: int) -> Iterator[dict[str, Any]]:
    for seed in range(count):
        yield view.determinize(seed).truth()


def twin_worlds(match: Match, seat: int | None, count: int, rng: random.Random) -> Iterator[dict[str, Any]]:
    sampler = RejectionSampler(match, seat)
    for _ in range(count):
        yield sampler.draw_now(rng).truth()
