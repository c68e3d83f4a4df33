"""Moves, turns, ends of matches, and the rule of thumb."""

import ctypes
import math
from collections.abc import Iterator
from functools import partial

from machiavel.engines import BadOption, IllegalMove, MatchNotOver, MatchOver, NotAMove, NotToMove
from machiavel.engines.conformance.checks import Chapter
from machiavel.engines.conformance.engine_struct import COOPERATIVE, MAX_METRICS
from machiavel.engines.conformance.trial import Finding, Trial, walk

__all__ = ["CHAPTER"]

CHAPTER = Chapter("moves")
NONSENSE = ("", "\x00", "no move at all", "☃", "9" * 5000, "pass:" * 3)
CLOSE = 1e-6


@CHAPTER.check()
def legal_moves(trial: Trial) -> Iterator[Finding]:
    """Whoever is asked has a legal move; legal moves ascend, each once, within the bounds of the struct."""
    contract = trial.case.contract
    for seed in trial.seeds(4):
        for state, _ in trial.walk(seed):
            for seat in state.seats_to_move:
                moves = state.moves_of(seat)
                yield from trial.expect(moves == sorted(set(moves)), "legal moves that ascend, each once", moves, seat)
                yield from trial.expect(
                    1 <= len(moves) <= contract.max_moves, f"1 to {contract.max_moves} legal moves", len(moves), seat
                )
                yield from trial.expect(
                    max(moves, default=0) < contract.move_limit, f"moves below {contract.move_limit}", moves, seat
                )


@CHAPTER.check()
def match_end(trial: Trial) -> Iterator[Finding]:
    """Every match ends within `max_plies`, and its utilities sum up to 1, or are equal where all play together."""
    contract = trial.case.contract
    most = contract.max_plies(trial.case.pointer)
    for seed in trial.seeds(10):
        *_, (state, _) = trial.walk(seed)
        yield from trial.expect(1 <= len(state.moves) <= most, f"1 to {most} moves", len(state.moves))
        asked = (state.seat_to_move, set(state.seats_to_move), state.legal_moves())
        yield from trial.equal(asked, (None, set(), []), "who is asked when it is over")
        shares = state.utilities
        yield from trial.expect(all(0 <= share <= 1 for share in shares), "utilities from 0 to 1", shares)
        if contract.flags & COOPERATIVE:
            yield from trial.expect(len(set(shares)) == 1, "the same utility for all", shares)
        else:
            yield from trial.expect(abs(sum(shares) - 1) <= CLOSE, "utilities that sum up to 1", shares)


@CHAPTER.check()
def turns(trial: Trial) -> Iterator[Finding]:
    """Until the end somebody is to move, and only then is anything decided."""
    for state in trial.positions(20):
        mover, asked = state.seat_to_move, state.seats_to_move
        yield from trial.equal(mover is None, state.is_over, "whether it is over, where nobody is to move")
        yield from trial.expect(all(seat in range(trial.case.players) for seat in asked), "seats of this match", sorted(asked))
        if not state.is_over:
            yield from trial.expect(mover in asked, f"the seats asked, with {mover} among them", sorted(asked))
            yield from trial.refused(MatchNotOver, "utilities before the end", partial(getattr, state, "utilities"))


@CHAPTER.check()
def answers_at_once(trial: Trial) -> Iterator[Finding]:
    """Where several seats are asked at once, one answer changes nothing for the others."""
    for seed in trial.seeds(4):
        for state, draw in trial.walk(seed):
            waiting = state.seats_to_move - {state.seat_to_move}
            before = {seat: (state.moves_of(seat), state.legal_moves(seat)) for seat in waiting}
            if waiting:
                after = state.copy()
                after.play(draw.choice(after.legal_moves()))
                trial.counts["answers"] += 1
                yield from trial.expect(
                    waiting <= after.seats_to_move, f"{sorted(waiting)} still asked", sorted(after.seats_to_move)
                )
                still = {seat: (after.moves_of(seat), after.legal_moves(seat)) for seat in waiting & after.seats_to_move}
                yield from trial.equal(still, {seat: before[seat] for seat in still}, "their legal moves after one answer")


