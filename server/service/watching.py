"""Watching a match: from any version on, event by event, as one viewer is shown it."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager

from machiavel import v1
from machiavel.server.matches.hosting_errors import NoAccess, SlowWatcher, TooManyWatchers
from machiavel.server.matches.match import OVER, Match, Viewer
from machiavel.server.matches.match_session import MatchSession
from machiavel.server.service import match_wire
from machiavel.server.service.refusals import BadRequest, ShuttingDown

__all__ = ["watch"]

MOST_WATCHERS = 16  # of a seat, or with no token at all
MOST_BEHIND = 256  # events that may come while a watcher does not read


@contextmanager
def counted(session: MatchSession, viewer: Viewer) -> Iterator[None]:
    """Raises TooManyWatchers."""
    if session.watchers.get(viewer, 0) >= MOST_WATCHERS:
        raise TooManyWatchers(MOST_WATCHERS)
    session.watchers[viewer] = session.watchers.get(viewer, 0) + 1
    try:
        yield
    finally:
        session.watchers[viewer] -= 1
        if not session.watchers[viewer]:
            del session.watchers[viewer]


async def watch(session: MatchSession, viewer: Viewer, after: int | None) -> AsyncGenerator[v1.WatchMatchResponse, None]:
    """A snapshot, unless a version is given, and then all events; ends with the match.

    Nothing queues up for a slow reader: each watcher goes through the events at its own pace, with a match of its own that stands
    where the watcher does. Raises BadRequest, NoAccess, SlowWatcher, TooManyWatchers, ShuttingDown.
    """
    if after is not None and not 0 <= after <= session.match.versions[viewer]:
        raise BadRequest("after", f"is {after}; expected 0 to {session.match.versions[viewer]}")
    with counted(session, viewer):
        mine = session.match.copy() if after is None else Match.begin(session.match.name, session.match.setup)
        if after is None:
            yield v1.WatchMatchResponse(snapshot=match_wire.snapshot_message(session, viewer))
        while True:
            news, there = session.news, len(session.match.events)
            for number in range(len(mine.events), there):
                event = session.match.events[number]
                parsed = mine.fold(event)
                if not parsed.is_shown_to(viewer) or mine.versions[viewer] <= (after or 0):
                    continue
                yield v1.WatchMatchResponse(event=match_wire.event_message(mine, parsed, viewer, session.since))
                if len(session.match.events) - there > MOST_BEHIND:
                    raise SlowWatcher(mine.versions[viewer])
            if mine.phase == OVER:
                return
            if session.is_gone:
                raise NoAccess
            if session.registry.is_closed:
                raise ShuttingDown
            if there == len(session.match.events):
                await news.wait()
