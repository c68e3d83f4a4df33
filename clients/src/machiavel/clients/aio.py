"""The client for asyncio."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import grpc

from machiavel.clients import match_requests, requests
from machiavel.clients.aio_sessions import AsyncHostSession, AsyncSeatSession
from machiavel.clients.calls import QUICK, call_async, insist_async
from machiavel.clients.connection import OPTIONS, Tls, credentials, headers, is_url
from machiavel.clients.errors import from_call
from machiavel.clients.http_channel import AsyncHttpChannel
from machiavel.clients.old_names import warn_of_old
from machiavel.clients.requests import Seen, Source, Truth
from machiavel.v1 import (
    AnalyzeMovesResponse,
    ApplyMoveResponse,
    BotKind,
    BotServiceStub,
    BotStyle,
    CancelTournamentRequest,
    CheckPuzzleRequest,
    CheckPuzzleResponse,
    DeleteTournamentRequest,
    FollowViewResponse,
    Game,
    GamePart,
    GameServiceStub,
    GetGameResponse,
    GetTournamentGameRequest,
    GetTournamentGameResponse,
    GetTournamentRequest,
    GetTournamentResultsRequest,
    GetTournamentResultsResponse,
    GetViewResponse,
    JoinMatchRequest,
    Layout,
    ListBotsRequest,
    ListGamesRequest,
    ListPuzzlesRequest,
    ListPuzzlesResponse,
    ListTournamentsRequest,
    Match,
    MatchPhase,
    MatchServiceStub,
    MatchSettings,
    Options,
    Puzzle,
    RecommendMoveResponse,
    ReviewGameResponse,
    SeatMoves,
    ServerInfoRequest,
    ServerInfoResponse,
    ServerServiceStub,
    State,
    Tournament,
    TournamentPlan,
    TournamentServiceStub,
    WatchTournamentResponse,
)

__all__ = ["AsyncClient", "connect_async"]


class AsyncClient:
    """A connection to a server. Its methods take and give messages of `machiavel.v1`, and raise ServiceError.

    Tasks may share it. Cancelling a task cancels its call.
    """

    def __init__(self, target: str, *, token: str | None = None, tls: Tls | None = None) -> None:
        self.headers = headers(target, token, tls)
        self.channel = channel_of(target, tls)
        self.games = GameServiceStub(self.channel)
        self.bots = BotServiceStub(self.channel)
        self.matches = MatchServiceStub(self.channel)
        self.tournaments = TournamentServiceStub(self.channel)
        self.server = ServerServiceStub(self.channel)

    async def close(self) -> None:
        """Ends all calls; the client is of no use afterwards."""
        await self.channel.close(None)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    # ---- The server ----

    async def server_info(self, *, timeout: float = QUICK) -> ServerInfoResponse:
        """What the server is: release, features, limits, games, and what this caller may do."""
        return await call_async(self.server.ServerInfo(ServerInfoRequest(), timeout=timeout, metadata=self.headers))

    # ---- Games ----

    async def list_games(self, *, summaries: bool = False, timeout: float = QUICK) -> Sequence[Game]:
        """The games there are, by name; with `summaries`, what each is in a few words and a picture."""
        request = ListGamesRequest(summaries=summaries)
        return (await call_async(self.games.ListGames(request, timeout=timeout, metadata=self.headers))).games

    async def new_state(
        self, game: str, options: Options | int, *, seed: int | None = None, layout: Layout | None = None, timeout: float = QUICK
    ) -> State:
        """A new match, with options or for a number of players; without a seed the server draws one."""
        request = requests.new(game, options, seed, layout)
        return (await call_async(self.games.NewState(request, timeout=timeout, metadata=self.headers))).state

    async def get_state(self, source: Truth, *, timeout: float = QUICK) -> State:
        """What a record has come to."""
        request = requests.state(source)
        return (await call_async(self.games.GetState(request, timeout=timeout, metadata=self.headers))).state

    async def legal_moves(
        self, source: Source, seat: int | None = None, *, upcoming: bool = False, timeout: float = QUICK
    ) -> Sequence[SeatMoves]:
        """The legal moves of a seat that is asked, by default of all that are.

        With a view and `upcoming`, what whoever comes next may play for all that the view tells, as its owner sees it.
        """
        request = requests.legal(source, seat, upcoming=upcoming)
        return (await call_async(self.games.LegalMoves(request, timeout=timeout, metadata=self.headers))).seats

    async def apply_move(
        self, source: Truth, move: str, seat: int | None = None, *, events: bool = False, timeout: float = QUICK
    ) -> ApplyMoveResponse:
        """The match after a move of the seat to move, or of the seat named, if it is that one's turn.

        With `events`, what happened as well, for each seat and a spectator.
        """
        request = requests.apply(source, move, seat, events)
        return await call_async(self.games.ApplyMove(request, timeout=timeout, metadata=self.headers))

    async def get_view(
        self, source: Truth, seat: int | None = None, *, events: bool = False, timeout: float = QUICK
    ) -> GetViewResponse:
        """What a seat may see, or a spectator; with `events`, what happened with the last move as well."""
        request = requests.view(source, seat, events)
        return await call_async(self.games.GetView(request, timeout=timeout, metadata=self.headers))

    async def get_game(
        self,
        game: str,
        options: Options | int | None = None,
        *,
        parts: Sequence[GamePart.ValueType] = (),
        answers: Mapping[str, str] | None = None,
        timeout: float = QUICK,
    ) -> GetGameResponse:
        """What a game consists of: its fields, moves and events in words, the questions of its form, its rules as text."""
        request = requests.game(game, options, parts, answers)
        return await call_async(self.games.GetGame(request, timeout=timeout, metadata=self.headers))

    async def follow_view(
        self,
        source: Seen,
        move: str,
        seat: int | None = None,
        *,
        answers: Mapping[str, Any] | None = None,
        timeout: float = QUICK,
    ) -> FollowViewResponse:
        """The view after a move as its seat saw it, or what must be asked for; `answers` are by `FollowQuestion.place`."""
        request = requests.follow(source, move, seat, answers)
        return await call_async(self.games.FollowView(request, timeout=timeout, metadata=self.headers))

    async def list_puzzles(
        self, game: str, players: int = 0, *, page_size: int = 0, page_token: str = "", timeout: float = QUICK
    ) -> ListPuzzlesResponse:
        """A page of the puzzles that a game brings, for so many players, or all, without their solutions."""
        request = ListPuzzlesRequest(game=game, players=players, page_size=page_size, page_token=page_token)
        return await call_async(self.games.ListPuzzles(request, timeout=timeout, metadata=self.headers))

    async def check_puzzle(self, puzzle: Puzzle, move: str = "", *, timeout: float = QUICK) -> CheckPuzzleResponse:
        """Whether a move solves a puzzle, and the solution; without a move the solution alone."""
        request = CheckPuzzleRequest(game=puzzle.game, puzzle=puzzle.id, move=move)
        return await call_async(self.games.CheckPuzzle(request, timeout=timeout, metadata=self.headers))

    # ---- Bots ----

    async def list_bots(self, *, brief: bool = False, timeout: float = QUICK) -> Sequence[BotKind]:
        """The bots there are; with `brief`, without ratings and without the words of their parameters."""
        request = ListBotsRequest(brief=brief)
        return (await call_async(self.bots.ListBots(request, timeout=timeout, metadata=self.headers))).bots

    async def list_styles(self, *, timeout: float = QUICK) -> Sequence[BotStyle]:
        """What bots may go for besides winning, game by game."""
        return (await call_async(self.bots.ListBots(ListBotsRequest(), timeout=timeout, metadata=self.headers))).styles

    async def recommend_move(
        self,
        source: Source,
        *,
        bot: str = "",
        seat: int | None = None,
        iterations: int | None = None,
        seconds: float | None = None,
        moves: Sequence[str] = (),
        explain: bool = False,
        what_about: str = "",
        timeout: float | None = None,
    ) -> RecommendMoveResponse:
        """What a bot plays, and why; `explain` says so in sentences, `what_about` holds a move against the best.

        `timeout` is the deadline of the call, in seconds: where no limits are given, it is the time to think.
        """
        request = requests.recommend(
            source,
            seat=seat,
            bot=bot,
            iterations=iterations,
            seconds=seconds,
            moves=moves,
            explain=explain,
            what_about=what_about,
        )
        timeout = requests.time_of(timeout, seconds)
        return await call_async(self.bots.RecommendMove(request, timeout=timeout, metadata=self.headers))

    async def analyze_moves(
        self,
        source: Source,
        *,
        bot: str = "",
        seat: int | None = None,
        iterations: int | None = None,
        seconds: float | None = None,
        moves: Sequence[str] = (),
        explain: bool = False,
        what_about: str = "",
        interval: float | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[AnalyzeMovesResponse, None]:
        """What is found so far, every `interval` seconds, then one final answer; leaving or closing it ends the search."""
        request = requests.analyze(
            source,
            seat=seat,
            bot=bot,
            iterations=iterations,
            seconds=seconds,
            moves=moves,
            explain=explain,
            what_about=what_about,
            interval=interval,
        )
        timeout = requests.time_of(timeout, seconds)
        stream = self.bots.AnalyzeMoves(request, timeout=timeout, metadata=self.headers)
        try:
            async for answer in stream:
                yield answer
        except grpc.RpcError as error:
            raise from_call(error) from None
        finally:
            stream.cancel()

    async def review_game(
        self,
        source: Truth,
        *,
        bot: str = "",
        iterations: int | None = None,
        seconds: float | None = None,
        seats: Sequence[int] = (),
        timeout: float | None = None,
    ) -> AsyncGenerator[ReviewGameResponse, None]:
        """Every move with a choice, judged by what its seat knew, then one summary; leaving the loop ends the review.

        `iterations` are for each move, `seconds` and the deadline `timeout` for the whole.
        """
        request = requests.review(source, bot=bot, iterations=iterations, seconds=seconds, seats=seats)
        timeout = requests.time_of(timeout, seconds)
        stream = self.bots.ReviewGame(request, timeout=timeout, metadata=self.headers)
        try:
            async for answer in stream:
                yield answer
        except grpc.RpcError as error:
            raise from_call(error) from None
        finally:
            stream.cancel()

    # ---- Tournaments ----

    async def start_tournament(self, plan: TournamentPlan, *, request_id: str = "", timeout: float = QUICK) -> Tournament:
        """Begins a tournament, or puts it in line; with a request_id the same call may be repeated."""
        request = requests.start(plan, request_id)
        return (await call_async(self.tournaments.StartTournament(request, timeout=timeout, metadata=self.headers))).tournament

    async def get_tournament(self, name: str, *, timeout: float = QUICK) -> Tournament:
        """How far it is."""
        request = GetTournamentRequest(name=name)
        return (await call_async(self.tournaments.GetTournament(request, timeout=timeout, metadata=self.headers))).tournament

    async def list_tournaments(self, *, timeout: float = QUICK) -> Sequence[Tournament]:
        """The caller's tournaments, the newest first."""
        request = ListTournamentsRequest()
        return (await call_async(self.tournaments.ListTournaments(request, timeout=timeout, metadata=self.headers))).tournaments

    async def cancel_tournament(self, name: str, *, timeout: float = QUICK) -> Tournament:
        """Ends it; what was played is kept."""
        request = CancelTournamentRequest(name=name)
        return (await call_async(self.tournaments.CancelTournament(request, timeout=timeout, metadata=self.headers))).tournament

    async def delete_tournament(self, name: str, *, timeout: float = QUICK) -> None:
        """Forgets it and its games."""
        request = DeleteTournamentRequest(name=name)
        await call_async(self.tournaments.DeleteTournament(request, timeout=timeout, metadata=self.headers))

    async def tournament_results(self, name: str, *, timeout: float = QUICK) -> GetTournamentResultsResponse:
        """Who did how well so far; when it is over, with all figures."""
        request = GetTournamentResultsRequest(name=name)
        return await call_async(self.tournaments.GetTournamentResults(request, timeout=timeout, metadata=self.headers))

    async def tournament_game(
        self, name: str, deal: int, seating: int = 0, *, timeout: float = QUICK
    ) -> GetTournamentGameResponse:
        """One game, as a record that replays."""
        request = GetTournamentGameRequest(name=name, deal=deal, seating=seating)
        return await call_async(self.tournaments.GetTournamentGame(request, timeout=timeout, metadata=self.headers))

    async def watch_tournament(
        self, name: str, *, interval: float | None = None
    ) -> AsyncGenerator[WatchTournamentResponse, None]:
        """How it goes, every `interval` seconds where something has changed, until it is over; it may be left."""
        stream = self.tournaments.WatchTournament(requests.watch(name, interval), metadata=self.headers)
        try:
            async for answer in stream:
                yield answer
        except grpc.RpcError as error:
            raise from_call(error) from None
        finally:
            stream.cancel()

    # ---- Hosted matches ----

    async def create_match(
        self,
        game: str,
        seats: Sequence[match_requests.Seat],
        *,
        options: Options | None = None,
        think: float | None = None,
        hints: bool = False,
        spectators: bool = False,
        open_record: bool = False,
        move_time: float | None = None,
        rematch: bool = False,
        practice: bool = False,
        request_id: str | None = None,
        timeout: float = QUICK,
    ) -> AsyncHostSession:
        """A match that the server hosts. A seat is `person`, `open` for whoever joins, the text of a bot, or a SeatSetup.

        `think` is how long each bot takes that is given as a text, and `move_time` how long a person may, both in seconds. With
        `rematch` seats may ask for one; with `practice` the one person among bots may take moves back.
        """
        settings = MatchSettings(hints=hints, spectators=spectators, open_record=open_record, rematch=rematch, practice=practice)
        request = match_requests.create(
            game, seats, options=options, think=think, move_time=move_time, settings=settings, request_id=request_id
        )
        made = await insist_async(lambda left: self.matches.CreateMatch(request, timeout=left, metadata=self.headers), timeout)
        return AsyncHostSession(self.matches, self.headers, made)

    async def join_match(
        self, code: str, *, seat: int | None = None, name: str = "", request_id: str | None = None, timeout: float = QUICK
    ) -> AsyncSeatSession:
        """An open seat of a match, by its code: the first that is open, or the one named."""
        request = JoinMatchRequest(code=code, seat=seat, name=name, request_id=request_id or match_requests.new_id())
        joined = await insist_async(lambda left: self.matches.JoinMatch(request, timeout=left, metadata=self.headers), timeout)
        return AsyncSeatSession(self.matches, self.headers, joined.match, joined.token, joined.seat)

    def session(self, match: str, token: str = "", seat: int | None = None) -> AsyncSeatSession:
        """A place at a match that is known already; asks nothing of the server. Without a token it is a spectator's."""
        return AsyncSeatSession(self.matches, self.headers, match, token, seat)

    def table(self, match: str, token: str = "", seat: int | None = None) -> AsyncSeatSession:
        """The old name of `session`."""
        warn_of_old("AsyncClient.table", "session")
        return self.session(match, token, seat)

    async def list_matches(
        self, *, phase: "MatchPhase.ValueType | None" = None, page_size: int = 50, timeout: float = QUICK
    ) -> AsyncGenerator[Match, None]:
        """The matches that this caller created, newest first; asked for page by page. `timeout` is for each page."""
        request = match_requests.listing(phase, page_size)
        while True:
            page = await insist_async(
                lambda left: self.matches.ListMatches(request, timeout=left, metadata=self.headers), timeout
            )
            for match in page.matches:
                yield match
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token


def channel_of(target: str, tls: Tls | None) -> grpc.aio.Channel:
    """Of gRPC, or of HTTP for a URL."""
    if is_url(target):
        over_http: Any = AsyncHttpChannel(target, tls)  # is one as far as stubs go
        return over_http  # type: ignore[no-any-return]
    if tls is None:
        return grpc.aio.insecure_channel(target, OPTIONS)
    return grpc.aio.secure_channel(target, credentials(tls), OPTIONS)


def connect_async(target: str, *, token: str | None = None, tls: Tls | None = None) -> AsyncClient:
    """A client for a server at `HOST:PORT`; use it with `async with`, inside a running loop.

    Without `tls` nothing is encrypted, which is for servers on the same machine; a token goes in the clear to no other.
    """
    return AsyncClient(target, token=token, tls=tls)