@CHAPTER.check()
def refused_moves(trial: Trial) -> Iterator[Finding]:
    """What cannot be played is refused with the right error, and changes nothing."""
    sample = trial.sample(20, salt=1)
    texts = {text for state in sample for text in state.legal_moves()}
    for state in trial.visit(sample):
        before = state.to_bytes(), state.moves
        for nonsense in NONSENSE:
            error = MatchOver if state.is_over else NotAMove
            yield from trial.refused(error, f"the text {nonsense[:20]!r}", partial(state.play, nonsense))
        for text in sorted(texts - set(state.legal_moves())):
            try:
                state.play(text)
            except MatchOver:
                yield from trial.expect(state.is_over, f"{text} to raise IllegalMove", "MatchOver")
            except IllegalMove as illegal:
                yield from trial.expect(not state.is_over, f"{text} to raise MatchOver", "IllegalMove")
                yield from trial.equal(
                    (illegal.legal, illegal.seat), (tuple(state.legal_moves()), state.seat_to_move), "the error"
                )
            else:
                yield from trial.expect(False, f"{text} to be illegal", "it was played")
                break
        for seat in set(range(trial.case.players)) - state.seats_to_move:
            yield from trial.refused(NotToMove, "moves of a seat not asked", partial(state.legal_moves, seat))
        yield from trial.refused(BadOption, "the view of a seat there is not", partial(state.view, trial.case.players))
        yield from trial.expect((state.to_bytes(), state.moves) == before, "a state unchanged by what was refused")


@CHAPTER.check()
def observed_moves(trial: Trial) -> Iterator[Finding]:
    """Everybody is told something of every move."""
    for state in trial.positions(10):
        for seat in trial.case.observers:
            seen = state.observed_moves(seat)
            yield from trial.equal(len(seen), len(state.moves), "moves seen", seat)
            yield from trial.expect(all(seen), "a text for every move", seen, seat)


@CHAPTER.check()
def metrics(trial: Trial) -> Iterator[Finding]:
    """Every metric has a name of its own, and every value is finite."""
    contract, plugin, rules = trial.case.contract, trial.game.plugin, trial.case.rules
    names = list(plugin.metrics(rules))
    values = (ctypes.c_float * MAX_METRICS)()

    yield from trial.equal(sorted(set(names)), sorted(names), "names of metrics, each once")
    yield from trial.equal(bool(names), bool(contract.metrics), "whether metrics are named, where the engine measures some")
    if not names or not contract.metrics:
        return
    for seed in trial.seeds(5):
        first = trial.new(seed)
        *_, (last, _) = walk(first.copy(), seed)
        trial.at(last)
        yield from trial.equal(contract.metrics(trial.case.pointer, None, last.to_bytes(), values), len(names), "metrics")
        came = list(values[: len(names)])
        yield from trial.equal(list(last.metrics.values()), came, "metrics of a match, as those since the deal")
        count = contract.metrics(trial.case.pointer, first.to_bytes(), last.to_bytes(), values)
        yield from trial.equal(count, len(names), "metrics of a line")
        for name, value in zip(names, [*values[: len(names)]], strict=True):
            yield from trial.expect(math.isfinite(value), f"{name} finite", value)


@CHAPTER.check()
def weights(trial: Trial) -> Iterator[Finding]:
    """The rule of thumb gives every legal move a weight above 0, and finite."""
    for state in trial.positions(30):
        told = state.weights()
        yield from trial.equal(list(told), state.legal_moves(), "the moves that have weights")
        yield from trial.expect(all(weight > 0 and math.isfinite(weight) for weight in told.values()), "weights above 0", told)
