"""What setup.py decides before it builds."""

import os
import runpy
import shutil
import subprocess
import sys
import tarfile
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


# ---- The page for browsers, which whatever is shipped holds ----


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What builds, with next to nothing to build."""
    for name in ("setup.py", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, tmp_path / name)
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "__init__.py").touch()
    return tmp_path


def build(checkout: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MACHIAVEL"))}
    command = (sys.executable, "setup.py", "--quiet", *command)
    return subprocess.run(command, cwd=checkout, env=kept, check=False, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("command", ["sdist", "bdist_wheel"])
def test_without_the_page_nothing_is_shipped_and_one_sentence_says_what_to_run(checkout: Path, command: str) -> None:
    done = build(checkout, command)

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "server/web/page is missing, the page for browsers that every wheel and sdist holds: run `make page` first"
    )
    assert not list(checkout.glob("dist/*"))


def test_an_editable_install_needs_no_page(checkout: Path) -> None:
    done = build(checkout, "editable_wheel", "--dist-dir", "editable")

    assert done.returncode == 0, done.stderr
    assert list(checkout.glob("editable/*.whl"))


def test_every_file_of_the_page_is_shipped_whatever_it_is_called(checkout: Path) -> None:
    names = {"index.html", "icon.svg", "assets/index-AbC_12-x.js", "assets/index-1.css", "assets/felt-2.webp", "robots.txt"}
    for name in names:
        path = checkout / "server" / "web" / "page" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    assert build(checkout, "sdist").returncode == 0
    (path,) = checkout.glob("dist/*.tar.gz")
    with tarfile.open(path) as archive:
        packed = {name.partition("/server/web/page/")[2] for name in archive.getnames()}
    assert names <= packed
    # As pip builds a wheel: out of the sdist alone, where no node is.
    unpacked = checkout / "unpacked"
    shutil.unpack_archive(path, unpacked, filter="data")
    (sources,) = unpacked.iterdir()
    done = build(sources, "bdist_wheel")
    assert done.returncode == 0, done.stderr
    (wheel,) = sources.glob("dist/*.whl")
    shutil.unpack_archive(wheel, checkout / "installed", "zip")
    installed = checkout / "installed" / "machiavel" / "server" / "web" / "page"
    assert {path.relative_to(installed).as_posix() for path in installed.rglob("*") if path.is_file()} == names
