"""Whether rules look at what their seat does not see: they are run with what is hidden replaced by what must not be looked at."""

from collections.abc import Iterator
from traceback import extract_tb

from machiavel.engines import State
from machiavel.engines.conformance import Chapter, Finding, NotTried, Trial
from machiavel.engines.kit.interpreted import InterpretedPosition, PeekingRule
from machiavel.engines.kit.proofs.kit_cases import KitCase

__all__ = ["CHAPTER"]

CHAPTER = Chapter("peeking")
MATCHES = 20
SPECTATOR = -1  # who sees what all see: a move is called the same by everybody


@CHAPTER.check()
def peeking_rules(trial: Trial) -> Iterator[Finding]:
    """What is legal for a seat, how heavy its moves are and what they are called is found without a look at what is not seen."""
    case = KitCase(trial)
    if not case.facts.hides:
        raise NotTried("nothing is hidden in this game")
    position = case.position()
    told: set[str] = set()  # one finding for each place in the file, however often it is met
    for seed in trial.seeds(MATCHES):
        for state, _ in trial.walk(seed):
            for seat in sorted(state.seats_to_move):
                trial.counts["questions"] += 1
                found = peeked(case, position, state, seat)
                if found and found not in told:
                    told.add(found)
                    yield trial.finding("rules that ask for nothing that the seat does not see", found, seat)


def peeked(case: KitCase, position: InterpretedPosition, state: State, seat: int) -> str:
    """What a rule looks at, and where it does; empty where all is well."""
    position.load(state.to_bytes())
    position.hide_from(seat)
    asked = f"legal({seat})"
    try:
        position.legal(seat)
        if case.has("weigh") and seat == state.seat_to_move:
            for move in state.moves_of(seat):
                asked = f"weigh({case.plugin.move_text(state.rules, move)})"
                position.weigh(move)
        if case.has("called"):
            position.load(state.to_bytes())
            position.hide_from(SPECTATOR)
            for move in state.moves_of(seat):
                asked = f"called({case.plugin.move_text(state.rules, move)})"
                position.called(move)
    except PeekingRule as rule:
        frame = next(one for one in reversed(extract_tb(rule.__traceback__)) if one.filename == str(case.path))
        return f"{asked} looks at {rule}: {case.path.name}:{frame.lineno}, {frame.line}"
    return ""
