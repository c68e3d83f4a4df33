"""A hosted match in `bench.histories`: played and watched through every kill, and held against what was acknowledged."""

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

import grpc

from machiavel import v1

if TYPE_CHECKING:
    from machiavel.v1.match_service_pb2_grpc import MatchServiceAsyncStub

__all__ = ["BrokenHistory", "HistoryTable", "TrafficHost"]

GAMES = ("agency", "bond", "whist", "citadel")
ME, OTHER = 0, 1  # seats of persons; the bots are behind them
AGAIN = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNKNOWN}
FORGOTTEN = {grpc.StatusCode.NOT_FOUND, grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.UNAUTHENTICATED}
REFUSED = {grpc.StatusCode.ABORTED, grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.RESOURCE_EXHAUSTED}
PATIENCE = 5.0  # seconds for an answer, after which it is asked for again
REPEATS = 0.1  # of all calls that change something, an earlier one is made again


class BrokenHistory(Exception):
    """Something that was acknowledged is not so."""


class TrafficHost(Protocol):
    """Where tables find the server."""

    matches: "MatchServiceAsyncStub"
    draw: random.Random
    count: dict[str, int]

    async def until_up(self) -> None:
        """Waits while the server is away."""


def require(is_so: bool, problem: str) -> None:
    if not is_so:
        raise BrokenHistory(problem)


@contextlib.contextmanager
def suppress_refusals() -> Iterator[None]:
    """Somebody's answer came first and settled the question, or ended the match; or seats changed hands too often."""
    try:
        yield
    except grpc.aio.AioRpcError as error:
        if error.code() not in REFUSED:
            raise


