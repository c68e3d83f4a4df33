"""Rematch over the network: who begins it, how its seats learn of it, and that each gets its own token there alone."""

import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from machiavel import v1
from machiavel.server.storage import MemoryStorage, StorageFailed
from tests.server.service.hosted import Hosted, hosted
from tests.server.service.match_calls import OPEN, PERSON, bot, create, fresh, play_on, refused, snapshot, stub


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted(think=0.02) as result:
        yield result


@pytest.fixture
def service(server: Hosted) -> Iterator[Any]:
    with stub(server.address) as result:
        yield result


def finished(service: Any, *seats: Any, game: str = "whist", **settings: Any) -> v1.CreateMatchResponse:
    made = create(service, game, *seats, **settings)
    players = [
        threading.Thread(target=play_on, args=(service, made.match.match, token, random.Random(seat)))
        for seat, token in made.seat_tokens.items()
    ]
    for one in players:
        one.start()
    for one in players:
        one.join()
    return made


def rematch(service: Any, made: v1.CreateMatchResponse, token: str, **fields: Any) -> v1.RematchResponse:
    answer: v1.RematchResponse = service.Rematch(v1.RematchRequest(match=made.match.match, token=token, **fields))
    return answer


def test_the_host_begins_it_and_each_seat_gets_its_own_token_there(service: Any) -> None:
    made = finished(service, PERSON, bot("level1"), PERSON, spectators=True)
    begun = rematch(service, made, made.host_token)
    new = begun.rematch.match
    assert not begun.token and not begun.HasField("seat")
    shown = snapshot(service, new, made.host_token)  # which opens the rematch, too
    assert shown.match.predecessor == made.match.match
    assert shown.match.commitment != made.match.commitment
    assert [one.kind for one in shown.match.seats] == [one.kind for one in made.match.seats]
    assert shown.match.seats[1].bot == "level1"
    tokens = {}
    for seat, token in made.seat_tokens.items():
        assert refused(lambda token=token: snapshot(service, new, token)).reason == "NO_ACCESS"  # type: ignore[misc]
        answer = rematch(service, made, token)
        assert answer.seat == seat and answer == rematch(service, made, token)
        tokens[seat] = answer.token
        assert snapshot(service, new, answer.token).seat == seat
    assert len({*tokens.values(), *made.seat_tokens.values()}) == 4
    assert snapshot(service, made.match.match, made.seat_tokens[0]).rematch.match == new
    assert snapshot(service, new).match.match == new  # for spectators, as before


def test_where_seats_may_ask_it_begins_when_all_persons_have(service: Any) -> None:
    made = finished(service, PERSON, PERSON, bot(), rematch=True)
    first = rematch(service, made, made.seat_tokens[1])
    assert (list(first.rematch.asked), list(first.rematch.waiting), first.rematch.match) == ([1], [0], "")
    assert not first.token
    assert rematch(service, made, made.seat_tokens[1]) == first
    second = rematch(service, made, made.seat_tokens[0])
    assert second.rematch.match and second.token
    told = rematch(service, made, made.seat_tokens[1])
    assert told.rematch == second.rematch and told.token not in {"", second.token}
    assert [snapshot(service, second.rematch.match, one.token).seat for one in (told, second)] == [1, 0]


def test_where_they_may_not_it_is_the_hosts_alone(service: Any) -> None:
    made = finished(service, PERSON, bot())
    error = refused(lambda: rematch(service, made, made.seat_tokens[0]))
    assert (error.reason, error.setting) == ("NOT_ALLOWED", "rematch")
    rematch(service, made, made.host_token)
    assert rematch(service, made, made.seat_tokens[0]).token


