"""What the command line once wrote is read, and views it was asked about are answered still."""

import json
from typing import Any

import pytest

from machiavel.engines import load
from machiavel.search import Recommendation
from tests.before.artifacts import differences, rows
from tests.server.cli.command import Runner

ANSWERS = rows("answers.jsonl")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runner:
    return Runner(monkeypatch, capsys)


@pytest.mark.parametrize("row", [one for one in ANSWERS if one["input"]], ids=lambda row: "-".join(row["arguments"][1:5:3]))
def test_a_hint_is_read_and_given_again(run: Runner, row: dict[str, Any]) -> None:
    view = load(row["input"]["game"]).view_from_json(row["input"])
    (again,) = run(*row["arguments"], entries=json.dumps(row["input"])).objects
    (before,) = row["output"]
    assert set(before) <= set(again)
    for data in (before, again):
        result = Recommendation.from_json({name: value for name, value in data.items() if name in RECOMMENDED})
        assert {one.move for one in result.candidates} == set(view.legal_moves())
        assert result.iterations == before["iterations"]
        assert data["explanation"]


RECOMMENDED = {
    name
    for row in ANSWERS
    if row["input"]
    for name in row["output"][0]
    if name not in {"explanation", "comparison", "final", "type"}
}


@pytest.mark.parametrize("name", ["games", "bots"])
def test_lists_still_have_what_they_had(run: Runner, name: str) -> None:
    (row,) = (one for one in ANSWERS if one["arguments"][0] == name)
    again = run(*row["arguments"]).objects
    before, after = ({name_of(one): set(one) for one in listed} for listed in (row["output"], again))
    for one, fields in before.items():
        assert fields <= after[one], one


def name_of(listed: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(listed[name]) for name in ("game", "bot", "style") if name in listed)


def test_the_games_have_the_rules_they_had(run: Runner) -> None:
    (row,) = (one for one in ANSWERS if one["arguments"][0] == "games")
    now = {one["game"]: one for one in run(*row["arguments"]).objects}
    for one in row["output"]:
        options = {option["name"]: option["default"] for option in now[one["game"]]["options"]}
        assert not list(differences({option["name"]: option["default"] for option in one["options"]}, options))
        assert now[one["game"]]["rules_version"] == one["rules_version"]
        assert set(one["players"]) <= set(now[one["game"]]["players"])
