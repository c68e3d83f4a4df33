"""What a search recommends: moves with visits and win chances, and what was done to find them."""

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any

from machiavel.engines import BadOption, IllegalMove, View
from machiavel.search._search import POLICIES, VARIANTS, Search, root_moves
from machiavel.search.limits import Limits

__all__ = ["Candidate", "Recommendation", "SearchParameters", "recommend"]

DEFAULT_ITERATIONS = 2000
MEGABYTE = 1 << 20
LINE_VISITS, LINE_LENGTH = 8, 12
BYTES_AN_ITERATION = 512  # a node and its edges, twice over


@dataclass(frozen=True)
class SearchParameters:
    """How to search. With a seed and a number of iterations the same view gets the same answer, in any process."""

    variant: str = "single"
    exploration: float = 0.7  # the constant of UCB1, in utilities
    policy: str = "uniform"  # of playouts; `weighted`: by the engine's rule of thumb
    prior: float = 0.0  # how much the rule of thumb counts in the tree, in utilities
    seed: int = 0
    worlds: int = 32  # pimc: how many worlds are searched apart
    megabytes: int = 16  # the arena of each thread; when it is full the tree stops growing and the search goes on
    threads: int = 1  # as many trees, added up at the root; iterations are shared out, time is not


@dataclass(frozen=True)
class Candidate:
    """A move of the root, by what followed it in the worlds searched.

    The win chance is the mean utility of the seat that asked, from 0 to 1, with its standard error; `metrics` are means of the
    engine's quantities at the end of the lines, and empty unless asked for.
    """

    move: str
    visits: int
    win_chance: float
    standard_error: float
    metrics: Mapping[str, float]


@dataclass(frozen=True)
class Recommendation:
    """The answer: candidates from the best down.

    `stopped` tells why the search ended: `iterations`, `time`, `stopped`, or `forced` where there was a single move. `settled`
    is the share of all visits that the best move has. `line` is what is played from here in one of the worlds, by the most
    visited moves; what the seat would not see of it is hidden.
    """

    game: str
    rules_version: int
    seat: int
    best: str
    candidates: tuple[Candidate, ...]
    line: tuple[str, ...]
    settled: float
    parameters: SearchParameters
    iterations: int
    stopped: str

    def to_json(self) -> dict[str, Any]:
        """As an object that `json` can write; nothing in it says how long anything took."""
        return asdict(self) | {
            "candidates": [asdict(candidate) for candidate in self.candidates],
            "line": list(self.line),
        }


def recommend(
    view: View,
    limits: Limits | None = None,
    parameters: SearchParameters | None = None,
    moves: Sequence[str] | None = None,
    *,
    explain: bool = False,
) -> Recommendation:
    """What the view's seat should play.

    Without limits 2,000 iterations; `moves` restricts the moves looked at; `explain` measures the engine's metrics as well.
    Raises NotToMove where the seat is not asked, IllegalMove for a move it does not have, BadOption for limits or parameters
    that cannot be.
    """
    limits = limits or Limits(iterations=DEFAULT_ITERATIONS)
    parameters = parameters or SearchParameters()
    check(limits, parameters)
    legal = {view.game.plugin.move_text(view.rules, move): move for move in root_moves(view)}
    chosen = legal if moves is None else restricted(legal, view.seat or 0, moves)
    numbers = sorted(chosen.values())
    searches = [
        Search(view, numbers, replace(parameters, seed=seed), arena_of(limits, parameters), explain=explain)
        for seed in thread_seeds(parameters)
    ]
    stopped = "forced" if len(numbers) == 1 else run(searches, limits)
    texts = {move: text for text, move in chosen.items()}
    names = view.game.plugin.metrics(view.rules) if explain else ()
    roots = [search.root() for search in searches]
    measured = [search.metrics() for search in searches]
    found = [
        candidate(texts[move], [root[at] for root in roots], names, [sums[at] for sums in measured])
        for at, move in enumerate(numbers)
    ]
    found.sort(key=lambda one: (-one.visits, -one.win_chance))
    iterations = sum(search.iterations for search in searches)
    return Recommendation(
        view.game.name,
        view.game.rules_version,
        view.seat or 0,
        found[0].move,
        tuple(found),
        line_of(view, searches[0]),
        found[0].visits / iterations if iterations else 1.0,
        parameters,
        iterations,
        stopped,
    )


