"""What keys leave out, and views do not show: neither may matter later."""

import random
from collections.abc import Iterator

from machiavel.engines import State
from machiavel.engines.conformance import Chapter, Finding, Trial
from machiavel.engines.kit.proofs.kit_cases import KitCase

__all__ = ["CHAPTER"]

CHAPTER = Chapter("memory")
DEALS = 4
WALKS = 120  # from each deal, by other moves and the same luck
LONGEST = 12  # moves of a walk: later, two walks hardly meet
Asked = tuple[tuple[int, ...], tuple[float, ...]]  # the moves that a seat has, and how heavy they are


@CHAPTER.check()
def meetings(trial: Trial) -> Iterator[Finding]:
    """Where two ways through one deal meet in a view or its key, they allow the same moves and weigh them alike."""
    case = KitCase(trial)
    reasons = {
        "it sees the same": "its view forgets what they depend on",
        "the key is the same": "a field with forgets=True still matters",
    }
    for seed in trial.seeds(DEALS):
        met: dict[object, tuple[Asked, State]] = {}
        for state in walks(trial, seed):
            seat = state.seat_to_move or 0
            told = tuple(state.moves_of(seat)), tuple(state.weights().values())
            for how, known in zip(reasons, (state.seen_by(seat), state.view_key(seat)), strict=True):
                before, other = met.setdefault((how, seat, known), (told, state.copy()))
                if before != told:
                    yield trial.finding(
                        f"the moves that seat {seat} has after {' '.join(other.moves)}, where {how}, and their weights",
                        f"{' '.join(state.legal_moves())}: {reasons[how]}{case.at('legal')}",
                        seat,
                    )
                    return
        trial.counts["views"] += len(met) // 2


def walks(trial: Trial, seed: int) -> Iterator[State]:
    """Positions before the end on many ways through one deal, by other moves and the same luck."""
    draw = random.Random(seed)
    first = trial.new(seed)
    for _ in range(trial.scaled(WALKS)):
        state = first.copy()
        for _ in range(LONGEST):
            if state.is_over:
                break
            yield trial.at(state)
            state.play(draw.choice(state.legal_moves()))
