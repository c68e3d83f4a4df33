"""All matches of a server: set up, found again, brought back after a restart."""

import asyncio
from collections.abc import Callable, Collection, Coroutine
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from machiavel.engines import GameError
from machiavel.server.clock import SYSTEM_CLOCK, Clock
from machiavel.server.draws import SYSTEM_DRAWS, Draws
from machiavel.server.matches.bot_players import BotFaultLog, BotPlayers
from machiavel.server.matches.faults import frames_of, kind_of
from machiavel.server.matches.hosting_errors import BadCode, NoAccess
from machiavel.server.matches.match import PLAYING, WAITING, Match
from machiavel.server.matches.match_session import MatchSession, RequestKey, match_of
from machiavel.server.matches.match_setup import Setup
from machiavel.server.matches.match_shares import MatchShares
from machiavel.server.matches.questions import Restart
from machiavel.server.matches.tokens import is_name
from machiavel.server.matches.unplayable_matches import unplayable_in
from machiavel.server.operating_mode import OperatingMode
from machiavel.server.shares import FairQueue
from machiavel.server.storage import AsyncStorage, Header, Retention, SavedResponse, Step, Storage, StoredMatch, Write, no_step

__all__ = ["MatchFaultLog", "MatchRegistry", "NewMatch", "begun"]

ALL = 1 << 40
LONG = 8  # events; what has more is replayed beside the event loop
ENDLESS = 1 << 30
RESTING = 256  # sessions kept although nothing happens in them by itself


class MatchFaultLog(BotFaultLog, Protocol):
    """Where faults are told."""

    def storage_failed(self, problem: str) -> None:
        """What is kept could not be read or written."""

    def match_failed(self, match: str, kind: str, frames: list[str]) -> None:
        """A match that was kept cannot be brought back by this release, or a fault of our own came up in it."""

    def matches_unplayable(self, game: str, count: int, problem: str) -> None:
        """So many are kept that cannot go on, since their game is missing or has other rules now."""

    def matches_removed(self, phase: str, count: int) -> None:
        """So many have been kept for long enough."""


@dataclass(frozen=True)
class NewMatch:
    """A match to be set up."""

    match: str
    account: str
    created: int  # nanoseconds since 1970
    setup: Setup
    host: bytes  # the SHA-256 of the host's token
    code: bytes | None  # of the code that opens its open seats
    share: str  # of the caller for whom it counts, with what is kept of it


