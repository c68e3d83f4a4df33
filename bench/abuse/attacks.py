"""What hurts: each attack is what one of its callers does until it is told to stop."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from google.protobuf.duration_pb2 import Duration
from google.protobuf.struct_pb2 import Struct

from bench.abuse.callers import CallRefused, RawCaller
from machiavel.engines.decks import read_deck
from machiavel.v1 import (
    ApplyMoveRequest,
    ApplyMoveResponse,
    BondOptions,
    CreateMatchRequest,
    CreateMatchResponse,
    Deck,
    FollowViewRequest,
    GetGameRequest,
    GetMatchRequest,
    GetStateRequest,
    GetViewRequest,
    GetViewResponse,
    HandBackSeatRequest,
    JoinMatchRequest,
    LegalMovesRequest,
    LegalMovesResponse,
    Limits,
    ListMatchesRequest,
    NewStateRequest,
    NewStateResponse,
    Options,
    RecommendMoveRequest,
    Record,
    ReviewGameRequest,
    SeatKind,
    SeatSetup,
    StartTournamentRequest,
    TakeOverSeatRequest,
    TournamentPlan,
    WatchMatchRequest,
)

__all__ = ["ATTACKS", "Attack", "AttackTally", "Attacker", "Target", "mid_match", "of_bots", "of_people"]

PERSON, BOT = SeatKind.SEAT_KIND_PERSON, SeatKind.SEAT_KIND_BOT
PAUSE = 0.1  # seconds that an attacker waits after a refusal, whatever the server asks for
PLIES = 30
LARGE = 240_000  # bytes


class Target(NamedTuple):
    """What there is to be hurt: a match that everybody may watch, and a position with a choice, as a record and as a view."""

    match: str
    record: bytes
    view: bytes
    move: str


@dataclass
class AttackTally:
    """How an attack fared."""

    done: Counter[str] = field(default_factory=Counter)  # by reason; "OK" for what was granted
    late: int = 0  # answers after their deadline
    in_vain: int = 0  # calls that waited more than a quarter of their time and were told that none was left


Attempt = Callable[[], Awaitable[Any]]


@dataclass
class Attacker:
    """One caller of an attack."""

    caller: RawCaller
    number: int
    target: Target
    until: float  # by time.monotonic()
    tally: AttackTally

    @property
    def left(self) -> float:
        return max(0.0, self.until - time.monotonic())

    async def again(self, attempt: Attempt, pause: float = 0.0) -> None:
        """The same over and over."""
        while self.left:
            await self.tried(attempt)
            await asyncio.sleep(pause)

    async def tried(self, attempt: Attempt) -> bool:
        try:
            await attempt()
        except CallRefused as error:
            self.tally.done[error.reason or error.code] += 1
            await asyncio.sleep(min(PAUSE, self.left))
            return False
        self.tally.done["OK"] += 1
        return True

    async def at_once(self, times: int, attempt: Attempt, pause: float = 0.0) -> None:
        """So many of them beside each other, over and over."""
        await asyncio.gather(*(self.again(attempt, pause) for _ in range(times)))

    async def created(self, request: CreateMatchRequest) -> CreateMatchResponse:
        return CreateMatchResponse.FromString(await self.caller.call("MatchService/CreateMatch", request))

    async def has(self, request: CreateMatchRequest) -> CreateMatchResponse:
        """A match, asked for until it is granted."""
        while True:
            try:
                return await self.created(request)
            except CallRefused:
                await asyncio.sleep(PAUSE)


class Attack(NamedTuple):
    """What is done, and by whom how often. A flood is more small calls than one process can read."""

    what: str
    run: Callable[[Attacker], Coroutine[Any, Any, None]]
    is_flood: bool = False


async def mid_match(caller: RawCaller, match: str) -> Target:
    """A position of agency in which there is a choice; everybody may watch the match."""
    request = NewStateRequest(game="agency", options=Options(players=3), seed="7")
    state = NewStateResponse.FromString(await caller.call("GameService/NewState", request)).state
    while True:
        asked = LegalMovesRequest(record=state.record, seat=state.seat_to_move)
        moves = LegalMovesResponse.FromString(await caller.call("GameService/LegalMoves", asked)).seats[0].moves
        if state.ply >= PLIES and len(moves) >= 3:
            break
        apply = ApplyMoveRequest(record=state.record, move=moves[0].text)
        state = ApplyMoveResponse.FromString(await caller.call("GameService/ApplyMove", apply)).state
    view = await caller.call("GameService/GetView", GetViewRequest(record=state.record, seat=state.seat_to_move))
    seen = GetViewResponse.FromString(view).view
    return Target(match, state.record.SerializeToString(), seen.SerializeToString(), moves[0].text)


def duration(seconds: float) -> Duration:
    result = Duration()
    result.FromNanoseconds(round(1e9 * seconds))
    return result


def of_bots(game: str, bot: str, players: int, think: float) -> CreateMatchRequest:
    return CreateMatchRequest(game=game, seats=[SeatSetup(kind=BOT, bot=bot, think=duration(think))] * players)


def of_people(game: str = "whist", players: int = 3, **more: Any) -> CreateMatchRequest:
    return CreateMatchRequest(game=game, seats=[SeatSetup(kind=PERSON)] * players, **more)


async def slow_bots(attacker: Attacker) -> None:
    for _ in range(8):
        await attacker.tried(lambda: attacker.created(of_bots("whist", "greedy", 2, 60)))
    await asyncio.sleep(attacker.left)


async def level3_tables(attacker: Attacker) -> None:
    for _ in range(6):
        await attacker.tried(lambda: attacker.created(of_bots("agency", "level3", 4, 1)))
    await asyncio.sleep(attacker.left)


async def matches(attacker: Attacker) -> None:
    await attacker.at_once(8, lambda: attacker.created(of_people()))


async def searches(attacker: Attacker) -> None:
    request = RecommendMoveRequest(record=Record.FromString(attacker.target.record), limits=Limits(time=duration(59)))
    await attacker.at_once(32, lambda: attacker.caller.call("BotService/RecommendMove", request, max(1.0, attacker.left)))


async def reviews(attacker: Attacker) -> None:
    request = ReviewGameRequest(record=Record.FromString(attacker.target.record), iterations=100_000)

    async def review() -> None:
        async for _ in attacker.caller.stream("BotService/ReviewGame", request, max(1.0, attacker.left)):
            continue

    await attacker.at_once(8, review)


async def streams(attacker: Attacker) -> None:
    await attacker.at_once(64, lambda: attacker.caller.begin("GameService/GetState", attacker.left))


async def records(attacker: Attacker) -> None:
    record = Record.FromString(attacker.target.record)
    record.moves.extend(["Y3" for _ in range(LARGE // 4)])
    request = GetStateRequest(record=record).SerializeToString()
    await attacker.at_once(20, lambda: attacker.caller.call("GameService/GetState", request))


async def tournaments(attacker: Attacker) -> None:
    bots = [f"ismcts:iterations=1000000000,seed={number}" for number in range(2)]
    plan = TournamentPlan(game="agency", options=Options(players=2), bots=bots, deals=10_000, seed="1")
    for _ in range(4):
        start = StartTournamentRequest(plan=plan)
        await attacker.tried(lambda start=start: attacker.caller.call("TournamentService/StartTournament", start))  # type: ignore[misc]
    await asyncio.sleep(attacker.left)


async def watchers(attacker: Attacker) -> None:
    request = WatchMatchRequest(match=attacker.target.match)

    async def watch() -> None:
        async for _ in attacker.caller.stream("MatchService/WatchMatch", request, max(1.0, attacker.left)):
            continue

    await attacker.at_once(20, watch)


async def frozen_watchers(attacker: Attacker) -> None:
    """Those who hold a table open and never read what they are sent."""
    table = await attacker.has(of_bots("agency", "greedy", 4, 0.02))
    request = WatchMatchRequest(match=table.match.match, token=table.host_token, after=0, stay=True)
    await attacker.at_once(16, lambda: attacker.caller.freeze("MatchService/WatchMatch", request, attacker.left))


def of_large_deck(size: int) -> CreateMatchRequest:
    """So many bytes of its deck say where cards are known from."""
    _, tables = read_deck("machiavel.engines.bond", "house")
    deck = Struct()
    large = {key: value for key, value in tables.items() if key != "lairs"}
    large["lairs"] = [dict(entry, provenance="x" * (size // len(tables["lairs"]))) for entry in tables["lairs"]]
    deck.update(large)
    return of_people("bond", 3, options=Options(bond=BondOptions(deck=Deck(tables=deck))))


async def decks(attacker: Attacker) -> None:
    create = of_large_deck(LARGE)
    for _ in range(20):
        await attacker.tried(lambda: attacker.created(create))
    smaller = of_large_deck(LARGE // 8)
    for _ in range(20):
        await attacker.tried(lambda: attacker.created(smaller))
    request = ListMatchesRequest(page_size=100)
    await attacker.again(lambda: attacker.caller.call("MatchService/ListMatches", request))


async def seats(attacker: Attacker) -> None:
    made = await attacker.has(of_people())
    match, token, bots = made.match.match, made.seat_tokens[0], ("greedy", "random")
    turn = 0

    async def swap() -> None:
        nonlocal turn
        turn += 1
        take = TakeOverSeatRequest(match=match, token=token, bot=bots[turn % 2], think=duration(60))
        await attacker.caller.call("MatchService/TakeOverSeat", take)
        await attacker.caller.call("MatchService/HandBackSeat", HandBackSeatRequest(match=match, token=token))

    await attacker.again(swap)


async def deadlines(attacker: Attacker) -> None:
    request = RecommendMoveRequest(record=Record.FromString(attacker.target.record))

    async def ask() -> None:
        began = time.monotonic()
        try:
            await attacker.caller.call("BotService/RecommendMove", request, 1.0)
        except CallRefused as error:
            took = time.monotonic() - began
            attacker.tally.late += took >= 1.0
            attacker.tally.in_vain += took >= 0.25
            raise error from None

    await attacker.at_once(3, ask)


async def follows(attacker: Attacker) -> None:
    request = FollowViewRequest(move=attacker.target.move)
    request.view.MergeFromString(attacker.target.view)
    await attacker.at_once(6, lambda: attacker.caller.call("GameService/FollowView", request))


async def forms(attacker: Attacker) -> None:
    requests = [GetGameRequest(game=name) for name in ("agency", "bond", "citadel", "whist")]
    for request in requests:
        request.options.players = 3
    await attacker.at_once(4, lambda: attacker.caller.call("GameService/GetGame", requests[attacker.number % 4]))


async def moves(attacker: Attacker) -> None:
    """Small calls, as many as there can be."""
    request = GetStateRequest(record=Record.FromString(attacker.target.record)).SerializeToString()
    await attacker.at_once(16, lambda: attacker.caller.call("GameService/GetState", request))


async def rewatches(attacker: Attacker) -> None:
    """The whole story of a match, over and over."""
    table = await attacker.has(of_bots("agency", "greedy", 4, 0.02))
    request = WatchMatchRequest(match=table.match.match, token=table.host_token, after=0)

    async def watch() -> None:
        count = 0
        async for _ in attacker.caller.stream("MatchService/WatchMatch", request, max(1.0, attacker.left)):
            count += 1
            if count > 60:
                break

    await asyncio.sleep(min(3.0, attacker.left))
    await attacker.at_once(8, watch)


async def checks(attacker: Attacker) -> None:
    """The health service asks nobody for a token."""

    async def watch() -> None:
        async for _ in attacker.caller.stream("/grpc.health.v1.Health/Watch", b"", max(1.0, attacker.left)):
            continue

    await asyncio.gather(
        attacker.at_once(16, watch), attacker.at_once(16, lambda: attacker.caller.call("/grpc.health.v1.Health/Check", b""))
    )


async def guesses(attacker: Attacker) -> None:
    """Codes and tokens that there are not."""
    join, look = JoinMatchRequest(code="ABCDE-FGHJK"), GetMatchRequest(match=attacker.target.match, token="x" * 22)
    await asyncio.gather(
        attacker.at_once(4, lambda: attacker.caller.call("MatchService/JoinMatch", join)),
        attacker.at_once(4, lambda: attacker.caller.call("MatchService/GetMatch", look)),
    )


ATTACKS = {
    "bots": Attack("400 matches of two greedy, think 60 s", slow_bots),
    "tables": Attack("300 tables of four level3, think 1 s", level3_tables),
    "matches": Attack("CreateMatch, 8 at a time each, without end", matches),
    "searches": Attack("32 RecommendMove of 59 s each", searches),
    "reviews": Attack("8 ReviewGame each", reviews),
    "streams": Attack("64 calls without a request each", streams),
    "records": Attack("20 invalid records of 240 KB at a time each", records),
    "tournaments": Attack("4 tournaments of 10^9 iterations a move each", tournaments),
    "watchers": Attack("20 anonymous spectators of one match each", watchers),
    "frozen": Attack("16 watchers each that never read", frozen_watchers),
    "decks": Attack("20 decks of 240 KB and of 30 KB each, then ListMatches", decks),
    "seats": Attack("TakeOverSeat and HandBackSeat without end", seats),
    "deadlines": Attack("3 RecommendMove with 1 s at a time each", deadlines),
    "follows": Attack("6 FollowView at a time each", follows),
    "forms": Attack("4 GetGame at a time each", forms),
    "moves": Attack("16 GetState at a time each", moves, is_flood=True),
    "rewatches": Attack("8 watches from the first event on each", rewatches),
    "checks": Attack("16 Health.Watch and 16 Health.Check each", checks, is_flood=True),
    "guesses": Attack("8 wrong codes and tokens at a time each", guesses, is_flood=True),
}
