"""Good requests of every call, for benches that change them or time them."""

from typing import Any, NamedTuple

from google.protobuf.message import Message

from machiavel.clients import AsyncClient, connect_async
from machiavel.engines import load
from machiavel.search import puzzles_of
from machiavel.v1 import (
    AnalyzeMovesRequest,
    ApplyMoveRequest,
    CancelTournamentRequest,
    CheckPuzzleRequest,
    CreateMatchRequest,
    DeleteMatchRequest,
    DeleteTournamentRequest,
    FollowViewRequest,
    ForfeitSeatRequest,
    GetGameRequest,
    GetMatchRequest,
    GetRecordRequest,
    GetStateRequest,
    GetTournamentGameRequest,
    GetTournamentRequest,
    GetTournamentResultsRequest,
    GetViewRequest,
    HandBackSeatRequest,
    HintMoveRequest,
    JoinMatchRequest,
    LegalMovesRequest,
    Limits,
    ListBotsRequest,
    ListGamesRequest,
    ListMatchesRequest,
    ListPuzzlesRequest,
    ListTournamentsRequest,
    MatchSettings,
    NewStateRequest,
    Options,
    PlayMoveRequest,
    RecommendMoveRequest,
    RematchRequest,
    ReviewGameRequest,
    SeatKind,
    SeatSetup,
    ServerInfoRequest,
    StartTournamentRequest,
    TakeBackMoveRequest,
    TakeOverSeatRequest,
    TournamentPlan,
    WatchMatchRequest,
    WatchTournamentRequest,
)

__all__ = ["Good", "good_requests"]

PLIES = 8
FEW = Limits(iterations=5)
PERSON, BOT = SeatKind.SEAT_KIND_PERSON, SeatKind.SEAT_KIND_BOT


class Good(NamedTuple):
    """A call, what is asked of it, and whether it streams."""

    path: str
    message: Message
    streams: bool = False


async def good_requests(address: str, names: list[str]) -> list[Good]:
    """A good request of every call, of these games."""
    result = [Good("GameService/ListGames", ListGamesRequest()), Good("BotService/ListBots", ListBotsRequest())]
    result += [Good("ServerService/ServerInfo", ServerInfoRequest()), *of_tournaments()]
    async with connect_async(address) as service:
        for name in names:
            result += await of_a_game(service, name)
            result += await of_a_match(service, name)
    return [one._replace(path=f"/machiavel.v1.{one.path}") for one in result]


async def of_a_game(service: AsyncClient, name: str) -> list[Good]:
    state = await service.new_state(name, players(name), seed=7)
    for _ in range(PLIES):
        answer = await service.recommend_move(state, bot="random:seed=1")
        after = (await service.apply_move(state, answer.move.text)).state
        if after.over:
            break
        state = after
    record, seat = state.record, state.seat_to_move
    view = (await service.get_view(state, seat)).view
    move = (await service.legal_moves(state, seat))[0].moves[0].text
    return [
        Good("GameService/GetGame", GetGameRequest(game=name)),
        Good("GameService/NewState", NewStateRequest(game=name, options=Options(players=players(name)), seed="7", events=True)),
        Good("GameService/GetState", GetStateRequest(record=record)),
        Good("GameService/LegalMoves", LegalMovesRequest(record=record)),
        Good("GameService/LegalMoves", LegalMovesRequest(view=view)),
        Good("GameService/ApplyMove", ApplyMoveRequest(record=record, move=move, events=True)),
        Good("GameService/GetView", GetViewRequest(record=record, seat=seat, events=True)),
        Good("GameService/FollowView", FollowViewRequest(view=view, move=move, seat=seat)),
        *[Good("GameService/CheckPuzzle", CheckPuzzleRequest(game=name, puzzle=one.id)) for one in puzzles_of(name).puzzles[:1]],
        Good("GameService/ListPuzzles", ListPuzzlesRequest(game=name, page_size=2)),
        Good("BotService/RecommendMove", RecommendMoveRequest(view=view, bot="ismcts:seed=1", limits=FEW, explain=True)),
        Good("BotService/RecommendMove", RecommendMoveRequest(record=record, bot="greedy", what_about=move)),
        Good("BotService/AnalyzeMoves", AnalyzeMovesRequest(view=view, limits=FEW), streams=True),
        Good("BotService/ReviewGame", ReviewGameRequest(record=record, iterations=5), streams=True),
    ]


