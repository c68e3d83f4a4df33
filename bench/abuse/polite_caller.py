"""A caller who asks for little, beside others who do not: how long it waits, and what it is refused."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from bench.abuse.attacks import Target, mid_match, of_bots, of_people
from bench.abuse.callers import CallRefused, RawCaller, caller_of
from bench.service import percentile
from machiavel.v1 import (
    CreateMatchResponse,
    DeleteMatchRequest,
    GetStateRequest,
    GetTournamentRequest,
    GetTournamentResponse,
    Limits,
    MatchSettings,
    Options,
    RecommendMoveRequest,
    Record,
    StartTournamentRequest,
    StartTournamentResponse,
    TournamentPlan,
    TournamentState,
    WatchMatchRequest,
    WatchMatchResponse,
)

__all__ = ["PoliteCaller", "Waits", "cells"]

LOOK, SEARCH, CREATE, WATCH = 0.025, 0.1, 0.5, 0.5  # seconds from one call to the next
THINK = 0.1
PATIENCE = 30.0
ABREAST = 8  # calls of a kind under way at once, where answers are late
PLAYED, FAILED = TournamentState.TOURNAMENT_STATE_PLAYED, TournamentState.TOURNAMENT_STATE_FAILED


@dataclass
class Waits:
    """What a caller waited for, in seconds, and was refused, by call and reason."""

    taken: dict[str, list[float]] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)

    def share(self, what: str, share: float) -> float | None:
        """Milliseconds; None where nothing was answered."""
        return 1000 * percentile(self.taken[what], share) if self.taken.get(what) else None

    def refusals(self, what: str) -> int:
        return sum(count for name, count in self.refused.items() if name.partition(" ")[0] == what)


class PoliteCaller:
    """Looks at a position through both ways 40 times a second each, and asks for 200 iterations ten times a second.

    Besides it follows a table of bots, sets a match up now and then, watches one of its own, and has a tournament played.
    """

    def __init__(self, address: str, web: str, token: str) -> None:
        self.ways: dict[str, RawCaller] = {"gRPC": caller_of(address, token), "door": caller_of(web, token)}
        self.grpc = self.ways["gRPC"]
        self.waits = Waits()

    async def begin(self) -> Target:
        """What others may hurt; everybody may watch the match."""
        settings = MatchSettings(spectators=True)
        data = await self.grpc.call("MatchService/CreateMatch", of_people(settings=settings))
        self.shown = CreateMatchResponse.FromString(data)
        target = await mid_match(self.grpc, self.shown.match.match)
        self.record = Record.FromString(target.record)
        return target

    async def measure(self, seconds: float, *, with_tournament: bool) -> None:
        """For so long."""
        self.until = time.monotonic() + seconds
        work = [self.looks("gRPC"), self.looks("door"), self.searches(), self.table(), self.creates(), self.watches()]
        if with_tournament:
            work.append(self.tournament())
        await asyncio.gather(*work)

    async def every(self, pause: float, what: str, attempt: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Each call has a time when it is due and is counted from it, so that a stall counts for all that were due in it."""
        abreast, due = asyncio.Semaphore(ABREAST), time.monotonic()
        async with asyncio.TaskGroup() as group:
            while due < self.until:
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                group.create_task(self.once(what, attempt, due, abreast))
                due += pause

    async def once(
        self, what: str, attempt: Callable[[], Coroutine[Any, Any, object]], due: float, abreast: asyncio.Semaphore
    ) -> None:
        try:
            async with asyncio.timeout(max(0.0, self.until + PATIENCE - time.monotonic())), abreast:
                await attempt()
        except CallRefused as error:
            self.waits.refused[f"{what} {error.reason or error.code}"] += 1
        except TimeoutError:
            self.waits.refused[f"{what} not answered"] += 1
        else:
            self.took(what, time.monotonic() - due)

    def took(self, what: str, seconds: float) -> None:
        self.waits.taken.setdefault(what, []).append(seconds)

    async def looks(self, way: str) -> None:
        request = GetStateRequest(record=self.record).SerializeToString()
        await self.every(LOOK, f"GetState-{way}", lambda: self.ways[way].call("GameService/GetState", request, PATIENCE))

    async def searches(self) -> None:
        request = RecommendMoveRequest(record=self.record, bot="ismcts", limits=Limits(iterations=200))
        await self.every(SEARCH, "search", lambda: self.grpc.call("BotService/RecommendMove", request, PATIENCE))

    async def creates(self) -> None:
        async def create() -> None:
            data = await self.grpc.call("MatchService/CreateMatch", of_people(), PATIENCE)
            made = CreateMatchResponse.FromString(data)
            await self.ways["door"].call(
                "MatchService/DeleteMatch", DeleteMatchRequest(match=made.match.match, token=made.host_token), PATIENCE
            )

        await self.every(CREATE, "create", create)

    async def watches(self) -> None:
        """The host looks at its own match, which others look at as well."""
        ways = [self.ways["gRPC"], self.ways["door"]]
        request = WatchMatchRequest(match=self.shown.match.match, token=self.shown.host_token)

        async def watch() -> None:
            ways.reverse()
            async with aclosing(ways[0].stream("MatchService/WatchMatch", request, PATIENCE)) as answers:
                await anext(answers)

        await self.every(WATCH, "watch", watch)

    async def table(self) -> None:
        """One match of bots after another: how much longer than they think they take."""
        while time.monotonic() < self.until:
            began = time.monotonic()
            try:
                made = CreateMatchResponse.FromString(
                    await self.grpc.call("MatchService/CreateMatch", of_bots("agency", "greedy", 4, THINK), PATIENCE)
                )
                await self.follow(made.match.match, made.host_token, began)
            except CallRefused as error:
                self.waits.refused[f"table {error.reason or error.code}"] += 1
                await asyncio.sleep(THINK)

    async def follow(self, match: str, token: str, last: float) -> None:
        """The first move is counted from when the match was asked for."""
        request = WatchMatchRequest(match=match, token=token)
        answers = self.grpc.stream("MatchService/WatchMatch", request, 3600)
        async with aclosing(answers):
            try:
                while True:
                    async with asyncio.timeout(max(0.0, self.until - time.monotonic())):
                        answer = WatchMatchResponse.FromString(await anext(answers))
                    if answer.event.WhichOneof("what") == "move":
                        now = time.monotonic()
                        self.took("turn", max(0.0, now - last - THINK))
                        last = now
            except StopAsyncIteration:
                return
            except TimeoutError:
                self.took("turn", max(0.0, time.monotonic() - last - THINK))

    async def tournament(self) -> None:
        """Four deals between bots that take no time."""
        plan = TournamentPlan(game="whist", options=Options(players=2), bots=["greedy", "random"], deals=4, seed="1")
        began = time.monotonic()
        try:
            data = await self.grpc.call("TournamentService/StartTournament", StartTournamentRequest(plan=plan), PATIENCE)
            request = GetTournamentRequest(name=StartTournamentResponse.FromString(data).tournament.name)
            while time.monotonic() < self.until:
                data = await self.grpc.call("TournamentService/GetTournament", request, PATIENCE)
                state = GetTournamentResponse.FromString(data).tournament.state
                if state == PLAYED:
                    self.took("tournament", time.monotonic() - began)
                    return
                if state == FAILED:
                    self.waits.refused["tournament failed"] += 1
                    return
                await asyncio.sleep(0.1)
            self.waits.refused["tournament not over"] += 1
        except CallRefused as error:
            self.waits.refused[f"tournament {error.reason or error.code}"] += 1

    async def close(self) -> None:
        for caller in self.ways.values():
            await caller.close()


def cell(milliseconds: float | None) -> str:
    return "none" if milliseconds is None else f"{milliseconds:.1f}" if milliseconds < 100 else f"{milliseconds:,.0f}"


def cells(waits: Waits, columns: Sequence[tuple[str, float]]) -> list[str]:
    """Milliseconds by column."""
    return [cell(waits.share(what, share)) for what, share in columns]
