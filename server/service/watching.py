"""Watching a match: from any version on, event by event, as one viewer is shown it."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager

from machiavel import v1
from machiavel.server.matches.errors import NoAccess, SlowWatcher, TooManyWatchers
from machiavel.server.matches.match import OVER, Match, Viewer
from machiavel.server.matches.table import Table
from machiavel.server.service import match_wire
from machiavel.server.service.refusals import BadRequest, ShuttingDown

__all__ = ["watch"]

MOST_WATCHERS = 16  # of a seat, or with no token at all
MOST_BEHIND = 256  # events that may come while a watcher does not read


@contextmanager
def counted(table: Table, viewer: Viewer) -> Iterator[None]:
    """Raises TooManyWatchers."""
    if table.watchers.get(viewer, 0) >= MOST_WATCHERS:
        raise TooManyWatchers(MOST_WATCHERS)
    table.watchers[viewer] = table.watchers.get(viewer, 0) + 1
    try:
        yield
    finally:
        table.watchers[viewer] -= 1
        if not table.watchers[viewer]:
            del table.watchers[viewer]


async def watch(table: Table, viewer: Viewer, after: int | None) -> AsyncGenerator[v1.WatchMatchResponse, None]:
    """A snapshot, unless a version is given, and then all events; ends with the match.

    Nothing queues up for a slow reader: each watcher goes through the events at its own pace, with a match of its own that stands
    where the watcher does. Raises BadRequest, NoAccess, SlowWatcher, TooManyWatchers, ShuttingDown.
    """
    if after is not None and not 0 <= after <= table.match.versions[viewer]:
        raise BadRequest("after", f"is {after}; expected 0 to {table.match.versions[viewer]}")
    with counted(table, viewer):
        mine = table.match.copy() if after is None else Match.begin(table.match.name, table.match.setup)
        if after is None:
            yield v1.WatchMatchResponse(snapshot=match_wire.snapshot_message(table, viewer))
        while True:
            news, there = table.news, len(table.match.events)
            for number in range(len(mine.events), there):
                event = table.match.events[number]
                happened = mine.fold(event)
                if not happened.is_shown_to(viewer) or mine.versions[viewer] <= (after or 0):
                    continue
                yield v1.WatchMatchResponse(event=match_wire.event_message(mine, happened, viewer, table.since))
                if len(table.match.events) - there > MOST_BEHIND:
                    raise SlowWatcher(mine.versions[viewer])
            if mine.phase == OVER:
                return
            if table.is_gone:
                raise NoAccess
            if table.hall.is_closed:
                raise ShuttingDown
            if there == len(table.match.events):
                await news.wait()