class MatchRegistry:
    """Belongs to one event loop. `start` brings back what was being played; `close` leaves it for the next time."""

    def __init__(
        self,
        store: AsyncStorage,
        players: BotPlayers,
        fault_log: MatchFaultLog,
        match_shares: MatchShares,
        step: Step = no_step,
        *,
        clock: Clock = SYSTEM_CLOCK,
        draws: Draws = SYSTEM_DRAWS,
        settles: bool = False,
        retention: Retention | None = None,
        mode: OperatingMode | None = None,
    ) -> None:
        """`settles`: what changes a match is answered once all bots that are asked have moved. `retention`: none is for ever."""
        self.store = store
        self.players = players
        self.fault_log = fault_log
        self.under_way = match_shares
        self.step = step
        self.clock = clock
        self.draws = draws
        self.settles = settles
        self.retention = retention or Retention()
        self.mode = mode or OperatingMode()
        self.sessions: dict[str, MatchSession] = {}
        self.unplayable: set[str] = set()  # neither played nor removed
        self.loading: dict[str, asyncio.Task[MatchSession]] = {}
        self.replaying = FairQueue("replays", 1, ENDLESS, clock=clock)
        self.tasks: set[asyncio.Task[Any]] = set()
        self.is_closed = False

    @property
    def unfinished(self) -> AbstractSet[str]:
        """The names of matches that are not over, those aside that cannot be played."""
        return self.under_way.owners.keys()

    # ---- Beginning and end ----

    async def start(self) -> None:
        """Raises StorageFailed."""
        for phase in (WAITING, PLAYING):
            headers = await self.store.read(partial(so_far, phase))
            for one in await asyncio.to_thread(unplayable_in, headers):
                self.fault_log.matches_unplayable(one.game, len(one.names), one.problem)
                self.unplayable |= one.names
            names = [one.match for one in headers if one.match not in self.unplayable]
            for header in headers:
                if header.match not in self.unplayable:
                    self.under_way.begin(header.match, header.caller)
            for name in names if phase == PLAYING else ():
                try:
                    await self.find(name)
                except NoAccess:
                    continue  # told already

    def pause(self) -> None:
        """Bots and clocks stop, as long as nothing is to be written."""
        for session in self.sessions.values():
            session.stop()

    def go_on(self) -> None:
        """After a pause, in which nobody's time ran."""
        for session in self.sessions.values():
            session.since = Restart(len(session.match.events), self.clock.wall())
            session.set_timers()

    def rest(self) -> None:
        """Bots and clocks stop, and whoever watches is told so."""
        self.is_closed = True
        for session in list(self.sessions.values()):
            session.stop()
            session.tell()

    async def close(self) -> None:
        """After what is under way; nothing is asked for any more."""
        self.rest()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.store.close()

    def go(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Something that goes on whoever waits for it."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.done)
        return task

    def done(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waited for it has it; nobody else needs to hear that it was not fetched

    # ---- Sessions ----

    async def find(self, name: str, caller: str | None = None) -> MatchSession:
        """The session of a match, which the caller asks for; raises NoAccess where there is none, StorageFailed."""
        session = self.sessions.get(name)
        if session is not None:
            return session
        if not is_name(name) or name in self.unplayable:
            raise NoAccess
        if name not in self.loading:
            self.loading[name] = self.go(self.load(name, caller))
        return await asyncio.shield(self.loading[name])

    async def load(self, name: str, caller: str | None) -> MatchSession:
        try:
            stored = await self.store.read(lambda storage: storage.load(name), caller)
            if stored is None or stored.deleted:
                raise NoAccess
            match = None
            if len(stored.events) > LONG:
                async with self.replaying.place(caller or stored.header.caller):
                    match = await asyncio.to_thread(self.replayed, stored)
            return self.place(stored, match)
        finally:
            del self.loading[name]

    def place(self, stored: StoredMatch, match: Match | None = None) -> MatchSession:
        """The session of a match, which may have been replayed before; raises NoAccess where it does not replay."""
        name = stored.header.match
        session = MatchSession(self, stored, self.replayed(stored) if match is None else match)
        self.sessions[name] = session
        session.set_timers()
        self.clear()
        return session

    def replayed(self, stored: StoredMatch) -> Match:
        """In any thread; raises NoAccess."""
        try:
            return match_of(stored)
        except (GameError, KeyError, TypeError, ValueError) as error:
            self.fault_log.match_failed(stored.header.match, kind_of(error), frames_of(error))
            raise NoAccess from None

    def clear(self) -> None:
        """Puts away what rests: matches that are over, or wait, and that nobody watches."""
        resting = [
            one for one in self.sessions.values() if one.match.phase != PLAYING and not one.watchers and not one.lock.locked()
        ]
        for session in resting[: max(0, len(resting) - RESTING)]:
            self.forget(session)

    def forget(self, session: MatchSession) -> None:
        self.sessions.pop(session.match.name, None)
        if session.is_gone:
            self.under_way.end(session.match.name)

    def ended(self, session: MatchSession) -> None:
        self.under_way.end(session.match.name)

    def removed(self, names: Collection[str]) -> None:
        """These are kept no more, and were not in memory."""
        for name in names:
            self.under_way.end(name)
        self.unplayable.difference_update(names)

    def check_room(self, share: str) -> None:
        """Whether that caller may set up another match.

        Raises TooManyMatches, TooMuchKept, ReadOnly or Draining.
        """
        self.mode.check_new()
        self.under_way.check(share, self.store.storage.kept())

    async def create(self, new: NewMatch, call: RequestKey | None, respond: Callable[[Header], bytes]) -> bytes:
        """Sets a match up.

        Raises what `check_room` does, StorageFailed, or Conflict where that call has set one up already.
        """
        self.check_room(new.share)
        self.step("received")
        response: bytes = await asyncio.shield(self.go(self.create_now(new, call, respond)))
        if self.settles and new.match in self.sessions:
            await self.sessions[new.match].settle()
        self.step("answered")
        return response

    async def create_now(self, new: NewMatch, call: RequestKey | None, respond: Callable[[Header], bytes]) -> bytes:
        stored = begun(new)
        response = respond(stored.header)
        answer = None if call is None else SavedResponse(call.actor, call.request, call.digest, response)
        self.step("checked")
        self.under_way.take(new.share)
        try:
            await self.store.write(Write(new.match, stored.header, stored.events, creation=answer))
        except BaseException:
            self.under_way.give(new.share)
            raise
        self.under_way.begin(new.match, new.share, is_taken=True)
        self.place(replace(stored, answers=() if answer is None else (answer,)))
        self.step("applied")
        return response

    def add(self, stored: StoredMatch) -> None:
        """Takes up a rematch that has just been written."""
        self.under_way.begin(stored.header.match, stored.header.caller)
        self.place(stored)

    async def created(self, account: str, request: bytes, caller: str) -> MatchSession | None:
        """The session of the match that the account set up by that request; raises NoAccess where it is deleted."""
        name = await self.store.read(lambda storage: storage.by_creation(account, request), caller)
        return None if name is None else await self.find(name, caller)

    async def joined(self, code: bytes, caller: str) -> MatchSession:
        """The session of the match that the code opens; raises BadCode."""
        name = await self.store.read(lambda storage: storage.by_code(code), caller)
        if name is None:
            raise BadCode
        return await self.find(name, caller)


def begun(new: NewMatch) -> StoredMatch:
    """A new match as it is to be kept; its game is dealt, unless seats are open."""
    match = Match.begin(new.match, new.setup)
    match.start(new.created)
    setup, summary = new.setup.to_json(), match.summary()
    header = Header(new.match, new.account, new.created, new.host, new.code, setup, match.phase, summary, new.share)
    return StoredMatch(header, tuple(match.events))


def so_far(phase: str, storage: Storage) -> list[Header]:
    return storage.listed(None, phase, None, ALL)
