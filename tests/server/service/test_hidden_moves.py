"""Moves that others made unseen are told in words of both languages, by GameService and in hosted matches."""

import random

import pytest

from machiavel.clients import Client
from machiavel.engines import load
from machiavel.server.matches.match import Match
from machiavel.server.matches.match_events import SPECTATOR, read
from machiavel.server.matches.questions import Restart
from machiavel.server.service import match_wire, wire
from tests.engines.games import INSTALLED, players_of
from tests.server.matches.played import NOW, first_match

HERE = Restart()  # in one run of a server
WORDS = {
    "pass:": ("pass a hidden card", "passer une carte cachée"),
    "spy:": ("send a spy to seat {target}'s lair", "envoyer un espion dans le repaire du joueur {target}"),
    "add:": ("send another spy along", "ajouter un espion"),
}
HIDDEN = [("agency", 3, "pass:"), ("agency", 5, "pass:"), ("bond", 2, "spy:"), ("bond", 5, "spy:"), ("bond", 4, "add:")]


def chosen(match: Match, word: str) -> str:
    """A move of that sort that the seat to move may make; empty where there is none."""
    return next((text for text in match.state.legal_moves() if text.startswith(word)), "")


def words_of(text: str) -> tuple[str, str]:
    """What others read of a move, in English and French, by its sort and what is seen of it."""
    word = text.partition(":")[0] + ":"
    en, fr = (words.format(target=text.partition(">")[2]) for words in WORDS[word])
    return en, fr


@pytest.mark.parametrize(("game", "players", "word"), HIDDEN)
def test_the_public_move_of_a_hidden_one_is_in_words(service: Client, game: str, players: int, word: str) -> None:
    match = first_match(game, players, lambda one: bool(chosen(one, word)))
    text = chosen(match, word)

    done = service.apply_move(wire.state_message(match.state), text)

    assert "?" in done.public_move.text
    assert (done.public_move.label.en, done.public_move.label.fr) == words_of(text)
    labels = load(game).move_labels(match.state.rules, text)
    assert (done.move.label.en, done.move.label.fr) == (labels["en"], labels["fr"])


@pytest.mark.parametrize(("game", "players", "word"), HIDDEN)
def test_a_watcher_reads_of_a_hidden_move_what_it_may_know_in_words(game: str, players: int, word: str) -> None:
    match = first_match(game, players, lambda one: bool(chosen(one, word)))
    text, mover = chosen(match, word), match.state.seat_to_move
    match.state.play(text)

    for viewer in (SPECTATOR, *range(players)):
        move = wire.seen_move_message(match.state, viewer)
        labels = load(game).move_labels(match.state.rules, text)
        words = (labels["en"], labels["fr"]) if viewer == mover else words_of(text)
        assert ("?" in move.text) == (viewer != mover)
        assert (move.label.en, move.label.fr) == words


@pytest.mark.parametrize("game", INSTALLED)
def test_the_words_of_a_move_tell_a_viewer_no_more_than_its_text(game: str) -> None:
    rng = random.Random(game)
    players = players_of(game)
    match = first_match(game, players, lambda _: True)
    told: dict[str, tuple[str, str]] = {}
    while match.phase == "playing" and match.plies < 120:
        seat = rng.choice(sorted(set(match.pending_questions) - set(match.pending_answers)))
        before = len(match.events)
        match.answer(seat, rng.choice(match.questions[seat].legal_moves(seat)), NOW)
        moves = [parsed for parsed in map(read, match.events[before:]) if parsed.what == "move"]
        for viewer in (SPECTATOR, *range(players)) if moves else ():
            message = match_wire.event_message(match, moves[-1], viewer, HERE)
            move = message.move.move
            assert move.text == match.state.last_move(viewer)
            assert "?" not in move.label.en + move.label.fr
            assert told.setdefault(move.text, (move.label.en, move.label.fr)) == (move.label.en, move.label.fr)
