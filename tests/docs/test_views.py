"""Each view to be pasted is taken as it stands, and the files are those that are made."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.docs.page import DOCS, blocks, run, web_url
from tests.engines.games import INSTALLED
from tests.server.service.hosted import Hosted

FILES = sorted((DOCS / "views").glob("*.json"))
QUICK = {"bot": "ismcts:iterations=50", "explain": True}


def ask(server: Hosted, method: str, body: bytes) -> Any:
    request = Request(f"{web_url(server)}/machiavel.v1.{method}", body, {"content-type": "application/json"})  # noqa: S310
    with urlopen(request, timeout=60) as answer:  # noqa: S310 - our own server
        return json.load(answer)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_view_gets_its_legal_moves_and_advice(server: Hosted, file: Path) -> None:
    body = file.read_bytes()
    (seat,) = ask(server, "GameService/LegalMoves", body)["seats"]
    moves = [move["text"] for move in seat["moves"]]
    advice = ask(server, "BotService/RecommendMove", json.dumps(json.loads(body) | QUICK).encode())

    assert len(moves) > 1
    assert advice["move"]["text"] in moves
    assert advice["explanation"]["sentences"]


def test_every_game_has_views_and_each_of_them_another_question() -> None:
    assert {file.stem.partition("-")[0] for file in FILES} == set(INSTALLED)
    table = (DOCS / "views.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| \[([\w-]+)\.json\]", table, re.MULTILINE)) == [file.stem for file in FILES]
    questions = [(json.loads(file.read_text(encoding="utf-8"))["view"]["game"], file.stem) for file in FILES]
    assert len(set(questions)) == len(FILES)


def test_the_files_and_their_table_are_made_of_the_games_as_they_are() -> None:
    shown = (
        "import make_views as m; print([n for n in m.QUESTIONS if m.text_of(n) != (m.FOLDER / f'{n}.json').read_text('utf-8')],"
        " m.page() == m.PAGE.read_text('utf-8'))"
    )
    made = subprocess.run([sys.executable, "-Bc", shown], cwd=DOCS, capture_output=True, text=True, check=True)
    assert made.stdout == "[] True\n"


def test_the_lines_of_the_page_run(server: Hosted) -> None:
    lines = blocks(DOCS / "views.md", "sh")
    assert len(lines) == 5
    told = [run(server, "bash", "-c", line.replace("curl ", "curl --silent ")) for line in lines]
    advice, moves, explained = map(json.loads, told[:3])

    assert advice["move"]["text"] in [move["text"] for move in moves["seats"][0]["moves"]]
    assert explained["explanation"]["sentences"]
    assert told[3:] == blocks(DOCS / "views.md", "json")[-2:]
