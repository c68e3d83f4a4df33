"""Entries: what may be said in several ways is found, and what could be several things is left alone."""

import pytest

from machiavel.engines import Phrases
from machiavel.server.cli.tables.entries import meant, ways

SPOKEN = {"send:2": ["envoie l'espion 2", "send spy 2"], "skip": ["passe", "rien"], "go:entree": ["entrée", "entry"]}


@pytest.mark.parametrize(
    ("entry", "move"),
    [
        ("Envoie l’espion 2", "send:2"),
        ("send  spy2", "send:2"),
        ("send:spy 02", "send:2"),
        (" RIEN ", "skip"),
        ("entree", "go:entree"),
        ("Entre\N{COMBINING ACUTE ACCENT}e", "go:entree"),
    ],
)
def test_capitals_accents_spaces_and_punctuation_do_not_count(entry: str, move: str) -> None:
    assert meant(entry, SPOKEN) == move


@pytest.mark.parametrize("entry", ["", "?", "send spy", "send spy 22", "2", "send spy 2 2"])
def test_what_nothing_is_called_is_left_as_it_is(entry: str) -> None:
    assert meant(entry, SPOKEN) == entry


def test_what_several_moves_are_called_is_left_as_it_is() -> None:
    assert meant("martha", {"lead:1": ["Martha"], "look:1": ["Martha"]}) == "martha"


def test_a_move_may_be_said_in_every_language_with_each_way_to_say_its_parts() -> None:
    texts = Phrases({"en": {"play": "{card} | play {card}"}, "fr": {"play": "{card} | joue {card}"}})

    assert ways(texts, "play", card=["G8", "V8"]) == ["G8", "play G8", "V8", "play V8", "joue G8", "joue V8"]
