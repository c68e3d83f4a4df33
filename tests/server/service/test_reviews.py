"""ReviewGame judges as a review here does, ends with one summary, and stays within its limits."""

import asyncio
import json
import random
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from google.protobuf.duration_pb2 import Duration

from machiavel import clients
from machiavel.clients import Client, ServiceError, connect, connect_async
from machiavel.engines import Record as KeptRecord
from machiavel.engines import State, load
from machiavel.search import Moment, Review, SearchParameters, Transcript, story_of
from machiavel.server.cli import main
from machiavel.server.reviews import judgements
from machiavel.server.reviews.review_texts import sentence
from machiavel.server.service import review_stream, wire
from machiavel.v1 import Record, ReviewGameRequest, ReviewSummary, StopReason
from tests.engines.agency.distribution import engine_state as agency_state
from tests.engines.bond.distribution import engine_state as bond_state
from tests.engines.games import INSTALLED, players_of
from tests.search.records import with_last_moves
from tests.server.service.failures import failure
from tests.server.service.hosted import Hosted, hosted, in_time
from tests.server.service.pairs import Pair, Response, pairs
from tests.twins.agency import Match as AgencyMatch
from tests.twins.agency_sampler import hidden_pair as agency_pair
from tests.twins.agency_sampler import small_deck
from tests.twins.bond import Match as BondMatch
from tests.twins.bond_sampler import hidden_pair as bond_pair
from tests.twins.bond_sampler import random_move, situations

ENDLESS = 1 << 38
HIDES = ("agency", "bond")  # moves of others


@cache
def played(game: str, players: int = 3, plies: int = 40) -> State:
    """The beginning of a match played at random."""
    players = players_of(game, players)
    rng = random.Random(f"{game} {players}")
    state = load(game).new(players, seed=rng.getrandbits(64))
    while not state.is_over and len(state.moves) < plies:
        state.play(rng.choice(state.legal_moves()))
    return state


def record_of(game: str) -> Record:
    return wire.state_message(played(game)).record


@pytest.mark.parametrize("game", INSTALLED)
def test_the_review_is_the_one_made_here(service: Client, game: str) -> None:
    transcript = Transcript(played(game).record())
    here = list(Review(transcript, 60, SearchParameters(seed=4)))
    *moves, last = service.review_game(record_of(game), bot="ismcts:seed=4", iterations=60)
    assert [one.move for one in moves] == [review_stream.move_message(transcript, one) for one in here]
    assert [one.judged for one in moves] == list(range(1, len(here) + 1))
    assert {one.total for one in (*moves, last)} == {len(here)}
    story, summary = story_of(transcript, here), last.summary
    assert (summary.judged, summary.total, summary.stopped) == (len(here), len(here), StopReason.STOP_REASON_ITERATIONS)
    assert [[(point.ply, point.chance) for point in seat.chances] for seat in summary.seats] == [
        [(point.ply, point.chance) for point in seat.chances] for seat in story.seats
    ]
    assert [(one.text.en, one.text.fr) for one in summary.moments] == [
        (sentence(transcript, one, "en"), sentence(transcript, one, "fr")) for one in story.moments
    ]


def test_exactly_one_summary_and_it_comes_last(service: Client) -> None:
    kinds = [one.WhichOneof("content") for one in service.review_game(record_of("agency"), iterations=20)]
    assert kinds == ["move"] * (len(kinds) - 1) + ["summary"]


def test_without_a_bot_it_repeats_itself(service: Client) -> None:
    def whole() -> list[bytes]:
        result = list(service.review_game(record_of("bond"), iterations=50))
        for one in result:
            one.ClearField("elapsed")
        return [one.SerializeToString(deterministic=True) for one in result]

    assert whole() == whole()


def test_some_seats_alone(service: Client) -> None:
    *moves, last = service.review_game(record_of("whist"), iterations=20, seats=[2])
    assert {one.move.seat for one in moves} == {2} == {seat.seat for seat in last.summary.seats}


@pytest.mark.parametrize("limits", [{"seconds": 0.2}, {"timeout": 0.4}])
def test_where_time_ends_it_the_summary_is_of_what_was_judged(service: Client, limits: dict[str, float]) -> None:
    *moves, last = in_time(lambda: list(service.review_game(record_of("agency"), iterations=ENDLESS, **limits)))  # type: ignore[arg-type]
    assert last.summary.stopped == StopReason.STOP_REASON_TIME
    assert last.summary.judged == len(moves) == 0
    assert last.summary.total > 0
    assert all(not seat.chances and not seat.HasField("accuracy") for seat in last.summary.seats)


