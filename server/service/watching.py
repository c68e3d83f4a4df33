"""Watching a match: from any version on, event by event, as one viewer is shown it."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager

from machiavel.server.matches.hosting_errors import NoAccess, SlowWatcher
from machiavel.server.matches.match import OVER, Match
from machiavel.server.matches.match_events import Viewer
from machiavel.server.matches.match_session import MatchSession
from machiavel.server.service.broadcast import Audience, Watcher, event_answer, unobserved
from machiavel.server.service.refusals import BadRequest, ShuttingDown
from machiavel.server.service.shared_answers import SharedAnswer
from machiavel.server.service.watchers import WatchPlace

__all__ = ["check_after", "watch"]

SLICE = 0.002  # seconds of going through what happened, before the loop may do something else


@contextmanager
def joined(session: MatchSession, viewer: Viewer, observe: Callable[[float], None]) -> Iterator[Watcher]:
    audience = session.audience
    if not isinstance(audience, Audience):
        audience = session.audience = Audience(session, observe)
    watcher = audience.join(viewer)
    session.watchers[viewer] = session.watchers.get(viewer, 0) + 1
    try:
        yield watcher
    finally:
        audience.leave(watcher)
        session.watchers[viewer] -= 1
        if not session.watchers[viewer]:
            del session.watchers[viewer]
        if not session.watchers:
            session.audience = None


def check_after(session: MatchSession, viewer: Viewer, after: int | None) -> None:
    """Raises BadRequest for a version that there is not."""
    if after is not None and not 0 <= after <= session.match.versions[viewer]:
        raise BadRequest("after", f"is {after}; expected 0 to {session.match.versions[viewer]}")


async def watch(
    session: MatchSession,
    viewer: Viewer,
    after: int | None,
    *,
    stays: bool = False,
    place: WatchPlace | None = None,
    observe: Callable[[float], None] = unobserved,
) -> AsyncGenerator[SharedAnswer, None]:
    """A snapshot, unless a version is given, and then all events; ends with the match, or who stays with its rematch.

    Nothing queues up for a slow reader: all who see the same share the last events, and who is too far behind has to come again.
    Raises BadRequest, NoAccess, SlowWatcher, ShuttingDown, and what ends the place.
    """
    check_after(session, viewer, after)
    match, place = session.match, place or WatchPlace()
    with joined(session, viewer, observe) as watcher:
        place.wake = watcher.wake
        is_over, rematch = match.phase == OVER, match.rematch.match
        broadcast = watcher.broadcast
        if after is None:
            yield broadcast.snapshot_answer()
            place.check()
        elif after < match.versions[viewer]:
            watcher.version = after
            async for answer, version in replayed(session, match, viewer, after):
                yield answer
                del answer
                watcher.version = version
                place.check()
        del match
        while True:
            try:
                frame = broadcast.frame(watcher)
            except IndexError:
                raise SlowWatcher(watcher.version) from None
            if frame is not None:
                yield frame.answer
                broadcast.had(watcher, frame, observe)
                is_over, rematch = frame.is_over, frame.rematch
                del frame  # most watchers wait for hours
            elif is_over and (rematch or not stays):
                return
            elif session.is_gone:
                raise NoAccess
            elif session.registry.is_closed:
                raise ShuttingDown
            else:
                await watcher.news()
            place.check()


async def replayed(
    session: MatchSession, match: Match, viewer: Viewer, after: int
) -> AsyncGenerator[tuple[SharedAnswer, int], None]:
    """What the viewer was shown after that version, until the match stood so."""
    loop = asyncio.get_running_loop()
    mine, events, began = Match.begin(match.name, match.setup), match.events, loop.time()
    for number in range(len(events)):
        before = mine.state.copy() if mine.versions[viewer] >= after else mine.state
        parsed = mine.fold(events[number])
        if parsed.is_shown_to(viewer) and mine.versions[viewer] > after:
            yield event_answer(session, mine, parsed, viewer, before), mine.versions[viewer]
        elif loop.time() - began > SLICE:
            await asyncio.sleep(0)
            began = loop.time()
