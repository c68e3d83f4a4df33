"""Whether the statistics of tournaments keep their word: on bots made up, whose strength is known, and on real ones.

`python -m bench.ratings coverage` counts how often 95 % intervals hold the truth, over 1,000 tournaments of each design;
`sprt` how often the test errs; `duplicate` how many games fewer duplicate deals need between neighbouring bots of real games.
Each prints a Markdown table. The truth is the estimator's own limit: what it says of very many deals. What is found is kept in
`--output`, from where the same command goes on after a break; `--rows 5 6` makes those rows of the table alone.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.measurements import Measurements, counted
from machiavel.engines import load
from machiavel.server.tournaments.executors import open_pool
from machiavel.server.tournaments.game_journal import GameJournal, read_results
from machiavel.server.tournaments.plan import Plan, make_plan
from machiavel.server.tournaments.ratings import rate
from machiavel.server.tournaments.resampling import ErrorBar, interval
from machiavel.server.tournaments.results import COLUMNS, Results
from machiavel.server.tournaments.sprt import Sprt, Verdict
from machiavel.server.tournaments.statistics import statistics_of
from machiavel.server.tournaments.tournament_run import Tournament, setup_of

Floats = NDArray[np.float64]

LIMIT = 500  # times as many deals tell the truth
BLOCK = 500  # deals of a test before it is looked at first
BISECTED = 100_000  # deals that tell how strong a bot must be


@dataclass(frozen=True)
class Design:
    """A made-up tournament. A seat gets its bot's strength, what the seat is worth, the luck of the deal there, and its own."""

    name: str
    strengths: tuple[float, ...]  # of the bots, in natural logarithms
    seatings: Sequence[Sequence[int]]
    deals: int
    luck: float = 1.5  # spread of what a deal brings a seat, the same in all its seatings
    seat: float = 0.2  # by how much a seat is better than the one before it
    grid: float = 0.0  # results are rounded to multiples of it, so that seats tie
    together: bool = False  # all win together, or lose

    @property
    def players(self) -> int:
        return len(self.seatings[0])

    def play(self, deals: int, rng: np.random.Generator) -> Results:
        """A tournament of so many deals, each in all seatings."""
        table = np.array(self.seatings, np.int64)
        shape = (deals, len(table), self.players)
        strengths = np.array(self.strengths)[table][None]
        dealt = self.luck * rng.standard_normal((deals, 1, 1 if self.together else self.players))
        if self.together:
            own = rng.logistic(size=(deals, len(table), 1))
            utilities = np.broadcast_to((strengths.mean(axis=2, keepdims=True) + dealt + own > 0).astype(np.float32), shape)
        else:
            values = strengths + dealt + self.seat * np.arange(self.players) + rng.gumbel(size=shape)
            if self.grid:
                values = np.round(values / self.grid)
            won = values == values.max(axis=2, keepdims=True)
            utilities = (won / won.sum(axis=2, keepdims=True)).astype(np.float32)
        games = deals * len(table)
        return Results(
            game="made-up",
            players=self.players,
            is_cooperative=self.together,
            bots=tuple(f"bot{number}" for number in range(len(self.strengths))),
            deals=np.repeat(np.arange(deals), len(table)),
            seatings=np.tile(np.arange(len(table)), deals),
            seats=np.tile(table, (deals, 1)),
            utilities=utilities.reshape(games, self.players),
            points=np.full((games, self.players), np.nan, np.float32),
            plies=np.ones(games, np.uint32),
            faults=np.zeros((games, self.players), np.uint32),
            whole=len(table),
        )


