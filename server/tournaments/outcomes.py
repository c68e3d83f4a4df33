"""What each deal tells about the bots, as the sums that a fit needs."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from math import comb, prod
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from machiavel.engines import BadOption
from machiavel.server.tournaments.choices import Choices, ChoiceTerm
from machiavel.server.tournaments.results import Results

__all__ = ["RANKINGS", "Outcomes", "outcomes_of"]

RANKINGS = ("utilities", "points")

Table = tuple[tuple[int, int], ...]  # how many of a choice's seats each bot has: (bot, seats), ascending
Stage = tuple[Table, Table]  # offered, chosen


@dataclass(frozen=True)
class Outcomes:
    """A model, and what every deal told: columns are the parameters, then the sets."""

    model: Choices
    deals: NDArray[np.int64]  # numbers, ascending
    sums: Any  # sparse, [deal, column]

    def split(self, totals: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """`told` and `offered` of sums over deals, by column."""
        return totals[: self.model.parameters], totals[self.model.parameters :]


def outcomes_of(results: Results, ranking: str = "utilities") -> Outcomes:
    """Who was chosen out of whom, by what the game pays out, or by its points; of a cooperative game, how far teams got."""
    if ranking not in RANKINGS:
        raise BadOption("ranking", ranking, " or ".join(RANKINGS))
    if results.is_cooperative:
        return team_outcomes(results)
    if ranking == "points" and np.isnan(results.points).any():
        raise BadOption("ranking", ranking, f"utilities, since {results.game} counts no points")
    values = results.utilities if ranking == "utilities" else results.points
    seats, ranks = in_order(results.seats, ranks_of(values))
    left_over = np.where((values <= 0).any(axis=1), (values > 0).sum(axis=1), 99) if ranking == "utilities" else None
    patterns, where = distinct(seats, ranks, left_over)
    stages = [stages_of(row, results.players) for row in patterns]
    sizes = sorted({size(chosen) for result in stages for _, chosen in result} - {1})
    tables = numbered(offered for result in stages for offered, _ in result)
    bots = len(results.bots)
    model = Choices(bots, len(sizes), [list(terms_of(table, bots, sizes)) for table in tables])
    parts: list[tuple[int, int, float]] = []
    for row, result in enumerate(stages):
        for offered, chosen in result:
            parts += [(row, column, value) for column, value in coefficients(chosen, bots, sizes)]
            parts.append((row, model.parameters + tables[offered], 1.0))
    return Outcomes(model, *gathered(results, parts, where, (len(patterns), model.parameters + len(tables))))


def team_outcomes(results: Results) -> Outcomes:
    """Success or not, with the logit of the chance the mean of the team's strengths."""
    seats = np.sort(results.seats, axis=1)
    success = results.utilities.mean(axis=1, dtype=np.float64)
    patterns, where = distinct(seats, success[:, None])
    teams = [table_of(int(bot) for bot in row[: results.players]) for row in patterns]
    tables = numbered(teams)
    bots = len(results.bots)
    shares = {table: tuple((bot, count / results.players) for bot, count in table) for table in tables}
    model = Choices(bots, 0, [[ChoiceTerm(1, shares[table]), ChoiceTerm(1, ())] for table in tables])
    parts: list[tuple[int, int, float]] = []
    for row, (table, pattern) in enumerate(zip(teams, patterns, strict=True)):
        parts += [(row, bot, share * float(pattern[-1])) for bot, share in shares[table]]
        parts.append((row, model.parameters + tables[table], 1.0))
    return Outcomes(model, *gathered(results, parts, where, (len(patterns), model.parameters + len(tables))))


def ranks_of(values: NDArray[np.float32]) -> NDArray[np.int64]:
    """How many seats did better than each."""
    return np.asarray((values[:, None, :] > values[:, :, None]).sum(axis=2))


def in_order(seats: NDArray[np.int64], ranks: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Seats of a game sorted by rank and bot: which seat it was tells nothing here."""
    order = np.lexsort((seats, ranks), axis=1)
    return np.take_along_axis(seats, order, axis=1), np.take_along_axis(ranks, order, axis=1)


def distinct(*columns: NDArray[Any] | None) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The different rows, and which of them each row is."""
    parts = [column.reshape(len(column), -1) for column in columns if column is not None]
    rows = np.concatenate(parts, axis=1)
    patterns, where = np.unique(rows, axis=0, return_inverse=True)
    return patterns, where.reshape(-1)


def stages_of(pattern: NDArray[np.int64], players: int) -> list[Stage]:
    """Of one game, first place to last. Seats that were paid nothing are left over, and not ranked among each other."""
    bots, ranks = pattern[:players], pattern[players : 2 * players]
    ranked = min(players, int(pattern[2 * players])) if len(pattern) > 2 * players else players
    result, begin = [], 0
    while begin < ranked and players - begin > 1:
        end = begin + int((ranks == ranks[begin]).sum())
        result.append((table_of(int(bot) for bot in bots[begin:]), table_of(int(bot) for bot in bots[begin:end])))
        begin = end
    return result


def table_of(bots: Iterable[int]) -> Table:
    return tuple(sorted(Counter(bots).items()))


def size(table: Table) -> int:
    return sum(count for _, count in table)


def numbered(tables: Iterable[Table]) -> dict[Table, int]:
    return {table: number for number, table in enumerate(sorted(set(tables)))}


def terms_of(table: Table, bots: int, sizes: list[int]) -> Iterator[ChoiceTerm]:
    """All who may be chosen together, one or as many as were ever seen to be."""
    for counts in product(*(range(count + 1) for _, count in table)):
        chosen = tuple((bot, count) for (bot, _), count in zip(table, counts, strict=True) if count)
        if size(chosen) == 1 or size(chosen) in sizes:
            ways = prod(comb(seats, count) for (_, seats), count in zip(table, counts, strict=True))
            yield ChoiceTerm(ways, coefficients(chosen, bots, sizes))


def coefficients(chosen: Table, bots: int, sizes: list[int]) -> tuple[tuple[int, float], ...]:
    """Of a tie's weight, and of the geometric mean of the strengths of those who tie."""
    together = size(chosen)
    strengths = tuple((bot, count / together) for bot, count in chosen)
    return strengths if together == 1 else (*strengths, (bots + sizes.index(together), 1.0))


def gathered(
    results: Results, parts: list[tuple[int, int, float]], where: NDArray[np.int64], shape: tuple[int, int]
) -> tuple[NDArray[np.int64], Any]:
    """The deals and the sums of each, from those of each pattern (row, column, value) and which pattern each game is."""
    rows, columns, values = (np.array(part) for part in zip(*parts, strict=True)) if parts else (np.zeros(0, np.int64),) * 3
    by_pattern = scipy.sparse.csr_array((values, (rows, columns)), shape=shape, dtype=np.float64)
    deals, row = results.deal_rows
    counts = scipy.sparse.csr_array((np.ones(len(row)), (row, where)), shape=(len(deals), shape[0]))
    return deals, (counts @ by_pattern).tocsr()
