"""The page's own tests, those that need no browser: `npm test` in page/, told file by file."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.clients.js.programs import ENVIRONMENT, NODE
from tests.packaging.project import ROOT

PAGE = ROOT / "page"
FILES = sorted(path.relative_to(PAGE).as_posix() for path in (PAGE / "test").rglob("*.test.ts*"))


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of each file. They run together, since node takes longer to begin than most of them last."""
    report = tmp_path_factory.mktemp("vitest") / "report.json"
    command: list[str | Path] = [NODE, "node_modules/vitest/vitest.mjs", "run", "--reporter=json", f"--outputFile={report}"]
    done = subprocess.run(
        command, cwd=PAGE, env=ENVIRONMENT | {"CI": "1"}, capture_output=True, text=True, timeout=500, check=False
    )
    assert report.exists(), f"{done.stdout}\n{done.stderr}"
    results = json.loads(report.read_text(encoding="utf-8"))["testResults"]
    return {Path(result["name"]).relative_to(PAGE).as_posix(): result for result in results}


@pytest.mark.parametrize("file", FILES)
def test_the_tests_of_a_file_pass(told: dict[str, Any], file: str) -> None:
    result = told[file]
    failures = [
        "\n".join([one["fullName"], *one["failureMessages"]]) for one in result["assertionResults"] if one["status"] != "passed"
    ]

    assert not failures, "\n\n".join(failures)
    assert result["status"] == "passed", result["message"]
    assert result["assertionResults"], "no test is in it"


def test_every_file_of_tests_is_run(told: dict[str, Any]) -> None:
    assert sorted(told) == FILES
