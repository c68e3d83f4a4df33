"""Texts: complete in both languages, and with the same parts."""

from string import Formatter

import pytest
from rich.text import Text

from machiavel.server.cli.command_texts import TEXTS, Texts, Words, language_of_environment
from machiavel.server.cli.tables.agency_words import AGENCY_TEXTS


@pytest.mark.parametrize("texts", [TEXTS, AGENCY_TEXTS], ids=["command", "agency"])
def test_both_languages_say_everything_with_the_same_parts(texts: Texts) -> None:
    assert set(texts) == {"en", "fr"}
    assert set(texts["en"]) == set(texts["fr"])
    for key, english in texts["en"].items():
        french = texts["fr"][key]
        assert english.strip()
        assert french.strip()
        assert parts(english) == parts(french), key


def parts(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


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
