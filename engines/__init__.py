"""Rules of games: matches, views, worlds and records, each game behind one contract."""

from machiavel.engines._face import Game, State, View
from machiavel.engines._sampling import WorldSampler, state_size
from machiavel.engines.abi import get_include
from machiavel.engines.errors import (
    AmbiguousMove,
    BadDeck,
    BadGameFile,
    BadLayout,
    BadOption,
    BadRecord,
    BadView,
    GameError,
    GameFault,
    IllegalMove,
    IncompatibleEngine,
    MatchNotOver,
    MatchOver,
    MissingLuck,
    MoveError,
    NotAMove,
    NotToMove,
    UnknownGame,
)
from machiavel.engines.events import GameEvent, SeenMove, Teller
from machiavel.engines.hints import HintWords, Quantity
from machiavel.engines.phrases import Phrases
from machiavel.engines.plugin import LANGUAGES, Engine, Option, Rules
from machiavel.engines.record import Record, TakenBack
from machiavel.engines.registry import add_file, added_files, games, load

__all__ = [
    "LANGUAGES",
    "AmbiguousMove",
    "BadDeck",
    "BadGameFile",
    "BadLayout",
    "BadOption",
    "BadRecord",
    "BadView",
    "Engine",
    "Game",
    "GameError",
    "GameEvent",
    "GameFault",
    "HintWords",
    "IllegalMove",
    "IncompatibleEngine",
    "MatchNotOver",
    "MatchOver",
    "MissingLuck",
    "MoveError",
    "NotAMove",
    "NotToMove",
    "Option",
    "Phrases",
    "Quantity",
    "Record",
    "Rules",
    "SeenMove",
    "State",
    "TakenBack",
    "Teller",
    "UnknownGame",
    "View",
    "WorldSampler",
    "add_file",
    "added_files",
    "games",
    "get_include",
    "load",
    "state_size",
]
