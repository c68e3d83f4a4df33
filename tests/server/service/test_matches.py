"""Hosted matches over the network: what each call does, who may make it, and what a repeated one does."""

import random
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest

from machiavel import v1
from machiavel.server.matches.tokens import commitment_of
from machiavel.server.service import wire
from tests.engines.games import INSTALLED, players_of
from tests.server.service.hosted import Hosted, hosted
from tests.server.service.match_calls import (
    BOT,
    OPEN,
    PERSON,
    WAIT,
    bot,
    create,
    first_to_move,
    fresh,
    play_on,
    refused,
    snapshot,
    stub,
)

REQUESTS = {
    "GetMatch": v1.GetMatchRequest,
    "PlayMove": v1.PlayMoveRequest,
    "HintMove": v1.HintMoveRequest,
    "TakeOverSeat": v1.TakeOverSeatRequest,
    "HandBackSeat": v1.HandBackSeatRequest,
    "TakeBackMove": v1.TakeBackMoveRequest,
    "ForfeitSeat": v1.ForfeitSeatRequest,
    "Rematch": v1.RematchRequest,
    "GetRecord": v1.GetRecordRequest,
    "DeleteMatch": v1.DeleteMatchRequest,
}
SEATED = ("PlayMove", "HintMove", "TakeBackMove", "TakeOverSeat", "HandBackSeat", "ForfeitSeat")


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted(think=0.02) as result:
        yield result


@pytest.fixture
def service(server: Hosted) -> Iterator[Any]:
    with stub(server.address) as result:
        yield result


# ---- Whole matches ----


@pytest.mark.parametrize("game", INSTALLED)
def test_a_person_and_bots_play_a_match_to_its_end(service: Any, game: str) -> None:
    others = (bot("level1"), bot("random"), bot("random"))
    made = create(service, game, PERSON, *others[: players_of(game) - 1], open_record=True)
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


@pytest.mark.parametrize("game", INSTALLED)
def test_bots_alone_play_to_the_end_and_a_watcher_sees_every_move(service: Any, game: str) -> None:
    made = create(service, game, *[bot("random")] * (players_of(game, 2) - 1), OPEN, spectators=True)
    stream = service.WatchMatch(v1.WatchMatchRequest(match=made.match.match), timeout=WAIT)
    first = next(stream).snapshot
    assert first.match.phase == v1.MatchPhase.MATCH_PHASE_WAITING
    joined = service.JoinMatch(v1.JoinMatchRequest(code=made.code))
    service.TakeOverSeat(v1.TakeOverSeatRequest(match=joined.match, token=joined.token, bot="random"))
    events = [one.event for one in stream]
    assert [one.version for one in events] == list(range(first.version + 1, first.version + 1 + len(events)))
    assert events[-1].WhichOneof("what") == "over"
    moves = [one.move.move.text for one in events if one.WhichOneof("what") == "move"]
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
            matches = service.ListMatches(v1.ListMatchesRequest(), metadata=header).matches
            assert [one.match for one in matches] == [made[name].match.match]


def test_lists_come_page_by_page(tmp_path: Path) -> None:
    with hosted() as server, stub(server.address) as service:
        made = [create(service, "whist", PERSON, OPEN if number % 2 else PERSON).match for number in range(7)]
        result, request = list[v1.Match](), v1.ListMatchesRequest(page_size=3)
        sizes = []
        while True:
            page = service.ListMatches(request)
            result += page.matches
            sizes.append(len(page.matches))
            if not page.next_page_token:
                break
            request.page_token = page.next_page_token
        assert sizes == [3, 3, 1]
        assert result == made[::-1]
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
        (lambda one: setattr(one.seats[1], "bot", "level3:style=cautious"), "BAD_OPTION", "seats[1].bot"),
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
    with hosted(matches=3) as server, stub(server.address) as service:  # the last one is for another caller
        made = [create(service, "whist", PERSON, PERSON) for _ in range(2)]
        error = refused(lambda: create(service, "whist", PERSON, PERSON))
        assert (error.reason, error.code) == ("TOO_MANY_MATCHES", grpc.StatusCode.RESOURCE_EXHAUSTED)
        service.DeleteMatch(v1.DeleteMatchRequest(match=made[0].match.match, token=made[0].host_token))
        create(service, "whist", PERSON, PERSON)


def test_a_bot_is_shown_without_its_seed(service: Any) -> None:
    made = create(service, "whist", PERSON, bot("ismcts:seed=4711,iterations=20"))
    assert [seat.bot for seat in made.match.seats] == ["", "ismcts:iterations=20"]
    assert b"4711" not in made.SerializeToString()