async def of_a_match(service: AsyncClient, name: str) -> list[Good]:
    """Of a match of people, which goes on for as long as nobody guesses a move."""
    seats = [SeatSetup(kind=PERSON, name="Ann")] + [SeatSetup(kind=PERSON)] * (players(name) - 1)
    create = CreateMatchRequest(game=name, seats=seats, settings=MatchSettings(hints=True, spectators=True, open_record=True))
    stub = service.matches
    made = await stub.CreateMatch(create)
    match, token, host = made.match.match, made.seat_tokens[0], made.host_token
    bots = [SeatSetup(kind=BOT, bot="greedy")] * players(name)
    position = (await stub.GetMatch(GetMatchRequest(match=match, token=token))).snapshot.position
    move = position.moves[0].text if position.moves else "?"
    of_seat: dict[str, Any] = {"match": match, "token": token}
    return [
        Good("MatchService/CreateMatch", create),
        Good("MatchService/CreateMatch", CreateMatchRequest(game=name, seats=bots, request_id=f"{name}-request-number-a")),
        Good("MatchService/JoinMatch", JoinMatchRequest(code="ABCD-EFGH", seat=0, name="Bo")),
        Good("MatchService/GetMatch", GetMatchRequest(**of_seat)),
        Good(
            "MatchService/PlayMove",
            PlayMoveRequest(move=move, expected_version=10**6, request_id=f"{name}-request-number-a", **of_seat),
        ),
        Good("MatchService/WatchMatch", WatchMatchRequest(after=0, **of_seat), streams=True),
        Good("MatchService/HintMove", HintMoveRequest(bot="ismcts:seed=3", limits=FEW, explain=True, **of_seat)),
        Good("MatchService/TakeOverSeat", TakeOverSeatRequest(bot="greedy", request_id=f"{name}-request-number-b", **of_seat)),
        Good("MatchService/HandBackSeat", HandBackSeatRequest(request_id=f"{name}-request-number-c", **of_seat)),
        Good(
            "MatchService/ForfeitSeat", ForfeitSeatRequest(match=match, token=host, seat=0, request_id=f"{name}-request-number-d")
        ),
        Good("MatchService/TakeBackMove", TakeBackMoveRequest(request_id=f"{name}-request-number-e", **of_seat)),
        Good("MatchService/Rematch", RematchRequest(request_id=f"{name}-request-number-f", **of_seat)),
        Good("MatchService/GetRecord", GetRecordRequest(**of_seat)),
        Good("MatchService/ListMatches", ListMatchesRequest(page_size=3)),
        Good("MatchService/DeleteMatch", DeleteMatchRequest(**of_seat)),
    ]


def of_tournaments() -> list[Good]:
    plan = TournamentPlan(game="kuhn", options=Options(players=2), bots=["greedy", "random"], deals=2, seed="1")
    name = "kuhn-1"
    return [
        Good("TournamentService/StartTournament", StartTournamentRequest(plan=plan)),
        Good("TournamentService/GetTournament", GetTournamentRequest(name=name)),
        Good("TournamentService/ListTournaments", ListTournamentsRequest()),
        Good("TournamentService/WatchTournament", WatchTournamentRequest(name=name), streams=True),
        Good("TournamentService/CancelTournament", CancelTournamentRequest(name=name)),
        Good("TournamentService/DeleteTournament", DeleteTournamentRequest(name=name)),
        Good("TournamentService/GetTournamentResults", GetTournamentResultsRequest(name=name)),
        Good("TournamentService/GetTournamentGame", GetTournamentGameRequest(name=name)),
    ]


def players(game: str) -> int:
    return load(game).players[0]
