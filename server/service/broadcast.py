"""What happens in a match, told to all who watch it: one fold of its events, and one message for all who see the same."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator

from machiavel import v1
from machiavel.engines import State
from machiavel.server.matches.match import OVER, Match
from machiavel.server.matches.match_events import SPECTATOR, ParsedEvent, Viewer, read
from machiavel.server.matches.match_session import MatchSession
from machiavel.server.service import match_wire
from machiavel.server.service.shared_answers import SharedAnswer

__all__ = ["MOST_BEHIND", "Audience", "Broadcast", "Frame", "Watcher", "event_answer", "unobserved"]

MOST_BEHIND = 256  # events that may come while a watcher does not read
AT_ONCE = 32  # watchers that are woken before the loop may do something else


def unobserved(seconds: float) -> None:
    """Whoever wants to know how long it took says so."""


class Frame:
    """An event as a viewer is shown it, and how the match stands after it."""

    __slots__ = ("answer", "is_over", "left", "rematch", "since", "version")

    def __init__(self, answer: SharedAnswer, match: Match, version: int, since: float) -> None:
        self.answer = answer
        self.version = version  # of the viewer
        self.is_over = match.phase == OVER
        self.rematch = match.rematch.match
        self.since = since  # in the loop's time
        self.left = 0  # watchers whom it found up to date, and who have not had it


class Watcher:
    """One stream: how far it is, and what it waits for."""

    __slots__ = ("broadcast", "counted", "number", "version", "waiting")

    def __init__(self, broadcast: "Broadcast", version: int) -> None:
        self.broadcast = broadcast
        self.number = broadcast.end  # of the frame that it is to have next
        self.counted = -1  # the number of the last frame that found it up to date
        self.version = version  # of what it had last
        self.waiting: asyncio.Future[None] | None = None

    def wake(self) -> None:
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_result(None)

    async def news(self) -> None:
        """Waits for a frame, or for something else to look at."""
        self.waiting = asyncio.get_running_loop().create_future()
        try:
            await self.waiting
        finally:
            self.waiting = None


class Broadcast:
    """All who watch a match as the same viewer sees it, and the events that some of them have not had yet."""

    def __init__(self, session: MatchSession, viewer: Viewer) -> None:
        self.session = session
        self.viewer = viewer
        self.watchers: dict[Watcher, None] = {}
        self.frames: deque[Frame] = deque()
        self.end = 0  # the number of the frame that comes next
        self.snapshot: SharedAnswer | None = None  # how the match stands, since somebody asked

    @property
    def first(self) -> int:
        """The number of the first frame that is kept."""
        return self.end - len(self.frames)

    def snapshot_answer(self) -> SharedAnswer:
        """How the match stands now. All that has happened must be told by then."""
        if self.snapshot is None:
            message = match_wire.snapshot_message(self.session, self.viewer)
            self.snapshot = SharedAnswer(v1.WatchMatchResponse(snapshot=message))
        return self.snapshot

    def add(self, frame: Frame) -> None:
        self.snapshot = None
        low = self.end
        for watcher in self.watchers:
            if watcher.number == self.end:
                watcher.counted = self.end
                frame.left += 1
            low = min(low, watcher.number)
        self.frames.append(frame)
        self.end += 1
        while self.frames and (self.first < low or len(self.frames) > MOST_BEHIND):
            self.frames.popleft()

    def frame(self, watcher: Watcher) -> Frame | None:
        """What the watcher is to have next; None where it has had everything. IndexError where it is too far behind."""
        if watcher.number == self.end:
            return None
        if watcher.number < self.first:
            raise IndexError
        return self.frames[watcher.number - self.first]

    def had(self, watcher: Watcher, frame: Frame, observe: Callable[[float], None]) -> None:
        """The watcher has it now."""
        if watcher.counted == watcher.number:
            frame.left -= 1
            if not frame.left:
                observe(asyncio.get_running_loop().time() - frame.since)
        watcher.number += 1
        watcher.version = frame.version
        if not frame.left and all(other.number == self.end for other in self.watchers):
            self.frames.clear()

    def drop(self, watcher: Watcher) -> None:
        """Watches no more."""
        del self.watchers[watcher]
        if watcher.counted == watcher.number and self.first <= watcher.number < self.end:
            self.frames[watcher.number - self.first].left -= 1
        if self.frames and all(other.number == self.end for other in self.watchers):
            self.frames.clear()


class Audience:
    """All who watch a match. It belongs to the match's session for as long as anybody does."""

    def __init__(self, session: MatchSession, observe: Callable[[float], None] = unobserved) -> None:
        """`observe` is told, event by event, after how many seconds the last watcher had it."""
        self.session = session
        self.observe = observe
        self.broadcasts: dict[Viewer, Broadcast] = {}
        self.changes: deque[tuple[Match, Match, float]] = deque()  # the match before and after
        self.telling: Iterator[None] = iter(())
        self.task: asyncio.Task[None] | None = None

    # ---- Who watches ----

    def join(self, viewer: Viewer) -> Watcher:
        """One more, who has had what has happened so far."""
        self.tell_all()
        if viewer not in self.broadcasts:
            self.broadcasts[viewer] = Broadcast(self.session, viewer)
        broadcast = self.broadcasts[viewer]
        watcher = Watcher(broadcast, self.session.match.versions[viewer])
        broadcast.watchers[watcher] = None
        return watcher

    def leave(self, watcher: Watcher) -> None:
        broadcast = watcher.broadcast
        broadcast.drop(watcher)
        if not broadcast.watchers:
            self.broadcasts.pop(broadcast.viewer, None)

    # ---- What happens ----

    def changed(self, before: Match) -> None:
        """The match stands otherwise than before; neither of both is changed any more."""
        self.changes.append((before, self.session.match, asyncio.get_running_loop().time()))
        self.look()

    def look(self) -> None:
        """Everybody looks at the match, soon."""
        if self.task is None or self.task.done():
            self.task = self.session.registry.go(self.deliver())

    async def deliver(self) -> None:
        """Bit by bit, so that many watchers hold nobody else up."""
        while True:
            while self.tell_one():
                await asyncio.sleep(0)
            # Seats first: they are few, and asked.
            for number, watcher in enumerate(self.waiting()):
                watcher.wake()
                if number % AT_ONCE == AT_ONCE - 1:
                    await asyncio.sleep(0)
            if not self.changes:
                return

    def waiting(self) -> list[Watcher]:
        """Those who wait and have something to look at, spectators last."""
        ends = self.session.is_gone or self.session.registry.is_closed
        broadcasts = sorted(self.broadcasts.values(), key=lambda one: one.viewer is SPECTATOR)
        return [one for cast in broadcasts for one in cast.watchers if one.waiting and (ends or one.number < cast.end)]

    def tell_all(self) -> None:
        while self.tell_one():
            pass

    def tell_one(self) -> bool:
        """Makes a message or two, if there is one to be made."""
        for _ in self.telling:
            return True
        if not self.changes:
            return False
        self.telling = self.told(*self.changes.popleft())
        return True

    def told(self, before: Match, after: Match, since: float) -> Iterator[None]:
        events = after.events[len(before.events) :]
        mine = after if len(events) == 1 else before.copy()
        for event in events:
            earlier = before.state if mine is after else mine.state.copy()
            parsed = read(event) if mine is after else mine.fold(event)
            for broadcast in list(self.broadcasts.values()):
                if parsed.is_shown_to(broadcast.viewer):
                    answer = event_answer(self.session, mine, parsed, broadcast.viewer, earlier)
                    broadcast.add(Frame(answer, mine, mine.versions[broadcast.viewer], since))
                    yield


def event_answer(session: MatchSession, mine: Match, parsed: ParsedEvent, viewer: Viewer, before: State) -> SharedAnswer:
    """An event as the viewer is shown it; `mine` is the match right after it, `before` the game right before."""
    message = match_wire.event_message(mine, parsed, viewer, session.since)
    if parsed.what in {"begun", "move"}:
        earlier = before if parsed.what == "move" else None
        message.events.extend(match_wire.told_events(session, earlier, mine.state, viewer))
    return SharedAnswer(v1.WatchMatchResponse(event=message))
