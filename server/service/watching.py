"""Watching a match: from any version on, event by event, as one viewer is shown it."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager

from machiavel import v1
from machiavel.engines import State
from machiavel.server.matches.hosting_errors import NoAccess, SlowWatcher, TooManyWatchers
from machiavel.server.matches.match import OVER, Match
from machiavel.server.matches.match_events import ParsedEvent, Viewer
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
        if not session.watchers:
            session.seen = None


async def watch(
    session: MatchSession, viewer: Viewer, after: int | None, *, stays: bool = False
) -> AsyncGenerator[v1.WatchMatchResponse, None]:
    """A snapshot, unless a version is given, and then all events; ends with the match, or who stays with its rematch.

    Nothing queues up for a slow reader: each watcher goes through the events at its own pace, with a match of its own that stands
    where the watcher does. Those who have seen everything share one, since most wait most of the time.
    Raises BadRequest, NoAccess, SlowWatcher, TooManyWatchers, ShuttingDown.
    """
    if after is not None and not 0 <= after <= session.match.versions[viewer]:
        raise BadRequest("after", f"is {after}; expected 0 to {session.match.versions[viewer]}")
    with counted(session, viewer):
        mine = session.match.copy() if after is None else Match.begin(session.match.name, session.match.setup)
        is_shared = False
        if after is None:
            yield v1.WatchMatchResponse(snapshot=match_wire.snapshot_message(session, viewer))
            if len(session.match.events) - len(mine.events) > MOST_BEHIND:
                raise SlowWatcher(mine.versions[viewer])
        while True:
            news, there = session.news, len(session.match.events)
            if is_shared and len(mine.events) < there:
                mine, is_shared = mine.copy(), False
            for number in range(len(mine.events), there):
                for message in next_event(session, mine, number, viewer, after or 0):
                    yield v1.WatchMatchResponse(event=message)
                    del message
                if mine.phase == OVER and not stays:
                    return
                if len(session.match.events) - there > MOST_BEHIND:
                    raise SlowWatcher(mine.versions[viewer])
            if mine.phase == OVER and (mine.rematch.match or not stays):
                return
            if session.is_gone:
                raise NoAccess
            if session.registry.is_closed:
                raise ShuttingDown
            if there == len(session.match.events):
                mine, is_shared = seen_by_all(session), True
                await news.wait()


def seen_by_all(session: MatchSession) -> Match:
    """A copy of the match as it stands, for all who have seen so much; nobody changes it."""
    if session.seen is None or len(session.seen.events) != len(session.match.events):
        session.seen = session.match.copy()
    return session.seen


def next_event(session: MatchSession, mine: Match, number: int, viewer: Viewer, after: int) -> Iterator[v1.MatchEvent]:
    """Takes the watcher's match one event on; none where the viewer is not shown it, or knows it."""
    before = mine.state.copy()
    parsed = mine.fold(session.match.events[number])
    if parsed.is_shown_to(viewer) and mine.versions[viewer] > after:
        yield told(session, mine, parsed, viewer, before)


def told(session: MatchSession, mine: Match, parsed: ParsedEvent, viewer: Viewer, before: State) -> v1.MatchEvent:
    """An event as the viewer is shown it; `before` is the game before it."""
    message = match_wire.event_message(mine, parsed, viewer, session.since)
    if parsed.what in {"begun", "move"}:
        earlier = before if parsed.what == "move" else None
        message.events.extend(match_wire.told_events(session, earlier, mine.state, viewer))
    return message