def test_a_level_judges_with_its_own_thought_and_no_more(service: Client) -> None:
    own, more = (
        list(service.review_game(record_of("whist"), bot="level1:seed=1", iterations=iterations))[-1].summary
        for iterations in (None, 10**6)
    )
    assert own == more != ReviewSummary()


def test_leaving_it_ends_its_searches(server: Hosted) -> None:
    async def idle() -> bool:
        while server.server.search_queue.running or server.server.search_queue.scheduler.jobs:
            await asyncio.sleep(0.005)
        return True

    with connect(server.address) as service:
        for _ in service.review_game(record_of("agency"), iterations=10_000):
            break
    assert server.run(idle())


def test_cancelling_a_task_ends_its_review(server: Hosted) -> None:
    async def begun() -> None:
        while not server.server.search_queue.running:
            await asyncio.sleep(0.005)

    async def scenario() -> None:
        async with connect_async(server.address) as service:

            async def read() -> None:
                async for _ in service.review_game(record_of("agency"), iterations=ENDLESS):
                    pass

            task = asyncio.create_task(read())
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(begun(), server.loop))
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    async def idle() -> bool:
        while server.server.search_queue.running or server.server.search_queue.scheduler.jobs:
            await asyncio.sleep(0.005)
        return True

    asyncio.run(scenario())
    assert server.run(idle())


def test_a_review_takes_one_place_among_the_searches() -> None:
    with hosted(searches=1, queue=0) as server, connect(server.address) as service:
        under_way = service.review_game(record_of("agency"), iterations=10_000)
        next(iter(under_way))
        with pytest.raises(clients.TooBusy):
            service.recommend_move(record_of("agency"), iterations=5)
        with pytest.raises(clients.TooBusy):
            list(service.review_game(record_of("whist"), iterations=5))


def test_many_reviews_hold_no_more_trees_than_threads_need() -> None:
    async def jobs() -> int:
        queue = server.server.search_queue
        while queue.running < 4:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.05)
        return len(queue.scheduler.jobs)

    async def read(service: clients.AsyncClient) -> None:
        async for _ in service.review_game(record_of("agency"), iterations=ENDLESS):
            pass

    async def scenario() -> int:
        async with connect_async(server.address) as service:
            tasks = [asyncio.create_task(read(service)) for _ in range(4)]
            found: int = await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(jobs(), server.loop))
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            return found

    with hosted(workers=4, searches=4) as server:
        assert asyncio.run(scenario()) <= 4 + 2 + 1 + 1


def asked(**fields: object) -> Callable[[Client], object]:
    request = ReviewGameRequest(**{"record": record_of("whist"), "iterations": 5} | fields)  # type: ignore[arg-type]
    return lambda service: list(service.bots.ReviewGame(request, timeout=10))


def changed(**fields: object) -> Record:
    message = Record()
    message.CopyFrom(record_of("whist"))
    for name, value in fields.items():
        if name == "moves":
            del message.moves[:]
            message.moves.extend(value)  # type: ignore[arg-type]
        else:
            setattr(message, name, value)
    return message


CASES: dict[str, tuple[Callable[[Client], object], type[ServiceError], str]] = {
    "no record": (asked(record=None), clients.UnknownGame, "record.game"),
    "no such game": (asked(record=changed(game="chess")), clients.UnknownGame, "record.game"),
    "no moves": (asked(record=changed(moves=[])), clients.BadRecord, "record.moves"),
    "a move that cannot be": (asked(record=changed(moves=["zz"])), clients.BadRecord, "record.moves[0]"),
    "a seat that is not there": (asked(seats=[0, 3]), clients.BadOption, "seats"),
    "too few iterations": (asked(iterations=0), clients.BadOption, "iterations"),
    "iterations below nothing": (asked(iterations=-5), clients.BadOption, "iterations"),
    "time below nothing": (asked(time=Duration(seconds=-1)), clients.BadRequest, "time"),
    "no such bot": (asked(bot="nobody"), clients.BadBot, "bot"),
    "a bot that does not search": (asked(bot="greedy"), clients.BadRequest, "bot"),
}


@pytest.mark.parametrize("case", CASES)
def test_an_error_has_its_name_and_its_place(service: Client, case: str) -> None:
    call, kind, field = CASES[case]
    error = failure(service, call)
    assert type(error) is kind, error
    assert list(error.fields) == [field]


