"""Watching a match: from any version on, event by event, as one viewer is shown it."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from machiavel.server.clock import thread_seconds
from machiavel.server.matches.hosting_errors import NoAccess, SlowWatcher
from machiavel.server.matches.match import OVER, Match
from machiavel.server.matches.match_events import Viewer
from machiavel.server.matches.match_session import MatchSession
from machiavel.server.service.broadcast import Audience, Watcher, event_answer, unobserved
from machiavel.server.service.call_turns import CallTurns
from machiavel.server.service.refusals import BadRequest, ShuttingDown
from machiavel.server.service.shared_answers import SharedAnswer
from machiavel.server.service.watchers import WatchPlace
from machiavel.server.service.worker_thread import WorkerThread

__all__ = ["WatchMeans", "check_after", "watch"]

SLICE = 0.004  # seconds of going through what happened, before somebody else may
FEW = 8  # events that are gone through on the event loop

Replayed = tuple[SharedAnswer, int]  # an event, and its version


@dataclass(frozen=True)
class WatchMeans:
    """What watching a match takes from the server, where it is more than the match."""

    observe: Callable[[float], None] = unobserved  # told of each event after how many seconds the last watcher had it
    turns: CallTurns | None = None  # in which accounts take turns at telling what happens
    thread: WorkerThread | None = None  # in which what happened long ago is gone through


PLAIN = WatchMeans()


@contextmanager
def joined(session: MatchSession, viewer: Viewer, means: WatchMeans) -> Iterator[tuple[Audience, Watcher]]:
    audience = session.audience
    if not isinstance(audience, Audience):
        audience = session.audience = Audience(session, means.observe, means.turns)
    watcher = audience.join(viewer)
    session.watchers[viewer] = session.watchers.get(viewer, 0) + 1
    try:
        yield audience, watcher
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
    means: WatchMeans = PLAIN,
) -> AsyncGenerator[SharedAnswer, None]:
    """A snapshot, unless a version is given, and then all events; ends with the match, or who stays with its rematch.

    Nothing queues up for a slow reader: all who see the same share the last events, and who is too far behind has to come again.
    Raises BadRequest, NoAccess, SlowWatcher, TooBusy, ShuttingDown, and what ends the place.
    """
    check_after(session, viewer, after)
    match, place = session.match, place or WatchPlace()
    with joined(session, viewer, means) as (audience, watcher):
        place.wake = watcher.wake
        is_over, rematch = match.phase == OVER, match.rematch.match
        broadcast = watcher.broadcast
        if after is None:
            yield broadcast.snapshot_answer()
            place.check()
        elif after < match.versions[viewer]:
            now, watcher.version = watcher.version, after
            async for answer, version in replayed(
                replay(session, match, viewer, after, stays=stays), len(match.events), place.caller, means
            ):
                yield answer
                del answer
                watcher.version = version
                place.check()
            watcher.version = now
        del match
        while not (is_over and (rematch or not stays)):
            try:
                frame = broadcast.frame(watcher)
            except IndexError:
                raise SlowWatcher(watcher.version) from None
            if frame is not None:
                if frame.version > watcher.version:  # else it came in between, and the snapshot has it
                    yield frame.answer
                    is_over, rematch = frame.is_over, frame.rematch
                broadcast.had(watcher, frame, means.observe)
                del frame  # most watchers wait for hours
            elif session.is_gone:
                raise NoAccess
            elif session.registry.is_closed:
                raise ShuttingDown
            else:
                await audience.news(watcher)
            place.check()


async def replayed(
    steps: Iterator[Replayed | None], count: int, caller: str, means: WatchMeans
) -> AsyncGenerator[Replayed, None]:
    """What there is to tell, made a little at a time; beside the event loop where there is much of it, callers in turn."""
    while True:
        if count <= FEW or means.thread is None:
            found = next_of(steps)
            await asyncio.sleep(0)
        else:
            found = await means.thread.do(partial(next_of, steps), caller)
        if found is None:
            return
        for one in found:
            yield one


def next_of(steps: Iterator[Replayed | None]) -> list[Replayed] | None:
    """What comes of some milliseconds; None at the end."""
    result, ends = list[Replayed](), thread_seconds() + SLICE
    for one in steps:
        if one is not None:
            result.append(one)
        if thread_seconds() > ends:
            return result
    return result or None


def replay(session: MatchSession, match: Match, viewer: Viewer, after: int, *, stays: bool) -> Iterator[Replayed | None]:
    """What the viewer was shown after that version, until the match stood so; None for an event that is not told.

    Who does not stay is told nothing of what came after the end.
    """
    mine, events = Match.begin(match.name, match.setup), match.events
    for number in range(len(events)):
        if mine.phase == OVER and not stays:
            return
        before = mine.state.copy() if mine.versions[viewer] >= after else mine.state
        parsed = mine.fold(events[number])
        is_told = parsed.is_shown_to(viewer) and mine.versions[viewer] > after
        yield (event_answer(session, mine, parsed, viewer, before), mine.versions[viewer]) if is_told else None
