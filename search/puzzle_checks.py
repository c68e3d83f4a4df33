"""Whether a position is a puzzle: one move is clearly best by what its seat knows, and not everybody finds it."""

import hashlib
import math
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from machiavel.engines import View
from machiavel.search.bots import GreedyBot, make_bot
from machiavel.search.explaining import explain
from machiavel.search.limits import Limits
from machiavel.search.parameters import SearchParameters
from machiavel.search.puzzles import LEAD, PuzzleMove
from machiavel.search.recommendation import Candidate, Recommendation
from machiavel.search.search_run import DEFAULT_ITERATIONS, SearchRun

__all__ = ["CheckSettings", "CheckedPosition", "PositionChecks", "SearchStopped", "lead_of"]

GLANCE = 5  # the first look has so many times less thinking
NEARLY = 0.8  # of the position's lead, before it is worth the long check
NEARLY_ALWAYS = 0.8  # of the tries, in which a bot finds a move
TOO_OFTEN, OFTEN = 0.7, 0.6  # of the tries of the lowest level; the second where the rule of thumb finds the move, too
LEAST_OF_TOP = 0.5  # of the tries of the highest level: what that misses more often is no fair question
MOST_KNOWN = 10_000  # positions
CERTAIN, LIKELY = 2.0, 1.0  # standard errors that the lead must have beyond what is asked for: searched alone, and all at once


class SearchStopped(Exception):
    """The search was ended from outside."""


@dataclass(frozen=True)
class CheckSettings:
    """What a position must stand."""

    iterations: int = DEFAULT_ITERATIONS  # of a usual search
    times: int = 10  # so much more thinking, to be sure
    seeds: tuple[int, ...] = (1, 2, 3)  # under each of which the same must come out
    lead: float = LEAD
    levels: tuple[int, ...] = (1, 3, 5, 7, 9)  # bots that try, ascending
    tries: int = 30  # of each


@dataclass(frozen=True)
class CheckedPosition:
    """What the checks found."""

    best: str
    lead: float  # the least under any seed
    moves: tuple[PuzzleMove, ...]  # in the order of the legal moves
    solved: Mapping[int, float]
    level: int
    sentences: tuple[Mapping[str, str], ...]