def test_a_deadline_that_leaves_no_time_is_said_so(service: Client) -> None:
    with pytest.raises(clients.NoTime):
        list(service.review_game(record_of("whist"), timeout=0.001))


def judged_last(service: Client, record: Record, seat: int) -> Response:
    """The bytes of the judgement of the last move, by that seat."""
    request = ReviewGameRequest(record=record, bot="ismcts:seed=2", iterations=20, seats=[seat])
    *_, last, _ = service.bots.ReviewGame(request, timeout=30)
    assert last.move.ply == len(record.moves) - 1
    return (last.move.SerializeToString(deterministic=True),)


@pytest.mark.parametrize("name", INSTALLED)
def test_a_move_is_judged_the_same_in_deals_that_differ_in_what_its_seat_did_not_know(service: Client, name: str) -> None:
    compared = 0
    for first, second, seat in pairs(name, 8):
        move = first.view(seat).legal_moves()[0]
        records = [with_last_moves(state, seat, move) for state in (first, second)]
        messages = [wire.state_message(load(name).replay(record)).record for record in records if record is not None]
        if len(messages) == 2:
            assert messages[0] != messages[1]
            assert judged_last(service, messages[0], seat) == judged_last(service, messages[1], seat)
            compared += 1
    assert compared >= 3


# ---- What a review of one seat tells ----


@cache
def ended_pairs(game: str) -> list[Pair]:
    """Pairs of whole matches that differ in nothing but what the seat never came to know."""
    rng, result = random.Random(f"ended {game}"), list[Pair]()
    while len(result) < 3:
        if game == "agency":
            match = AgencyMatch(3, deck=small_deck(3, plans=(*["2"] * 10, *["1+pass_left"] * 5)), rng=rng)
            while not match.is_over:
                match.play(rng.choice(match.legal_moves()))
            result.append((agency_state(match), agency_state(agency_pair(match, 1, rng)), 1))
        else:
            other = BondMatch(3, rng=rng)
            while not other.is_over:
                other.play(random_move(other, rng, 0.2))
            with suppress(ValueError):  # nothing was hidden from the seat
                result.append((bond_state(other), bond_state(bond_pair(other, 1, rng)), 1))
    return result


@cache
def attacks() -> list[Pair]:
    """Pairs of matches of bond in which others have just sent different spies, face down."""
    rng, result = random.Random(8), list[Pair]()
    while len(result) < 3:
        match, seat = situations()["several spies face down"](rng)
        pair = bond_pair(match, seat, rng)
        if pair.moves != match.moves:
            result.append((bond_state(match), bond_state(pair), seat))
    return result


@cache
def record_pairs(game: str, count: int) -> list[tuple[KeptRecord, KeptRecord, int]]:
    """Records that differ in what the seat does not know, some of them of whole matches."""
    result = [*(ended_pairs(game) if game in HIDES else ()), *(attacks() if game == "bond" else ())]
    for first, second, seat in pairs(game, count):
        move = first.view(seat).legal_moves()[-1]
        ends = [load(game).replay(record) for state in (first, second) if (record := with_last_moves(state, seat, move))]
        # Where the last moves turn something up, the seat may tell the matches apart afterwards.
        goes_on = len(ends) == 2 and looks(ends[0], seat) == looks(ends[1], seat)
        result.append((ends[0], ends[1], seat) if goes_on else (first, second, seat))
    assert all(looks(first, seat) == looks(second, seat) for first, second, seat in result)
    records = [(first.record(), second.record(), seat) for first, second, seat in result if first.moves]
    assert all(first != second for first, second, _ in records)
    return records


def looks(state: State, seat: int) -> tuple[object, ...]:
    return state.view(seat).to_bytes(), state.observed_moves(seat)


def over_the_wire(service: Client, record: KeptRecord, seat: int) -> list[bytes]:
    """Every message of the review of a seat."""
    message = wire.state_message(load(record.game).replay(record)).record
    answers = list(service.bots.ReviewGame(ReviewGameRequest(record=message, iterations=20, seats=[seat]), timeout=60))
    for one in answers:
        one.ClearField("elapsed")
    return [one.SerializeToString(deterministic=True) for one in answers]


def in_sentences(record: KeptRecord, seat: int) -> list[str]:
    """What would be told of each move, if it changed the chance of the seat."""
    transcript = Transcript(record, [seat])
    moments = [Moment("swing", seat, ply, ply + 1, 0.2, 0.4) for ply in range(len(record.moves))]
    return [sentence(transcript, one, language) for one in moments for language in ("en", "fr")]


