"""TournamentService: bots of this server against each other."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import grpc
from google.protobuf.struct_pb2 import Struct

from machiavel import engines, v1
from machiavel.engines import BadOption, Game, GameError, Rules
from machiavel.search import BadBot
from machiavel.search.bots import SearchBot, make_bot, searcher_of
from machiavel.server.clock import SYSTEM_CLOCK, Clock
from machiavel.server.draws import SYSTEM_DRAWS, Draw, Draws, drawn_number
from machiavel.server.operating_mode import OperatingMode
from machiavel.server.service import messages, wire
from machiavel.server.service.bot_service import seconds_of
from machiavel.server.service.call_interceptor import caller, caller_of, source_of
from machiavel.server.service.config import Config
from machiavel.server.service.match_wire import duration_message
from machiavel.server.service.refusals import BadRequest, NoTournaments, located
from machiavel.server.service.tournament_watching import TournamentWatching
from machiavel.server.service.watchers import Watchers, cut_of
from machiavel.server.service.worker_thread import WorkerThread
from machiavel.server.shares import Shares
from machiavel.server.storage import StorageFailed
from machiavel.server.tournaments.finish import SUMMARY
from machiavel.server.tournaments.game_journal import GAMES, GameRow, read_game
from machiavel.server.tournaments.plan import MOST_BOTS, Plan, TimedSpec, make_plan
from machiavel.server.tournaments.seat_bots import check_spec, is_compiled
from machiavel.server.tournaments.standings import Standing
from machiavel.server.tournaments.tournament_entry import OVER, TournamentEntry
from machiavel.server.tournaments.tournament_registry import TournamentBounds, TournamentRegistry
from machiavel.v1.tournament_service_pb2_grpc import TournamentServiceServicer

__all__ = ["TournamentService", "in_folder", "make_registry", "tournament_message"]

Context = grpc.aio.ServicerContext[Any, Any]
Result = TypeVar("Result")
LONGEST_ID = 64
LONGEST_BOT = 300
USUAL_INTERVAL, LEAST_INTERVAL, MOST_INTERVAL = 1.0, 0.05, 60.0
SEED_BITS = 63
FORMAT, SEATINGS = "TOURNAMENT_FORMAT_", "TOURNAMENT_SEATINGS_"
USUAL_ERROR = 0.05


def make_registry(
    config: Config,
    shares: Shares,
    mode: OperatingMode,
    *,
    clock: Clock = SYSTEM_CLOCK,
    draws: Draws = SYSTEM_DRAWS,
    tell: Callable[[str, str], None],
) -> TournamentRegistry | None:
    """None where the server keeps no tournaments; `tell` gets the name of a tournament, and what is wrong with its folder."""
    if not config.tournaments:
        return None
    bounds = TournamentBounds(
        workers=config.tournament_workers,
        queue=config.tournament_queue,
        kept=config.tournament_kept,
        hours=config.tournament_hours,
        megabytes=config.tournament_megabytes,
    )
    return TournamentRegistry(Path(config.tournaments), bounds, shares, mode, clock=clock, draws=draws, tell=tell)


async def in_folder(work: Callable[..., Result], *given: Any) -> Result:
    """Work on the tournaments' folder, in a thread; raises StorageFailed where that cannot be written."""
    try:
        return await asyncio.to_thread(work, *given)
    except OSError as error:
        raise StorageFailed(f"tournaments: {error.filename or 'a folder'}: {error.strerror or type(error).__name__}") from error


