"""What `make wheels` gives: the same bytes from any folder, and what somebody without a compiler can use."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.packaging.project import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]


def released(folder: Path, umask: str, **settings: str) -> dict[str, bytes]:
    """What a clone of the last commit in that folder makes, in an environment of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MACHIAVEL", "MAKE", "SOURCE"))}
    run(["git", "clone", "--quiet", "--no-hardlinks", ROOT, folder], Path("/"), kept)
    run(["bash", "-c", f"umask {umask} && make wheels PYTHON={sys.executable}"], folder, kept | settings)
    return {path.name: path.read_bytes() for path in (folder / "dist").iterdir()}


def run(command: Sequence[str | Path], folder: Path, settings: dict[str, str]) -> None:
    done = subprocess.run(command, cwd=folder, env=settings, check=False, capture_output=True, text=True, timeout=1500)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("first") / "clone"


@pytest.fixture(scope="module")
def made(first: Path) -> dict[str, bytes]:
    return released(first, "022", TZ="UTC")


def test_wheels_and_sdists_of_both_distributions_are_made(made: dict[str, bytes]) -> None:
    names = sorted(re.sub(r"-\d+\.\d+\.\d+", "", name) for name in made)
    assert [name for name in names if name.endswith(".tar.gz")] == ["machiavel.tar.gz", "machiavel_client.tar.gz"]
    wheels = [name for name in names if name.endswith(".whl")]
    assert wheels[0].startswith("machiavel-cp311-abi3-manylinux")
    assert "manylinux_2_17" in wheels[0]
    assert wheels[1:] == ["machiavel_client-py3-none-any.whl"]
    assert len(names) == 4


def test_another_folder_gives_the_same_bytes(made: dict[str, bytes], tmp_path: Path) -> None:
    others = released(tmp_path / "a" / "much" / "longer" / "name", "077", TZ="Asia/Tokyo", LANG="fr_FR.UTF-8")

    assert sorted(others) == sorted(made)
    assert [name for name in made if others[name] != made[name]] == []


def test_the_wheels_are_used_without_a_compiler(made: dict[str, bytes], first: Path) -> None:
    script = ROOT / "tests/packaging/use_wheels.py"
    run([sys.executable, "-P", script, "--wheels", first / "dist", sys.executable], Path("/"), dict(os.environ))
