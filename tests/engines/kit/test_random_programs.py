"""Random programs do the same interpreted and compiled; `python -m bench.kit_programs` tries a hundred thousand."""

from collections import Counter
from pathlib import Path

import pytest

from bench.kit_programs import compare_game
from bench.random_programs import random_game


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACHIAVEL_KIT_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize(("seed", "modes"), [(1, ["llvm"]), (2, ["llvm"]), (3, ["llvm"]), (4, ["gcc"])])
def test_no_program_is_translated_otherwise_than_it_is_interpreted(seed: int, modes: list[str]) -> None:
    comparison = compare_game(seed, 60, modes)

    assert comparison.programs == 81
    assert not comparison.differences, str(comparison.differences[0])
    assert comparison.endings["FINE"] > comparison.calls / 3


def test_what_at_calls_comes_after_the_other_arguments_of_luck() -> None:
    """One of its programs changes the hand that is drawn from in a function called for `at`."""
    assert not compare_game(224, 50, ["llvm", "gcc"]).differences


def test_the_programs_meet_every_construct_and_most_faults() -> None:
    texts = "".join(random_game(seed, 60).text for seed in range(3))
    wanted: tuple[str, ...] = (
        "for ",
        "while ",
        "break",
        "continue",
        "yield ",
        "yield from",
        "raise ",
        "assert ",
        "return",
        "elif",
        "else:",
        "luck.",
    )
    wanted += (
        "BAG.",
        "DECK.",
        "cards(",
        "self.deep[",
        "shares[",
        "self.ask(",
        "self.end()",
        " and ",
        " or ",
        "not ",
        " if ",
        "**",
    )

    assert [one for one in wanted if one not in texts] == []


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A translator that takes - for + is caught."""
    from machiavel.engines.kit import lowered_arithmetic

    monkeypatch.setitem(lowered_arithmetic.WORDS, "-", "add")
    found = Counter(one.entry for one in compare_game(1, 20, ["llvm"]).differences)

    assert found["apply"] > 0
