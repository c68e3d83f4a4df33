"""The first examples of the README answer what stands there, and its match in the shell is played to its end."""

import json
import re
from pathlib import Path

import pytest

from machiavel.clients import connect
from tests.docs.page import ROOT, blocks, javascript, run
from tests.server.service.hosted import Hosted

README = ROOT / "README.md"
TEXTS = [text for text in blocks(README, "text") if "═" not in text and "╭" not in text]


def test_curl_gets_the_answer_that_stands_there(server: Hosted) -> None:
    (call,) = [block for block in blocks(README, "sh") if block.startswith("curl ")]
    (shown,) = blocks(README, "json")
    answer, expected = json.loads(run(server, "bash", "-c", call.replace("curl ", "curl --silent "))), json.loads(shown)

    assert answer.pop("elapsed")
    assert expected.pop("elapsed")
    assert answer == expected


def test_python_prints_what_stands_there(server: Hosted, capsys: pytest.CaptureFixture[str]) -> None:
    (snippet,) = [block for block in blocks(README, "python") if "machiavel.clients" in block]
    for address in (server.address, server.server.web_address):
        exec(compile(snippet.replace("127.0.0.1:7788", str(address), 1), README.name, "exec"), {})  # noqa: S102 - our own page
        assert capsys.readouterr().out == TEXTS[0]


def test_javascript_prints_what_stands_there(server: Hosted, tmp_path: Path) -> None:
    (snippet,) = blocks(README, "js")
    printed = javascript(server, snippet, tmp_path)
    assert printed.endswith(TEXTS[1])  # what is known so far may come before


def test_a_match_takes_ten_lines_of_shell(server: Hosted) -> None:
    (lines,) = blocks(README, "bash")
    assert len(lines.splitlines()) <= 10
    quick = lines.replace('"think": "0.1s"', '"think": "0.02s"').replace("sleep 0.2", "sleep 0.02")
    *cards, utilities = run(server, "bash", "-euo", "pipefail", "-c", quick).splitlines()

    assert sum(json.loads(utilities)) == pytest.approx(1)
    assert cards
    assert all(re.fullmatch(r"\w+ of \w+", card) for card in cards)
    with connect(server.address) as service:
        match = next(iter(service.list_matches()))
    assert list(match.utilities) == json.loads(utilities)


def test_no_part_of_the_readme_is_named_that_is_not_there() -> None:
    text = README.read_text(encoding="utf-8")
    targets = [target for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in target]
    assert len(targets) > 20
    assert not [target for target in targets if not (ROOT / target).exists()]
