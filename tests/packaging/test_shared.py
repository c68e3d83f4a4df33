"""What several files of tests need stands in a plain module: a file of tests is imported by pytest alone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.packaging.imports import python_imports
from tests.packaging.project import ROOT, project_files

# Also in a program that a test writes down and runs.
NAMED = re.compile(r"\b(?:from|import)\s+tests\.(?:\w+\.)*test_\w+")


def imported_files_of_tests(path: Path, source: str) -> Iterator[str]:
    """Yield the names by which Python source takes something from a file of tests."""
    for name in python_imports(source, [*path.parent.parts]):
        parts = name.split(".")
        if parts[0] == "tests" and any(part.startswith("test_") for part in parts[1:]):
            yield name
    yield from NAMED.findall(source)


def test_no_file_imports_from_a_file_of_tests() -> None:
    paths = [path.relative_to(ROOT) for path in project_files() if path.suffix == ".py"]
    wrong = {str(path) for path in paths if any(imported_files_of_tests(path, (ROOT / path).read_text(encoding="utf-8")))}

    assert Path("tests/packaging/test_shared.py") in paths
    # This one shows what is wrong.
    assert wrong == {"tests/packaging/test_shared.py"}


@pytest.mark.parametrize(
    "source",
    [
        "from tests.search.test_reviews import record_of",
        "from tests.search import test_reviews",
        "import tests.search.test_reviews as reviews",
        "from .test_reviews import record_of",
        "from . import test_reviews",
        "def late():\n    from tests.search.test_reviews import record_of",
        'PROGRAM = """\nfrom tests.search.test_reviews import record_of\n"""',
    ],
)
def test_such_an_import_is_found_however_it_is_written(source: str) -> None:
    assert list(imported_files_of_tests(Path("tests/search/test_stories.py"), source))


def test_plain_modules_may_be_imported() -> None:
    source = "import pytest\nfrom tests.search.records import record_of\nfrom .positions import states\n"

    assert not list(imported_files_of_tests(Path("tests/search/test_stories.py"), source))
