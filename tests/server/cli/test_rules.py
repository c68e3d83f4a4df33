"""`machiavel rules`."""

import re

import pytest

from machiavel.engines import LANGUAGES, games, load
from tests.server.cli.command import Runner

HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_of_every_game_are_shown_within_the_terminals_width(
    run: Runner, monkeypatch: pytest.MonkeyPatch, language: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for game in games():
        ran = run("rules", game, "--lang", language)
        lines = ran.out.splitlines()
        assert ran.code == 0
        assert max(map(len, lines)) <= width
        assert max(map(len, lines)) > width - 20
        for heading in HEADING.findall(load(game).plugin.rules_text(language)):
            assert heading.replace("\N{NO-BREAK SPACE}", " ") in (line.replace("\N{NO-BREAK SPACE}", " ") for line in lines)
        assert not re.search(r"\*\*|^#|`|\n\n\n|[\ue000]", ran.out)


def test_a_wide_terminal_does_not_make_lines_too_long_to_read(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")

    assert max(map(len, run("rules", "agency").out.splitlines())) <= 120


@pytest.mark.parametrize("width", range(60, 90))
def test_no_line_begins_with_a_mark_of_french(run: Runner, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))

    for game in games():
        lines = [line.strip() for line in run("rules", game, "--lang", "fr").out.splitlines()]
        assert not [line for line in lines if line.startswith((":", ";", "?", "!", "»")) or line.endswith("«")]


def test_the_locale_chooses_the_language_of_rules(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "fr_CA.UTF-8")

    assert run("rules", "agency").out.startswith("L’Agence\n")
    assert run("rules", "agency", "--lang", "en").out.startswith("The Agency\n")


def test_rules_as_json_are_one_object(run: Runner) -> None:
    text = load("bond").plugin.rules_text("fr")

    assert run("rules", "bond", "--lang", "fr", "--json").objects == [{"game": "bond", "language": "fr", "text": text}]


def test_rules_of_a_game_that_is_not_installed_are_an_error_that_names_those_that_are(run: Runner) -> None:
    ran = run("rules", "chess")

    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"machiavel: error: unknown game 'chess'; installed: {', '.join(games())}\n"
