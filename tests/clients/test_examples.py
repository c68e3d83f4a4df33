"""The frontends in `clients/examples` play against a server as third parties would."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.service.hosted import Hosted, hosted

EXAMPLES = Path(__file__).resolve().parents[2] / "clients" / "examples"


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted() as found:
        yield found


def run(*command: str | Path) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_frontend_in_python_plays_a_match_to_its_end(server: Hosted, language: str) -> None:
    lines = run(sys.executable, EXAMPLES / "frontend.py", server.address, "--lang", language)
    assert any(line.startswith("results by seat:") for line in lines)
    assert lines[-1].startswith("FAILED_PRECONDITION: seat 0 is not to move")


def test_the_frontend_in_javascript_reads_the_proto_files_and_plays(server: Hosted) -> None:
    lines = run("node", EXAMPLES / "node" / "frontend.js", server.address)
    assert lines[0] == "games: agency bond citadel whist"
    assert sum(" seat " in line for line in lines) == 12
    assert lines[-2].startswith("final: true, best: ")
    assert lines[-1] == "INVALID_ARGUMENT: 'no such move' is not a move; ex"
