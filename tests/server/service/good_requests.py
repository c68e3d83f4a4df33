"""A request that is right for every call that keeps nothing, of every game."""

from google.protobuf.message import Message

from machiavel.search import puzzles_of
from machiavel.server.service import wire
from machiavel.v1 import (
    AnalyzeMovesRequest,
    ApplyMoveRequest,
    CheckPuzzleRequest,
    GetStateRequest,
    GetViewRequest,
    LegalMovesRequest,
    Limits,
    ListBotsRequest,
    ListGamesRequest,
    ListPuzzlesRequest,
    NewStateRequest,
    Options,
    RecommendMoveRequest,
    ReviewGameRequest,
)
from tests.engines.games import INSTALLED, players_of
from tests.search.positions import states

__all__ = ["good_requests"]

FEW = Limits(iterations=5)
GAME_SERVICE, BOT_SERVICE = "/machiavel.v1.GameService/", "/machiavel.v1.BotService/"


def good_requests() -> list[tuple[str, Message]]:
    """Each with the path of its call."""
    result: list[tuple[str, Message]] = [
        (f"{GAME_SERVICE}ListGames", ListGamesRequest()),
        (f"{BOT_SERVICE}ListBots", ListBotsRequest()),
        (f"{GAME_SERVICE}ListPuzzles", ListPuzzlesRequest(game="whist", page_size=2)),
        (f"{GAME_SERVICE}CheckPuzzle", CheckPuzzleRequest(game="whist", puzzle=puzzles_of("whist").puzzles[0].id)),
    ]
    for name in INSTALLED:
        state = next(states(name, seed=1))
        record, view = wire.state_message(state).record, wire.view_message(state.view(state.seat_to_move))
        result += [
            (f"{GAME_SERVICE}NewState", NewStateRequest(game=name, options=Options(players=players_of(name)), seed="7")),
            (f"{GAME_SERVICE}GetState", GetStateRequest(record=record)),
            (f"{GAME_SERVICE}LegalMoves", LegalMovesRequest(record=record)),
            (f"{GAME_SERVICE}LegalMoves", LegalMovesRequest(view=view)),
            (f"{GAME_SERVICE}ApplyMove", ApplyMoveRequest(record=record, move=state.legal_moves()[0])),
            (f"{GAME_SERVICE}GetView", GetViewRequest(record=record, seat=0)),
            (f"{BOT_SERVICE}RecommendMove", RecommendMoveRequest(view=view, bot="ismcts:iterations=5", limits=FEW)),
            (f"{BOT_SERVICE}RecommendMove", RecommendMoveRequest(record=record, bot="greedy")),
            (f"{BOT_SERVICE}AnalyzeMoves", AnalyzeMovesRequest(view=view, limits=FEW)),
            (f"{BOT_SERVICE}ReviewGame", ReviewGameRequest(record=record, iterations=5)),
        ]
    return result
