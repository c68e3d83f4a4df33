"""A question being thought about: its trees, the work left, and the answer at any time."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from machiavel.engines import BadOption, IllegalMove, Rules, View
from machiavel.search._background import Background
from machiavel.search._search import Search, root_moves
from machiavel.search.calibration import curve_of
from machiavel.search.limits import Limits
from machiavel.search.parameters import SearchParameters
from machiavel.search.recommendation import Candidate, Recommendation
from machiavel.search.unseen_maps import MapRun, UnseenMap

__all__ = [
    "DEFAULT_ITERATIONS",
    "Memory",
    "Progress",
    "Search",
    "SearchRun",
    "recommend",
    "release",
    "root_moves",
    "think",
]

Progress = Callable[[Recommendation], object]

DEFAULT_ITERATIONS = 2000
MEGABYTE = 1 << 20
LINE_VISITS, LINE_LENGTH = 8, 12
BYTES_AN_ITERATION = 256  # a node and its edges, and room to grow
MAP_SHARE = 0.5  # of the time there is: the rest is the search's
MAP_SLICE = 0.004  # seconds
SLICES = 8  # between two looks at whether somebody wants to hear of progress


class Memory:
    """The trees of a match so far, as one of its seats searched it. Not to be used by two questions at once."""

    def __init__(self) -> None:
        self.made_for: tuple[Rules, SearchParameters, bool] | None = None
        self.searches: list[Search] = []
        self.question: object = None  # that the trees are searched for now


class SearchRun:
    """One question. Its trees may be run by different threads, each by one at a time; the rest may be called from any."""

    def __init__(
        self,
        view: View,
        limits: Limits | None = None,
        parameters: SearchParameters | None = None,
        moves: Sequence[str] | None = None,
        *,
        explain: bool = False,
        insist: bool = False,
        unseen: bool = False,
        memory: Memory | None = None,
    ) -> None:
        """Raises as `recommend` does; with `insist` a single move is searched, too; with `unseen` the map is made first."""
        limits = limits or Limits()
        limits.check()
        self.end = limits.end(time.monotonic())
        self.view = view
        self.parameters = (parameters or SearchParameters()).for_game(view.game)
        self.curve = curve_of(view.game.name, view.players)
        legal = {view.game.plugin.move_text(view.rules, move): move for move in root_moves(view)}
        chosen = legal if moves is None else restricted(legal, view.seat or 0, moves)
        self.numbers = sorted(chosen.values())
        self.texts = {move: text for text, move in chosen.items()}
        self.metric_names = tuple(view.game.plugin.metrics(view.rules)) if explain else ()
        total = limits.iterations
        if limits.seconds is None and limits.deadline is None and total is None:
            total = DEFAULT_ITERATIONS
        threads = self.parameters.threads
        self.shares = [None if total is None else total // threads + (number < total % threads) for number in range(threads)]
        self.memory = memory
        self.searches = self.plant(total, memory)
        self.is_forced = len(self.numbers) == 1 and not insist
        inference = bool(self.parameters.inference)
        self.map_run = MapRun(view, self.parameters.seed, inference=inference) if unseen else None
        began = time.monotonic()
        self.map_end = None if self.end is None else began + (self.end - began) * MAP_SHARE

    def plant(self, total: int | None, memory: Memory | None) -> list[Search]:
        seeds = thread_seeds(self.parameters)
        explain = bool(self.metric_names)
        if memory is not None:
            memory.question = self
        made_for = (self.view.rules, replace(self.parameters, seed=0), explain)
        if memory is not None and memory.made_for == made_for:
            for search, seed in zip(memory.searches, seeds, strict=True):
                search.go_on(self.view, self.numbers, seed)
            return memory.searches
        arena = self.parameters.megabytes * MEGABYTE
        if total is not None and memory is None:
            arena = min(arena, BYTES_AN_ITERATION * total)
        searches = [
            Search(self.view, self.numbers, replace(self.parameters, seed=seed), arena, explain=explain) for seed in seeds
        ]
        if memory is not None:
            memory.made_for, memory.searches = made_for, searches
        return searches

    def work(self, tree: int, slices: int | None = None, background: Background | None = None) -> str | None:
        """Go on with one of the trees, in the background where there is one; why it ended, or None after so many slices."""
        if tree == 0 and self.map_run is not None and not self.made_map(self.map_run, slices):
            return None
        if self.is_forced:
            return "forced"
        return self.searches[tree].run(self.shares[tree], self.end, slices, background)

    @property
    def unseen(self) -> UnseenMap | None:
        """Where unseen cards are, once that is known; None where it was not asked for, or time did not allow it."""
        return None if self.map_run is None else self.map_run.map

    def made_map(self, map_run: MapRun, slices: int | None) -> bool:
        """Whether the map need not be worked on any more; with slices after one of them, at the latest."""
        while map_run.map is None and (self.map_end is None or time.monotonic() < self.map_end):
            if not map_run.work(MAP_SLICE) and slices is not None:
                return False
        return True

    def stop(self) -> None:
        """Ends the work on this question, and not on a later one of the same memory."""
        if self.memory is not None and self.memory.question is not self:
            return
        for search in self.searches:
            search.stop()

    def answer(self, stopped: str) -> Recommendation:
        """As far as it got."""
        looks = [search.look(LINE_VISITS, LINE_LENGTH if number == 0 else 0) for number, search in enumerate(self.searches)]
        result = [self.candidate(at, [look[at] for look in looks]) for at in range(len(self.numbers))]
        result.sort(key=lambda one: (-one.visits, -one.utility))
        visits = sum(one.visits for one in result)
        view = self.view
        return Recommendation(
            view.game.name,
            view.game.rules_version,
            release(),
            view.seat or 0,
            result[0].move,
            tuple(result),
            result[0].visits / visits if visits else 1.0 / len(result),
            self.parameters,
            sum(search.iterations for search in self.searches),
            stopped,
        )

    def candidate(self, at: int, looks: Sequence[tuple[int, float, float, list[float], list[tuple[int, int]], int]]) -> Candidate:
        """A root move from what each tree counted."""
        visits = sum(look[0] for look in looks)
        mean = sum(look[1] for look in looks) / visits if visits else 0.0
        squares = sum(look[2] for look in looks)
        variance = max(0.0, squares / visits - mean * mean) / (visits - 1) if visits > 1 else 0.25
        measured = sum(look[5] for look in looks)
        metrics = {
            name: sum(look[3][number] for look in looks) / measured for number, name in enumerate(self.metric_names) if measured
        }
        plugin, rules = self.view.game.plugin, self.view.rules
        line = tuple(
            plugin.move_text(rules, move) if seat == self.view.seat else plugin.public_text(rules, move)
            for seat, move in looks[0][4]
        )
        error = math.sqrt(variance)  # exact; a power is libm's, whose last bit depends on the CPU
        return Candidate(
            self.texts[self.numbers[at]],
            visits,
            self.curve.chance(mean),
            self.curve.error(mean, error),
            mean,
            error,
            metrics,
            line,
        )


def recommend(
    view: View,
    limits: Limits | None = None,
    parameters: SearchParameters | None = None,
    moves: Sequence[str] | None = None,
    *,
    explain: bool = False,
    memory: Memory | None = None,
    progress: Progress | None = None,
    every: float = 0.25,
) -> Recommendation:
    """What the view's seat should play.

    Without limits 2,000 iterations; `moves` restricts the moves looked at; `explain` measures the engine's metrics as well; with
    a `memory` what earlier moves of the match found out goes on counting; `progress` hears the answer so far, about every so
    many seconds.

    Raises NotToMove where the seat is not asked, IllegalMove for a move it does not have, BadOption for limits or parameters
    that cannot be.
    """
    search_run = SearchRun(view, limits, parameters, moves, explain=explain, memory=memory)
    if progress is None:
        progress, every = (lambda _: None), float("inf")
    try:
        if len(search_run.searches) == 1:
            stopped = think(search_run, 0, progress, every)
        else:
            stopped = think_in_threads(search_run, progress, every)
    except BaseException:
        search_run.stop()
        raise
    return search_run.answer(stopped)


def think(search_run: SearchRun, tree: int, progress: Progress, every: float) -> str:
    """All the work of one tree; returns why it ended."""
    heard = time.monotonic()
    while (stopped := search_run.work(tree, SLICES)) is None:
        if time.monotonic() - heard >= every:
            progress(search_run.answer("running"))
            heard = time.monotonic()
    return stopped


def think_in_threads(search_run: SearchRun, progress: Progress, every: float) -> str:
    def work(tree: int) -> str | None:
        try:
            return search_run.work(tree)
        except BaseException:
            search_run.stop()  # nobody waits for the other trees
            raise

    with ThreadPoolExecutor(len(search_run.searches)) as pool:
        others = [pool.submit(work, tree) for tree in range(1, len(search_run.searches))]
        try:
            return max(think(search_run, 0, progress, every), *(str(other.result()) for other in others))
        except BaseException:
            search_run.stop()
            raise


def thread_seeds(parameters: SearchParameters) -> list[int]:
    """A seed for each tree; the first is the search's own."""
    return [(parameters.seed + number * 0x9E3779B97F4A7C15) % (1 << 63) for number in range(parameters.threads)]


def restricted(legal: Mapping[str, int], seat: int, moves: Sequence[str]) -> dict[str, int]:
    for move in moves:
        if move not in legal:
            raise IllegalMove(move, seat, "", sorted(legal))
    if not moves:
        raise BadOption("moves", moves, "at least one legal move, or None for all")
    return {move: legal[move] for move in moves}


@cache
def release() -> str:
    try:
        return f"machiavel {version('machiavel')}"
    except PackageNotFoundError:
        return "machiavel"
