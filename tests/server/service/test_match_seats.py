"""Hosted matches over the network: hints, seats that change hands, clocks, watchers, restarts, bots that fail."""

import asyncio
import errno
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from machiavel import v1
from machiavel.clients.errors import from_call
from machiavel.engines import BadView
from machiavel.search.bots import GreedyBot
from machiavel.server.matches import bot_players
from machiavel.server.service import wire
from machiavel.server.service.watchers import MOST_OF_SEAT
from machiavel.v1.match_service_pb2_grpc import MatchServiceStub
from tests.server.service.hosted import Hosted, hosted
from tests.server.service.match_calls import (
    OPEN,
    PERSON,
    bot,
    create,
    first_to_move,
    fresh,
    over,
    play_on,
    refused,
    snapshot,
    stub,
    until,
)


@pytest.fixture(scope="module")
def server() -> Iterator[Hosted]:
    with hosted(think=0.02) as result:
        yield result


@pytest.fixture
def service(server: Hosted) -> Iterator[Any]:
    with stub(server.address) as result:
        yield result


# ---- Hints, seats, clocks ----


def test_hints_are_what_a_search_finds_in_the_seats_view(service: Any) -> None:
    made = create(service, "whist", PERSON, PERSON, PERSON, hints=True)  # in which one seat is asked, and has a choice
    seat, token, shown = first_to_move(service, made)
    request = v1.HintMoveRequest(match=made.match.match, token=token, bot="ismcts:seed=3", limits=v1.Limits(iterations=50))
    first, second = service.HintMove(request), service.HintMove(request)
    assert first.move == second.move and first.recommendation == second.recommendation
    assert first.recommendation.seat == seat
    assert first.move.text in [one.text for one in shown.position.moves]
    assert not first.HasField("explanation") and not first.HasField("comparison")
    request.explain, request.what_about = True, shown.position.moves[-1].text
    told = service.HintMove(request)
    assert told.explanation.sentences[0].text.fr and told.comparison.asked.move.text == request.what_about
    request.what_about = "zz"
    assert refused(lambda: service.HintMove(request)).text == "zz"
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


def test_who_is_asked_is_told_by_when_to_answer_and_nobody_else_is(service: Any) -> None:
    before = time.time()
    made = create(service, "whist", PERSON, PERSON, move_time=3600)
    after = time.time()
    _, token, shown = first_to_move(service, made)
    assert before + 3600 <= shown.position.due.ToNanoseconds() / 1e9 <= after + 3600
    other = next(one for one in made.seat_tokens.values() if one != token)
    assert not snapshot(service, made.match.match, other).position.HasField("due")


def test_whose_time_is_up_forfeits_and_nobody_waits_for_ever(service: Any) -> None:
    made = create(service, "whist", PERSON, PERSON, move_time=1)
    name, token = made.match.match, made.seat_tokens[0]
    until(lambda: any(one.forfeited for one in snapshot(service, name, token).match.seats))
    until(lambda: over(snapshot(service, name, token)))
    assert all(one.forfeited for one in snapshot(service, name, token).match.seats)


# ---- Watching ----


def test_the_newest_watch_of_a_seat_displaces_its_oldest_and_nobody_elses(service: Any) -> None:
    made = create(service, "whist", PERSON, PERSON)
    request = v1.WatchMatchRequest(match=made.match.match, token=made.seat_tokens[0])
    other = service.WatchMatch(v1.WatchMatchRequest(match=made.match.match, token=made.seat_tokens[1]))
    next(other)
    streams = [service.WatchMatch(request) for _ in range(MOST_OF_SEAT + 1)]
    for stream in streams:
        next(stream)
    error = refused(lambda: next(streams[0]))
    assert (error.reason, error.code) == ("WATCH_DISPLACED", grpc.StatusCode.ABORTED)
    service.ForfeitSeat(v1.ForfeitSeatRequest(match=made.match.match, token=made.seat_tokens[1]))
    for stream in (other, *streams[1:]):
        assert next(stream).event.seat.forfeited


def test_all_who_watch_see_every_event_in_its_order(service: Any) -> None:
    """Those who wait for the next one share a match, which none of them may change."""
    made = create(service, "agency", PERSON, *[bot("random")] * 3, spectators=True)
    name, token = made.match.match, made.seat_tokens[0]
    streams = [service.WatchMatch(v1.WatchMatchRequest(match=name)) for _ in range(6)]
    snapshots = [next(stream).snapshot.version for stream in streams]
    play_on(service, name, token, random.Random(1))
    seen = [[(one.event.version, one.event.WhichOneof("what")) for one in stream] for stream in streams]
    last, _ = seen[0][-1]
    for first, events in zip(snapshots, seen, strict=True):
        assert [version for version, _ in events] == list(range(first + 1, last + 1))
        assert events[-1] == (last, "over")


