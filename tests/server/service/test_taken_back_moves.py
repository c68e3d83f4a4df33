"""TakeBackMove over the network: who may, what watchers hear of it, what the record says, and what a restart finds."""

import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from machiavel import v1
from machiavel.engines import load
from machiavel.server.service import wire
from tests.server.service.hosted import Hosted, hosted
from tests.server.service.match_calls import OPEN, PERSON, bot, create, fresh, over, play_on, refused, snapshot, stub, until


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted(think=0.02) as result:
        yield result


@pytest.fixture
def service(server: Hosted) -> Iterator[Any]:
    with stub(server.address) as result:
        yield result


def practice(service: Any, **settings: Any) -> tuple[str, str, str]:
    """The match, the person's token and the host's."""
    made = create(service, "whist", PERSON, bot(), bot(), practice=True, open_record=True, **settings)
    return made.match.match, made.seat_tokens[0], made.host_token


def asked(service: Any, match: str, token: str) -> v1.MatchSnapshot:
    shown: v1.MatchSnapshot = until(lambda: (one := snapshot(service, match, token)).position.moves and one)
    return shown


def play(service: Any, match: str, token: str) -> v1.PlayMoveResponse:
    shown = asked(service, match, token)
    answer: v1.PlayMoveResponse = service.PlayMove(
        v1.PlayMoveRequest(match=match, token=token, move=shown.position.moves[0].text, expected_version=shown.version)
    )
    return answer


def test_the_seat_is_asked_again_as_it_was_and_watchers_are_told(service: Any) -> None:
    match, token, _ = practice(service, spectators=True)
    told: list[Any] = []
    watcher = threading.Thread(
        target=lambda: told.extend(service.WatchMatch(v1.WatchMatchRequest(match=match))),
    )
    watcher.start()
    before = asked(service, match, token)
    play(service, match, token)
    asked(service, match, token)
    answer = service.TakeBackMove(v1.TakeBackMoveRequest(match=match, token=token))
    after = snapshot(service, match, token)
    assert answer.version == after.version > before.version
    assert answer.taken_back.ply == before.position.ply == after.position.ply
    assert answer.taken_back.moves >= 3  # its own, and those of two bots
    for field in ("view", "moves", "seats_to_move"):
        assert getattr(after.position, field) == getattr(before.position, field)
    assert after.observed_moves == before.observed_moves
    play_on(service, match, token, random.Random(1))
    watcher.join(60)
    events = [one.event for one in told if one.HasField("event")]
    assert [one.version for one in events] == list(range(events[0].version, events[0].version + len(events)))
    (undone,) = [one for one in events if one.HasField("taken_back")]
    assert undone.taken_back == answer.taken_back
    assert (undone.position.ply, list(undone.events)) == (before.position.ply, [])


def test_the_record_says_what_was_undone_and_replays(service: Any) -> None:
    match, token, host = practice(service)
    first = play(service, match, token).move.text
    asked(service, match, token)
    service.TakeBackMove(v1.TakeBackMoveRequest(match=match, token=token))
    play_on(service, match, token, random.Random(2))
    record = service.GetRecord(v1.GetRecordRequest(match=match, token=host)).record
    (undone,) = record.taken_back
    assert undone.moves[0] == first
    whole = wire.read_record(record)
    state = load("whist").replay(whole)
    assert state.is_over and list(state.moves) == list(record.moves)
    assert whole.to_json()["taken_back"] == [{"ply": undone.ply, "moves": list(undone.moves)}]


def test_the_same_call_takes_back_once_and_an_older_version_nothing(service: Any) -> None:
    match, token, _ = practice(service)
    version = play(service, match, token).version
    asked(service, match, token)
    request = v1.TakeBackMoveRequest(match=match, token=token, expected_version=version, request_id=fresh())
    first = service.TakeBackMove(request)
    play(service, match, token)
    assert service.TakeBackMove(request) == first
    request.request_id = fresh()
    error = refused(lambda: service.TakeBackMove(request))
    assert (error.reason, error.expected_version) == ("STALE_VERSION", version)
    assert len(snapshot(service, match, token).observed_moves) > first.taken_back.ply


def test_who_has_not_moved_has_nothing_to_take_back(service: Any) -> None:
    match, token, _ = practice(service)
    error = refused(lambda: service.TakeBackMove(v1.TakeBackMoveRequest(match=match, token=token)))
    assert (error.reason, error.seat) == ("NOTHING_TO_TAKE_BACK", 0)
    play(service, match, token)
    error = refused(lambda: service.TakeBackMove(v1.TakeBackMoveRequest(match=match, token=token, ply=10**6)))
    assert error.reason == "NOTHING_TO_TAKE_BACK" and "no move at ply 1000000" in str(error)


def test_it_is_for_the_seat_in_a_match_for_practice_that_is_not_over(service: Any) -> None:
    match, token, host = practice(service)
    assert refused(lambda: service.TakeBackMove(v1.TakeBackMoveRequest(match=match, token=host))).reason == "NO_ACCESS"
    play_on(service, match, token, random.Random(3))
    assert over(snapshot(service, match, token))
    assert refused(lambda: service.TakeBackMove(v1.TakeBackMoveRequest(match=match, token=token))).reason == "MATCH_OVER"
    made = create(service, "whist", PERSON, bot())
    request = v1.TakeBackMoveRequest(match=made.match.match, token=made.seat_tokens[0])
    assert (error := refused(lambda: service.TakeBackMove(request))).reason == "NOT_ALLOWED" and error.setting == "practice"


@pytest.mark.parametrize("seats", [(PERSON, PERSON, bot()), (PERSON, OPEN), (bot(), bot())])
def test_practice_is_one_person_against_bots(service: Any, seats: Any) -> None:
    error = refused(lambda: create(service, "whist", *seats, practice=True))
    assert (error.reason, error.field) == ("BAD_REQUEST", "settings.practice")


def test_a_bot_that_thinks_meanwhile_does_not_move_into_what_was_undone(service: Any) -> None:
    made = create(service, "whist", PERSON, bot("greedy", 60), bot("greedy", 60), practice=True)
    match, token = made.match.match, made.seat_tokens[0]
    shown = snapshot(service, match, token)
    if not shown.position.moves:
        return  # a bot leads, and thinks for a minute
    play(service, match, token)
    service.TakeBackMove(v1.TakeBackMoveRequest(match=match, token=token))
    assert snapshot(service, match, token).position.moves == shown.position.moves


def test_after_a_restart_the_match_stands_where_it_was_taken_back_to(tmp_path: Path) -> None:
    storage = f"sqlite:///{tmp_path / 'matches.sqlite3'}"
    with hosted(storage=storage, think=0.02) as server, stub(server.address) as service:
        match, token, _ = practice(service)
        play(service, match, token)
        asked(service, match, token)
        service.TakeBackMove(v1.TakeBackMoveRequest(match=match, token=token))
        before = asked(service, match, token)
    with hosted(storage=storage, think=0.02) as server, stub(server.address) as service:
        after = asked(service, match, token)
        assert (after.position.view, after.version) == (before.position.view, before.version)
        play_on(service, match, token, random.Random(4))
        assert over(snapshot(service, match, token))
