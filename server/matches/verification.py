"""Whether kept matches are what they say: each replayed from its first event to its last."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from machiavel.engines import GameError
from machiavel.server.matches.match import OVER, PLAYING
from machiavel.server.matches.match_session import match_of
from machiavel.server.storage import Storage, StoredMatch

__all__ = ["Verification", "verify"]


@dataclass(frozen=True)
class Verification:
    """A match that was replayed."""

    match: str
    game: str
    phase: str
    events: int
    moves: int
    problem: str  # empty: it is as it should be


def verify(storage: Storage) -> Iterator[Verification]:
    """Every match there is; raises StorageFailed."""
    for name in storage.names():
        stored = storage.load(name)
        if stored is not None and not stored.deleted:  # removed meanwhile
            yield replayed(stored)


def replayed(stored: StoredMatch) -> Verification:
    header, events = stored.header, len(stored.events)
    try:
        game = str(json.loads(header.setup)["game"])
        if [one.seq for one in stored.events] != list(range(1, events + 1)):
            return Verification(header.match, game, header.phase, events, 0, "does not replay: some of its events are missing")
        match = match_of(stored)
    except (GameError, KeyError, TypeError, ValueError) as error:
        return Verification(header.match, "", header.phase, events, 0, f"does not replay: {type(error).__name__}: {error}")
    problem = ""
    if match.phase != header.phase:
        problem = f"is listed as {header.phase}, and its events say {match.phase}"
    elif json.loads(match.summary()) != json.loads(header.summary):
        problem = "is listed otherwise than its events say"
    elif (match.phase == OVER) != match.state.is_over or (match.phase == OVER and match.utilities != match.state.utilities):
        problem = "ends otherwise than its moves do"
    elif match.phase == PLAYING and match.state.seat_to_move in match.pending_answers:
        problem = "holds an answer whose turn has come"
    return Verification(header.match, game, match.phase, events, match.plies, problem)
