"""Hosted matches over the network: what each call does, who may make it, and what a repeated one does."""

import asyncio
import random
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest

from machiavel import v1
from machiavel.engines import BadView
from machiavel.search.bots import GreedyBot
from machiavel.server.matches import players
from machiavel.server.matches.tokens import commitment_of
from machiavel.server.service import wire
from machiavel.v1.match_service_pb2_grpc import MatchServiceStub
from tests.server.service.hosted import GAMES, Hosted, hosted
from tests.server.service.match_calls import (
    BOT,
    OPEN,
    PERSON,
    WAIT,
    bot,
    create,
    fresh,
    over,
    play_on,
    refused,
    snapshot,
    stub,
    until,
)

REQUESTS = {
    "GetMatch": v1.GetMatchRequest,
    "PlayMove": v1.PlayMoveRequest,
    "HintMove": v1.HintMoveRequest,
    "TakeOverSeat": v1.TakeOverSeatRequest,
    "HandBackSeat": v1.HandBackSeatRequest,
    "ForfeitSeat": v1.ForfeitSeatRequest,
    "GetRecord": v1.GetRecordRequest,
    "DeleteMatch": v1.DeleteMatchRequest,
}
SEATED = ("PlayMove", "HintMove", "TakeOverSeat", "HandBackSeat", "ForfeitSeat")


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted(think=0.02) as found:
        yield found


@pytest.fixture
def service(server: Hosted) -> Iterator[Any]:
    with stub(server.address) as found:
        yield found


def first_to_move(service: Any, made: v1.CreateMatchResponse) -> tuple[int, str, v1.MatchSnapshot]:
    """The seat that is asked, of a match of persons alone, its token, and what it sees."""
    for seat, token in made.seat_tokens.items():
        shown = snapshot(service, made.match.match, token)
        if seat in shown.position.seats_to_move:
            return seat, token, shown
    raise AssertionError("nobody is asked")


# ---- Whole matches ----


@pytest.mark.parametrize("game", GAMES)
def test_a_person_and_bots_play_a_match_to_its_end(service: Any, game: str) -> None:
    made = create(service, game, PERSON, bot("level1"), bot("random"), open_record=True)
    token = made.seat_tokens[0]
    play_on(service, made.match.match, token, random.Random(game))
    shown = snapshot(service, made.match.match, token)
    answer = service.GetRecord(v1.GetRecordRequest(match=made.match.match, token=token))
    state = wire.read_state(answer.record)
    assert state.is_over and list(state.utilities) == list(shown.match.utilities) == list(answer.match.utilities)
    assert list(shown.observed_moves) == list(state.observed_moves(0))
    assert commitment_of(int(answer.record.seed), answer.salt) == made.match.commitment == answer.match.commitment
    assert (
        refused(lambda: service.PlayMove(v1.PlayMoveRequest(match=made.match.match, token=token, move="x"))).reason
        == "MATCH_OVER"
    )


@pytest.mark.parametrize("game", GAMES)
def test_bots_alone_play_to_the_end_and_a_watcher_sees_every_move(service: Any, game: str) -> None:
    made = create(service, game, bot("random"), bot("random"), spectators=True)
    answers = list(service.WatchMatch(v1.WatchMatchRequest(match=made.match.match), timeout=WAIT))
    assert answers[0].WhichOneof("what") == "snapshot"
    first = answers[0].snapshot
    events = [one.event for one in answers[1:]]
    assert [one.version for one in events] == list(range(first.version + 1, first.version + 1 + len(events)))
    assert events[-1].WhichOneof("what") == "over"
    moves = [*first.observed_moves, *(one.move.move.text for one in events if one.WhichOneof("what") == "move")]
    assert moves == list(snapshot(service, made.match.match).observed_moves)
    # From any version on, the same.
    for after in (0, first.version, first.version + 3):
        resumed = list(service.WatchMatch(v1.WatchMatchRequest(match=made.match.match, after=after), timeout=WAIT))
        assert [one.event for one in resumed][-len(events) + 3 :] == events[3:]
        assert resumed[0].event.version == after + 1
    error = refused(lambda: list(service.WatchMatch(v1.WatchMatchRequest(match=made.match.match, after=9999))))
    assert (error.reason, error.field) == ("BAD_REQUEST", "after")