def test_a_watcher_that_does_not_keep_up_is_told_where_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("machiavel.server.service.broadcast.MOST_BEHIND", 3)
    options = [("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1024)]
    with hosted() as server, grpc.insecure_channel(server.address, options) as channel, stub(server.address) as other:
        made = create(other, "agency", *[bot("random")] * 5, spectators=True)
        slow = MatchServiceStub(channel)
        stream = slow.WatchMatch(v1.WatchMatchRequest(match=made.match.match))
        until(lambda: over(snapshot(other, made.match.match)))
        seen: list[v1.WatchMatchResponse] = []
        error = refused(lambda: seen.extend(stream))
        last = seen[-1].event.version or seen[-1].snapshot.version
        assert (error.reason, error.resume_after) == ("SLOW_WATCHER", last)
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


def test_a_server_removes_what_has_been_kept_for_long_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("machiavel.server.matches.expiry.EVERY", 0.05)
    place = f"sqlite:///{tmp_path / 'm.sqlite3'}"
    with hosted(storage=place, think=0.02) as server, stub(server.address) as service:
        ended = create(service, "whist", bot(), bot(), spectators=True)
        waiting = create(service, "whist", PERSON, OPEN)
        until(lambda: over(snapshot(service, ended.match.match)))
    with hosted(storage=place, think=0.02, keep_over=1e-6, log_level="info") as server, stub(server.address) as service:
        until(lambda: not is_there(service, ended))
        assert is_there(service, waiting)
        listed = service.ListMatches(v1.ListMatchesRequest()).matches
        assert [one.match for one in listed] == [waiting.match.match]
        stream = service.WatchMatch(v1.WatchMatchRequest(match=waiting.match.match, token=waiting.host_token))
        next(stream)
        stream.cancel()
    told = capfd.readouterr().err
    assert '"event": "matches_removed"' in told and '"phase": "over"' in told
    with hosted(storage=place, keep_idle=1e-6) as server, stub(server.address) as service:
        until(lambda: not is_there(service, waiting))
        assert refused(lambda: service.JoinMatch(v1.JoinMatchRequest(code=waiting.code))).reason == "BAD_CODE"


def is_there(service: Any, made: v1.CreateMatchResponse) -> bool:
    try:
        snapshot(service, made.match.match, made.host_token)
    except grpc.RpcError as error:
        assert from_call(error).reason == "NO_ACCESS"  # noqa: PT017
        return False
    return True


# ---- A log that cannot be written ----


def test_a_table_does_not_hang_where_nothing_can_be_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is often the one that the log is on as well."""

    class Full:
        def write(self, _: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        def flush(self) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    async def search(*arguments: Any) -> Any:
        raise BadView("hand", "is none")

    monkeypatch.setattr(bot_players.BotPlayers, "search", search)
    monkeypatch.setattr("machiavel.server.service.telemetry.sys.stderr", Full())
    with hosted(think=0.02, log_level="debug") as server, stub(server.address) as service:
        made = create(service, "whist", bot("ismcts"), bot("greedy"), spectators=True)
        until(lambda: over(snapshot(service, made.match.match)))


# ---- Bots that fail ----


@pytest.mark.parametrize("failure", ["raises", "plays what is not legal", "never answers", "and greedy too"])
def test_a_bot_that_fails_is_logged_without_a_card_and_its_seat_plays_on(
    failure: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    async def search(*arguments: Any) -> Any:
        if failure == "never answers":
            await asyncio.sleep(1000)
        if failure == "plays what is not legal":
            return IllegalRecommendation()
        raise BadView("hand", "the hand is H2 H3 H4")

    class IllegalRecommendation:
        iterations, stopped, best, candidates = 1, "time", "no move", ()

    monkeypatch.setattr(bot_players.BotPlayers, "search", search)
    if failure == "and greedy too":
        monkeypatch.setattr(GreedyBot, "choose", lambda *_: 1 / 0)
    with hosted(think=0.02) as server, stub(server.address) as service:
        made = create(service, "whist", bot("ismcts"), bot("level2"), spectators=True)
        until(lambda: over(snapshot(service, made.match.match)))
    told = capfd.readouterr().err.replace(made.match.match, "the match")  # any letters may be in a name
    assert "H2" not in told and "hand is" not in told
    assert ("bot_failed" in told) == (failure != "never answers")
