"""The check of pages finds what is hard to read, and leaves alone what is not prose."""

import importlib.util
from types import ModuleType

import pytest

from tests.packaging.project import ROOT

SHORT = "This sentence is short and plain. " * 10
LONG = (
    "This sentence goes on and on with one thing after another that the reader must keep in mind until the end of it comes. " * 10
)
TANGLED = "One thing is so; another is so. " * 10


@pytest.fixture(scope="module")
def prose() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_prose", ROOT / "docs" / "check_prose.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("text", "told"), [(SHORT, ""), (LONG, "24.0 words a sentence"), (TANGLED, "100 semicolons in 100")])
def test_long_and_tangled_sentences_are_found(prose: ModuleType, text: str, told: str) -> None:
    assert told in prose.problem_of(text)
    assert bool(prose.problem_of(text)) == bool(told)


@pytest.mark.parametrize("frame", ["```\n{}\n```", "| {} |", "> {}", "    {}", "# {}"])
def test_code_tables_quotes_and_headings_do_not_count(prose: ModuleType, frame: str) -> None:
    assert prose.problem_of(SHORT + "\n\n" + frame.format(TANGLED.strip())) == ""


def test_an_old_page_that_reads_well_leaves_the_list(prose: ModuleType) -> None:
    assert prose.complaints({"docs/bond.md": LONG}) == []
    assert "take it off OLD_PAGES" in prose.complaints({"docs/bond.md": SHORT})[0]
    assert "24.0 words" in prose.complaints({"docs/new.md": LONG})[0]


def test_pages_are_named_that_are_there(prose: ModuleType) -> None:
    assert not prose.OLD_PAGES - set(prose.pages())
