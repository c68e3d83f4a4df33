"""The sdists and wheels of both distributions."""

import sys
from pathlib import Path

import pytest

from tests.packaging.builds import made_once
from tests.packaging.project import ROOT, run


def build(source: Path, folder: Path) -> str:
    """The sdist, and the wheel made from it, as releases are made, for every Python; but unoptimised, in a third of the time."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, source]
    return run(["env", "MACHIAVEL_ABI3=1", "MACHIAVEL_OPTIMIZE=0", *map(str, command)], folder)


@pytest.fixture(scope="session")
def server_build() -> Path:
    """The folder with the sdist and the wheel of the server."""
    return made_once("server", {"engines", "search", "server", "proto"}, lambda folder: build(ROOT, folder))


@pytest.fixture(scope="session")
def client_build() -> Path:
    """The folder with the sdist and the wheel of the client."""
    return made_once("client", {"clients", "proto"}, lambda folder: build(ROOT / "clients", folder))
