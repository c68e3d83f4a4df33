"""What happens in a match, told to all who watch it: one fold of its events, and one message for all who see the same."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from machiavel import v1
from machiavel.engines import State
from machiavel.server.matches.match import OVER, Match
from machiavel.server.matches.match_events import SPECTATOR, ParsedEvent, Viewer, read
from machiavel.server.matches.match_session import MatchSession
from machiavel.server.service import match_wire
from machiavel.server.service.call_turns import CallTurns
from machiavel.server.service.shared_answers import SharedAnswer

__all__ = ["MOST_BEHIND", "TOLD", "Audience", "Broadcast", "Frame", "Watcher", "event_answer", "unobserved"]

MOST_BEHIND = 128  # events that may come while a watcher does not read
AT_ONCE = 8  # watchers that are woken before the loop may do something else
TOLD = 8  # a message made counts as one, so many watchers woken as two: what is told in one round of the loop, of all matches


def unobserved(seconds: float) -> None:
    """Whoever wants to know how long it took says so."""


@dataclass(frozen=True)
class Change:
    """The match before and after some events, which are told when somebody waits for them."""

    number: int
    before: Match
    after: Match
    time: float  # by the clock's monotonic time

    def shown_to(self, viewer: Viewer) -> int:
        """How many of the events the viewer is shown."""
        return self.after.versions[viewer] - self.before.versions[viewer]


class Frame:
    """An event as a viewer is shown it, and how the match stands after it."""

    __slots__ = ("answer", "is_over", "left", "rematch", "since", "version")

    def __init__(self, answer: SharedAnswer, match: Match, version: int, since: float) -> None:
        self.answer = answer
        self.version = version  # of the viewer
        self.is_over = match.phase == OVER
        self.rematch = match.rematch.match
        self.since = since  # by the clock's monotonic time
        self.left = 0  # watchers whom it found up to date, and who have not had it


def wake(watchers: Sequence["Watcher"]) -> bool:
    for watcher in watchers:
        watcher.wake()
    return True


class Watcher:
    """One stream: how far it is, and what it waits for."""

    __slots__ = ("broadcast", "counted", "fault", "number", "version", "waiting")

    def __init__(self, broadcast: "Broadcast", version: int) -> None:
        self.broadcast = broadcast
        self.number = broadcast.end  # of the frame that it is to have next
        self.counted = -1  # the number of the last frame that found it up to date
        self.version = version  # of what it had last
        self.waiting: asyncio.Future[None] | None = None
        self.fault: Exception | None = None  # that came up over what it was to be told

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

    def __init__(self, session: MatchSession, viewer: Viewer, since: int) -> None:
        self.session = session
        self.viewer = viewer
        self.since = since  # the number of the last change that is nothing to these watchers
        self.untold = 0  # events of later changes that are shown to the viewer, and have no message yet
        self.watchers: dict[Watcher, None] = {}
        self.frames: deque[Frame] = deque()
        self.end = 0  # the number of the frame that comes next
        self.snapshot: SharedAnswer | None = None  # how the match stands, since somebody asked

    @property
    def first(self) -> int:
        """The number of the first frame that is kept."""
        return self.end - len(self.frames)

    def snapshot_answer(self) -> SharedAnswer:
        """How the match stands now."""
        if self.snapshot is None:
            message = match_wire.snapshot_message(self.session, self.viewer)
            self.snapshot = SharedAnswer(v1.WatchMatchResponse(snapshot=message))
        return self.snapshot

    def add(self, frame: Frame) -> None:
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
        """What the watcher is to have next; None where it has had everything.

        Raises IndexError where it is too far behind, and what went wrong over a message for it.
        """
        if watcher.fault is not None:
            raise watcher.fault
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
                observe(self.session.registry.clock.monotonic() - frame.since)
        watcher.number += 1
        watcher.version = max(watcher.version, frame.version)
        if not frame.left and all(other.number == self.end for other in self.watchers):
            self.frames.clear()

    def fail(self, error: Exception) -> None:
        for watcher in self.watchers:
            watcher.fault = error

    def skip(self, since: int) -> None:
        """Leaves out what nobody was there to read, up to that change: all who watch are too far behind now."""
        self.since, self.untold = since, 0
        self.frames.clear()
        self.end += 1

    def drop(self, watcher: Watcher) -> None:
        """Watches no more."""
        del self.watchers[watcher]
        if watcher.counted == watcher.number and self.first <= watcher.number < self.end:
            self.frames[watcher.number - self.first].left -= 1
        if self.frames and all(other.number == self.end for other in self.watchers):
            self.frames.clear()


class Audience:
    """All who watch a match. It belongs to the match's session for as long as anybody does.

    A message is made when somebody waits for it, and not before: those who do not read cost nothing.
    """

    def __init__(
        self, session: MatchSession, observe: Callable[[float], None] = unobserved, turns: CallTurns | None = None
    ) -> None:
        """`observe` is told, event by event, after how many seconds the last watcher had it; in `turns` accounts take turns."""
        self.session = session
        self.observe = observe
        self.turns = turns
        self.broadcasts: dict[Viewer, Broadcast] = {}
        self.count = 0  # of all changes so far
        self.changes: deque[Change] = deque()  # of which somebody is still to be told
        self.telling: Iterator[None] | None = None
        self.is_wanted = False
        self.task: asyncio.Task[None] | None = None

    # ---- Who watches ----

    def join(self, viewer: Viewer) -> Watcher:
        """One more, who has had what has happened so far."""
        if viewer not in self.broadcasts:
            self.broadcasts[viewer] = Broadcast(self.session, viewer, self.count)
        broadcast = self.broadcasts[viewer]
        watcher = Watcher(broadcast, self.session.match.versions[viewer])
        broadcast.watchers[watcher] = None
        return watcher

    def leave(self, watcher: Watcher) -> None:
        broadcast = watcher.broadcast
        broadcast.drop(watcher)
        if not broadcast.watchers:
            self.broadcasts.pop(broadcast.viewer, None)

    async def news(self, watcher: Watcher) -> None:
        """Waits for a frame, or for something else to look at."""
        if self.changes or self.telling is not None:
            self.look()
        await watcher.news()

    # ---- What happens ----

    def changed(self, before: Match) -> None:
        """The match stands otherwise than before; neither of both is changed any more."""
        change = Change(self.count + 1, before, self.session.match, self.session.registry.clock.monotonic())
        self.count = change.number
        self.changes.append(change)
        for broadcast in self.broadcasts.values():
            broadcast.snapshot = None
            broadcast.untold += change.shown_to(broadcast.viewer)
            if broadcast.untold > MOST_BEHIND:  # of what the viewer may know of alone, or it would tell of the rest
                broadcast.skip(change.number)
        needed = min((one.since for one in self.broadcasts.values() if one.untold), default=self.count)
        while self.changes and self.changes[0].number <= needed:
            self.changes.popleft()
        self.look()

    def look(self) -> None:
        """Everybody looks at the match, soon."""
        self.is_wanted = True
        if self.task is None or self.task.done():
            self.task = self.session.registry.go(self.deliver())

    async def deliver(self) -> None:
        """Bit by bit, so that many watchers hold nobody else up."""
        while self.is_wanted:
            self.is_wanted = False
            try:
                while self.is_awaited and await self.turn(self.tell_one, 1):
                    pass
            except Exception as error:  # noqa: BLE001 - of the game's code, say; whoever watches is told
                self.telling = None
                for broadcast in self.broadcasts.values():
                    broadcast.fail(error)
            waiting = self.waiting()
            for number in range(0, len(waiting), AT_ONCE):
                await self.turn(partial(wake, waiting[number : number + AT_ONCE]), 2)

    @property
    def is_awaited(self) -> bool:
        """Whether anybody waits for a message."""
        return any(one.waiting for broadcast in self.broadcasts.values() for one in broadcast.watchers)

    async def turn(self, work: Callable[[], bool], weight: int) -> bool:
        """Does a little, once there is room for it in a round of the loop."""
        await (asyncio.sleep(0) if self.turns is None else self.turns.turn(self.session.header.caller, weight))
        return work()

    def waiting(self) -> list[Watcher]:
        """Those who wait and have something to look at, spectators last: seats are few, and asked."""
        ends = self.session.is_gone or self.session.registry.is_closed
        broadcasts = sorted(self.broadcasts.values(), key=lambda one: one.viewer is SPECTATOR)
        every = [one for broadcast in broadcasts for one in broadcast.watchers if one.waiting]
        return [one for one in every if ends or one.fault or one.number < one.broadcast.end]

    def tell_one(self) -> bool:
        """Makes a message, if there is one to be made."""
        while True:
            if self.telling is None:
                if not self.changes:
                    return False
                self.telling = self.told(self.changes.popleft())
            for _ in self.telling:
                return True
            self.telling = None

    def told(self, change: Change) -> Iterator[None]:
        before, after = change.before, change.after
        broadcasts = [one for one in self.broadcasts.values() if one.since < change.number]
        for broadcast in broadcasts:
            broadcast.untold -= change.shown_to(broadcast.viewer)
        events = after.events[len(before.events) :]
        mine = after if len(events) == 1 else before.copy()
        for event in events:
            earlier = before.state if mine is after else mine.state.copy()
            parsed = read(event) if mine is after else mine.fold(event)
            for broadcast in broadcasts:
                if parsed.is_shown_to(broadcast.viewer) and broadcast.since < change.number:
                    answer = event_answer(self.session, mine, parsed, broadcast.viewer, earlier)
                    broadcast.add(Frame(answer, mine, mine.versions[broadcast.viewer], change.time))
                    yield


def event_answer(session: MatchSession, mine: Match, parsed: ParsedEvent, viewer: Viewer, before: State) -> SharedAnswer:
    """An event as the viewer is shown it; `mine` is the match right after it, `before` the game right before."""
    message = match_wire.event_message(mine, parsed, viewer, session.since)
    if parsed.what in {"begun", "move"}:
        earlier = before if parsed.what == "move" else None
        message.events.extend(match_wire.told_events(session, earlier, mine.state, viewer))
    return SharedAnswer(v1.WatchMatchResponse(event=message))
