"""What `bench.hosted_pace` and `bench.watchers` call too slow."""

import pytest

from bench.hosted_pace import too_slow
from bench.watchers import behind, too_late

THINK = 1.0


def test_tables_within_their_bounds_are_not_too_slow() -> None:
    assert too_slow([1.0] * 98 + [1.2] * 2, THINK, moves=100, cpu=0.09) == []


@pytest.mark.parametrize(
    ("times", "cpu", "words"),
    [
        ([1.06] * 100, 0.05, "p50"),
        ([1.0] * 98 + [1.4] * 2, 0.05, "p99"),
        ([1.0] * 100, 0.1, "CPU"),
        ([], 0.0, "no table"),
    ],
)
def test_tables_beyond_a_bound_are_too_slow(times: list[float], cpu: float, words: str) -> None:
    (problem,) = too_slow(times, THINK, moves=100, cpu=cpu)
    assert words in problem


def test_watchers_who_had_all_events_soon_are_not_too_late() -> None:
    assert too_late({0.3: 19, 0.4: 20, 0.5: 20}, moves=20, late=0) == []


@pytest.mark.parametrize(
    ("after", "late", "words"),
    [
        ({0.3: 18, 0.4: 19, 0.5: 20}, 0, "400 ms"),
        ({0.3: 19, 0.4: 19, 0.5: 19}, 0, "of 20 moves"),
        ({0.4: 20, 0.5: 20}, 3, "3 times"),
        ({}, 0, "0 events"),
    ],
)
def test_a_watcher_who_had_an_event_late_or_not_at_all_is_told(after: dict[float, int], late: int, words: str) -> None:
    (problem,) = too_late(after, moves=20, late=late)
    assert words in problem


def test_those_who_have_had_less_than_others_are_behind() -> None:
    assert behind({21: 1998, 20: 1, 4: 1}) == 2
