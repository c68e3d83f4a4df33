"""What people, programs and mistakes do to a server in an ordinary hour, at a steady pace."""

import asyncio
import gc
import itertools
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import aclosing

from bench.abuse.callers import CallRefused, RawCaller, caller_of
from machiavel.clients import AsyncClient, BadView, MatchOver, NotToMove, ServiceError, StaleVersion, connect_async
from machiavel.engines import games, load
from machiavel.v1 import Options, State, TournamentPlan, TournamentState

__all__ = ["MixedLoad"]

THINK = 0.05
# Wrong on purpose: what is sent by whom, and the answers that are right.
WRONG: tuple[tuple[str, bytes, str], ...] = (
    ("GameService/GetState", b"\xff\xff\xff", "BAD_REQUEST"),
    ("GameService/GetState", b"", "BAD_RECORD BAD_REQUEST UNKNOWN_GAME"),
    ("GameService/GetState", b"\n\x07\n\x05chess", "UNKNOWN_GAME"),
    ("GameService/GetState", b"x" * 300_000, "MESSAGE_TOO_LARGE"),
    ("GameService/Nothing", b"", "UNKNOWN_METHOD"),
    ("MatchService/JoinMatch", b"\n\x0bABCDE-FGHJK", "BAD_CODE"),
    ("MatchService/GetMatch", b"\n\x08nomatch!", "NO_ACCESS"),
)
OVER = {TournamentState.TOURNAMENT_STATE_PLAYED, TournamentState.TOURNAMENT_STATE_FAILED}


def players_of(game: str) -> int:
    """Three where it can be."""
    players = load(game).players
    return 3 if 3 in players else players[0]


