"""Keys of views."""

from collections.abc import Iterator
from typing import Any

from machiavel.engines.conformance.checks import Chapter
from machiavel.engines.conformance.trial import Finding, Trial

__all__ = ["CHAPTER"]

CHAPTER = Chapter("keys")


@CHAPTER.check()
def equal_keys(trial: Trial) -> Iterator[Finding]:
    """Equal keys mean the same ply, the same mover and the same legal moves of the seat."""
    met: dict[tuple[int | None, int], Any] = {}
    for seed in trial.seeds(15):
        for state, _ in trial.walk(seed):
            for seat in trial.case.observers:
                own = state.legal_moves(seat) if seat in state.seats_to_move else None
                meaning = (len(state.moves), state.seat_to_move, own)
                before = met.setdefault((seat, state.view_key(seat)), meaning)
                yield from trial.equal(meaning, before, "ply, mover and own moves, as where this key was met before", seat)
    trial.counts["keys"] += len(met)


@CHAPTER.check()
def different_keys(trial: Trial) -> Iterator[Finding]:
    """Different views of fresh deals, and views of different seats, have different keys."""
    met: dict[int, tuple[int | None, bytes]] = {}
    for seed in trial.seeds(2000):
        state = trial.new(seed)
        for seat in trial.case.observers:
            seen = (seat, state.seen_by(seat))
            before = met.setdefault(state.view_key(seat), seen)
            yield from trial.expect(
                before == seen, "a key of its own for each view", f"that of seat {before[0]} in another view", seat
            )
    views = {seen for _, seen in met.values()}
    trial.counts["keys"] += len(met)
    yield from trial.equal(len(met), len(views), "keys, one for each view")
