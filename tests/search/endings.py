"""The last tricks of agency, and what every way to play them on comes to."""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from machiavel.engines import State, View, load
from tests.search.positions import asked

AGENCY = load("agency")
COLOURS = ("mauve", "blue", "green", "yellow")
ACCOMPLICES = (None, "blue_over_mauve", "plain_mauve", "low_wins", "follow_suit")
NEVER_DEALT = 2  # cards, where something is hidden
CLEAR = 0.1  # of utility: what a search of so many iterations tells apart for sure


def deck(accomplice: str | None, cards: int) -> dict[str, Any]:
    """A small deck whose plans are all alike, so that the pile hides nothing."""
    colours = [(colour, cards // 4 + (number < cards % 4)) for number, colour in enumerate(COLOURS)]
    plan = {"value": 3, "count": 14, "provenance": "for a test"}
    return {
        "name": "endings",
        "cards": {colour: {"ranks": list(range(1, count + 1)), "provenance": "for a test"} for colour, count in colours},
        "plans": [plan | ({"accomplice": accomplice} if accomplice else {})],
        "agents": [{"id": agent, "provenance": "for a test"} for agent in ("belton", "martha", "jean")],
    }


def late_agency(rng: random.Random, players: int, held: int, never_dealt: int = 0) -> State:
    """A match that one round decides, with so many tricks to go, the next of them perhaps begun."""
    cards = deck(rng.choice(ACCOMPLICES), 12 * players + never_dealt)
    state = AGENCY.new(players, seed=rng.getrandbits(64), powers=False, medals=1, deck=cards)
    for _ in range((12 - held) * players + rng.randrange(players)):
        state.play(rng.choice(state.legal_moves()))
    return state


def all_ends(state: State) -> Iterator[State]:
    """The ends that can come of a position, in whatever way it is played on."""
    if state.is_over:
        yield state
        return
    for move in state.legal_moves():
        yield from all_ends(after(state, move))


def after(state: State, move: str) -> State:
    copy = state.copy()
    copy.play(move)
    return copy


def minimax(state: State, seat: int) -> float:
    """What the seat gets where two play, both with all cards open and as well as can be."""
    if state.is_over:
        return state.utilities[seat]
    values = [minimax(after(state, move), seat) for move in state.legal_moves()]
    return max(values) if state.seat_to_move == seat else min(values)


@dataclass(frozen=True)
class Judged:
    """A view and, per move, what it brings at least and at most in each world, whatever is played after it."""

    view: View
    least: dict[str, list[float]]
    most: dict[str, list[float]]

    def dominated(self) -> list[str]:
        """Moves at their best nowhere better than another one at its worst, and clearly worse on the whole."""
        return [move for move in self.least if any(self.is_worse(move, other) for other in self.least)]

    def is_worse(self, move: str, other: str) -> bool:
        pairs = list(zip(self.most[move], self.least[other], strict=True))
        return all(best <= worst for best, worst in pairs) and sum(worst - best for best, worst in pairs) >= CLEAR * len(pairs)


def all_worlds(state: State, view: View) -> list[State]:
    """Every world of a view of the last two tricks, where all that is hidden is who has which of the cards not seen."""
    hands = state.truth()["hands"]
    hidden = [len(hand) for seat, hand in enumerate(hands) if seat != view.seat]
    unseen, count = sum(hidden) + NEVER_DEALT, 1
    for held in hidden:
        count *= math.comb(unseen, held)
        unseen -= held
    worlds = {world.to_bytes(): world for world in (view.determinize(number) for number in range(20 * count))}
    # Who did not follow suit lacks it; otherwise all ways to deal are there.
    assert len(worlds) == count or "follow_suit" in str(state.rules.options["deck"])
    return list(worlds.values())


def judged(seed: int) -> Iterator[Judged]:
    rng = random.Random(seed)
    while True:
        state = late_agency(rng, rng.choice((2, 3)), 2, NEVER_DEALT)
        if state.is_over or len(state.legal_moves()) < 2:
            continue
        view, seat = asked(state), state.seat_to_move
        assert seat is not None
        result = Judged(view, {move: [] for move in state.legal_moves()}, {move: [] for move in state.legal_moves()})
        for world in all_worlds(state, view):
            for move in result.least:
                values = [end.utilities[seat] for end in all_ends(after(world, move))]
                result.least[move].append(min(values))
                result.most[move].append(max(values))
        if result.dominated():
            yield result


@cache
def some_judged(count: int, seed: int) -> list[Judged]:
    return list(islice(judged(seed), count))