class PositionChecks:
    """Checks positions one after the other, in any number of threads; may be stopped from any."""

    def __init__(self, settings: CheckSettings) -> None:
        self.settings = settings
        self._lock = threading.Lock()
        self._searching: set[SearchRun] = set()
        self._stopped = False
        # Small games have few positions, which come again and again.
        self._known: OrderedDict[bytes, CheckedPosition | None] = OrderedDict()

    def stop(self) -> None:
        """Ends all searches within milliseconds; what is asked afterwards raises SearchStopped."""
        with self._lock:
            self._stopped = True
            for search_run in self._searching:
                search_run.stop()

    @property
    def is_stopped(self) -> bool:
        return self._stopped

    # ---- The sieve, the cheap things first ----

    def glance(self, view: View) -> str | None:
        """The move that looks clearly best at first sight; None where there is none."""
        if len(view.legal_moves()) < 2:
            return None
        found = self.search(view, max(1, self.settings.iterations // GLANCE), seed_of(view))
        return found.best if lead_of(found.candidates) >= self.settings.lead else None

    def check(self, view: View, first: str) -> CheckedPosition | None:
        """All that a puzzle must stand, where `first` looked best; None where it does not."""
        key = view.to_bytes()
        if key not in self._known:
            self._known[key] = self.checked(view, first)
            while len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
        return self._known[key]

    def checked(self, view: View, first: str) -> CheckedPosition | None:
        settings = self.settings
        if self.is_trivial(view, first):
            return None
        usual = self.best_of(view, settings.iterations, seed_of(view), NEARLY * settings.lead)
        if usual is None:
            return None
        found: list[Recommendation] = []
        for one in settings.seeds:
            result = self.best_of(view, settings.times * settings.iterations, one, settings.lead, certain=True)
            if result is None or result.best != usual.best:
                return None
            found.append(result)
        best = usual.best
        if best != first and self.is_trivial(view, best):
            return None
        solved = {level: self.share_of(view, level, best) for level in settings.levels}
        if solved and solved[max(solved)] < LEAST_OF_TOP:
            return None
        return self.told(view, found, solved)

    def is_trivial(self, view: View, best: str) -> bool:
        """Whether the weakest find it, too: the lowest level mostly, or a little less often where the rule of thumb does."""
        if not self.settings.levels:
            return False
        share = self.share_of(view, self.settings.levels[0], best)
        return share >= TOO_OFTEN or (share >= OFTEN and GreedyBot().choose(view) == best)

    def share_of(self, view: View, level: int, best: str) -> float:
        """How often a bot of that level plays the move, with luck of its own each time."""
        hits = 0
        for number in range(self.settings.tries):
            if self._stopped:
                raise SearchStopped
            hits += make_bot(f"level{level}:seed={1000 + number},reuse=false").choose(view) == best
        return hits / self.settings.tries

    def best_of(self, view: View, iterations: int, seed: int, lead: float, *, certain: bool = False) -> Recommendation | None:
        """The candidates, each searched alone with so much thinking; None where the best is not so far ahead of every other.

        In the search of all moves it must be ahead as well. There the others have had few visits, and their chances come out too
        small, so that alone does not count.
        """
        alone, at_once = (CERTAIN, LIKELY) if certain else (0.0, 0.0)
        whole = self.search(view, iterations, seed)
        best, *others = whole.candidates
        if not others or not all(is_ahead(best, one, lead, at_once) for one in others):
            return None
        result = [self.alone(view, iterations, seed, best.move)]
        for one in sorted(others, key=lambda one: -one.win_chance):
            other = self.alone(view, iterations, seed, one.move)
            if not is_ahead(result[0], other, lead, alone):
                return None
            result.append(other)
        result[1:] = sorted(result[1:], key=lambda one: -one.win_chance)
        return replace(whole, candidates=tuple(result), settled=1.0)

    def alone(self, view: View, iterations: int, seed: int, move: str) -> Candidate:
        return self.search(view, iterations, seed, [move]).candidates[0]

    def search(self, view: View, iterations: int, seed: int, moves: Sequence[str] | None = None) -> Recommendation:
        parameters = SearchParameters(seed=seed, threads=1)
        search_run = SearchRun(view, Limits(iterations=iterations), parameters, moves, explain=moves is not None, insist=True)
        with self._lock:
            if self._stopped:
                raise SearchStopped
            self._searching.add(search_run)
        try:
            stopped = str(search_run.work(0))
        finally:
            with self._lock:
                self._searching.discard(search_run)
        if stopped != "iterations":
            raise SearchStopped
        return search_run.answer(stopped)

    # ---- What is kept of it ----

    def told(self, view: View, found: Sequence[Recommendation], solved: Mapping[int, float]) -> CheckedPosition:
        """The searches under all seeds as one, with the sentences that follow from it."""
        by_seed = [{one.move: one for one in result.candidates} for result in found]
        candidates = [pooled([chances[move] for chances in by_seed]) for move in by_seed[0]]
        candidates.sort(key=lambda one: -one.win_chance)
        whole = replace(found[0], candidates=tuple(candidates), iterations=sum(one.visits for one in candidates))
        moves = {one.move: PuzzleMove(one.move, one.win_chance, one.win_chance_error) for one in candidates}
        return CheckedPosition(
            whole.best,
            min(lead_of(result.candidates) for result in found),
            tuple(moves[move] for move in view.legal_moves()),
            solved,
            level_from(solved),
            tuple({"kind": one.kind, **one.texts} for one in explain(view, whole).sentences),
        )


def seed_of(view: View) -> int:
    """The luck of searches that need not be like any others."""
    return int.from_bytes(hashlib.blake2b(view.to_bytes(), digest_size=4).digest(), "big")


def is_ahead(best: Candidate, other: Candidate, lead: float, sure: float) -> bool:
    """Whether a move is so far behind the best one, and so many standard errors more."""
    error = math.sqrt(best.win_chance_error**2 + other.win_chance_error**2)
    return best.win_chance - other.win_chance >= lead + sure * error


def lead_of(candidates: Sequence[Candidate]) -> float:
    """How far every other move is behind the first in win chance; below 0 where one is ahead."""
    return candidates[0].win_chance - max((one.win_chance for one in candidates[1:]), default=1.0)


def level_from(solved: Mapping[int, float]) -> int:
    """The lowest level from which on all find it nearly always; one above the highest where that does not."""
    result = max(solved, default=0) + 1
    for level in sorted(solved, reverse=True):
        if solved[level] < NEARLY_ALWAYS:
            break
        result = level
    return result


def pooled(found: Sequence[Candidate]) -> Candidate:
    """A move as several searches of the same length have found it, taken together."""
    count = len(found)
    metrics = {name: sum(one.metrics[name] for one in found) / count for name in found[0].metrics}
    return Candidate(
        found[0].move,
        sum(one.visits for one in found),
        sum(one.win_chance for one in found) / count,
        math.sqrt(sum(one.win_chance_error**2 for one in found)) / count,
        sum(one.utility for one in found) / count,
        math.sqrt(sum(one.standard_error**2 for one in found)) / count,
        metrics,
        found[0].line,
    )
