"""Compares two ways to draw worlds of agency: many small facts of each world, their frequencies by χ²."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from scipy.stats import chi2_contingency

from machiavel.engines import State, View, load
from tests.twins.agency import Deck, Match
from tests.twins.agency_sampler import RejectionSampler

FACTS = 40
LEAST_EXPECTED = 10


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


Fact = Callable[[dict[str, Any]], object]


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


def least_p(facts: list[Fact], first: Iterator[dict[str, Any]], second: Iterator[dict[str, Any]]) -> float:
    """The least p of all facts, times their number (Bonferroni): below 0.001 the two do not draw alike."""
    counts: list[tuple[Counter[object], Counter[object]]] = [(Counter(), Counter()) for _ in facts]
    for side, worlds in enumerate((first, second)):
        for truth in worlds:
            for fact, pair in zip(facts, counts, strict=True):
                pair[side][fact(truth)] += 1
    return min(1.0, len(facts) * min((p_of(*pair) for pair in counts), default=1.0))


def p_of(first: Counter[object], second: Counter[object]) -> float:
    """χ² of two samples; what is too rare for it counts together."""
    rows: list[tuple[int, int]] = []
    rare = (0, 0)
    for outcome in set(first) | set(second):
        row = (first[outcome], second[outcome])
        if sum(row) < 2 * LEAST_EXPECTED:
            rare = (rare[0] + row[0], rare[1] + row[1])
        else:
            rows.append(row)
    if sum(rare) >= 2 * LEAST_EXPECTED:
        rows.append(rare)
    if len(rows) < 2:
        return 1.0
    return float(chi2_contingency(rows).pvalue)
