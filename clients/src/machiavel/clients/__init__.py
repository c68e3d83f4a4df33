"""Talks to a Machiavel server, from plain code or from asyncio; the messages are those of `machiavel.v1`."""

from typing import TYPE_CHECKING, Any

from machiavel.clients.admin import AdminClient, connect_admin
from machiavel.clients.aio import AsyncClient, connect_async
from machiavel.clients.aio_bot_serving import serve_bot_async
from machiavel.clients.aio_sessions import AsyncHostSession, AsyncSeatSession
from machiavel.clients.bot_functions import BotFault, BotTurn
from machiavel.clients.bot_serving import serve_bot
from machiavel.clients.connection import Tls
from machiavel.clients.errors import (
    AlreadyAnswered,
    AmbiguousMove,
    BadBot,
    BadCode,
    BadDeck,
    BadGameFile,
    BadLayout,
    BadOption,
    BadRecord,
    BadRequest,
    BadToken,
    BadView,
    Cancelled,
    Draining,
    Fault,
    ForeignHost,
    ForeignOrigin,
    GameError,
    GameFault,
    IllegalMove,
    IncompatibleEngine,
    MatchNotOver,
    MatchOver,
    MessageTooLarge,
    MissingLuck,
    MoveError,
    NoAccess,
    NotAdmin,
    NotAllowed,
    NotAMove,
    NothingToTakeBack,
    NoTime,
    NoTournaments,
    NotStarted,
    NotToMove,
    OtherTournament,
    ReadOnly,
    RequestReused,
    SeatHeld,
    SeatTaken,
    ServiceError,
    ShuttingDown,
    SlowWatcher,
    StaleVersion,
    StorageFailed,
    TooBusy,
    TooManyChanges,
    TooManyMatches,
    TooManyTournaments,
    TooManyWatchers,
    TooMuchKept,
    UnknownEncoding,
    UnknownGame,
    UnknownMethod,
    UnknownService,
    UnknownTournament,
    WatchDisplaced,
)
from machiavel.clients.match_requests import commitment
from machiavel.clients.old_names import warn_of_old
from machiavel.clients.sessions import HostSession, SeatSession
from machiavel.clients.sync import Client, connect

__all__ = [
    "AdminClient",
    "AlreadyAnswered",
    "AmbiguousMove",
    "AsyncClient",
    "AsyncHostSession",
    "AsyncSeatSession",
    "BadBot",
    "BadCode",
    "BadDeck",
    "BadGameFile",
    "BadLayout",
    "BadOption",
    "BadRecord",
    "BadRequest",
    "BadToken",
    "BadView",
    "BotFault",
    "BotTurn",
    "Cancelled",
    "Client",
    "Draining",
    "Fault",
    "ForeignHost",
    "ForeignOrigin",
    "GameError",
    "GameFault",
    "HostSession",
    "IllegalMove",
    "IncompatibleEngine",
    "MatchNotOver",
    "MatchOver",
    "MessageTooLarge",
    "MissingLuck",
    "MoveError",
    "NoAccess",
    "NoTime",
    "NoTournaments",
    "NotAMove",
    "NotAdmin",
    "NotAllowed",
    "NotStarted",
    "NotToMove",
    "NothingToTakeBack",
    "OtherTournament",
    "ReadOnly",
    "RequestReused",
    "SeatHeld",
    "SeatSession",
    "SeatTaken",
    "ServiceError",
    "ShuttingDown",
    "SlowWatcher",
    "StaleVersion",
    "StorageFailed",
    "Tls",
    "TooBusy",
    "TooManyChanges",
    "TooManyMatches",
    "TooManyTournaments",
    "TooManyWatchers",
    "TooMuchKept",
    "UnknownEncoding",
    "UnknownGame",
    "UnknownMethod",
    "UnknownService",
    "UnknownTournament",
    "WatchDisplaced",
    "commitment",
    "connect",
    "connect_admin",
    "connect_async",
    "serve_bot",
    "serve_bot_async",
]

OLD_NAMES = {
    "AsyncHost": "AsyncHostSession",
    "AsyncTable": "AsyncSeatSession",
    "Host": "HostSession",
    "Storage": "StorageFailed",
    "Table": "SeatSession",
}

if TYPE_CHECKING:  # a function would make a type checker content with any name
    AsyncHost = AsyncHostSession
    AsyncTable = AsyncSeatSession
    Host = HostSession
    Storage = StorageFailed
    Table = SeatSession
else:

    def __getattr__(name: str) -> Any:
        """What a name of release 0.1.0 is called now."""
        if name not in OLD_NAMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        warn_of_old(f"machiavel.clients.{name}", OLD_NAMES[name])
        return globals()[OLD_NAMES[name]]