class TournamentService(TournamentServiceServicer):
    """Whatever waits for the disk or for a game does so in a thread."""

    def __init__(
        self, registry: TournamentRegistry | None, config: Config, draws: Draws, watchers: Watchers, reading: WorkerThread
    ) -> None:
        """`reading`: where plans and what was played are read."""
        self.reading = reading
        self.draws = draws
        self.watchers = watchers
        self.watching = TournamentWatching(watch_message, self.is_kept, watchers.clock)
        self._registry = registry
        self.config = config

    @property
    def registry(self) -> TournamentRegistry:
        if self._registry is None:
            raise NoTournaments
        return self._registry

    def is_kept(self, entry: TournamentEntry) -> bool:
        return self.registry.entries.get(entry.name) is entry

    def entry(self, name: str) -> TournamentEntry:
        with located(lambda _: "name"):
            return self.registry.entry(name, caller.get())

    async def StartTournament(  # noqa: N802
        self,
        request: v1.StartTournamentRequest,
        context: Context,
    ) -> v1.StartTournamentResponse:
        registry = self.registry
        if len(request.request_id) > LONGEST_ID:
            raise BadRequest("request_id", f"has {len(request.request_id)} characters; expected at most {LONGEST_ID}")
        digest = hashlib.sha256(request.plan.SerializeToString(deterministic=True)).hexdigest()
        draw, share = self.draws.of("plan", caller.get(), request=request.request_id), caller_of(context)
        plan = await self.reading.do(partial(read_plan, request.plan, self.config, draw), share)
        with located(lambda _: "request_id"):
            begin = partial(registry.begin, request_id=request.request_id, digest=digest, share=share)
            entry = await in_folder(begin, plan, request.plan.deals, caller.get())
        return v1.StartTournamentResponse(tournament=tournament_message(entry))

    async def GetTournament(  # noqa: N802
        self,
        request: v1.GetTournamentRequest,
        context: Context,  # noqa: ARG002
    ) -> v1.GetTournamentResponse:
        return v1.GetTournamentResponse(tournament=tournament_message(self.entry(request.name)))

    async def ListTournaments(  # noqa: N802
        self,
        request: v1.ListTournamentsRequest,  # noqa: ARG002
        context: Context,  # noqa: ARG002
    ) -> v1.ListTournamentsResponse:
        return v1.ListTournamentsResponse(tournaments=map(tournament_message, self.registry.of(caller.get())))

    async def WatchTournament(  # noqa: N802
        self,
        request: v1.WatchTournamentRequest,
        context: Context,
    ) -> AsyncIterator[Any]:
        entry = self.entry(request.name)
        every = USUAL_INTERVAL
        if request.HasField("interval"):
            every = seconds_of(request.interval, "interval")
            if not LEAST_INTERVAL <= every <= MOST_INTERVAL:
                raise BadRequest("interval", f"is {every:g} s; expected {LEAST_INTERVAL:g} to {MOST_INTERVAL:g}")
        watching = self.watching.stream(entry, every)
        with self.watchers.place(caller_of(context), source_of(context), None, cut_of(context)) as place, watching as stream:
            place.wake = stream.wake
            while True:
                if stream.has_news:
                    answer = stream.answer()
                    is_over = stream.is_over
                    place.sending_since = self.watchers.clock.monotonic()
                    yield answer
                    place.sending_since = None
                    place.check()
                    if is_over:
                        return
                await stream.news()
                place.check()
                self.entry(request.name)  # it may have been forgotten

    async def CancelTournament(  # noqa: N802
        self,
        request: v1.CancelTournamentRequest,
        context: Context,  # noqa: ARG002
    ) -> v1.CancelTournamentResponse:
        entry = self.entry(request.name)
        await in_folder(self.registry.cancel, entry)
        return v1.CancelTournamentResponse(tournament=tournament_message(entry))

    async def DeleteTournament(  # noqa: N802
        self,
        request: v1.DeleteTournamentRequest,
        context: Context,  # noqa: ARG002
    ) -> v1.DeleteTournamentResponse:
        await in_folder(self.registry.forget, self.entry(request.name))
        return v1.DeleteTournamentResponse()

    async def GetTournamentResults(  # noqa: N802
        self,
        request: v1.GetTournamentResultsRequest,
        context: Context,
    ) -> v1.GetTournamentResultsResponse:
        entry = self.entry(request.name)
        response = v1.GetTournamentResultsResponse(
            tournament=tournament_message(entry), standings=map(standing_message, entry.standings)
        )
        summary = self.registry.place(entry) / SUMMARY
        if entry.state in OVER and summary.exists():
            response.summary.CopyFrom(await self.reading.do(partial(read_summary, summary), caller_of(context)))
        return response

    async def GetTournamentGame(  # noqa: N802
        self,
        request: v1.GetTournamentGameRequest,
        context: Context,
    ) -> v1.GetTournamentGameResponse:
        entry = self.entry(request.name)
        wanted = (request.deal, request.seating)
        path = self.registry.place(entry) / GAMES
        game = await self.reading.do(partial(find_game, path, wanted), caller_of(context))
        if game is None:
            problem = f"of deal {request.deal}, seating {request.seating}: has not been played"
            raise BadRequest("seating" if 0 <= request.deal < entry.deals else "deal", problem)
        bots = [entry.plan.bots[bot] for bot in game.seats]
        response = v1.GetTournamentGameResponse(bots=bots)
        wire.put_record(response.record, game.record)
        return response


def read_summary(path: Path) -> Struct:
    return messages.struct_of(json.loads(path.read_bytes()))


def find_game(path: Path, wanted: tuple[int, int]) -> GameRow | None:
    return read_game(path, lambda _number, deal, seating: (deal, seating) == wanted) if path.exists() else None


def read_plan(message: v1.TournamentPlan, config: Config, draw: Draw) -> Plan:
    """Checked; raises Refusal or BadRequest."""
    with located(lambda _: "plan.game"):
        game = engines.load(message.game)
    rules = rules_of(message.options, game)
    for number, bot in enumerate(message.bots[: MOST_BOTS + 1]):
        with located(lambda _, number=number: f"plan.bots[{number}]"):  # type: ignore[misc]
            check_bot(game, bot, config)
    seed = wire.read_seed(message.seed, "plan.seed") if message.HasField("seed") else drawn_number(draw, SEED_BITS)
    form = named(v1.TournamentFormat.Name, FORMAT, message.format, "format")
    seatings = named(v1.TournamentSeatings.Name, SEATINGS, message.seatings, "seatings")
    with located(plan_place):
        plan = make_plan(
            game,
            rules,
            list(message.bots),
            seed,
            form=form or "round-robin",
            tables=[list(table.bots) for table in message.tables],
            seatings=seatings or None,
            sample=max(0, message.sample),
            sprt=test_of(message),
        )
    most = config.tournament_games // plan.schedule.games_a_deal
    if not 1 <= message.deals <= most:
        problem = f"is {message.deals}; expected 1 to {most}, for a deal has {plan.schedule.games_a_deal} games"
        raise BadRequest("plan.deals", f"{problem}, and a tournament here {config.tournament_games} at most")
    return plan


