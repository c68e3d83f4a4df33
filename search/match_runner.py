"""Which bot is better: duplicate deals in all seatings, with intervals by bootstrap over deals."""

import math
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from machiavel.engines import BadOption, Game
from machiavel.search._runner import Runner, seed_of_deal
from machiavel.search.bots import KINDS, GreedyBot, RandomBot, searcher_of
from machiavel.search.limits import NO_LIMITS, Limits
from machiavel.search.parameters import SearchParameters
from machiavel.search.specs import parse

__all__ = [
    "Contestant",
    "Interval",
    "MatchResults",
    "Runner",
    "bootstrap",
    "contestant",
    "play_matches",
    "rotations",
    "seatings_of",
    "seed_of_deal",
]

MOST = 1 << 40  # iterations, where time is the bound
BLOCK = 8  # deals a worker plays at a time
RESAMPLES = 2000


@dataclass(frozen=True)
class Contestant:
    """A bot as the runner plays it."""

    kind: str  # `random`, `greedy` or `search`
    iterations: int = 0
    seconds: float = 0.0  # a move may take; 0: so many iterations
    seed: int = 0  # of its luck
    parameters: SearchParameters | None = None
    sharpness: int = 0
    slack: float = 1.0
    reuse: bool = False
    deepest: int = 0


@dataclass(frozen=True)
class Interval:
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True)
class MatchResults:
    """The results of every deal in every seating; `seatings` holds the number of the bot in each seat."""

    bots: tuple[str, ...]
    seatings: NDArray[np.int64]  # [seating, seat]
    utilities: NDArray[np.float32]  # [deal, seating, seat]
    metrics: NDArray[np.float32]  # [deal, seating, metric]
    plies: NDArray[np.uint32]  # [deal, seating]
    metric_names: tuple[str, ...]

    def scores(self, bot: int) -> NDArray[np.float64]:
        """Per deal what a seat of the bot won on average over all seatings."""
        seats = self.seatings == bot
        per_seating = np.where(seats, self.utilities, 0.0).sum(axis=2)
        scores: NDArray[np.float64] = per_seating.sum(axis=1) / seats.sum()
        return scores

    def interval(self, bot: int, seed: int = 0) -> Interval:
        """The bot's average utility a seat, by bootstrap over deals."""
        return bootstrap(self.scores(bot), seed)

    def rounds_won(self, bot: int, seed: int = 0) -> Interval:
        """How often a seat of the bot had the most points (ties whole), for games that measure `points` of each seat."""
        names = [f"points_{seat}" for seat in range(self.seatings.shape[1])]
        points = np.stack([self.metrics[:, :, self.metric_names.index(name)] for name in names], axis=2)
        won = points == points.max(axis=2, keepdims=True)
        seats = self.seatings == bot
        return bootstrap(np.where(seats, won, False).sum(axis=(1, 2)) / seats.sum(), seed)


def bootstrap(values: NDArray[np.float64], seed: int) -> Interval:
    """The mean of one value a deal, and its 95 % interval."""
    rng = np.random.default_rng(seed)
    means = [values[rng.integers(0, len(values), len(values))].mean() for _ in range(RESAMPLES)]
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(float(values.mean()), float(low), float(high))


def rotations(seating: Sequence[int]) -> list[tuple[int, ...]]:
    """A seating and all its rotations, each once."""
    result = [tuple(seating[shift:]) + tuple(seating[:shift]) for shift in range(len(seating))]
    return sorted(set(result))


def seatings_of(bots: int, players: int) -> list[tuple[int, ...]]:
    """All the ways to seat the first bot against the others, filled up with the last: each order once."""
    filled = [*range(min(bots, players)), *[bots - 1] * max(0, players - bots)]
    return sorted(set(permutations(filled)))


def play_matches(
    game: Game,
    bots: Sequence[str],
    players: int,
    deals: int,
    seed: int = 0,
    *,
    first: int = 0,
    seatings: Iterable[Sequence[int]] | None = None,
    threads: int | None = None,
    until: str = "end",
    deepest: Mapping[int, int] | None = None,
    progress: Callable[[int], object] = lambda _: None,
    **options: Any,
) -> MatchResults:
    """Play so many deals, each in all seatings, on so many threads (all cores); the results do not depend on how many.

    `bots` are specs as `make_bot` takes them; a search without a seed of its own gets 0, and keeps its tree through a match.
    `progress` hears of every block of deals played. Deals are numbered from `first` on, so that a call goes on where one ended.
    """
    if deals < 1:
        raise BadOption("deals", deals, "at least 1")
    if until not in {"end", "horizon"}:
        raise BadOption("until", until, "end or horizon")
    rules = game.make_rules(players, **options)
    table = np.array(list(seatings if seatings is not None else seatings_of(len(bots), players)), np.int64)
    if table.ndim != 2 or table.shape[1] != players or table.min() < 0 or table.max() >= len(bots):
        raise BadOption("seatings", seatings, f"lists of {players} numbers of bots, 0 to {len(bots) - 1}")
    contestants = [contestant(game, bot, (deepest or {}).get(number, 0), players=players) for number, bot in enumerate(bots)]
    local = threading.local()
    runners: list[Runner] = []

    def block(begin: int) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.uint32]]:
        if not hasattr(local, "runner"):
            local.runner = Runner(game, rules, contestants)
            runners.append(local.runner)
        runner: Runner = local.runner
        played = runner.play(seed, begin, table, int(until == "horizon"), min(BLOCK, first + deals - begin))
        progress(len(played[0]))
        return played

    pool = ThreadPoolExecutor(threads or os.cpu_count() or 1)
    try:
        blocks = list(pool.map(block, range(first, first + deals, BLOCK)))
    except BaseException:
        for runner in runners:
            runner.stop()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
    utilities, metrics, plies = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    names = tuple(game.plugin.metrics(rules))
    return MatchResults(tuple(bots), table, utilities, metrics, plies, names)


def contestant(game: Game, spec: str, deepest: int = 0, *, players: int = 0, seconds: float = 0.0, seed: int = 0) -> Contestant:
    """What the runner needs to know of a bot; its luck comes from the seed where the spec has none.

    With seconds a move takes no longer, and has no other bound but iterations that the spec gives, or a level's.
    """
    kind, values = parse(spec, KINDS)
    bot = kind.make(values.filled(seed=seed))
    if isinstance(bot, RandomBot):
        return Contestant("random", seed=bot.seed)
    if isinstance(bot, GreedyBot):
        return Contestant("greedy")
    result = searcher_of(bot, game, players)
    if result is None:
        raise BadOption(
            "bots", spec, f"a bot that plays in compiled code, in {game.name}: random, greedy, ismcts, pimc or a level"
        )
    iterations = result.limits(Limits(deadline=math.inf) if seconds else NO_LIMITS).iterations or MOST
    return Contestant(
        "search",
        iterations,
        seconds,
        result.parameters.seed,
        result.parameters,
        result.sharpness,
        result.slack,
        result.reuse,
        deepest,
    )