def thread_seeds(parameters: SearchParameters) -> list[int]:
    """A seed for each tree; the first is the search's own."""
    return [(parameters.seed + number * 0x9E3779B97F4A7C15) % (1 << 63) for number in range(parameters.threads)]


def run(searches: Sequence[Search], limits: Limits) -> str:
    """Run all trees at once; returns why they ended."""
    deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
    total = limits.iterations
    if total is None and deadline is None:
        total = DEFAULT_ITERATIONS
    shares: list[int | None] = [
        None if total is None else total // len(searches) + (number < total % len(searches)) for number in range(len(searches))
    ]
    if len(searches) == 1:
        return searches[0].run(shares[0], deadline)
    with ThreadPoolExecutor(len(searches)) as pool:
        jobs = [pool.submit(search.run, share, deadline) for search, share in zip(searches, shares, strict=True)]
        try:
            return max(job.result() for job in jobs)
        except BaseException:
            for search in searches:
                search.stop()
            raise


def line_of(view: View, search: Search) -> tuple[str, ...]:
    plugin, rules = view.game.plugin, view.rules
    return tuple(
        plugin.move_text(rules, move) if seat == view.seat else plugin.public_text(rules, move)
        for seat, move in search.line(LINE_VISITS, LINE_LENGTH)
    )


def arena_of(limits: Limits, parameters: SearchParameters) -> int:
    """The bytes of a search's arena: no more than so many iterations can fill."""
    most = parameters.megabytes * MEGABYTE
    return most if limits.iterations is None else min(most, BYTES_AN_ITERATION * limits.iterations)


def candidate(
    move: str, rows: Sequence[tuple[int, float, float]], names: Sequence[str], measured: Sequence[Sequence[float]]
) -> Candidate:
    """A root move from what each tree counted."""
    visits = sum(row[0] for row in rows)
    mean = sum(row[1] for row in rows) / visits if visits else 0.0
    squares = sum(row[2] for row in rows)
    variance = max(0.0, squares / visits - mean * mean) / (visits - 1) if visits > 1 else 0.25
    metrics = {name: sum(sums[at] for sums in measured) / visits for at, name in enumerate(names) if visits}
    return Candidate(move, visits, mean, variance**0.5, metrics)


def restricted(legal: Mapping[str, int], seat: int, moves: Sequence[str]) -> dict[str, int]:
    for move in moves:
        if move not in legal:
            raise IllegalMove(move, seat, "", sorted(legal))
    if not moves:
        raise BadOption("moves", moves, "at least one legal move, or None for all")
    return {move: legal[move] for move in moves}


def check(limits: Limits, parameters: SearchParameters) -> None:
    if limits.iterations is not None and not 1 <= limits.iterations < 1 << 40:
        raise BadOption("iterations", limits.iterations, "at least 1")
    if limits.seconds is not None and not 0 < limits.seconds < 1e6:
        raise BadOption("seconds", limits.seconds, "more than 0")
    if parameters.variant not in VARIANTS:
        raise BadOption("variant", parameters.variant, " or ".join(VARIANTS))
    if not 0 <= parameters.exploration <= 100:
        raise BadOption("exploration", parameters.exploration, "0 to 100")
    if parameters.policy not in POLICIES:
        raise BadOption("policy", parameters.policy, " or ".join(POLICIES))
    if not 0 <= parameters.prior <= 100:
        raise BadOption("prior", parameters.prior, "0 to 100")
    if not 0 <= parameters.seed < 1 << 63:
        raise BadOption("seed", parameters.seed, "0 to 2^63 - 1")
    if not 1 <= parameters.worlds <= 1024:
        raise BadOption("worlds", parameters.worlds, "1 to 1024")
    if not 1 <= parameters.threads <= 256:
        raise BadOption("threads", parameters.threads, "1 to 256")
    if not 1 <= parameters.megabytes <= 65536:
        raise BadOption("megabytes", parameters.megabytes, "1 to 65536")
