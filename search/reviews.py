"""Reviews: each move of a record judged by what its seat knew when it was made, and by nothing else."""

import itertools
import math
import os
import threading
from collections import deque
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from machiavel.engines import BadOption, BadRecord, Record, State, View
from machiavel.engines.registry import load
from machiavel.search.limits import Limits, is_whole
from machiavel.search.parameters import SearchParameters
from machiavel.search.recommendation import Recommendation, known_fields
from machiavel.search.search_run import DEFAULT_ITERATIONS, SearchRun

__all__ = ["LABELS", "Decision", "Judgement", "Judging", "Question", "Review", "Stopped", "Transcript", "judge", "parameters_of"]

# From which loss of win chance on a move has the label; docs/reviews.md.
LABELS: dict[str, float] = {"best": 0.0, "good": 0.0, "inaccuracy": 0.05, "mistake": 0.10, "blunder": 0.20}
ALONE = 2  # times the iterations of the first search
MOST = (1 << 40) // ALONE
CERTAIN = 2.0  # standard errors that a loss must have before it is held against a move


class Stopped(Exception):
    """The review was stopped; what it judged before stands."""


@dataclass(frozen=True)
class Decision:
    """A move of a match where its seat had a choice, and what that seat saw."""

    ply: int
    seat: int
    view: View
    move: str