def test_those_who_stay_hear_of_it_and_the_stream_ends_there(service: Any) -> None:
    made = create(service, "kuhn", PERSON, PERSON, rematch=True, spectators=True)
    match = made.match.match
    told: dict[str, list[Any]] = {}

    def watch(name: str, **fields: Any) -> threading.Thread:
        stream = service.WatchMatch(v1.WatchMatchRequest(match=match, **fields))
        told[name] = [next(stream)]
        thread = threading.Thread(target=lambda: told[name].extend(stream))
        thread.start()
        return thread

    threads = [watch("stays", token=made.seat_tokens[0], stay=True), watch("anybody", stay=True), watch("leaves")]
    for seat, token in made.seat_tokens.items():
        threads.append(threading.Thread(target=play_on, args=(service, match, token, random.Random(seat))))
        threads[-1].start()
    for one in threads[2:]:
        one.join(60)
    assert told["leaves"][-1].event.HasField("over")
    for token in made.seat_tokens.values():
        rematch(service, made, token, rotate=1)
    for one in threads:
        one.join(60)
        assert not one.is_alive()
    for name in ("stays", "anybody"):
        *_, ended, first, second, begun = [one.event for one in told[name]]
        assert ended.HasField("over")
        assert [list(one.rematch.asked) for one in (first, second, begun)] == [[0], [0, 1], [0, 1]]
        assert [bool(one.rematch.match) for one in (first, second, begun)] == [False, False, True]
        assert begun.version == ended.version + 3
        assert "token" not in str(begun)
    late = list(service.WatchMatch(v1.WatchMatchRequest(match=match, token=made.seat_tokens[0], after=ended.version, stay=True)))
    assert [one.event.rematch for one in late] == [first.rematch, second.rematch, begun.rematch]
    assert not list(service.WatchMatch(v1.WatchMatchRequest(match=match, after=ended.version)))


def test_people_and_bots_move_on_round_the_table_if_asked(service: Any) -> None:
    person = v1.SeatSetup(kind=PERSON, name="Ann")
    made = finished(service, person, bot("level1"), bot("random"), rematch=True)
    answer = rematch(service, made, made.seat_tokens[0], rotate=2)
    assert answer.seat == 2
    seats = snapshot(service, answer.rematch.match, answer.token).match.seats
    assert [one.name or one.bot for one in seats] == ["level1", "random", "Ann"]


def test_who_asked_first_says_how_they_move_on(service: Any) -> None:
    made = finished(service, PERSON, PERSON, rematch=True)
    error = refused(lambda: rematch(service, made, made.seat_tokens[0], rotate=2))
    assert error.field == "rotate" and "expected 0 to 1" in str(error)
    rematch(service, made, made.seat_tokens[0], rotate=1)
    assert refused(lambda: rematch(service, made, made.seat_tokens[1], rotate=0)).field == "rotate"
    assert rematch(service, made, made.seat_tokens[1]).seat == 0


def test_people_who_joined_come_along_and_forfeited_seats_are_theirs_again(service: Any) -> None:
    made = create(service, "whist", OPEN, bot(), bot())
    joined = service.JoinMatch(v1.JoinMatchRequest(code=made.code, name="Bea"))
    service.ForfeitSeat(v1.ForfeitSeatRequest(match=made.match.match, token=joined.token))
    list(service.WatchMatch(v1.WatchMatchRequest(match=made.match.match, token=joined.token)))
    new = rematch(service, made, made.host_token).rematch.match
    answer = rematch(service, made, joined.token)
    seat = snapshot(service, new, answer.token).match.seats[0]
    assert (seat.kind, seat.name, seat.bot, seat.forfeited) == (PERSON, "Bea", "", False)


def test_a_repeated_call_gets_the_first_answer_and_the_match_has_one_rematch(service: Any) -> None:
    made = finished(service, PERSON, PERSON, rematch=True)
    request = v1.RematchRequest(match=made.match.match, token=made.seat_tokens[0], request_id=fresh())
    first = service.Rematch(request)
    begun = rematch(service, made, made.host_token)
    assert service.Rematch(request) == first and not first.token
    request.request_id = fresh()
    last = service.Rematch(request)
    assert service.Rematch(request) == last and last.token
    assert last.rematch.match == begun.rematch.match == rematch(service, made, made.host_token).rematch.match


