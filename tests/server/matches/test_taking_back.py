"""Decisions taken back: the same deal and the same luck, versions that only grow, and a log that says what was undone."""

import random

import pytest

from machiavel.engines import BadRecord, Record, TakenBack
from machiavel.server.matches.hosting_errors import NothingToTakeBack, SeatHeld, StaleVersion
from machiavel.server.matches.match import Match
from machiavel.server.matches.match_events import SPECTATOR, read
from machiavel.server.matches.match_setup import Player, Seat, Settings
from tests.engines.games import INSTALLED, players_of
from tests.server.matches.played import NOW, begun

GREEDY = Player("greedy", "greedy", 1.0)
PERSON = 0


def practice(game: str, seed: int = 5) -> Match:
    """One person among bots, whose moves the tests make."""
    players = players_of(game)
    seats = (Seat("person"), *[Seat("bot", player=GREEDY)] * (players - 1))
    return begun(game, players, seed, seats=seats, settings=Settings(practice=True))


def step(match: Match, rng: random.Random) -> None:
    """Whoever is asked first answers anything."""
    seat = min(set(match.questions) - set(match.pending_answers))
    match.answer(seat, rng.choice(match.questions[seat].legal_moves(seat)), NOW)


def until_moved(match: Match, rng: random.Random) -> None:
    """A move of the person, and one of somebody else after it."""
    while not match.decided.get(PERSON) or match.state.seat_to_move == PERSON:
        step(match, rng)


@pytest.mark.parametrize("game", INSTALLED)
def test_what_is_played_again_after_it_meets_the_same_luck(game: str) -> None:
    match, rng = practice(game), random.Random(game)
    taken = 0
    while match.phase == "playing" and taken < 6:
        step(match, rng)
        if match.phase != "playing" or rng.random() < 0.7 or PERSON in match.pending_answers:
            continue
        before, versions, state = match.state.moves, dict(match.versions), match.state.to_bytes()
        try:
            undone = match.take_back(PERSON, None, NOW)
        except NothingToTakeBack:
            continue
        taken += 1
        assert match.state.moves == before[: undone.ply] == match.state.record().moves
        assert match.plies == undone.ply and undone.moves == before[undone.ply :]
        assert match.state.seat_to_move == PERSON and PERSON in match.pending_questions
        assert all(match.versions[viewer] > version for viewer, version in versions.items())
        again = match.state.copy()
        for move in undone.moves:
            again.play(move)
        assert again.to_bytes() == state
    assert taken or game == "kuhn"
    replayed = Match.begin(match.name, match.setup)
    for event in match.events:
        replayed.fold(event)
    assert replayed.state.to_bytes() == match.state.to_bytes()
    assert (replayed.record(), replayed.versions) == (match.record(), match.versions)
    assert replayed.pending_questions == match.pending_questions


def test_the_move_of_a_ply_is_taken_back_with_all_that_followed() -> None:
    match, rng = practice("whist"), random.Random(1)
    while match.plies < 12:
        step(match, rng)
    own = [ply for ply, seat in enumerate(movers(match)) if seat == PERSON]
    assert match.take_back(PERSON, own[1], NOW).ply == own[1]
    assert match.plies == own[1]
    with pytest.raises(NothingToTakeBack, match=f"no move at ply {own[1]}"):
        match.take_back(PERSON, own[1], NOW)
    assert match.take_back(PERSON, None, NOW).ply == own[0]
    with pytest.raises(NothingToTakeBack, match="no move yet"):
        match.take_back(PERSON, None, NOW)


def movers(match: Match) -> list[int]:
    state, result = match.setup.deal(), []
    for move in match.state.moves:
        result.append(state.seat_to_move or 0)
        state.play(move)
    return result


def test_an_answer_that_waits_is_taken_back_unseen_by_the_others() -> None:
    match, rng = practice("bond"), random.Random(7)
    while len(match.questions) < 2:
        step(match, rng)
    answered, plies = max(set(match.questions) - {match.state.seat_to_move}), match.plies
    match.seats[answered] = Seat("person")
    match.answer(answered, match.questions[answered].legal_moves(answered)[0], NOW)
    versions, question = dict(match.versions), match.pending_questions[answered]
    assert match.take_back(answered, None, NOW) == TakenBack(plies, ())
    assert answered not in match.pending_answers
    assert match.pending_questions[answered] == question
    assert {viewer for viewer in versions if match.versions[viewer] != versions[viewer]} == {answered}
    assert not match.taken_back


def test_only_a_person_takes_back_and_only_what_was_looked_at() -> None:
    match, rng = practice("whist"), random.Random(2)
    until_moved(match, rng)
    seen = match.versions[PERSON]
    with pytest.raises(SeatHeld, match="played by a bot"):
        match.take_back(PERSON + 1, None, NOW)
    match.check_decided(PERSON, seen)
    match.take_back(PERSON, None, NOW)
    with pytest.raises(StaleVersion, match="has decided anew"):
        match.check_decided(PERSON, seen)
    with pytest.raises(StaleVersion):
        match.check_decided(PERSON, match.versions[PERSON] + 1)
    match.check_decided(PERSON, match.versions[PERSON])


def test_the_moves_of_bots_do_not_make_a_version_stale() -> None:
    match, rng = practice("whist"), random.Random(3)
    while match.state.seat_to_move != PERSON:
        step(match, rng)
    step(match, rng)
    seen = match.versions[PERSON]
    while match.state.seat_to_move != PERSON:
        step(match, rng)
    assert match.versions[PERSON] > seen
    match.check_decided(PERSON, seen)


def test_the_record_says_what_was_taken_back_and_replays_without_it() -> None:
    match, rng = practice("bond"), random.Random(4)
    plain = match.record()
    assert "taken_back" not in plain.to_json()
    until_moved(match, rng)
    undone = match.take_back(PERSON, None, NOW)
    record = match.record()
    assert record.taken_back == (undone,)
    assert Record.from_json(record.to_json()) == record
    assert match.state.game.replay(record).to_bytes() == match.state.to_bytes()


@pytest.mark.parametrize("wrong", [None, 3, [1], [{"ply": 1}], [{"ply": -1, "moves": []}], [{"ply": 0, "moves": [2]}]])
def test_a_record_with_anything_else_there_is_refused(wrong: object) -> None:
    with pytest.raises(BadRecord, match="taken_back"):
        Record.from_json(practice("whist").record().to_json() | {"taken_back": wrong})


def test_what_everybody_is_shown_of_it() -> None:
    match, rng = practice("whist"), random.Random(6)
    until_moved(match, rng)
    match.take_back(PERSON, None, NOW)
    assert read(match.events[-1]).is_shown_to(SPECTATOR)