class HistoryTable:
    """One match: two persons, both played from here, and bots. `answered` and `given` are what the server acknowledged."""

    def __init__(self, host: TrafficHost) -> None:
        self.host = host
        self.draw = host.draw
        self.game = self.draw.choice(GAMES)
        self.made: Any = None
        self.tokens: dict[int, str] = {}
        self.answered: list[tuple[str, Any, bytes]] = []  # method, request, response
        self.given: list[str] = []  # moves of ME that were acknowledged, in order
        self.pending: str | None = None  # a move that was sent, and has had no answer
        self.seen: dict[str, list[bytes]] = {}  # events that watchers have had, by token
        self.is_over = False

    # ---- Calls ----

    async def insist(self, call: Callable[["MatchServiceAsyncStub"], Awaitable[Any]]) -> Any:
        """Until there is an answer, from as many servers as it takes; raises BrokenHistory, and other errors as they are."""
        while True:
            await self.host.until_up()
            try:
                return await call(self.host.matches)
            except grpc.aio.AioRpcError as error:
                require(error.code() not in FORGOTTEN, f"what was acknowledged is not known: {error.details()}")
                if error.code() not in AGAIN:
                    raise
            await asyncio.sleep(0.05)

    async def change(self, method: str, request: Any) -> Any:
        """A call with an id: acknowledged once it returns."""
        request.request_id = f"request-{self.draw.getrandbits(96):024x}"
        response = await self.insist(lambda matches: getattr(matches, method)(request, timeout=PATIENCE))
        self.answered.append((method, request, response.SerializeToString(deterministic=True)))
        self.host.count["acknowledged"] += 1
        if self.draw.random() < REPEATS:
            await self.repeat(self.draw.choice(self.answered))
        return response

    async def repeat(self, one: tuple[str, Any, bytes]) -> None:
        """The same bytes as the first time."""
        method, request, first = one
        again = await self.insist(lambda matches: getattr(matches, method)(request, timeout=PATIENCE))
        self.host.count["repeated"] += 1
        require(again.SerializeToString(deterministic=True) == first, f"{method} is answered otherwise when it is repeated")

    # ---- Playing ----

    async def begin(self) -> None:
        seats = [
            v1.SeatSetup(kind=v1.SeatKind.SEAT_KIND_PERSON),
            v1.SeatSetup(kind=v1.SeatKind.SEAT_KIND_OPEN),
            v1.SeatSetup(kind=v1.SeatKind.SEAT_KIND_BOT, bot=self.draw.choice(["greedy", "random"])),
        ]
        seats[2].think.FromMilliseconds(20)
        self.made = await self.change("CreateMatch", v1.CreateMatchRequest(game=self.game, seats=seats))
        joined = await self.change("JoinMatch", v1.JoinMatchRequest(code=self.made.code, name="Joan"))
        self.tokens = {ME: self.made.seat_tokens[ME], OTHER: joined.token}

    @property
    def match(self) -> str:
        return str(self.made.match.match)

    async def play(self) -> None:
        """To its end; raises BrokenHistory."""
        await self.begin()
        watchers = [asyncio.create_task(self.watch(token)) for token in (self.made.host_token, self.tokens[ME])]
        try:
            while not self.is_over:
                await self.step()
            for watcher in watchers:
                await watcher
            await self.check()
        finally:
            for watcher in watchers:
                watcher.cancel()
            await asyncio.gather(*watchers, return_exceptions=True)

    async def step(self) -> None:
        seat = self.draw.choice([ME, OTHER])
        request = v1.GetMatchRequest(match=self.match, token=self.tokens[seat])
        shown = (await self.insist(lambda matches: matches.GetMatch(request, timeout=PATIENCE))).snapshot
        if shown.match.phase == v1.MatchPhase.MATCH_PHASE_OVER:
            self.is_over = True
        elif shown.position.moves and not shown.position.HasField("answer"):
            await self.answer(seat, self.draw.choice(shown.position.moves).text, shown.version)
        elif seat == OTHER and self.draw.random() < 0.05:
            await self.change_hands()
        else:
            await asyncio.sleep(0.01)

    async def change_hands(self) -> None:
        """A bot takes a seat over, and hands it back."""
        with suppress_refusals():
            await self.change("TakeOverSeat", v1.TakeOverSeatRequest(match=self.match, token=self.tokens[OTHER], bot="greedy"))
            await self.change("HandBackSeat", v1.HandBackSeatRequest(match=self.match, token=self.tokens[OTHER]))

    async def answer(self, seat: int, move: str, version: int) -> None:
        request = v1.PlayMoveRequest(match=self.match, token=self.tokens[seat], move=move, expected_version=version)
        if seat == ME:
            self.pending = move
        with suppress_refusals():
            response = await self.change("PlayMove", request)
            self.host.count["moves"] += 1
            if seat == ME:
                self.given.append(response.move.text)
        if seat == ME:
            self.pending = None

    async def watch(self, token: str) -> None:
        """All events, each once and in order, through every break."""
        seen = self.seen.setdefault(token, [])
        while True:
            await self.host.until_up()
            try:
                stream = self.host.matches.WatchMatch(v1.WatchMatchRequest(match=self.match, token=token, after=len(seen)))
                async for one in stream:
                    require(one.event.version == len(seen) + 1, f"a watcher has {one.event.version} after {len(seen)}")
                    seen.append(one.event.SerializeToString(deterministic=True))
                    self.host.count["watched"] += 1
                    if one.event.HasField("over"):
                        return
            except grpc.aio.AioRpcError as error:
                is_gone = error.code() in FORGOTTEN | {grpc.StatusCode.INVALID_ARGUMENT}
                require(not is_gone, f"a watcher of {len(seen)} events is refused: {error.details()}")
                if error.code() not in AGAIN:
                    raise
            await asyncio.sleep(0.05)

    # ---- What must hold ----

    async def check(self) -> None:
        """Every acknowledged move stands in the match once, in order; watchers had what stands there; raises BrokenHistory."""
        if not self.tokens:
            return
        given, pending, seen = list(self.given), self.pending, {token: list(events) for token, events in self.seen.items()}
        events = await self.events(self.tokens[ME])
        found = answers_in(events)
        # What was sent meanwhile may be there, too.
        require(found[: len(given)] == given, f"{self.game}: acknowledged {given[-5:]}, kept {found[-5:]}")
        extra = found[len(given) :]
        require(len(extra) <= 1 + len(self.given) - len(given), f"{self.game}: {extra} came of nothing")
        require(pending is None or not extra or extra[0] == pending, f"{self.game}: {extra} is kept, {pending} was sent")
        for token, had in seen.items():
            kept = [one.SerializeToString(deterministic=True) for one in await self.events(token)]
            require(had == kept[: len(had)], f"{self.game}: a watcher had something else than is kept")
        for one in self.answered[-2:]:
            await self.repeat(one)

    async def events(self, token: str) -> list[Any]:
        """All of them, as the server tells them anew."""

        async def read(matches: "MatchServiceAsyncStub") -> list[Any]:
            shown = await matches.GetMatch(v1.GetMatchRequest(match=self.match, token=token), timeout=PATIENCE)
            result: list[Any] = []
            if shown.snapshot.version:
                stream = matches.WatchMatch(v1.WatchMatchRequest(match=self.match, token=token, after=0), timeout=PATIENCE * 4)
                async for one in stream:
                    result.append(one.event)
                    if len(result) == shown.snapshot.version:
                        break
                stream.cancel()
            require([one.version for one in result] == list(range(1, shown.snapshot.version + 1)), "events are missing")
            return result

        result: list[Any] = await self.insist(read)
        return result


def answers_in(events: list[Any]) -> list[str]:
    """All answers of ME, of which each may be kept first, and made later or lapse."""
    result: list[str] = []
    kept: str | None = None
    for event in events:
        what = event.WhichOneof("what")
        if what == "answer":
            kept = event.answer.move.text
            result.append(kept)
        elif what == "lapsed":
            require(event.lapsed.move.text == kept, f"{event.lapsed.move.text} lapsed, {kept} was kept")
            kept = None
        elif what == "move" and event.move.seat == ME:
            if kept is None:
                result.append(event.move.move.text)
            require(event.move.move.text == result[-1], f"{event.move.move.text} was made, {result[-1]} was kept")
            kept = None
    return result