def test_open_seats_are_joined_by_code_and_the_last_begins_the_match(service: Any) -> None:
    made = create(service, "whist", PERSON, OPEN, OPEN, spectators=True)
    assert made.match.phase == v1.MatchPhase.MATCH_PHASE_WAITING
    shown = snapshot(service, made.match.match, made.seat_tokens[0])
    assert not shown.HasField("position")
    play = v1.PlayMoveRequest(match=made.match.match, token=made.seat_tokens[0], move="H2")
    assert refused(lambda: service.PlayMove(play)).reason == "NOT_STARTED"
    spaced = f"{made.code[:5].lower()}-{made.code[5:]} "
    first = service.JoinMatch(v1.JoinMatchRequest(code=spaced, seat=2, name="Zoé"))
    assert (first.match, first.seat) == (made.match.match, 2)
    taken = refused(lambda: service.JoinMatch(v1.JoinMatchRequest(code=made.code, seat=2)))
    assert (taken.reason, taken.seat) == ("SEAT_TAKEN", 2)
    request = v1.JoinMatchRequest(code=made.code, request_id=fresh())
    second = service.JoinMatch(request)
    assert service.JoinMatch(request).SerializeToString() == second.SerializeToString()
    shown = snapshot(service, made.match.match, second.token)
    assert shown.match.phase == v1.MatchPhase.MATCH_PHASE_PLAYING
    assert [seat.name for seat in shown.match.seats] == ["", "", "Zoé"]
    assert refused(lambda: service.JoinMatch(v1.JoinMatchRequest(code=made.code))).reason == "SEAT_TAKEN"
    assert refused(lambda: service.JoinMatch(v1.JoinMatchRequest(code="0000000000"))).reason == "BAD_CODE"


# ---- Repeated calls ----


def test_a_repeated_call_gets_the_first_answer_byte_for_byte_whatever_has_happened_since(service: Any) -> None:
    made = create(service, "whist", PERSON, PERSON)
    _, token, shown = first_to_move(service, made)
    play = v1.PlayMoveRequest(
        match=made.match.match,
        token=token,
        move=shown.position.moves[0].text,
        expected_version=shown.version,
        request_id=fresh(),
    )
    first = service.PlayMove(play)
    other = next(one for one in made.seat_tokens.values() if one != token)
    moves = snapshot(service, made.match.match, other).position.moves
    service.PlayMove(v1.PlayMoveRequest(match=made.match.match, token=other, move=moves[0].text))
    assert service.PlayMove(play).SerializeToString(deterministic=True) == first.SerializeToString(deterministic=True)
    assert len(snapshot(service, made.match.match, token).observed_moves) == 2
    # The same id with another body; by another seat it is another call.
    play.move = shown.position.moves[-1].text
    error = refused(lambda: service.PlayMove(play))
    assert (error.reason, error.code) == ("REQUEST_REUSED", grpc.StatusCode.INVALID_ARGUMENT)
    play.token = "W" * 43
    assert refused(lambda: service.PlayMove(play)).reason == "NO_ACCESS"  # looked at before the id


def test_a_match_is_created_once_by_the_same_request(service: Any) -> None:
    request = v1.CreateMatchRequest(game="whist", seats=[v1.SeatSetup(kind=PERSON), v1.SeatSetup(kind=OPEN)], request_id=fresh())
    answers: list[bytes] = []

    def ask() -> None:
        answers.append(service.CreateMatch(request, timeout=WAIT).SerializeToString(deterministic=True))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
    assert len(answers) == 8 and len(set(answers)) == 1
    request.game = "bond"
    assert refused(lambda: service.CreateMatch(request)).reason == "REQUEST_REUSED"
    request.request_id = "short"
    error = refused(lambda: service.CreateMatch(request))
    assert (error.reason, error.field) == ("BAD_REQUEST", "request_id")


def test_no_token_and_no_request_id_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite3"
    with hosted(storage=f"sqlite:///{path}") as server, stub(server.address) as service:
        request = v1.CreateMatchRequest(
            game="whist", seats=[v1.SeatSetup(kind=PERSON), v1.SeatSetup(kind=OPEN)], request_id=fresh()
        )
        made = service.CreateMatch(request)
        join = v1.JoinMatchRequest(code=made.code, request_id=fresh())
        joined = service.JoinMatch(join)
        kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    secrets = [made.host_token, made.seat_tokens[0], made.code, joined.token, request.request_id, join.request_id]
    assert made.match.match.encode() in kept
    for secret in secrets:
        assert len(secret) >= 10
        assert secret.encode() not in kept
    assert all(len(token) == 43 for token in (made.host_token, made.seat_tokens[0], joined.token))


