"""What setup.py decides before it builds."""

import os
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.packaging.project import ROOT


@pytest.fixture
def outdated(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[Path], Path, float], bool]:
    """A function of setup.py, which builds nothing."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("setuptools.setup", lambda **_: None)
    script: dict[str, Any] = runpy.run_path(str(ROOT / "setup.py"))
    result: Callable[[list[Path], Path, float], bool] = script["outdated"]
    return result


@pytest.mark.parametrize(("made", "expected"), [(1, True), (3, False)])
def test_c_made_before_the_directives_changed_is_made_anew(
    outdated: Callable[[list[Path], Path, float], bool], tmp_path: Path, made: float, expected: bool
) -> None:
    source = tmp_path / "here.c"
    source.touch()
    os.utime(source, (made, made))

    assert outdated([Path("here.pyx"), Path("never_made.pyx")], tmp_path, 2) is expected


def test_what_is_left_of_a_module_that_is_gone_does_not_have_all_made_anew(
    outdated: Callable[[list[Path], Path, float], bool], tmp_path: Path
) -> None:
    gone = tmp_path / "gone.c"
    gone.touch()
    os.utime(gone, (1, 1))

    assert outdated([Path("here.pyx")], tmp_path, 2) is False
