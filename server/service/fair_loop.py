"""The event loop of a server: where more waits than a moment takes, callers with little under way go first."""

import asyncio
import heapq
from collections import deque
from collections.abc import Callable
from contextvars import Context, ContextVar

__all__ = [
    "NEW_CALLS",
    "NEW_CONNECTIONS",
    "OWN_WORK",
    "PARTS",
    "ROUND",
    "FairLoop",
    "FairReady",
    "caller_in",
    "line",
    "line_for",
    "new_loop",
    "weight_of",
    "work_for",
]

# Callbacks in a round where more wait: some milliseconds in all, after which the loop hears who comes.
OWN = 8  # the server's own: what it hears, timers, what its threads have done
CALLS, CONNECTIONS = 24, 12  # that have come: who asks for little is among them, and nobody can tell before they are looked at
IN_TURN = 4  # of callers in turn, so that nobody waits for ever,
LEAST = 16  # and of those who have least
ROUND = OWN + CALLS + CONNECTIONS + IN_TURN + LEAST
LARGE = "\1"  # how the lines of large calls begin
LARGE_CALLS = tuple(f"/machiavel.v1.{name}" for name in ("BotService/", "GameService/FollowView", "GameService/GetGame"))
WEIGHT = 8  # of one of them: some milliseconds of the loop, where a small call takes some tenths
READY = "_ready"  # what asyncio keeps to itself, and may rename

line: ContextVar[str] = ContextVar("line", default="")  # for which caller something is done; nobody is let in by this
# Lines of no caller: what serves all of them, whoever set it going, and what looks who comes.
OWN_WORK, NEW_CALLS, NEW_CONNECTIONS = "", "\0call", "\0connection"
PARTS = {OWN_WORK: OWN, NEW_CALLS: CALLS, NEW_CONNECTIONS: CONNECTIONS}


def line_for(caller: str, method: str) -> str:
    """Where the work of a call stands: what a caller asks that is much work hinders no small call of its own."""
    return LARGE + caller if method.startswith(LARGE_CALLS) else caller


def caller_in(whose: str) -> str:
    return whose.removeprefix(LARGE)


def weight_of(whose: str) -> int:
    """How many small calls one call of that line is."""
    return WEIGHT if whose.startswith(LARGE) else 1


def work_for(whose: str) -> Context:
    """A new context, whose callbacks stand in that line. Two threads cannot be in the same one."""
    result = Context()
    result.run(line.set, whose)
    return result


class FairReady:
    """Stands for the callbacks that wait for their loop, in the order in which it takes them.

    As long as they are few that is the order in which they came, and so it always is for those of one caller. Other threads may
    append; all else is the loop's.
    """

    def __init__(self) -> None:
        self.come: deque[asyncio.Handle] = deque()
        self.lines: dict[str, deque[asyncio.Handle]] = {}  # by caller, who was served in turn at the end
        self.waiting: set[int] = set()  # ids of those in lines: a socket has the same one each round, timers may be equal
        self.chosen: deque[asyncio.Handle] = deque()  # of this round
        self.pressure: Callable[[str], int] = len  # how much a caller has under way

    def append(self, handle: asyncio.Handle) -> None:
        self.come.append(handle)

    def popleft(self) -> asyncio.Handle:
        return self.chosen.popleft() if self.chosen else self.come.popleft()

    def clear(self) -> None:
        self.come.clear()
        self.lines.clear()
        self.chosen.clear()
        self.waiting.clear()

    def __bool__(self) -> bool:
        return bool(self.come or self.waiting or self.chosen)

    def __len__(self) -> int:
        """How many the next round takes: the loop asks once, at its beginning."""
        count = len(self.come)
        if count <= ROUND and not self.waiting and not self.chosen:
            return count
        for _ in range(count):
            self.line_up(self.come.popleft())
        self.choose()
        return len(self.chosen)

    def line_up(self, handle: asyncio.Handle) -> None:
        if handle.cancelled() or id(handle) in self.waiting:
            return
        whose = handle._context.get(line, "")  # type: ignore[attr-defined] # noqa: SLF001
        waiting = self.lines.get(whose)
        if waiting is None:
            waiting = self.lines[whose] = deque()
        waiting.append(handle)
        self.waiting.add(id(handle))

    def choose(self) -> None:
        others = [caller for caller in self.lines if caller not in PARTS]
        for own, part in PARTS.items():
            for _ in range(min(len(self.lines.get(own, ())), part if others else ROUND // 2)):
                self.take(own)
        for caller in others[:IN_TURN]:
            self.take(caller)
            if caller in self.lines:
                self.lines[caller] = self.lines.pop(caller)  # behind all others
        most = len(self.chosen) + LEAST
        for caller in heapq.nsmallest(LEAST, filter(self.lines.__contains__, others), key=self.load):
            for _ in range(min(most - len(self.chosen), len(self.lines[caller]))):
                self.take(caller)

    def load(self, caller: str) -> int:
        """What waits here counts where nothing is known to be under way: of some calls nobody knows before they have begun."""
        return self.pressure(caller) or len(self.lines[caller])

    def take(self, caller: str) -> None:
        waiting = self.lines[caller]
        handle = waiting.popleft()
        self.waiting.remove(id(handle))
        self.chosen.append(handle)
        if not waiting:
            del self.lines[caller]


class FairLoop(asyncio.SelectorEventLoop):
    """A loop of asyncio's, but for the order of what waits."""

    def __init__(self) -> None:
        super().__init__()
        self.fair = FairReady()
        setattr(self, READY, self.fair)


def new_loop() -> asyncio.AbstractEventLoop:
    """With an asyncio that has other insides than this release knows it is a plain one."""
    plain = asyncio.SelectorEventLoop()
    if type(getattr(plain, READY, None)) is not deque:
        return plain
    plain.close()
    return FairLoop()
