"""What reaches a seat, in positions that differ only in what the seat cannot know."""

from collections.abc import Iterator
from typing import Any

from machiavel.engines import GameError, State, View, WorldSampler
from machiavel.engines.conformance.checks import Chapter
from machiavel.engines.conformance.engine_struct import likelihood_of
from machiavel.engines.conformance.trial import Finding, Trial

__all__ = ["CHAPTER"]

CHAPTER = Chapter("secrecy")
WORLDS = 5
TRIED = 12  # texts of moves that the seat tries, to see what is said of them


def told_to(state: State, seat: int | None, tried: list[str]) -> dict[str, Any]:
    """All that a seat, or a spectator, is told in a position."""
    view = state.view(seat)
    told: dict[str, Any] = {
        "view as JSON": view.to_json(),
        "view as bytes": view.to_bytes(),
        "key": state.view_key(seat),
        "seats asked": (sorted(view.seats_to_move), view.is_over),
        "text of the view": repr(view),
        "worlds": view.determinize(3).to_bytes(),
        "hidden places": hidden_places(view),
    }
    if seat is not None and state.game.has("likelihood"):
        told["likelihood of a world"] = likelihood_of(view.determinize(3), seat)
    if seat is not None and seat in state.seats_to_move:
        told["legal moves"] = state.legal_moves(seat)
    if seat is not None and seat == state.seat_to_move:
        told["weights"] = state.weights()
        told["errors"] = [error_of(state, text) for text in tried]
    return told


def hidden_places(view: View) -> list[Any]:
    """What lies where the seat does not see it, in a few worlds."""
    sampler = WorldSampler(view, WORLDS, 3)
    sampler.go_on()
    return [(one.field, one.seat, one.index, one.kind, tuple(one.names), one.counts.tolist()) for one in sampler.cells()]


def error_of(state: State, text: str) -> str:
    try:
        state.resolve(text)
    except GameError as error:
        return f"{type(error).__name__}: {error}"
    return "legal"


@CHAPTER.check()
def secrecy_pairs(trial: Trial) -> Iterator[Finding]:
    """Two positions that a seat cannot tell apart give it the same view, key, moves, weights, errors and worlds."""
    sample = trial.sample(20, salt=3)
    tried = ["nonsense", *sorted({text for state in sample for text in state.legal_moves()})[:TRIED]]
    for number, state in enumerate(trial.visit(sample)):
        for seat in trial.case.observers:
            here = told_to(state, seat, tried)
            for seed in range(number, number + 2):
                there = told_to(state.view(seat).determinize(seed), seat, tried)
                trial.counts["pairs"] += 1
                for what, value in here.items():
                    yield from trial.equal(there.get(what), value, f"{what} in another world of the same view", seat)


@CHAPTER.check()
def sight_of_weights(trial: Trial) -> Iterator[Finding]:
    """The rule of thumb depends on nothing but what the mover sees."""
    for number, state in enumerate(trial.positions(30)):
        if not state.is_over:
            view = state.view(state.seat_to_move)
            for seed in range(number, number + 3):
                trial.counts["worlds"] += 1
                weights = view.determinize(seed).weights()
                yield from trial.equal(weights, state.weights(), "weights in another world of the same view", state.seat_to_move)
