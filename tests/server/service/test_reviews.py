"""ReviewGame judges as a review here does, ends with one summary, and stays within its limits."""

import asyncio
import random
from collections.abc import Callable
from functools import cache

import pytest
from google.protobuf.duration_pb2 import Duration

from machiavel import clients
from machiavel.clients import Client, ServiceError, connect, connect_async
from machiavel.engines import State, load
from machiavel.search import Review, SearchParameters, Transcript, story_of
from machiavel.server.reviews.review_texts import sentence
from machiavel.server.service import review_stream, wire
from machiavel.v1 import Record, ReviewGameRequest, ReviewSummary, StopReason
from tests.search.test_reviews import with_last_moves
from tests.server.service.hosted import GAMES, Hosted, hosted, in_time
from tests.server.service.test_errors import failure
from tests.server.service.test_secrecy import Told, pairs

ENDLESS = 1 << 38


@cache
def played(game: str, players: int = 3, plies: int = 40) -> State:
    """The beginning of a match played at random."""
    rng = random.Random(f"{game} {players}")
    state = load(game).new(players, seed=rng.getrandbits(64))
    while not state.is_over and len(state.moves) < plies:
        state.play(rng.choice(state.legal_moves()))
    return state


def record_of(game: str) -> Record:
    return wire.state_message(played(game)).record


@pytest.mark.parametrize("game", GAMES)
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
        found = list(service.review_game(record_of("bond"), iterations=50))
        for one in found:
            one.ClearField("elapsed")
        return [one.SerializeToString(deterministic=True) for one in found]

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
    async def scenario() -> None:
        async with connect_async(server.address) as service:

            async def read() -> None:
                async for _ in service.review_game(record_of("agency"), iterations=ENDLESS):
                    pass

            task = asyncio.create_task(read())
            await asyncio.sleep(0.1)
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


def asked(**fields: object) -> Callable[[Client], object]:
    request = ReviewGameRequest(**{"record": record_of("whist"), "iterations": 5} | fields)  # type: ignore[arg-type]
    return lambda service: list(service.bots.ReviewGame(request, timeout=10))


def changed(**fields: object) -> Record:
    found = Record()
    found.CopyFrom(record_of("whist"))
    for name, value in fields.items():
        if name == "moves":
            del found.moves[:]
            found.moves.extend(value)  # type: ignore[arg-type]
        else:
            setattr(found, name, value)
    return found


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


def judged_last(service: Client, record: Record, seat: int) -> Told:
    """The bytes of the judgement of the last move, by that seat."""
    request = ReviewGameRequest(record=record, bot="ismcts:seed=2", iterations=20, seats=[seat])
    *_, last, _ = service.bots.ReviewGame(request, timeout=30)
    assert last.move.ply == len(record.moves) - 1
    return (last.move.SerializeToString(deterministic=True),)


@pytest.mark.parametrize("name", GAMES)
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
