"""Faults of an author's functions, found by playing; everything else is checked only of games without one."""

import random
from collections.abc import Generator, Iterator

from machiavel.engines import BadView, GameFault, State
from machiavel.engines.conformance import Chapter, Finding, Trial
from machiavel.engines.kit.proofs.kit_cases import KitCase

__all__ = ["CHAPTER"]

CHAPTER = Chapter("faults")
MATCHES = 60
HEAVIEST = 0.5  # of the moves, the heaviest by the rule of thumb: other corners of a game than those of chance
GUARDS = 20  # matches of which worlds, weights and estimates are asked for, too


@CHAPTER.check()
def whole_matches(trial: Trial) -> Iterator[Finding]:
    """Matches are dealt and played to their end without a fault, and everybody has worlds, weights and a result."""
    KitCase(trial)
    for number, seed in enumerate(trial.seeds(MATCHES)):
        found = yield from played(trial, seed, is_watched=number < trial.scaled(GUARDS))
        if found:
            return


def played(trial: Trial, seed: int, *, is_watched: bool) -> Generator[Finding, None, bool]:
    """A match; the answer is whether it met a fault."""
    draw = random.Random(seed)
    asked = "a deal"
    try:
        state = trial.new(seed)
        while not trial.at(state).is_over:
            asked = f"legal moves of seat {state.seat_to_move}"
            moves = state.legal_moves()
            asked = "weights"
            weights = state.weights()
            if is_watched:
                asked = "worlds"
                look_around(state, seed)
            heaviest = max(moves, key=lambda move: weights[move])
            move = heaviest if draw.random() < HEAVIEST and len(set(weights.values())) > 1 else draw.choice(moves)
            asked = f"the move {move}"
            state.play(move)
        asked = "the result"
        return not state.utilities
    except GameFault as fault:
        yield trial.finding(f"{asked} without a fault", fault.what)
    except BadView as error:  # of a world: cards are where they cannot be
        yield trial.finding(f"{asked} without a fault", str(error))
    return True


def look_around(state: State, seed: int) -> None:
    for seat in (*range(state.players), None):
        state.view(seat).determinize(seed)
