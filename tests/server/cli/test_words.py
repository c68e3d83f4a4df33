"""Texts: complete in both languages, and with the same parts."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from rich.text import Text

from machiavel import engines
from machiavel.server.cli.command_texts import TEXTS, Words, language_of_environment
from machiavel.server.cli.output import people
from machiavel.server.cli.tournament_progress import TEXTS as PROGRESS_TEXTS
from machiavel.server.reviews.review_texts import REVIEW_TEXTS
from machiavel.server.tournaments.report_texts import REPORT_TEXTS

WORDS = sorted(Path(engines.__file__).parent.rglob("words/*.toml"))


def test_both_languages_say_everything_with_the_same_parts() -> None:
    assert set(TEXTS) == {"en", "fr"}
    assert set(TEXTS["en"]) == set(TEXTS["fr"])
    for key, english in TEXTS["en"].items():
        french = TEXTS["fr"][key]
        assert english.strip()
        assert french.strip()
        assert parts(english) == parts(french), key


@pytest.mark.parametrize("file", WORDS, ids=lambda file: f"{file.parents[1].name}-{file.stem}")
def test_no_text_in_a_folder_of_words_is_empty(file: Path) -> None:
    texts = list(texts_of(tomllib.loads(file.read_text(encoding="utf-8"))))
    assert texts
    assert all(text.strip() for text in texts)


@pytest.mark.parametrize(
    "texts", [TEXTS, PROGRESS_TEXTS, REVIEW_TEXTS, REPORT_TEXTS], ids=["tables", "progress", "reviews", "reports"]
)
def test_french_marks_stand_behind_a_space_that_does_not_break(texts: Mapping[str, Mapping[str, str]]) -> None:
    gap = re.compile("(?<![·;]) [:;?!%»]|« ")
    assert [text for text in texts["fr"].values() if gap.search(text)] == []


def texts_of(table: dict[str, Any]) -> Iterator[str]:
    for value in table.values():
        yield from texts_of(value) if isinstance(value, dict) else [value]


def parts(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_a_line_is_not_broken_before_a_mark(capsys: pytest.CaptureFixture[str]) -> None:
    text = "1234567 10\N{NO-BREAK SPACE}%"

    people(plain=True).print(text, width=10)

    assert capsys.readouterr().out == "1234567\n10\N{NO-BREAK SPACE}%\n"


def test_styled_parts_keep_their_style() -> None:
    words = Words({"en": {"key": "{who} plays {card}."}}, "en")

    text = words.styled("key", who="Jean", card=Text("green 8", style="green"))

    assert text.plain == "Jean plays green 8." == words("key", who="Jean", card="green 8")
    assert [(span.start, span.end, span.style) for span in text.spans] == [(11, 18, "green")]


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB", "LC_MESSAGES": "fr_CA"}, "fr"),
        ({"LANG": "fr", "LC_ALL": ""}, "fr"),
    ],
)
def test_the_language_is_that_of_the_locale(environment: dict[str, str], language: str) -> None:
    assert language_of_environment(environment) == language
