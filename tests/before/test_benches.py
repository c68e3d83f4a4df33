"""Measurements that were begun with an earlier release go on from there; nothing of them is played again."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench import citadel, decisions, ladder, measurements, reviews
from machiavel.engines import load
from tests.before.artifacts import copied, rows


def never(*_: Any, **__: Any) -> Any:
    raise AssertionError("what is known is found anew")


def cut(path: Path) -> Path:
    """As it is where a run ended in the middle of a line."""
    with path.open("ab") as file:
        file.write(b'{"match": 6, "pla')
    return path


def test_the_ladder_of_levels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, case = cut(copied("bench/levels.jsonl", tmp_path)), ladder.LadderCase(load("whist"), 2)
    before = [won for row in rows("bench/levels.jsonl") if row["seed"] == 3 for won in row["won"]]
    bots = ["greedy", "ismcts:iterations=10"]
    more = ladder.PlayedDeals(path, 3).pairing(case, bots, 13)
    assert more.won[:12].tolist() == before
    monkeypatch.setattr(ladder, "played", never)
    assert ladder.PlayedDeals(path, 3).pairing(case, bots, 13).won.tolist() == more.won.tolist()
    assert len(ladder.PlayedDeals(path, 4).pairing(case, ["greedy", "random"], 4).won) == 4


def test_the_decisions_of_the_calibration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, game = cut(copied("bench/calibration.jsonl", tmp_path)), load("whist")
    before = [decisions.SampledDecision(**row) for row in rows("bench/calibration.jsonl")]
    assert decisions.decisions(game, [2, 3], 7, 5, path)[: len(before)] == before
    monkeypatch.setattr(decisions, "recommend", never)
    assert decisions.decisions(game, [2, 3], 6, 5, path) == before
    assert len(decisions.decisions(game, [2, 3], 7, 5, path)) == len(before) + 1


def test_the_cells_of_citadel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = copied("bench/citadel.jsonl", tmp_path)
    before = rows("bench/citadel.jsonl")
    citadel.Cells(path).play("random", 1, 2, 1, setting="all")
    monkeypatch.setattr(citadel, "play_matches", never)
    again = citadel.Cells(path)
    assert again.play("greedy", 2, 8, 1, setting="all") == before[0]
    assert again.play("random", 1, 4, 1, setting="without_55") == before[1]
    assert len(again.play("random", 1, 2, 1, setting="all")["wins"]) == 2


def test_the_values_of_the_ratings(tmp_path: Path) -> None:
    path = cut(copied("bench/ratings.jsonl", tmp_path))

    def value(number: int, find: Callable[[], Any]) -> Any:
        return measurements.Measurements(path).value({"number": number, "coverage": "made-up", "seed": 1}, find)

    assert [value(number, never) for number in range(3)] == [[number, [1, 0]] for number in range(3)]
    assert value(3, lambda: [3, [0, 0]]) == [3, [0, 0]]
    assert value(3, never) == [3, [0, 0]]


def test_the_matches_of_the_reviews(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = copied("bench/reviews.jsonl", tmp_path)
    before = rows("bench/reviews.jsonl")
    arguments = argparse.Namespace(players=2, planted=1, iterations=20, deep=50, seed=1, output=path)
    monkeypatch.setattr(reviews, "match", never)
    known = reviews.kept(arguments)
    assert [row["number"] for row in known.values] == [row["number"] for row in before]
    assert [one.number for one in reviews.results_of("whist", known, arguments)] == [row["number"] for row in before]
