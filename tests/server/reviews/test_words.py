"""Sentences about a match quote what the review found, in both languages."""

import re
from string import Formatter

import pytest

from machiavel.search import Moment
from machiavel.server.reviews.review_texts import REVIEW_TEXTS, percent, sentence
from tests.engines.games import INSTALLED
from tests.server.reviews.matches import reviewed


def parts(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_both_languages_say_everything_with_the_same_parts() -> None:
    assert set(REVIEW_TEXTS) == {"en", "fr"}
    assert set(REVIEW_TEXTS["en"]) == set(REVIEW_TEXTS["fr"])
    for key, english in REVIEW_TEXTS["en"].items():
        assert english.strip() and REVIEW_TEXTS["fr"][key].strip()
        assert parts(english) == parts(REVIEW_TEXTS["fr"][key]), key


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", INSTALLED)
def test_a_sentence_quotes_the_chances_and_the_moves(game: str, language: str) -> None:
    transcript, judgements, story = reviewed(game)
    worst = max(judgements, key=lambda one: one.loss)
    loss = Moment(
        *("loss", worst.seat, worst.ply, worst.ply + 1, worst.best_chance, worst.played_chance), move=worst.move, best=worst.best
    )
    for one in (*story.moments, loss):
        text = sentence(transcript, one, language)
        shares = re.findall(r"(\d+)\s%", text)
        assert shares == [percent(one.before), percent(one.after)]
        for move in filter(None, (one.move, one.best)):
            assert transcript.phrase(one.ply, move, "doing", language).casefold() in text.casefold()
        assert "{" not in text and "  " not in text
        assert text.endswith(".")


def test_a_change_names_the_moves_that_made_it_where_they_are_few() -> None:
    transcript, *_ = reviewed("whist")
    text = sentence(transcript, Moment("swing", 1, 4, 6, 0.2, 0.4), "en")
    for ply in (4, 5):
        move = transcript.moves[ply]
        words = transcript.phrase(ply, move, "short", "en")
        assert words != move and f"seat {transcript.movers[ply]}: {words}" in text
    assert "(" not in sentence(transcript, Moment("swing", 1, 4, 9, 0.2, 0.4), "en")


def test_moves_are_numbered_from_one() -> None:
    transcript, *_ = reviewed("whist")
    for plies, words in (((4, 4), "After move 4: seat 1's"), ((4, 5), "Move 5: seat 1's"), ((4, 9), "Moves 5 to 9: seat 1's")):
        assert sentence(transcript, Moment("swing", 1, *plies, 0.2, 0.4), "en").startswith(words)
    assert "drops" in sentence(transcript, Moment("swing", 1, 4, 9, 0.4, 0.2), "en")
    assert "to the end" in sentence(transcript, Moment("end", 1, 4, 9, 0.4, 1.0), "en")