@dataclass(frozen=True)
class Judgement:
    """What a move was worth, seen from its seat at its time. Chances and losses are from 0 to 1."""

    ply: int
    seat: int
    move: str
    best: str  # the move itself, where nothing was found that is better
    label: str
    loss: float  # win chance given away
    error: float  # the standard error of `loss`
    best_chance: float
    played_chance: float
    iterations: int  # done for it

    def to_json(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @classmethod
    def from_json(cls, data: Any) -> "Judgement":
        """What `to_json` wrote; raises BadOption, naming the field, for anything else."""
        result = cls(**known_fields(cls, data, "judgement"))
        if result.label not in LABELS:
            raise BadOption("label", result.label, ", ".join(LABELS))
        return result


class Transcript:
    """A record replayed: who had a choice, and when. Raises BadRecord or UnknownGame; after that nothing of it can fail."""

    def __init__(self, record: Record, seats: Collection[int] | None = None) -> None:
        """`seats` are those whose moves are reviewed, each by itself: what others did is told as that seat saw it.

        By default all are, for whoever knows the whole match, as its host does.
        """
        self.game = load(record.game)
        self.record = record
        self.end = self.game.replay(record)
        self.players = self.end.players
        self.moves = self.end.moves
        self.is_whole = seats is None
        self.seats = frozenset(range(self.players) if seats is None else seats)
        if not self.moves:
            raise BadRecord("moves", "is empty; expected at least one move to review")
        for seat in sorted(self.seats - set(range(self.players))):
            raise BadOption("seats", seat, f"seats from 0 to {self.players - 1}")
        played = [(seat, len(state.moves_of(seat)) > 1) for seat, state in self.turns()]
        self.movers = tuple(seat for seat, _ in played)
        self.choices = tuple((ply, seat) for ply, (seat, is_free) in enumerate(played) if is_free and seat in self.seats)

    def label(self, ply: int, seat: int, language: str) -> str:
        """A move in words, as it is told in what a seat's review says: of others as the seat saw them, unless all is known."""
        move = self.moves[ply] if self.is_whole else self.end.observed_moves(seat)[ply]
        return self.phrase(ply, move, "short", language)

    def phrase(self, ply: int, move: str, form: str, language: str) -> str:
        """What could be played after so many moves, as part of a sentence that anybody may read."""
        return self.game.plugin.move_phrase(self.end.rules, self.public[ply], move, (language, form))

    @cached_property
    def public(self) -> Sequence[Mapping[str, Any]]:
        """What everybody saw before each move."""
        return [state.view().to_json()["view"] for _, state in self.turns()]

    def decisions(self, known: Collection[int] = ()) -> Iterator[Decision]:
        """The moves to judge in their order, but for the plies known already. A move without another is none of them."""
        wanted = {ply for ply, _ in self.choices}.difference(known)
        for ply, (seat, state) in enumerate(self.turns()):
            if ply in wanted:
                yield Decision(ply, seat, state.view(seat), self.moves[ply])

    def turns(self) -> Iterator[tuple[int, State]]:
        """Who moved, and the match before each move: one state, that goes on."""
        state = self.game.replay(replace(self.record, moves=()))
        for move in self.moves:
            yield state.seat_to_move or 0, state
            state.play(move)


# ---- One move ----


@dataclass(frozen=True)
class Question:
    """A search that a judgement needs: of all moves, or of some, even where that is a single one."""

    iterations: int
    moves: tuple[str, ...] | None = None


Judging = Generator[Question, Recommendation, Judgement]


def judge(decision: Decision, iterations: int) -> Judging:
    """Judges a move by the answers to the questions it asks; raises Stopped where one was not searched to its end.

    A first search finds the best move. The move played, if it is another, and the best then get twice as much each, alone: in the
    first the one had few visits, and the other was chosen for its luck. With as much or less, plans that take several moves are
    not yet seen, and losses come out too small (docs/reviews.md).
    """
    first = finished((yield Question(iterations)))
    top = first.candidates[0]
    if first.best == decision.move:
        chance = top.win_chance
        return Judgement(
            decision.ply, decision.seat, decision.move, first.best, "best", 0.0, 0.0, chance, chance, first.iterations
        )
    best = finished((yield Question(ALONE * iterations, (first.best,))))
    played = finished((yield Question(ALONE * iterations, (decision.move,))))
    one, other = best.candidates[0], played.candidates[0]
    loss = max(0.0, one.win_chance - other.win_chance)
    error = math.sqrt(one.win_chance_error**2 + other.win_chance_error**2)
    return Judgement(
        decision.ply,
        decision.seat,
        decision.move,
        first.best if loss > 0 else decision.move,
        label_of(loss, error),
        loss,
        error,
        max(one.win_chance, other.win_chance),
        other.win_chance,
        first.iterations + best.iterations + played.iterations,
    )


def finished(recommendation: Recommendation) -> Recommendation:
    if recommendation.stopped != "iterations":
        raise Stopped
    return recommendation


def label_of(loss: float, error: float) -> str:
    """A loss that may be the luck of the search is held against nobody."""
    if loss <= 0:
        return "best"
    if loss < CERTAIN * error:
        return "good"
    return next(label for label, least in reversed(LABELS.items()) if loss >= least)


def parameters_of(parameters: SearchParameters | None) -> SearchParameters:
    """As a review searches: moves are judged at once, so each search has a thread."""
    return replace(parameters or SearchParameters(), threads=1)


# ---- All moves ----


class Review:
    """The moves of a record, judged on so many threads (all cores); iterating gives the judgements in the order of the moves.

    Judgements depend on the record, the iterations a move and the parameters, never on the threads. Those `known` from before are
    given again and not made again.
    """

    def __init__(
        self,
        transcript: Transcript,
        iterations: int = DEFAULT_ITERATIONS,
        parameters: SearchParameters | None = None,
        *,
        threads: int | None = None,
        known: Collection[Judgement] = (),
    ) -> None:
        """Raises BadOption for what cannot be."""
        if not is_whole(iterations) or not 1 <= iterations < MOST:
            raise BadOption("iterations", iterations, f"a whole number from 1 to {MOST - 1}")
        self.transcript = transcript
        self.iterations = iterations
        self.parameters = parameters_of(parameters).for_game(transcript.game)
        self.threads = threads or os.cpu_count() or 1
        self.known = {one.ply: one for one in known}
        self.lock = threading.Lock()
        self.searching: set[SearchRun] = set()
        self.stopped = False

    def __iter__(self) -> Iterator[Judgement]:
        """Raises Stopped after `stop`."""
        decisions = self.transcript.decisions(self.known)
        ahead: deque[tuple[int, Future[Judgement]]] = deque()
        pool = ThreadPoolExecutor(self.threads)
        try:
            for ply, _ in self.transcript.choices:
                for one in itertools.islice(decisions, 2 * self.threads - len(ahead)):
                    ahead.append((one.ply, pool.submit(self.judged, one)))
                yield self.known[ply] if ply in self.known else ahead.popleft()[1].result()
        finally:
            if ahead:
                self.stop()
            pool.shutdown(cancel_futures=True)

    def stop(self) -> None:
        """Ends it within milliseconds; may be called from any thread."""
        with self.lock:
            self.stopped = True
            for search_run in self.searching:
                search_run.stop()

    def judged(self, decision: Decision) -> Judgement:
        judging = judge(decision, self.iterations)
        question = next(judging)
        while True:
            try:
                question = judging.send(self.answer(decision.view, question))
            except StopIteration as done:
                judgement: Judgement = done.value
                return judgement

    def answer(self, view: View, question: Question) -> Recommendation:
        search_run = SearchRun(view, Limits(iterations=question.iterations), self.parameters, question.moves, insist=True)
        with self.lock:
            if self.stopped:
                raise Stopped
            self.searching.add(search_run)
        try:
            return search_run.answer(str(search_run.work(0)))
        finally:
            with self.lock:
                self.searching.discard(search_run)
