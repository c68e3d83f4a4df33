"""Compares two ways to draw worlds of agency: many small facts of each world, their frequencies by χ²."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from machiavel.engines import State, View, load
from tests.engines.chi_square import Fact, least_p
from tests.twins.agency import Deck, Match
from tests.twins.agency_sampler import RejectionSampler

__all__ = [
    "deck_tables",
    "engine_start",
    "engine_state",
    "engine_worlds",
    "facts_of",
    "least_p",
    "twin_worlds",
]

FACTS = 40


def deck_tables(deck: Deck) -> dict[str, Any]:
    """A deck of the twin's as the engine takes it."""
    names = {"M": "mauve", "B": "blue", "G": "green", "Y": "yellow"}
    return {
        "name": "for a test",
        "cards": {
            name: {"ranks": [int(card[1:]) for card in deck.cards if card[0] == letter], "provenance": "house"}
            for letter, name in names.items()
        },
        "plans": [
            {"value": int(value), "count": count, "provenance": "house"} | ({"accomplice": accomplice} if accomplice else {})
            for plan, count in Counter(deck.plans).items()
            for value, _, accomplice in [plan.partition("+")]
        ],
        "agents": [{"id": agent, "provenance": "house"} for agent in deck.agents],
    }


def engine_start(match: Match) -> State:
    """The engine's state at the start of the twin's match."""
    return load("agency").new(
        match.players,
        layout=match.layout,
        deck=deck_tables(match.deck),
        powers=match.powers,
        accomplices=match.accomplices,
        medals=match.medals_to_win,
        agents=match.agents_option,
    )


def engine_state(match: Match) -> State:
    """The engine's state of the twin's match as it stands."""
    state = engine_start(match)
    for move in match.moves:
        state.play(move)
    return state


def place_of(card: str) -> Fact:
    """In which hand or reserve the card is."""

    def place(truth: dict[str, Any]) -> object:
        for kind in ("hands", "reserves"):
            for seat, cards in enumerate(truth[kind]):
                if card in cards:
                    return kind, seat
        return None

    return place


def together(first: Fact, second: Fact) -> Fact:
    return lambda truth: (first(truth), second(truth))


def pile_at(place: int) -> Fact:
    return lambda truth: truth["pile"][place]


def given_in(entry: int, seat: int) -> Fact:
    return lambda truth: truth["given"][entry][seat]


def colours_of(seat: int) -> Fact:
    return lambda truth: "".join(sorted(card[0] for card in truth["hands"][seat]))


def look_of(truth: dict[str, Any]) -> object:
    return truth["look"] and truth["look"]["target"]


def facts_of(view: dict[str, Any], deck: Deck, rng: random.Random) -> list[Fact]:
    """What the view leaves open, one by one and in pairs."""
    unseen = [card for card in deck.cards if card not in view["seen"] and card not in (view["hand"] or [])]
    hidden = [place for place, card in enumerate(view["pile"]) if card == "?"]
    single = [place_of(card) for card in unseen] + [pile_at(place) for place in hidden]
    single += [
        given_in(i, seat) for i, entry in enumerate(view["half"]) if entry["pass_left"] for seat in range(len(view["medals"]))
    ]
    single += [colours_of(seat) for seat in range(len(view["medals"]))]
    pairs = [together(*rng.sample(single, 2)) for _ in range(len(single)) if len(single) > 1]
    facts = single + pairs
    return rng.sample(facts, min(FACTS, len(facts)))


def engine_worlds(view: View, count: int) -> Iterator[dict[str, Any]]:
    for seed in range(count):
        yield view.determinize(seed).truth()


def twin_worlds(match: Match, seat: int, count: int, rng: random.Random) -> Iterator[dict[str, Any]]:
    sampler = RejectionSampler(match, seat)
    for _ in range(count):
        yield sampler.draw(rng).truth()