def test_before_the_end_and_once_it_is_deleted_there_is_none(service: Any) -> None:
    made = create(service, "whist", PERSON, bot(), rematch=True)
    for token in (made.host_token, made.seat_tokens[0]):
        assert refused(lambda token=token: rematch(service, made, token)).reason == "MATCH_NOT_OVER"  # type: ignore[misc]
    made = finished(service, PERSON, bot(), spectators=True)
    assert refused(lambda: rematch(service, made, "")).reason == "NO_ACCESS"
    new = rematch(service, made, made.host_token).rematch.match
    service.DeleteMatch(v1.DeleteMatchRequest(match=new, token=made.host_token))
    assert refused(lambda: rematch(service, made, made.seat_tokens[0])).reason == "NO_ACCESS"


def test_no_room_for_another_match_leaves_the_wish_to_be_repeated() -> None:
    with hosted(matches=1, think=0.02) as server, stub(server.address) as service:
        made = finished(service, PERSON, bot(), rematch=True)
        other = create(service, "whist", PERSON, PERSON)
        error = refused(lambda: rematch(service, made, made.seat_tokens[0]))
        assert error.reason == "TOO_MANY_MATCHES"
        assert not snapshot(service, made.match.match, made.seat_tokens[0]).HasField("rematch")
        service.DeleteMatch(v1.DeleteMatchRequest(match=other.match.match, token=other.host_token))
        assert rematch(service, made, made.seat_tokens[0]).token


def test_a_row_of_rematches_comes_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("machiavel.server.matches.rematches.MOST_REMATCHES", 1)
    with hosted(think=0.02) as server, stub(server.address) as service:
        first = finished(service, PERSON, bot(), rematch=True)
        second = rematch(service, first, first.seat_tokens[0])
        play_on(service, second.rematch.match, second.token, random.Random(1))
        request = v1.RematchRequest(match=second.rematch.match, token=second.token)
        error = refused(lambda: service.Rematch(request))
        assert error.reason == "TOO_MANY_CHANGES"


@pytest.mark.parametrize("is_written", [False, True])
def test_a_storage_that_fails_leaves_one_rematch_or_none(is_written: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    with hosted(think=0.02) as server, stub(server.address) as service:
        made = finished(service, PERSON, bot(), rematch=True)
        write = MemoryStorage.write

        def fail(storage: MemoryStorage, writes: Any) -> None:
            if is_written:
                write(storage, writes)
            raise StorageFailed("the disk is gone")

        with monkeypatch.context() as context:
            context.setattr(MemoryStorage, "write", fail)
            assert refused(lambda: rematch(service, made, made.seat_tokens[0])).reason == "STORAGE"
        shown = snapshot(service, made.match.match, made.host_token)
        assert not shown.HasField("rematch")  # as far as anybody was told
        answer = rematch(service, made, made.seat_tokens[0])
        assert snapshot(service, answer.rematch.match, answer.token).seat == 0
        assert len(service.ListMatches(v1.ListMatchesRequest()).matches) == 2


def test_it_is_there_after_a_restart_and_no_token_of_it_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "matches.sqlite3"
    with hosted(storage=f"sqlite:///{file}", think=0.02) as server, stub(server.address) as service:
        made = finished(service, PERSON, bot(), rematch=True)
        answer = rematch(service, made, made.seat_tokens[0])
    with hosted(storage=f"sqlite:///{file}", think=0.02) as server, stub(server.address) as service:
        assert rematch(service, made, made.seat_tokens[0]) == answer
        assert snapshot(service, answer.rematch.match, answer.token).seat == 0
        listed = service.ListMatches(v1.ListMatchesRequest()).matches
        assert [one.predecessor for one in listed] == [made.match.match, ""]
    kept = b"".join(one.read_bytes() for one in tmp_path.iterdir())
    assert made.match.match.encode() in kept
    for token in (answer.token, made.seat_tokens[0], made.host_token):
        assert token.encode() not in kept