def test_an_answer_to_a_question_that_is_gone_is_refused(service: Any) -> None:
    made = create(service, "whist", PERSON, PERSON)
    _, token, shown = first_to_move(service, made)
    play = v1.PlayMoveRequest(match=made.match.match, token=token, move=shown.position.moves[0].text)
    for expected in (shown.version + 1, 0):
        play.expected_version = expected
        error = refused(lambda: service.PlayMove(play))
        assert (error.reason, error.expected_version, error.version) == ("STALE_VERSION", expected, shown.version)
        assert error.code is grpc.StatusCode.ABORTED
    assert not snapshot(service, made.match.match, token).observed_moves


# ---- Who may do what ----


def request_for(name: str, match: str, token: str, **more: Any) -> Any:
    return REQUESTS[name](match=match, token=token, **more)


def test_no_access_looks_like_no_match(service: Any) -> None:
    made = create(service, "whist", PERSON, PERSON, hints=True)
    elsewhere = create(service, "whist", PERSON, PERSON)
    name, unknown = made.match.match, "A" * 22
    for call in REQUESTS:
        ask = getattr(service, call)
        tokens = ["", "x", elsewhere.host_token, elsewhere.seat_tokens[0], "é" * 500]
        tokens += [made.seat_tokens[0]] if call == "DeleteMatch" else []
        tokens += [made.host_token] if call in {"PlayMove", "HintMove", "ForfeitSeat"} else []
        told = {
            (error.code, error.reason, str(error), repr(error.metadata), repr(error.fields))
            for match, token in [*((name, token) for token in tokens), (unknown, made.host_token), ("", ""), ("../x", "y")]
            for error in [refused(partial(ask, request_for(call, match, token)))]
        }
        assert len(told) == 1, told
        assert next(iter(told))[:2] == (grpc.StatusCode.PERMISSION_DENIED, "NO_ACCESS")
    watched = refused(lambda: list(service.WatchMatch(v1.WatchMatchRequest(match=name))))
    assert watched.reason == "NO_ACCESS"


@pytest.mark.parametrize("call", SEATED)
def test_another_seats_token_is_refused(service: Any, call: str) -> None:
    made = create(service, "whist", PERSON, PERSON, hints=True)
    for seat, token in made.seat_tokens.items():
        error = refused(partial(getattr(service, call), request_for(call, made.match.match, token, seat=1 - seat)))
        assert (error.code, error.reason) == (grpc.StatusCode.PERMISSION_DENIED, "NO_ACCESS")


