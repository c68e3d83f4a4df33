"""Whether two ways to draw worlds draw alike: the frequencies of small facts of each world, by χ²."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from scipy.stats import chi2_contingency

__all__ = ["Fact", "least_p", "p_of"]

LEAST_EXPECTED = 10

Fact = Callable[[dict[str, Any]], object]


def least_p(facts: list[Fact], first: Iterator[dict[str, Any]], second: Iterator[dict[str, Any]]) -> float:
    """The least p of all facts, times their number (Bonferroni): below 0.001 the two do not draw alike."""
    counts: list[tuple[Counter[object], Counter[object]]] = [(Counter(), Counter()) for _ in facts]
    for side, worlds in enumerate((first, second)):
        for truth in worlds:
            for fact, pair in zip(facts, counts, strict=True):
                pair[side][fact(truth)] += 1
    return min(1.0, len(facts) * min((p_of(*pair) for pair in counts), default=1.0))


def p_of(first: Counter[object], second: Counter[object]) -> float:
    """χ² of two samples; what is too rare for it counts together."""
    rows: list[tuple[int, int]] = []
    rare = (0, 0)
    for outcome in set(first) | set(second):
        row = (first[outcome], second[outcome])
        if sum(row) < 2 * LEAST_EXPECTED:
            rare = (rare[0] + row[0], rare[1] + row[1])
        else:
            rows.append(row)
    if sum(rare) >= 2 * LEAST_EXPECTED:
        rows.append(rare)
    if len(rows) < 2:
        return 1.0
    return float(chi2_contingency(rows).pvalue)
