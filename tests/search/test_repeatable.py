"""The same view, seed and iterations give the same bytes: in any process, after anything, on any CPU."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from machiavel.engines import View
from machiavel.search import Limits, SearchParameters, recommend
from tests.search.answers import WAYS, all_answers, sliced, views, whole
from tests.search.positions import MOST_MOVES, SHIPPED

ROOT = Path(__file__).resolve().parents[2]
# Older and older CPUs, as far as glibc chooses its functions by what the CPU can do.
MASKS = (
    "-AVX512F,-AVX512VL",
    "-AVX2,-AVX512F,-FMA,-ERMS",
    "-AVX,-AVX2,-AVX512F,-FMA,-ERMS,-FSRM,-BMI1,-BMI2,-MOVBE,-SSE4_2,-SSE4_1,-SSSE3,-POPCNT",
)


def printed(arguments: tuple[str, ...] = (), **environment: str) -> str:
    """What a fresh process prints."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.search.answers", *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def answers() -> str:
    return json.dumps(all_answers())


def test_fresh_processes_give_the_same_bytes_whatever_hashes_and_slices_they_use(answers: str) -> None:
    for number, hash_seed in enumerate(("0", "1", "2", "31337", "4294967295", "random", "random")):
        arguments = (str(3 + 50 * number),) if number % 2 else ()
        assert printed(arguments, PYTHONHASHSEED=hash_seed) == answers


@pytest.mark.parametrize("mask", MASKS)
def test_cpus_that_can_do_less_give_the_same_bytes(answers: str, mask: str) -> None:
    assert printed(GLIBC_TUNABLES=f"glibc.cpu.hwcaps={mask}", PYTHONHASHSEED="7") == answers


@pytest.mark.parametrize("way", WAYS)
def test_slices_looks_and_other_searches_make_no_difference(way: str) -> None:
    parameters = SearchParameters(seed=11, **WAYS[way])
    for view in views(way):
        first = json.dumps(whole(view, parameters))
        for iterations in (1, 7, 250):
            assert json.dumps(sliced(view, parameters, iterations)) == first
        assert json.dumps(whole(view, parameters)) == first


@pytest.mark.parametrize("way", WAYS)
def test_another_seed_gives_another_answer(way: str) -> None:
    def visits(view: View, seed: int) -> list[tuple[str, int]]:
        recommendation = recommend(view, Limits(iterations=400), SearchParameters(seed=seed, **WAYS[way]))
        return [(one.move, one.visits) for one in recommendation.candidates]

    for view in views(way):
        # In kuhn the cards may decide all, and there luck makes no difference.
        assert view.game.name == "kuhn" or any(visits(view, seed) != visits(view, 11) for seed in range(5))


def test_the_answers_hold_every_game_and_way_there_is(answers: str) -> None:
    data = json.loads(answers)
    assert {one["game"] for one in data} == set(SHIPPED) == {view.game.name for view in views("single")}
    assert {one["parameters"]["variant"] for one in data} == {"single", "multi", "pimc"}
    assert all(one["iterations"] == 400 and len(one["candidates"]) >= MOST_MOVES.get(one["game"], 3) for one in data)
    assert all(candidate["metrics"] for one in data for candidate in one["candidates"])