def test_a_token_of_the_server_is_needed_where_it_asks_for_one_and_lists_are_the_callers(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.toml"
    tokens.write_text('[tokens]\nanna = "anna-0123456789abcdef"\nbert = "bert-0123456789abcdef"\n')
    with hosted(tokens=str(tokens)) as server, stub(server.address) as service:
        assert refused(lambda: service.ListMatches(v1.ListMatchesRequest())).reason == "BAD_TOKEN"
        headers = {name: (("authorization", f"Bearer {name}-0123456789abcdef"),) for name in ("anna", "bert")}
        request = v1.CreateMatchRequest(game="whist", seats=[v1.SeatSetup(kind=PERSON)] * 2, request_id=fresh())
        made = {name: service.CreateMatch(request, metadata=header) for name, header in headers.items()}
        assert made["anna"].match.match != made["bert"].match.match  # the same id of another caller is another call
        for name, header in headers.items():
            found = service.ListMatches(v1.ListMatchesRequest(), metadata=header).matches
            assert [one.match for one in found] == [made[name].match.match]


def test_lists_come_page_by_page(tmp_path: Path) -> None:
    with hosted() as server, stub(server.address) as service:
        made = [create(service, "whist", PERSON, OPEN if number % 2 else PERSON).match for number in range(7)]
        found, request = list[v1.Match](), v1.ListMatchesRequest(page_size=3)
        sizes = []
        while True:
            page = service.ListMatches(request)
            found += page.matches
            sizes.append(len(page.matches))
            if not page.next_page_token:
                break
            request.page_token = page.next_page_token
        assert sizes == [3, 3, 1]
        assert found == made[::-1]
        waiting = service.ListMatches(v1.ListMatchesRequest(phase=v1.MatchPhase.MATCH_PHASE_WAITING)).matches
        assert list(waiting) == made[5::-2]
        for field, value in (
            ("page_size", 101),
            ("page_size", -1),
            ("page_token", "zz"),
            ("page_token", "WzEsMl0="),
            ("phase", 9),
        ):
            wrong = v1.ListMatchesRequest()
            setattr(wrong, field, value)
            error = refused(partial(service.ListMatches, wrong))
            assert (error.reason, error.field) == ("BAD_REQUEST", field)


# ---- Setting up ----


@pytest.mark.parametrize(
    ("change", "reason", "field"),
    [
        (lambda one: setattr(one, "game", "chess"), "UNKNOWN_GAME", "game"),
        (lambda one: one.ClearField("seats"), "BAD_OPTION", "options.players"),
        (lambda one: setattr(one.options, "players", 3), "BAD_REQUEST", "seats"),
        (lambda one: setattr(one.seats[1], "kind", 0), "BAD_REQUEST", "seats[1].kind"),
        (lambda one: setattr(one.seats[1], "kind", 77), "BAD_REQUEST", "seats[1].kind"),
        (lambda one: setattr(one.seats[0], "bot", "greedy"), "BAD_REQUEST", "seats[0].bot"),
        (lambda one: setattr(one.seats[0].think, "seconds", 1), "BAD_REQUEST", "seats[0].think"),
        (lambda one: setattr(one.seats[1], "bot", "deep"), "BAD_BOT", "seats[1].bot"),
        (lambda one: setattr(one.seats[1], "bot", "ismcts:reuse=true"), "BAD_BOT", "seats[1].bot"),
        (lambda one: setattr(one.seats[1], "bot", "ismcts:megabytes=9999"), "BAD_BOT", "seats[1].bot"),
        (lambda one: setattr(one.seats[1].think, "nanos", 1), "BAD_REQUEST", "seats[1].think"),
        (lambda one: setattr(one.seats[1].think, "seconds", 61), "BAD_REQUEST", "seats[1].think"),
        (lambda one: setattr(one.seats[1], "name", "x" * 65), "BAD_REQUEST", "seats[1].name"),
        (lambda one: setattr(one.seats[1], "name", "a\nb"), "BAD_REQUEST", "seats[1].name"),
        (lambda one: setattr(one.settings.move_time, "nanos", 5), "BAD_REQUEST", "settings.move_time"),
        (lambda one: one.options.agency.SetInParent(), "BAD_REQUEST", "options.agency"),
        (lambda one: setattr(one, "request_id", "no spaces allowed"), "BAD_REQUEST", "request_id"),
    ],
)
def test_a_match_that_cannot_be_names_the_field_and_is_not_there(service: Any, change: Any, reason: str, field: str) -> None:
    request = v1.CreateMatchRequest(game="whist", seats=[v1.SeatSetup(kind=PERSON), v1.SeatSetup(kind=BOT, bot="greedy")])
    before = len(service.ListMatches(v1.ListMatchesRequest(page_size=100)).matches)
    change(request)
    error = refused(lambda: service.CreateMatch(request))
    assert (error.reason, list(error.fields)) == (reason, [field])
    assert len(service.ListMatches(v1.ListMatchesRequest(page_size=100)).matches) == before


def test_no_more_matches_are_under_way_than_the_server_takes() -> None:
    with hosted(matches=2) as server, stub(server.address) as service:
        made = [create(service, "whist", PERSON, PERSON) for _ in range(2)]
        error = refused(lambda: create(service, "whist", PERSON, PERSON))
        assert (error.reason, error.code) == ("TOO_MANY_MATCHES", grpc.StatusCode.RESOURCE_EXHAUSTED)
        service.DeleteMatch(v1.DeleteMatchRequest(match=made[0].match.match, token=made[0].host_token))
        create(service, "whist", PERSON, PERSON)


def test_a_bot_is_shown_without_its_seed(service: Any) -> None:
    made = create(service, "whist", PERSON, bot("ismcts:seed=4711,iterations=20"))
    assert [seat.bot for seat in made.match.seats] == ["", "ismcts:iterations=20"]
    assert b"4711" not in made.SerializeToString()


# ---- Hints, seats, clocks ----


def test_hints_are_what_a_search_finds_in_the_seats_view(service: Any) -> None:
    made = create(service, "agency", PERSON, PERSON, PERSON, hints=True)
    seat, token, shown = first_to_move(service, made)
    request = v1.HintMoveRequest(match=made.match.match, token=token, bot="ismcts:seed=3", limits=v1.Limits(iterations=50))
    first, second = service.HintMove(request), service.HintMove(request)
    assert first.move == second.move and first.recommendation == second.recommendation
    assert first.recommendation.seat == seat
    assert first.move.text in [one.text for one in shown.position.moves]
    other = next(one for one in made.seat_tokens.values() if one != token)
    assert refused(lambda: service.HintMove(v1.HintMoveRequest(match=made.match.match, token=other))).reason == "NOT_TO_MOVE"
    request.bot = "greedy"
    assert refused(lambda: service.HintMove(request)).field == "bot"


def test_no_hints_where_the_match_has_none(service: Any) -> None:
    made = create(service, "whist", PERSON, PERSON)
    error = refused(lambda: service.HintMove(v1.HintMoveRequest(match=made.match.match, token=made.seat_tokens[0])))
    assert (error.reason, error.setting) == ("NOT_ALLOWED", "hints")


def test_a_bot_takes_a_seat_over_plays_for_it_and_hands_it_back(service: Any) -> None:
    made = create(service, "whist", PERSON, PERSON)
    name, (seat, token, shown) = made.match.match, first_to_move(service, made)
    think = bot().think
    take = v1.TakeOverSeatRequest(
        match=name, token=made.host_token, seat=seat, bot="level1:seed=8", think=think, request_id=fresh()
    )
    taken = service.TakeOverSeat(take).seat
    assert (taken.bot, taken.taken_over, taken.kind) == ("level1", True, PERSON)
    until(lambda: len(snapshot(service, name, token).observed_moves) == 1)
    play = v1.PlayMoveRequest(match=name, token=token, move=shown.position.moves[0].text)
    assert refused(lambda: service.PlayMove(play)).reason == "SEAT_HELD"
    back = v1.HandBackSeatRequest(match=name, token=token, request_id=fresh())
    assert not service.HandBackSeat(back).seat.taken_over
    assert service.HandBackSeat(back).seat.seat == seat  # the first answer again
    assert service.TakeOverSeat(take).seat.taken_over  # and so is this: it takes nothing over anew
    assert not snapshot(service, name, token).match.seats[seat].taken_over
    assert refused(lambda: service.HandBackSeat(v1.HandBackSeatRequest(match=name, token=token))).reason == "SEAT_HELD"
    missing = refused(lambda: service.TakeOverSeat(v1.TakeOverSeatRequest(match=name, token=made.host_token)))
    assert (missing.reason, missing.field) == ("BAD_REQUEST", "seat")


def test_whoever_gives_up_is_marked_and_the_match_goes_on_to_its_end(service: Any) -> None:
    made = create(service, "whist", PERSON, PERSON, bot())
    name = made.match.match
    gone = service.ForfeitSeat(v1.ForfeitSeatRequest(match=name, token=made.seat_tokens[0], request_id=fresh())).seat
    assert (gone.forfeited, gone.bot) == (True, "greedy")
    play_on(service, name, made.seat_tokens[1], random.Random(2))
    shown = snapshot(service, name, made.seat_tokens[0])
    assert over(shown) and shown.match.seats[0].forfeited
    again = refused(lambda: service.ForfeitSeat(v1.ForfeitSeatRequest(match=name, token=made.seat_tokens[0])))
    assert again.reason == "MATCH_OVER"


def test_whose_time_is_up_forfeits_and_nobody_waits_for_ever(service: Any) -> None:
    made = create(service, "whist", PERSON, PERSON, move_time=1)
    name, (seat, token, shown) = made.match.match, first_to_move(service, made)
    assert abs(shown.position.due.ToNanoseconds() / 1e9 - time.time() - 1) < 1
    other = next(one for one in made.seat_tokens.values() if one != token)
    assert not snapshot(service, name, other).position.HasField("due")
    until(lambda: snapshot(service, name, token).match.seats[seat].forfeited)
    until(lambda: over(snapshot(service, name, token)))
    assert all(one.forfeited for one in snapshot(service, name, token).match.seats)


# ---- Watching ----


def test_watchers_are_bounded_and_told_so(service: Any) -> None:
    made = create(service, "whist", PERSON, PERSON)
    request = v1.WatchMatchRequest(match=made.match.match, token=made.seat_tokens[0])
    streams = [service.WatchMatch(request) for _ in range(16)]
    for stream in streams:
        next(stream)
    error = refused(lambda: next(service.WatchMatch(request)))
    assert (error.reason, error.code) == ("TOO_MANY_WATCHERS", grpc.StatusCode.RESOURCE_EXHAUSTED)
    next(service.WatchMatch(v1.WatchMatchRequest(match=made.match.match, token=made.seat_tokens[1])))
    streams.pop().cancel()
    until(lambda: watches(service, request))


def watches(service: Any, request: v1.WatchMatchRequest) -> bool:
    try:
        next(service.WatchMatch(request))
    except grpc.RpcError:
        return False
    return True


def test_a_watcher_that_does_not_keep_up_is_told_where_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("machiavel.server.service.watching.MOST_BEHIND", 3)
    options = [("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1024)]
    with hosted() as server, grpc.insecure_channel(server.address, options) as channel, stub(server.address) as other:
        made = create(other, "agency", *[bot("random")] * 5, spectators=True)
        slow = MatchServiceStub(channel)
        stream = slow.WatchMatch(v1.WatchMatchRequest(match=made.match.match))
        until(lambda: over(snapshot(other, made.match.match)))
        seen: list[v1.WatchMatchResponse] = []
        error = refused(lambda: seen.extend(stream))
        assert (error.reason, error.resume_after) == ("SLOW_WATCHER", seen[-1].event.version)
        rest = list(other.WatchMatch(v1.WatchMatchRequest(match=made.match.match, after=error.resume_after)))
        assert rest[0].event.version == error.resume_after + 1
        assert rest[-1].event.WhichOneof("what") == "over"


# ---- Deleting, restarting ----


def test_what_is_deleted_is_gone_and_deleting_it_again_is_no_error(service: Any) -> None:
    made = create(service, "whist", PERSON, PERSON)
    request = v1.DeleteMatchRequest(match=made.match.match, token=made.host_token)
    stream = service.WatchMatch(v1.WatchMatchRequest(match=made.match.match, token=made.seat_tokens[0]))
    next(stream)
    service.DeleteMatch(request)
    assert refused(lambda: list(stream)).reason == "NO_ACCESS"
    service.DeleteMatch(request)
    assert refused(lambda: snapshot(service, made.match.match, made.seat_tokens[0])).reason == "NO_ACCESS"
    assert made.match.match not in [one.match for one in service.ListMatches(v1.ListMatchesRequest(page_size=100)).matches]


def test_a_server_that_starts_again_goes_on_where_it_was(tmp_path: Path) -> None:
    place = f"sqlite:///{tmp_path / 'm.sqlite3'}"
    with hosted(storage=place) as server, stub(server.address) as service:
        made = create(service, "whist", PERSON, bot("level1"), bot("random"))
        waiting = create(service, "whist", PERSON, OPEN)
        name, token = made.match.match, made.seat_tokens[0]
        until(lambda: snapshot(service, name, token).position.moves)
        shown = snapshot(service, name, token)
        play = v1.PlayMoveRequest(match=name, token=token, move=shown.position.moves[0].text, request_id=fresh())
        first = service.PlayMove(play)
    with hosted(storage=place) as server, stub(server.address) as service:
        assert service.PlayMove(play) == first
        play_on(service, name, token, random.Random(1))
        service.JoinMatch(v1.JoinMatchRequest(code=waiting.code))
        record = service.GetRecord(v1.GetRecordRequest(match=name, token=made.host_token)).record
        assert wire.read_state(record).is_over
        denied = refused(lambda: service.GetRecord(v1.GetRecordRequest(match=name, token=token)))
        assert (denied.reason, denied.setting) == ("NOT_ALLOWED", "open_record")


# ---- Bots that fail ----


@pytest.mark.parametrize("failure", ["raises", "plays what is not legal", "never answers", "and greedy too"])
def test_a_bot_that_fails_is_logged_without_a_card_and_its_seat_plays_on(
    failure: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    async def search(*arguments: Any) -> Any:
        if failure == "never answers":
            await asyncio.sleep(1000)
        if failure == "plays what is not legal":
            return Found()
        raise BadView("hand", "the hand is H2 H3 H4")

    class Found:
        iterations, stopped, best, candidates = 1, "time", "no move", ()

    monkeypatch.setattr(players.Players, "search", search)
    if failure == "and greedy too":
        monkeypatch.setattr(GreedyBot, "choose", lambda *_: 1 / 0)
    with hosted(think=0.02) as server, stub(server.address) as service:
        made = create(service, "whist", bot("ismcts"), bot("level2"), spectators=True)
        until(lambda: over(snapshot(service, made.match.match)))
    told = capfd.readouterr().err
    assert "H2" not in told and "hand is" not in told
    assert ("bot_failed" in told) == (failure != "never answers")
