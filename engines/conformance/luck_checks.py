"""Seeds and laid-out luck: what makes a match the same again."""

import ctypes
import random
from collections.abc import Callable, Iterator

from machiavel.engines.conformance.cases import ConformanceCase
from machiavel.engines.conformance.checks import Chapter
from machiavel.engines.conformance.engine_struct import LUCK_INVALID, LUCK_MISSING, SEEDED, LaidOutcome, Luck
from machiavel.engines.conformance.trial import Finding, Trial, walk

__all__ = ["CHAPTER"]

CHAPTER = Chapter("luck")


class BareHost:
    """Plays through the bare contract, with luck as it likes."""

    def __init__(self, case: ConformanceCase, luck: Luck) -> None:
        self.contract = case.contract
        self.rules = case.rules  # owns what `pointer` points to
        self.pointer = case.pointer
        self.luck = luck
        self.state = ctypes.create_string_buffer(self.contract.state_size)
        self.moves = (ctypes.c_uint16 * self.contract.max_moves)()

    def deal(self) -> bytes:
        self.contract.deal(self.pointer, self.luck, self.state)
        return self.state.raw

    def legal(self) -> list[int]:
        seat = self.contract.to_move(self.pointer, self.state)
        return self.moves[: self.contract.legal_moves(self.pointer, self.state, seat, self.moves)] if seat >= 0 else []

    def apply(self, move: int) -> bytes:
        self.contract.apply(self.pointer, self.state, move, self.luck)
        return self.state.raw


class UnfitLuck(Exception):
    """An engine asks for luck, and takes none."""


class LaidOut:
    """Luck that grows as the match asks for it, each outcome some order of what is possible."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.outcomes: list[tuple[int, int, bytes]] = []
        self.luck = Luck()

    def lay(self, outcomes: list[tuple[int, int, bytes]]) -> None:
        laid = (LaidOutcome * len(outcomes))()
        for place, (purpose, counter, items) in zip(laid, outcomes, strict=True):
            place.purpose, place.counter, place.count, place.values = purpose, counter, len(items), items
        self.luck.laid = laid
        self.luck.laid_count = len(outcomes)
        self.luck.failed = 0

    def answer(self, attempt: Callable[[], object]) -> None:
        """Call `attempt`, which must begin from the same state each time, until no luck is missing."""
        self.lay(self.outcomes)
        attempt()
        while self.luck.failed:
            event = self.luck.failed_purpose, self.luck.failed_counter
            if self.luck.failed != LUCK_MISSING:
                raise UnfitLuck(f"outcome {event} was taken, and then refused")
            items = self.luck.expected[: self.luck.expected_count]
            self.draw.shuffle(items)
            # How many of them are drawn, only the engine knows; all of them is the first guess.
            for count in range(len(items), 0, -1):
                self.lay([*self.outcomes, (*event, bytes(items[:count]))])
                attempt()
                if self.luck.failed != LUCK_INVALID:
                    break
            else:
                raise UnfitLuck(f"no outcome fits {event}, of {len(items)} items that it names")
            self.outcomes.append((*event, bytes(items[:count])))


def seeded(seed: int, outcomes: LaidOut | None = None) -> Luck:
    luck = Luck(flags=SEEDED, laid=outcomes.luck.laid if outcomes else None)
    luck.seed[:] = [seed & (1 << 64) - 1, ~seed & (1 << 64) - 1]
    luck.laid_count = outcomes.luck.laid_count if outcomes else 0
    return luck


@CHAPTER.check()
def luck_outside(trial: Trial) -> Iterator[Finding]:
    """Luck is no part of the state: with all luck laid out, any seed gives the same bytes at every move."""
    for seed in trial.seeds(3):
        laid = LaidOut(random.Random(seed))
        host = BareHost(trial.case, laid.luck)
        trial.note(f"a match with laid-out luck, shuffled by {seed}")
        trial.counts["matches"] += 1
        laid.answer(host.deal)
        states, moves = [host.state.raw], []
        while legal := host.legal():
            before = host.state.raw
            moves.append(laid.draw.choice(legal))

            def attempt(host: BareHost = host, before: bytes = before, move: int = moves[-1]) -> None:
                host.state.raw = before
                host.apply(move)

            laid.answer(attempt)
            states.append(host.state.raw)
            trial.counts["positions"] += 1
        laid.lay(laid.outcomes)
        for luck in (laid.luck, seeded(1, laid), seeded(2, laid)):
            again = BareHost(trial.case, luck)
            same = [again.deal(), *map(again.apply, moves)]
            differs = next((ply for ply, pair in enumerate(zip(same, states, strict=True)) if pair[0] != pair[1]), None)
            yield from trial.expect(differs is None, "the same states with the same luck", f"others after {differs} moves")
            yield from trial.expect(not luck.failed, "no luck asked for that was not laid out", f"purpose {luck.failed_purpose}")


@CHAPTER.check()
def seeds(trial: Trial) -> Iterator[Finding]:
    """Deals differ from seed to seed, exactly where the engine asks for luck."""
    trial.note("deals of 50 seeds")
    first = trial.seeds(1)[0]
    deals = {BareHost(trial.case, seeded(seed)).deal() for seed in range(first, first + 50)}
    trial.counts["deals"] += 50
    laid = LaidOut(random.Random(0))
    laid.answer(BareHost(trial.case, laid.luck).deal)

    expected = "different deals" if laid.outcomes else "one deal, since it asks for no luck"
    yield from trial.expect((len(deals) > 1) == bool(laid.outcomes), expected, f"{len(deals)} deals of 50 seeds")


@CHAPTER.check()
def same_again(trial: Trial) -> Iterator[Finding]:
    """The same seed and moves give the same bytes."""
    for state in trial.positions(10):
        again = trial.game.deal(trial.case.rules, seed=state.seed)
        for move in state.moves:
            again.play(move)
        yield from trial.expect(again.to_bytes() == state.to_bytes(), "the same state when it is played again")


@CHAPTER.check()
def copies(trial: Trial) -> Iterator[Finding]:
    """A copy of a match goes its own way."""
    for state in trial.positions(10):
        before = state.to_bytes()
        copy = state.copy()
        yield from trial.expect(copy.to_bytes() == before, "a copy with the same bytes")
        for _ in walk(copy, 0):
            pass
        yield from trial.expect(state.to_bytes() == before, "a state that its copy's moves do not change")