def turned(*tables: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Every table with each of its rotations."""
    return tuple(tuple(table[at:]) + tuple(table[:at]) for table in tables for at in range(len(table)))


SIX = turned((0, 1, 2, 3, 4, 0), (1, 2, 3, 4, 0, 1), (2, 4, 0, 3, 1, 2), (3, 0, 4, 1, 2, 3), (4, 3, 1, 0, 2, 4))
BOTH = ((0, 1), (1, 0))
TEAMS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2))
THREES = ((0, 0, 0), (1, 1, 1))

DESIGNS = (
    Design("2 bots, 2 seats, 100 deals", (0.0, 0.4), BOTH, 100),
    Design("2 bots, 2 seats, ties, 100 deals", (0.0, 0.4), BOTH, 100, grid=1.5),
    Design("2 bots, 2 seats, odds of 30 to 1, 100 deals", (0.0, 6.0), BOTH, 100),
    Design("4 bots, 4 seats, all seatings, 30 deals", (-0.6, 0.0, 0.2, 0.8), tuple(permutations(range(4))), 30),
    Design("one seat against three, 150 deals", (0.5, 0.0), turned((0, 1, 1, 1)), 150, grid=0.5),
    Design("5 bots, 6 seats, each twice in turn, 40 deals", (-0.5, -0.2, 0.0, 0.3, 0.6), SIX, 40, grid=0.5),
    Design("3 bots, teams of 2, 100 deals", (-0.5, 0.0, 0.6), TEAMS, 100, together=True),
)


def coverage(rows: Sequence[int], tournaments: int, seed: int, resamples: int, kept: Measurements) -> None:
    print("| tournament | ratings | the bot least often | differences | at once | scores | shares of pairs, leads of teams |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for design in chosen(DESIGNS, rows):
        known = {"coverage": design.name, "seed": seed, "resamples": resamples}
        held = [
            kept.value(known | {"number": number}, partial(held_in, design, seed, resamples, number))
            for number in counted(tournaments, design.name)
        ]
        ratings, differences, quick, scores, pairs = (100 * np.mean(part, axis=0) for part in zip(*held, strict=True))
        cells = [ratings.mean(), ratings.min(), differences.mean(), quick.mean(), scores.mean(), pairs.mean()]
        print(f"| {design.name} | {' | '.join(f'{cell:.1f} %' for cell in cells)} |", flush=True)


def held_in(design: Design, seed: int, resamples: int, number: int) -> list[list[int]]:
    """Of one tournament, which intervals of each kind hold the truth."""
    result = truths(design.play(design.deals, np.random.default_rng([seed, 1, number])), resamples, number)
    return [holds(some, known) for some, known in zip(result, limit_of(design, seed), strict=True)]


@cache
def limit_of(design: Design, seed: int) -> list[list[ErrorBar]]:
    """The truth: what the estimator says of very many deals."""
    return truths(design.play(LIMIT * design.deals, np.random.default_rng([seed, 0])), 1, 0)


def truths(results: Results, resamples: int, seed: int) -> list[list[ErrorBar]]:
    """All that is claimed of a tournament: ratings, their differences, ratings at once, scores, shares and leads."""
    ratings = rate(results, resamples=resamples, seed=seed)
    told = statistics_of(results, resamples=resamples, seed=seed)
    couples = list(combinations(range(len(results.bots)), 2))
    return [
        [rating.elo for rating in ratings.bots],
        [ratings.difference(*couple) for couple in couples],
        [rating.elo for rating in rate(results, resamples=0).bots],
        [score.utility for score in told.scores],
        [some for couple in couples if (some := told.leads.get(couple) or told.share(*couple)) is not None],
    ]


def holds(bars: Sequence[ErrorBar], truth: Sequence[ErrorBar]) -> list[int]:
    """Which of the intervals hold the true value: 1, or 0."""
    return [
        int(some.low is not None and some.high is not None and some.low <= known.value <= some.high)
        for some, known in zip(bars, truth, strict=True)
    ]


ERRORS = (  # hypotheses, spread of the luck of deals, seatings
    (Sprt(0, 30), Design("2 bots, 2 seats", (0, 0), BOTH, 0)),
    (Sprt(0, 100), Design("2 bots, 2 seats", (0, 0), BOTH, 0)),
    (Sprt(-20, 20), Design("2 bots, 2 seats, ties", (0, 0), BOTH, 0, grid=1.5)),
    (Sprt(0, 50, 0.1, 0.1), Design("one seat against three", (0, 0), turned((0, 1, 1, 1)), 0, grid=0.5)),
    (Sprt(0, 50), Design("teams of 3", (0, 0), THREES, 0, together=True)),
    (Sprt(50, 120), Design("teams of 3", (0, 0), THREES, 0, together=True)),
)


def sprt(rows: Sequence[int], tournaments: int, seed: int, kept: Measurements) -> None:
    """How often the wrong hypothesis is accepted, where the first bot is exactly as much stronger as the one says."""
    print("| test | α, β | tournament | elo0 true: elo1 accepted | deals | elo1 true: elo0 accepted | deals |")
    print("|---|--:|---|--:|--:|--:|--:|")
    for test, design in chosen(ERRORS, rows):
        name, cells = f"{test.elo0:g} or {test.elo1:g} Elo", []
        for elo, wrong in ((test.elo0, "elo1"), (test.elo1, "elo0")):
            known = {"sprt": [test.elo0, test.elo1, test.alpha, test.beta], "of": design.name, "elo": elo, "seed": seed}
            verdicts = [
                kept.value(known | {"number": number}, partial(verdict_of, test, design, elo, seed, number))
                for number in counted(tournaments, f"{name}, {design.name}, {elo:g} true")
            ]
            errors = sum(decision == wrong for decision, _ in verdicts)
            cells += [f"{100 * errors / tournaments:.1f} %", f"{np.mean([deals for _, deals in verdicts]):.0f}"]
        print(f"| {name} | {test.alpha:g}, {test.beta:g} | {design.name} | {' | '.join(cells)} |", flush=True)


def verdict_of(test: Sprt, design: Design, elo: float, seed: int, number: int) -> tuple[str | None, int]:
    """What one test decides, and after how many deals."""
    exact = replace(design, strengths=(strength_at(test, design, elo, seed), 0.0))
    result = played_out(test, exact, np.random.default_rng([seed, 2, number]))
    return result.decision, result.deals


@cache
def strength_at(test: Sprt, design: Design, elo: float, seed: int) -> float:
    """The strength at which very many deals measure so many Elo: the luck of deals makes them fewer than those of the model."""
    low, high = -3.0, 3.0
    for _ in range(20):
        strength = (low + high) / 2
        results = replace(design, strengths=(strength, 0.0)).play(BISECTED, np.random.default_rng([seed, 3]))
        at = replace(test, alpha=1e-300, beta=1e-300).judge(results).elo
        low, high = (strength, high) if at is not None and at < elo else (low, strength)
    return (low + high) / 2


def played_out(test: Sprt, design: Design, rng: np.random.Generator) -> Verdict:
    """More and more deals until the test decides."""
    results = design.play(BLOCK, rng)
    while (verdict := test.judge(results)).decision is None:
        more = design.play(len(results) // results.whole, rng)
        more = replace(more, deals=more.deals + results.deals[-1] + 1)
        columns: dict[str, Any] = {name: np.concatenate([getattr(results, name), getattr(more, name)]) for name in COLUMNS}
        results = replace(results, **columns)
    return verdict


@dataclass(frozen=True)
class Neighbours:
    """Two bots, one of which thinks longer."""

    game: str
    players: int
    iterations: tuple[int, int]
    options: tuple[tuple[str, Any], ...] = ()
    form: str = "round-robin"  # or a gauntlet: the first alone against the other

    @property
    def name(self) -> str:
        return "-".join(map(str, (self.game, self.players, *self.iterations, self.form)))

    @property
    def plan(self) -> Plan:
        game = load(self.game)
        bots = [f"ismcts:iterations={count}" for count in self.iterations]
        return make_plan(game, game.make_rules(self.players, **dict(self.options)), bots, 77, form=self.form)


NEIGHBOURS = (
    Neighbours("agency", 2, (200, 250)),
    Neighbours("agency", 2, (200, 400)),
    Neighbours("bond", 2, (200, 400)),
    Neighbours("whist", 2, (200, 400)),
    Neighbours("agency", 4, (200, 250)),
    Neighbours("agency", 4, (200, 400)),
    Neighbours("bond", 4, (200, 400)),
    Neighbours("whist", 4, (200, 400)),
)


def duplicate(rows: Sequence[int], deals: int, threads: int, folder: Path) -> None:
    """How many games with a deal each weigh as much as one of a deal in all its seatings, the seats being balanced in both."""
    print("| game | players | iterations | games a deal | deals | by wins | by points |")
    print("|---|--:|---|--:|--:|--:|--:|")
    for row in chosen(NEIGHBOURS, rows):
        results = played(row, deals, threads, folder / row.name)
        worth = [saving(won_by_the_first(results, values, deals)) for values in (results.utilities, results.points)]
        cells = [row.game, row.players, " : ".join(map(str, row.iterations)), results.whole, deals, *worth]
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


def played(row: Neighbours, deals: int, threads: int, folder: Path) -> Results:
    """A tournament of the two, gone on with if there is one."""
    plan = row.plan
    with GameJournal.open(folder, plan) as journal, open_pool(f"threads:{threads}") as pool:
        Tournament(plan, deals, journal, pool, setup_of(plan, {}), read_results(folder)[0]).run()
    results = read_results(folder)[0]
    return results.where(results.deals < deals)


def won_by_the_first(results: Results, values: NDArray[np.float32], deals: int) -> Floats:
    """By how much the seats of the first bot did better than the average seat: [deal, seating]."""
    ahead = values - values.mean(axis=1, dtype=np.float64, keepdims=True)
    return np.asarray(np.where(results.seats == 0, ahead, 0.0).sum(axis=1).reshape(deals, -1))


def saving(scores: Floats) -> ErrorBar:
    """`saved`, with its interval by bootstrap over deals."""
    rng = np.random.default_rng(1)
    drawn = [saved(scores[rng.integers(0, len(scores), len(scores))]) for _ in range(2000)]
    return interval(saved(scores), np.array(drawn), len(scores))


def saved(scores: Floats) -> float:
    """The variance of a game's score, given its seating, over that of a deal's mean score, a game: [deal, seating] → ratio."""
    return float(scores.var(axis=0, ddof=1).mean() / (scores.shape[1] * scores.mean(axis=1).var(ddof=1)))


def chosen(table: Sequence[Any], rows: Sequence[int]) -> list[Any]:
    """Those of the rows, counted from 1; without any, all."""
    return [row for number, row in enumerate(table, start=1) if not rows or number in rows]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("coverage", "sprt", "duplicate"))
    parser.add_argument("--rows", type=int, nargs="+", default=(), metavar="N", help="which of the table, from 1 (all)")
    parser.add_argument("--tournaments", type=int, default=1000, help="of each design (1000)")
    parser.add_argument("--resamples", type=int, default=1000, help="of each tournament's deals (1000)")
    parser.add_argument("--deals", type=int, default=1000, help="of real games (1000)")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="for real games (all cores)")
    parser.add_argument("--seed", type=int, default=1, help="of what is made up (1)")
    parser.add_argument("--output", type=Path, help="where to keep what is found: a file, of real games a folder (nowhere)")
    arguments = parser.parse_args()
    if arguments.what == "duplicate":
        with tempfile.TemporaryDirectory() as folder:
            duplicate(arguments.rows, arguments.deals, arguments.threads, arguments.output or Path(folder))
        return 0
    kept = Measurements(arguments.output)
    if arguments.what == "coverage":
        coverage(arguments.rows, arguments.tournaments, arguments.seed, arguments.resamples, kept)
    else:
        sprt(arguments.rows, arguments.tournaments, arguments.seed, kept)
    return 0


if __name__ == "__main__":
    sys.exit(main())
