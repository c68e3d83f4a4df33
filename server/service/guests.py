"""Guests: who comes without a token of the server, and shows a seat's token or a join code instead."""

from contextvars import ContextVar

__all__ = ["GUEST", "GUEST_CALLS", "GUEST_KIB", "GUEST_PATIENCE", "is_guest"]

GUEST = "guest"  # what logs and shares of work call all of them
GUEST_KIB = 16  # their largest request; a move or a code needs less than one
GUEST_PATIENCE = 5.0  # seconds that a call may keep its place without a request

# What a guest may call: what opens nothing, or else takes a seat's token or a code. All else asks for a token of the server.
GUEST_CALLS = frozenset(
    f"/machiavel.v1.{call}"
    for call in (
        "GameService/CheckPuzzle",
        "GameService/GetGame",
        "GameService/ListGames",
        "GameService/ListPuzzles",
        "MatchService/ForfeitSeat",
        "MatchService/GetMatch",
        "MatchService/GetRecord",
        "MatchService/HandBackSeat",
        "MatchService/HintMove",
        "MatchService/JoinMatch",
        "MatchService/PlayMove",
        "MatchService/Rematch",
        "MatchService/TakeBackMove",
        "MatchService/TakeOverSeat",
        "MatchService/WatchMatch",
        "ServerService/ServerInfo",
    )
)

is_guest: ContextVar[bool] = ContextVar("is_guest", default=False)
