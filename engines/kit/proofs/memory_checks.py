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
Asked = tuple[tuple[int, ...], tuple[float, ...]]


@CHAPTER.check()
def meetings(trial: Trial) -> Iterator[Finding]:
    """Where two ways through one deal meet in a view or its key, they allow the same moves and weigh them alike."""
    case = KitCase(trial)
    for seed in trial.seeds(DEALS):
        by_view: dict[tuple[int, bytes], tuple[Asked, State]] = {}
        by_key: dict[tuple[int, int], tuple[Asked, State]] = {}
        draw = random.Random(seed)
        first = trial.new(seed)
        for _ in range(trial.scaled(WALKS)):
            state = first.copy()
            for _ in range(LONGEST):
                if state.is_over:
                    break
                trial.at(state)
                seat = state.seat_to_move or 0
                told = tuple(state.moves_of(seat)), tuple(state.weights().values())
                before, other = by_view.setdefault((seat, state.seen_by(seat)), (told, state.copy()))
                if before != told:
                    yield trial.finding(
                        f"the moves that seat {seat} has after {' '.join(other.moves)}, where it sees the same",
                        f"{' '.join(state.legal_moves())}: its view forgets what they depend on{case.at('legal')}",
                        seat,
                    )
                    return
                before, other = by_key.setdefault((seat, state.view_key(seat)), (told, state.copy()))
                if before != told:
                    yield trial.finding(
                        f"the moves that seat {seat} has after {' '.join(other.moves)}, where the key is the same",
                        f"{' '.join(state.legal_moves())}: a field with forgets=True still matters{case.at('legal')}",
                        seat,
                    )
                    return
                state.play(draw.choice(state.legal_moves()))
        trial.counts["views"] += len(by_view)
