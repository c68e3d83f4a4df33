"""The frontends in `clients/examples` play against a server as third parties would."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from machiavel.clients import connect
from tests.clients.js.programs import NODE
from tests.engines.games import INSTALLED
from tests.server.service.hosted import GAMES, Hosted, hosted

EXAMPLES = Path(__file__).resolve().parents[2] / "clients" / "examples"


README = EXAMPLES.parent / "README.md"
SNIPPET = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted(think=0.02, web="127.0.0.1:0") as result:
        yield result


def node(program: str, server: Hosted, *arguments: str) -> list[str]:
    assert server.server.web_address is not None
    return run(NODE, EXAMPLES / "node" / program, server.server.web_address, *arguments)


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


@pytest.mark.parametrize("door", ["grpc", "http"])
def test_the_bot_in_a_file_holds_a_seat_by_itself(server: Hosted, door: str) -> None:
    address = server.address if door == "grpc" else str(server.server.web_address)
    with connect(address) as service:
        host = service.create_match("whist", ["open", "greedy"], think=0.02)
        (results,) = run(sys.executable, EXAMPLES / "mybot.py", address, host.code)
        assert json.loads(results) == list(host.get().match.utilities)


def test_the_frontend_in_javascript_plays(server: Hosted) -> None:
    lines = node("frontend.js", server)
    assert lines[0] == f"games: {' '.join(INSTALLED)}"
    assert sum(" seat " in line for line in lines) == 12
    assert re.fullmatch(r"final: true, best: \S+, \d+ iterations", lines[-2])
    assert lines[-1] == "INVALID_ARGUMENT: 'no such move' is not a move; ex"


def test_the_snippets_of_the_readme_run(server: Hosted, capsys: pytest.CaptureFixture[str]) -> None:
    text = README.read_text(encoding="utf-8")
    snippets = SNIPPET.findall(text)
    assert len(snippets) == 3
    for snippet in snippets:
        exec(compile(snippet.replace("127.0.0.1:7788", server.address), README.name, "exec"), {})  # noqa: S102 - our own page
    *_, names, record, results = capsys.readouterr().out.splitlines()
    assert names.startswith("['me', 'Louise', 'level3'] [")
    assert record.endswith(" True")
    assert sum(json.loads(results)) == 1


def test_a_table_takes_fifteen_lines() -> None:
    _, snippet, _ = SNIPPET.findall(README.read_text(encoding="utf-8"))
    assert len(snippet.splitlines()) <= 16  # the blank one after the import is none


@pytest.mark.parametrize("game", GAMES)
def test_the_seat_in_javascript_plays_a_hosted_match_to_its_end(server: Hosted, game: str) -> None:
    lines = node("table.js", server, game)
    *moves, results, record = lines
    assert results.startswith("results by seat: ")
    assert len(results.split()) == 6
    told = re.fullmatch(r"(\d+) answers of ours, (\d+) moves, committed to as [0-9a-f]{8}…", record)
    assert told
    assert int(told[1]) > 0
    # What bots did before the first look is not told as an event.
    assert int(told[1]) <= sum(line.startswith("seat ") for line in moves) <= int(told[2])