def named(name_of: Callable[[Any], str], prefix: str, value: int, field: str) -> str:
    """A value of an enum as a plan has it; empty where it is not said."""
    try:
        result = name_of(value).removeprefix(prefix)
    except ValueError:
        raise BadRequest(f"plan.{field}", f"is {value}; expected one of those of this API") from None
    return "" if result == "UNSPECIFIED" else result.lower().replace("_", "-")


def rules_of(message: v1.Options, game: Game) -> Rules:
    """Raises Refusal or BadRequest."""
    options = wire.read_options(message, game, "plan.options")
    part = message.WhichOneof("game") or "other"

    def place(error: GameError) -> str:
        name = error.option if isinstance(error, BadOption) else "deck"
        return "plan.options.players" if name == "players" else f"plan.options.{part}.{name}"

    with located(place):
        try:
            return game.make_rules(options.pop("players"), **options)
        except TypeError:
            raise BadRequest("plan.options.other", "holds a name that no option can have") from None


def check_bot(game: Game, text: str, config: Config) -> None:
    """Only bots of the house: nothing from the wire names an address, a process or a package. Raises BadBot or BadOption."""
    if len(text) > LONGEST_BOT:
        raise BadBot(text[:100], f"has {len(text)} characters; expected at most {LONGEST_BOT}")
    timed = TimedSpec.read(text)
    if not is_compiled(text):
        raise BadBot(text[:100], "is no bot of this server; expected random, greedy, ismcts, pimc or a level")
    check_spec(game, text)
    bot = make_bot(timed.spec)
    if isinstance(bot, SearchBot) and bot.parameters.megabytes > config.megabytes:
        raise BadBot(text, f"megabytes cannot be {bot.parameters.megabytes} here; at most {config.megabytes}")
    if searcher_of(bot, game) is not None and (timed.seconds or 0.0) > config.seconds_most:
        raise BadBot(text, f"it cannot have {timed.seconds:g} s for a move here; at most {config.seconds_most:g}")


def plan_place(error: GameError) -> str:
    return f"plan.{error.option}" if isinstance(error, BadOption) else "plan"


def test_of(message: v1.TournamentPlan) -> dict[str, float] | None:
    """The test, checked; raises BadOption or BadRequest."""
    if not message.HasField("test"):
        return None
    from machiavel.server.tournaments.sprt import Sprt  # noqa: PLC0415 - scipy takes long to load

    if len(message.bots) != 2:
        raise BadRequest("plan.test", f"is set for {len(message.bots)} bots; expected two")
    test = message.test
    alpha, beta = (getattr(test, name) if test.HasField(name) else USUAL_ERROR for name in ("alpha", "beta"))
    result = {"elo0": test.elo0, "elo1": test.elo1, "alpha": alpha, "beta": beta}
    try:
        Sprt(**result)
    except BadOption as error:
        name = error.option.removeprefix("sprt.")
        raise BadRequest(f"plan.test.{name}", f"is {result[name]:g}; expected {error.expected}") from None
    return result


# ---- Messages ----


def watch_message(entry: TournamentEntry) -> v1.WatchTournamentResponse:
    return v1.WatchTournamentResponse(tournament=tournament_message(entry), standings=map(standing_message, entry.standings))


def tournament_message(entry: TournamentEntry) -> v1.Tournament:
    return v1.Tournament(
        name=entry.name,
        plan=plan_message(entry.plan, entry.deals),
        state=v1.TournamentState.Value(f"TOURNAMENT_STATE_{entry.state.upper()}"),
        games_played=entry.played,
        games=entry.games,
        decided_by_deals=entry.decided,
        problem=entry.problem,
        machine_time=duration_message(entry.seconds),
    )


def plan_message(plan: Plan, deals: int) -> v1.TournamentPlan:
    form = f"{FORMAT}{plan.format.upper().replace('-', '_')}"
    return v1.TournamentPlan(
        game=plan.game,
        options=wire.options_message(plan.options, plan.game),
        bots=plan.bots,
        seed=str(plan.seed),
        deals=deals,
        format=v1.TournamentFormat.Value(form),
        tables=[v1.TournamentTable(bots=table) for table in plan.tables],
        seatings=v1.TournamentSeatings.Value(f"{SEATINGS}{plan.seatings.upper()}"),
        sample=plan.sample,
        test=None if plan.sprt is None else v1.SequentialTest(**plan.sprt),
    )


def standing_message(one: Standing) -> v1.TournamentStanding:
    return v1.TournamentStanding(
        bot=one.bot, elo=one.elo, elo_error=one.elo_error, score=one.score, score_error=one.error, seats=one.seats
    )
