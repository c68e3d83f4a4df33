"""What a search recommends: moves with visits and win chances, and what was done to find them."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from machiavel.engines import BadOption, IllegalMove, View
from machiavel.search._search import POLICIES, VARIANTS, Search, root_moves
from machiavel.search.limits import Limits

__all__ = ["Candidate", "Recommendation", "SearchParameters", "recommend"]

DEFAULT_ITERATIONS = 2000
MEGABYTE = 1 << 20
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
    megabytes: int = 16  # the arena; when it is full the tree stops growing and the search goes on


@dataclass(frozen=True)
class Candidate:
    """A move of the root; the win chance is the mean utility of the seat that asked, from 0 to 1."""

    move: str
    visits: int
    win_chance: float
    standard_error: float


@dataclass(frozen=True)
class Recommendation:
    """The answer: candidates from the best down.

    `stopped` tells why the search ended: `iterations`, `time`, `stopped`, or `forced` where there was a single move.
    """

    game: str
    rules_version: int
    seat: int
    best: str
    candidates: tuple[Candidate, ...]
    parameters: SearchParameters
    iterations: int
    stopped: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"candidates": [asdict(candidate) for candidate in self.candidates]}


def recommend(
    view: View,
    limits: Limits | None = None,
    parameters: SearchParameters | None = None,
    moves: Sequence[str] | None = None,
) -> Recommendation:
    """What the view's seat should play.

    Without limits 2,000 iterations; `moves` restricts the moves looked at. Raises NotToMove where the seat is not asked,
    IllegalMove for a move it does not have, BadOption for limits or parameters that cannot be.
    """
    limits = limits or Limits(iterations=DEFAULT_ITERATIONS)
    parameters = parameters or SearchParameters()
    check(limits, parameters)
    legal = {view.game.plugin.move_text(view.rules, move): move for move in root_moves(view)}
    seat = view.seat
    assert seat is not None  # noqa: S101 - root_moves refuses a spectator
    chosen = legal if moves is None else restricted(legal, seat, moves)
    numbers = sorted(chosen.values())
    search = Search(view, numbers, parameters, arena_of(limits, parameters))
    if len(numbers) == 1:
        stopped = "forced"
    else:
        deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
        iterations = limits.iterations if deadline is not None or limits.iterations is not None else DEFAULT_ITERATIONS
        stopped = search.run(iterations, deadline)
    texts = {move: text for text, move in chosen.items()}
    found = [candidate(texts[move], *row) for move, row in zip(numbers, search.root(), strict=True)]
    found.sort(key=lambda one: (-one.visits, -one.win_chance))
    return Recommendation(
        view.game.name,
        view.game.rules_version,
        seat,
        found[0].move,
        tuple(found),
        parameters,
        search.iterations,
        stopped,
    )


def arena_of(limits: Limits, parameters: SearchParameters) -> int:
    """The bytes of a search's arena: no more than so many iterations can fill."""
    most = parameters.megabytes * MEGABYTE
    return most if limits.iterations is None else min(most, BYTES_AN_ITERATION * limits.iterations)


def candidate(move: str, visits: int, total: float, squares: float) -> Candidate:
    mean = total / visits if visits else 0.0
    variance = max(0.0, squares / visits - mean * mean) / (visits - 1) if visits > 1 else 0.25
    return Candidate(move, visits, mean, variance**0.5)


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
    if not 1 <= parameters.megabytes <= 65536:
        raise BadOption("megabytes", parameters.megabytes, "1 to 65536")
