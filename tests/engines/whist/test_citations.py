"""Rules, code and tests cite each other by number, and none is missing."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
ENGINE = ROOT / "engines/whist"
RULES = (ENGINE / "RULES.md").read_text(encoding="utf-8")
STATEMENTS = re.findall(r"^- \*\*R(\d+)\.(\d+)\*\*", RULES, re.MULTILINE)
SECTIONS = re.findall(r"^## R(\d+) ", RULES, re.MULTILINE)
KNOWN = {f"R{section}" for section in SECTIONS} | {f"R{section}.{number}" for section, number in STATEMENTS}
CITATION = re.compile(r"\bR\d+(?:\.\d+)?\b")
TESTS = re.compile(r"^def test_((?:r\d+_\d+_(?:and_)?)+)", re.MULTILINE)


def numbers_tested() -> set[str]:
    found = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for name in TESTS.findall(path.read_text(encoding="utf-8")):
            found |= {f"R{section}.{number}" for section, number in re.findall(r"r(\d+)_(\d+)_", name)}
    return found


def test_rules_are_numbered_in_order() -> None:
    assert [int(section) for section in SECTIONS] == list(range(1, len(SECTIONS) + 1))
    for section in SECTIONS:
        numbers = [int(number) for other, number in STATEMENTS if other == section]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))) and numbers[0] in {0, 1}


@pytest.mark.parametrize("number", [f"R{section}.{number}" for section, number in STATEMENTS])
def test_every_rule_has_a_test_named_for_it(number: str) -> None:
    assert number in numbers_tested()


def test_every_test_is_named_for_a_rule_there_is() -> None:
    assert numbers_tested() <= KNOWN


@pytest.mark.parametrize(
    "path",
    sorted(path for path in ENGINE.iterdir() if path.suffix in {".py", ".pyx", ".pxd", ".pyi", ".md"}),
    ids=lambda path: path.name,
)
def test_every_citation_is_of_a_rule_there_is(path: Path) -> None:
    cited = set(CITATION.findall(path.read_text(encoding="utf-8")))
    assert cited <= KNOWN


def test_the_code_cites_its_rules() -> None:
    chapters = [*ENGINE.glob("_*.pyx"), *ENGINE.glob("_*.pxd")]
    cited = {number for path in chapters for number in CITATION.findall(path.read_text(encoding="utf-8"))}
    sections = {number.partition(".")[0] for number in cited}
    assert sections >= {f"R{section}" for section in SECTIONS if section not in {"1", "6"}}