def on_the_terminal(record: KeptRecord, seat: int, folder: Path, capsys: pytest.CaptureFixture[str]) -> list[object]:
    """Everything that the command prints, draws and keeps of the review of a seat."""
    folder.mkdir(exist_ok=True)
    path, told = folder / "match.json", list[object]()
    path.write_text(json.dumps(record.to_json()), encoding="utf-8")
    review = ["review", str(path), "--seats", str(seat), "--iterations", "20", "--threads", "1"]
    for flags in (["--json"], ["--lang", "en"], ["--lang", "fr", "--plain"], ["--lang", "fr", "--output", str(folder / "kept")]):
        assert main(review + flags) == 0
        told += capsys.readouterr()
    told += [file.read_bytes() for file in sorted((folder / "kept").iterdir())]
    shutil.rmtree(folder)
    return told


@pytest.mark.parametrize("count", [5, pytest.param(12, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", INSTALLED)
def test_a_review_of_a_seat_is_the_same_bytes_for_all_it_cannot_know(
    service: Client, game: str, count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compared = record_pairs(game, count)
    for number, (first, second, seat) in enumerate(compared):
        assert over_the_wire(service, first, seat) == over_the_wire(service, second, seat)
        assert in_sentences(first, seat) == in_sentences(second, seat)
        if number % (12 // count):
            continue
        one, other = (on_the_terminal(record, seat, tmp_path / "same", capsys) for record in (first, second))
        assert one == other
    assert len(compared) >= 5


def leaking(transcript: Transcript, ply: int, seat: int, language: str) -> str:
    """A move as its host knows it."""
    return transcript.game.move_labels(transcript.end.rules, transcript.moves[ply])[language]


@pytest.mark.parametrize("game", HIDES)
def test_a_review_that_tells_what_others_did_is_found_out(
    service: Client, game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same pairs tell one apart that says hidden moves, and one that names the record."""
    compared = record_pairs(game, 12)
    monkeypatch.setattr(Transcript, "label", leaking)
    assert any(in_sentences(first, seat) != in_sentences(second, seat) for first, second, seat in compared)
    if game == "agency":  # what is hidden in bond is turned up before its next move, so no moment of a review tells of it
        assert any(
            over_the_wire(service, first, seat) != over_the_wire(service, second, seat) for first, second, seat in compared
        )
    monkeypatch.undo()
    monkeypatch.setattr(judgements, "digest_of_seen", lambda transcript: judgements.digest_of(transcript.record))
    for first, second, seat in compared[-2:]:
        one, other = (on_the_terminal(record, seat, tmp_path / "same", capsys) for record in (first, second))
        assert one != other


HIDDEN_WORDS = {
    "agency": (r"seat \d: pass a hidden card", r"joueur \d\s: passer une carte cachée"),
    "bond": (r"seat \d: send a(nother)? spy ", r"joueur \d\s: (envoyer|ajouter) un espion(?!\s\d)"),
}


@pytest.mark.parametrize("game", HIDES)
def test_a_seat_reads_of_others_hidden_moves_that_they_were_made(game: str) -> None:
    english, french = HIDDEN_WORDS[game]
    hidden = 0
    for first, _, seat in record_pairs(game, 12):
        transcript, whole = Transcript(first, [seat]), Transcript(first)
        for ply, observed in enumerate(transcript.end.observed_moves(seat)):
            swing = Moment("swing", seat, ply, ply + 1, 0.2, 0.4)
            texts = [sentence(transcript, swing, language) for language in ("en", "fr")]
            known = [sentence(whole, swing, language) for language in ("en", "fr")]
            assert not any("?" in text or ":" + observed in text for text in texts)
            if observed == transcript.moves[ply]:
                assert texts == known
            else:
                hidden += 1
                assert re.search(english, texts[0]) and re.search(french, texts[1])
                assert texts[0] != known[0] and texts[1] != known[1]
    assert hidden >= 5


def test_of_several_seats_each_is_told_what_it_saw_itself() -> None:
    first, *_ = record_pairs("agency", 12)[0]
    several = Transcript(first, range(3))
    for one in range(3):
        alone = Transcript(first, [one])
        assert [several.label(ply, one, "fr") for ply in range(len(alone.moves))] == [
            alone.label(ply, one, "fr") for ply in range(len(alone.moves))
        ]