class MixedLoad:
    """Belongs to one event loop. `done` counts what was done, `wrong` what came otherwise than it should."""

    def __init__(self, address: str, web: str, tokens: list[str], tables: int) -> None:
        self.places = (address, web)
        self.tokens = itertools.cycle(tokens)
        self.tables = tables
        self.done: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.draw = random.Random(1)
        self.working = asyncio.Event()
        self.working.set()
        self.under_way = 0
        self.idle = asyncio.Event()
        self.ended = False

    async def run(self) -> None:
        """Until `end`."""
        kinds: list[tuple[str, float, Callable[[AsyncClient], Awaitable[None]]]] = [
            *[("table", 0.0, self.table)] * self.tables,
            *[("positions", 0.2, self.positions)] * 2,
            ("search", 0.5, self.search),
            ("deadline", 1.0, self.deadline),
            ("left", 1.0, self.left_streams),
            ("forms", 3.0, self.forms),
            ("review", 8.0, self.review),
            ("tournament", 15.0, self.tournament),
            ("connection", 1.0, self.connection),
        ]
        await asyncio.gather(*(self.steady(number, *kind) for number, kind in enumerate(kinds)), self.mistakes())

    async def pause(self) -> None:
        """Until nothing is under way, and nothing begins before `go_on`."""
        self.working.clear()
        while self.under_way:
            self.idle.clear()
            await self.idle.wait()
        gc.collect()  # calls that were left stand in cycles, and each of them keeps its connection

    def go_on(self) -> None:
        self.working.set()

    def end(self) -> None:
        """What waits begins no more."""
        self.ended = True
        self.working.set()

    async def steady(self, number: int, name: str, pace: float, work: Callable[[AsyncClient], Awaitable[None]]) -> None:
        """The same work again and again, now over gRPC and now through the door."""
        for turn in itertools.count(number):
            await self.working.wait()
            if self.ended:
                return
            began = time.monotonic()
            with self.counted():
                async with connect_async(self.places[turn % 2], token=next(self.tokens)) as client:
                    for _ in range(20 if pace else 1):
                        try:
                            await work(client)
                        except (ServiceError, TimeoutError) as error:
                            self.wrong[f"{name}: {type(error).__name__}: {str(error)[:100]}"] += 1
                        else:
                            self.done[name] += 1
                        if not self.working.is_set():
                            break
                        await asyncio.sleep(max(0.0, began + pace - time.monotonic()))
                        began = time.monotonic()

    def counted(self) -> "CountedWork":
        return CountedWork(self)

    async def table(self, client: AsyncClient) -> None:
        """A person, a spectator and bots; then the match is gone, or has a rematch first."""
        game = self.draw.choice(games())
        seats = ["person", "level1", "greedy", "level1"][: players_of(game)]
        host = await client.create_match(game, seats, think=THINK, spectators=True, rematch=True, hints=True, timeout=60)
        session = host.at(0)
        spectator = asyncio.create_task(self.spectate(client, host.match))
        try:
            async for position in session.turns():
                if not self.working.is_set():
                    break
                try:
                    if self.draw.random() < 0.05:
                        await session.hint(iterations=50)
                    await asyncio.sleep(THINK)
                    await session.play(self.draw.choice(position.moves).text, timeout=60)
                except (NotToMove, StaleVersion, MatchOver):
                    continue
                self.done["move"] += 1
        finally:
            spectator.cancel()
            await asyncio.gather(spectator, return_exceptions=True)
            await host.delete(timeout=60)

    async def spectate(self, client: AsyncClient, match: str) -> None:
        async with aclosing(client.session(match).watch()) as answers:
            async for _ in answers:
                self.done["event"] += 1

    async def position(self, client: AsyncClient) -> State:
        game = self.draw.choice(games())
        state = await client.new_state(game, players_of(game), seed=self.draw.randrange(1000))
        for _ in range(self.draw.randrange(1, 12)):
            moves = (await client.legal_moves(state, state.seat_to_move))[0].moves
            after = (await client.apply_move(state, self.draw.choice(moves).text)).state
            if after.over:
                break
            state = after
        return state

    async def positions(self, client: AsyncClient) -> None:
        state = await self.position(client)
        await client.get_view(state, state.seat_to_move)

    async def search(self, client: AsyncClient) -> None:
        await client.recommend_move(await self.position(client), iterations=200, explain=True, timeout=60)

    async def deadline(self, client: AsyncClient) -> None:
        await client.recommend_move(await self.position(client), seconds=0.2, timeout=30)

    async def left_streams(self, client: AsyncClient) -> None:
        state = await self.position(client)
        async with aclosing(client.analyze_moves(state, seconds=5, interval=0.05)) as answers:
            await anext(answers)

    async def forms(self, client: AsyncClient) -> None:
        state = await self.position(client)
        view = await client.get_view(state, state.seat_to_move)
        moves = (await client.legal_moves(state, state.seat_to_move))[0].moves
        await client.get_game(state.record.game, players_of(state.record.game))
        try:
            await client.follow_view(view, moves[0].text, timeout=30)
        except BadView:
            self.done["view asked for more"] += 1

    async def review(self, client: AsyncClient) -> None:
        state = await self.position(client)
        async with aclosing(client.review_game(state, iterations=20)) as answers:
            async for _ in answers:
                continue

    async def tournament(self, client: AsyncClient) -> None:
        plan = TournamentPlan(game="whist", options=Options(players=2), bots=["greedy", "random"], deals=6, seed="1")
        name = (await client.start_tournament(plan, timeout=60)).name
        while (await client.get_tournament(name)).state not in OVER:
            await asyncio.sleep(0.3)
        await client.tournament_results(name)
        await client.delete_tournament(name)

    async def connection(self, client: AsyncClient) -> None:
        async with connect_async(self.places[self.draw.randrange(2)], token=next(self.tokens)) as another:
            await another.server_info()
        await client.list_games()

    async def mistakes(self) -> None:
        """Each of them has the answer it should have."""
        callers: list[RawCaller] = []
        for turn in itertools.count():
            if not self.working.is_set():  # at rest nobody has a connection
                while callers:
                    await callers.pop().close()
                await self.working.wait()
            if self.ended:
                break
            callers = callers or [caller_of(place, next(self.tokens)) for place in self.places]
            path, data, right = WRONG[turn % len(WRONG)]
            with self.counted():
                try:
                    await callers[turn % 2].call(path, data)
                    self.wrong[f"{path}: was granted"] += 1
                except CallRefused as error:
                    good = error.reason in right.split() or error.code in {"UNIMPLEMENTED", "HTTP 404", "HTTP 413"}
                    (self.done if good else self.wrong)["mistake" if good else f"{path}: {error}"[:120]] += 1
            await asyncio.sleep(0.25)
        for caller in callers:
            await caller.close()


class CountedWork:
    """Something that `pause` waits for."""

    def __init__(self, load: MixedLoad) -> None:
        self.load = load

    def __enter__(self) -> None:
        self.load.under_way += 1

    def __exit__(self, *_: object) -> None:
        self.load.under_way -= 1
        if not self.load.under_way:
            self.load.idle.set()
