"""Every rule of every game has a test named for it, and every citation is of a rule there is."""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from tests.engines.games import GAMES

ROOT = Path(__file__).parents[2]
STATEMENT = re.compile(r"^- \*\*R(\d+)\.(\d+)\*\*", re.MULTILINE)
SECTION = re.compile(r"^## R(\d+) ", re.MULTILINE)
TEXT = re.compile(r"^- \*\*(R\d+\.\d+)\*\*(.*?)(?=^- \*\*R|^## |\Z)", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| (R\S+(?:, R\S+)*) \|", re.MULTILINE)
CITATION = re.compile(r"\bR\d+(?:\.\d+)?\b")
TESTS = re.compile(r"^def test_((?:r\d+_\d+_(?:and_)?)+)", re.MULTILINE)


@cache
def rulebook(game: str) -> str:
    return (ROOT / "engines" / game / "RULES.md").read_text(encoding="utf-8")


def sections(game: str) -> list[str]:
    return SECTION.findall(rulebook(game))


def statements(game: str) -> list[tuple[str, str]]:
    return STATEMENT.findall(rulebook(game))


def known(game: str) -> set[str]:
    return {f"R{section}.{number}" for section, number in statements(game)} | {f"R{section}" for section in sections(game)}


@cache
def numbers_tested(game: str) -> frozenset[str]:
    result = set()
    for path in (Path(__file__).parent / game).glob("test_*.py"):
        for name in TESTS.findall(path.read_text(encoding="utf-8")):
            result |= {f"R{section}.{number}" for section, number in re.findall(r"r(\d+)_(\d+)_", name)}
    return frozenset(result)


def test_the_games_of_this_house_are_found() -> None:
    assert set(GAMES) >= {"agency", "bond", "citadel", "whist"}


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_numbered_in_order(game: str) -> None:
    assert [int(section) for section in sections(game)] == list(range(1, len(sections(game)) + 1))
    for section in sections(game):
        numbers = [int(number) for other, number in statements(game) if other == section]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert numbers[0] in {0, 1}


@pytest.mark.parametrize("game", GAMES)
def test_what_is_marked_as_ours_is_listed_as_a_choice(game: str) -> None:
    rules, _, choices = rulebook(game).partition("\n## Choices\n")
    assert {number for number, text in TEXT.findall(rules) if "**(C)**" in text} == set(listed(choices))


def listed(choices: str) -> Iterator[str]:
    """The numbers in front of the rows, `R7.1–R7.3` among them."""
    for row in ROW.findall(choices):
        for part in row.split(", "):
            first, _, last = part.partition("–")
            section, _, number = first.partition(".")
            yield from (f"{section}.{n}" for n in range(int(number), int((last or first).partition(".")[2]) + 1))


@pytest.mark.parametrize(("game", "section", "number"), [(game, *statement) for game in GAMES for statement in statements(game)])
def test_every_rule_has_a_test_named_for_it(game: str, section: str, number: str) -> None:
    assert f"R{section}.{number}" in numbers_tested(game)


@pytest.mark.parametrize("game", GAMES)
def test_every_test_is_named_for_a_rule_there_is(game: str) -> None:
    assert numbers_tested(game) <= known(game)


@pytest.mark.parametrize("game", GAMES)
def test_every_citation_is_of_a_rule_there_is(game: str) -> None:
    for path in (ROOT / "engines" / game).iterdir():
        if path.suffix in {".py", ".pyx", ".pxd", ".pxi", ".pyi", ".md"}:
            assert set(CITATION.findall(path.read_text(encoding="utf-8"))) <= known(game), path.name


@pytest.mark.parametrize("game", GAMES)
def test_the_code_cites_its_rules(game: str) -> None:
    folder = ROOT / "engines" / game
    chapters = [path for kind in ("pyx", "pxd", "pxi") for path in folder.glob(f"_*.{kind}")]
    cited = {number for path in chapters for number in CITATION.findall(path.read_text(encoding="utf-8"))}
    uncited = import_module(f"tests.engines.{game}.expected").UNCITED
    wanted = {f"R{section}" for section in sections(game) if section not in uncited}
    assert {number.partition(".")[0] for number in cited} >= wanted
