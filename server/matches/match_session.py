"""A match that is under way: one change after the other, each on disk before it counts; its bots and clocks."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from machiavel.engines import GameError, GameFault
from machiavel.server import clock
from machiavel.server.matches.faults import frames_of, kind_of
from machiavel.server.matches.hosting_errors import NoAccess, RequestReused, TooManyChanges
from machiavel.server.matches.match import MOST_CHANGES, OVER, PLAYING, Match
from machiavel.server.matches.match_setup import Player, Setup
from machiavel.server.matches.questions import PendingQuestion, Restart
from machiavel.server.operating_mode import ReadOnly
from machiavel.server.storage import Conflict, Header, SavedResponse, StorageFailed, StoredMatch, Write

if TYPE_CHECKING:
    from machiavel.server.matches.match_registry import MatchRegistry

__all__ = ["MatchObserver", "MatchSession", "RequestKey", "match_of"]

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0  # seconds, before a bot's answer is tried again on a storage that failed

Timer = asyncio.Task[None] | clock.Timer
Turn = Callable[[str], AbstractAsyncContextManager[object]]  # that of an account
Key = tuple[int, int, Player | None, int]  # who must do something: seat, question, player, from which event on


@dataclass(frozen=True)
class RequestKey:
    """A call that may come again."""

    actor: str
    request: bytes  # the SHA-256 of its id
    digest: bytes  # of the whole call


class MatchObserver(Protocol):
    """Those who watch a match."""

    def changed(self, before: Match) -> None:
        """The match stands otherwise than before; neither of both is changed any more."""

    def look(self) -> None:
        """The match is gone, or the server is about to be."""


def match_of(stored: StoredMatch) -> Match:
    """Replayed from its events; raises GameError, KeyError, TypeError or ValueError for what does not replay."""
    match = Match.begin(stored.header.match, Setup.from_json(stored.header.setup))
    for event in stored.events:
        match.fold(event)
    return match


@asynccontextmanager
async def at_once(account: str) -> AsyncIterator[None]:  # noqa: ARG001
    """A turn that nobody waits for."""
    yield


def give_up(draft: Match, now: int) -> bytes:
    """Ends a match whose game goes wrong, unless it is over by now."""
    if draft.phase == PLAYING:
        draft.give_up(now)
    return b""


class MatchSession:
    """Belongs to one event loop."""

    def __init__(self, registry: "MatchRegistry", stored: StoredMatch, match: Match) -> None:
        self.registry = registry
        self.header: Header = stored.header
        self.match = match
        self.answers = {(one.actor, one.request): one for one in stored.answers}
        self.since = Restart(len(stored.events), registry.clock.wall())  # nobody's time ran while the server was down
        self.lock = asyncio.Lock()
        self.timers: dict[Key, Timer] = {}
        self.watchers: dict[int | None, int] = {}
        self.audience: MatchObserver | None = None  # while anybody watches
        self.is_stale = False  # a write has failed, and what is on disk must be looked at
        self.is_gone = False

    # ---- Changes ----

    async def change(self, do: Callable[[Match, int], bytes], call: RequestKey | None) -> bytes:
        """Does something to the match, unless that call has been answered before; its answer, which is on disk.

        Goes on where the caller gives up the wait. Raises what `do` does, RequestReused, NoAccess or StorageFailed.
        """
        self.registry.step("received")
        response: bytes = await asyncio.shield(self.registry.go(self.change_now(do, call)))
        if self.registry.settles:
            await self.settle()
        self.registry.step("answered")
        return response

    async def change_now(self, do: Callable[[Match, int], bytes], call: RequestKey | None = None) -> bytes:
        async with self.lock:
            await self.freshen()
            if call is not None and (known := self.answers.get((call.actor, call.request))) is not None:
                if known.digest != call.digest:
                    raise RequestReused
                return known.response
            draft = self.match.copy()
            response = do(draft, self.registry.clock.wall())
            answer = None if call is None else SavedResponse(call.actor, call.request, call.digest, response)
            if answer is not None:
                self.check_answers(draft)
            self.registry.step("checked")
            await self.write(draft, answer)
            if answer is not None:
                self.answers[answer.actor, answer.request] = answer
            self.registry.step("applied")
            return response

    def check_answers(self, draft: Match) -> None:
        """Answers to what changes nothing are kept too, but not without end; raises TooManyChanges."""
        events = len(self.match.events)
        if len(draft.events) == events and len(self.answers) >= events + MOST_CHANGES:
            raise TooManyChanges(
                MOST_CHANGES, "{most} calls with a request_id changed nothing here; expected such calls without one"
            )

    async def write(self, draft: Match, answer: SavedResponse | None) -> None:
        phase = draft.phase
        write = Write(
            draft.name,
            events=draft.events[len(self.match.events) :],
            answer=answer,
            phase=phase if phase != self.match.phase else None,
            summary=draft.summary() if draft.standing() != self.match.standing() else None,
        )
        if not write.events and answer is None:
            return
        self.registry.mode.check_writable()
        new = draft.successor
        self.is_stale = True  # until it is known that it went well: it may be on disk although it failed
        try:
            await self.registry.store.write(write, *([] if new is None else [Write(new.header.match, new.header, new.events)]))
        except Conflict:
            raise StorageFailed("the match was changed by somebody else") from None
        self.is_stale = False
        draft.successor = None
        self.adopt(draft)
        if new is not None:
            self.registry.add(new)

    async def freshen(self) -> None:
        """Looks at what is on disk, if a write may or may not have got there."""
        if self.is_gone:
            raise NoAccess
        if not self.is_stale:
            return
        name = self.match.name
        stored = await self.registry.store.read(lambda storage: storage.load(name))
        if stored is None or stored.deleted:
            self.leave()
            raise NoAccess
        try:
            match = match_of(stored)
        except (GameError, KeyError, TypeError, ValueError):
            raise StorageFailed(f"match {name} does not replay") from None
        self.answers = {(one.actor, one.request): one for one in stored.answers}
        self.is_stale = False
        if match.rematch.match and not self.match.rematch.match:  # it got there, although that was said to have failed
            self.registry.under_way.begin(match.rematch.match, self.header.caller)
            self.registry.go(self.registry.find(match.rematch.match))
        self.adopt(match)

    def adopt(self, match: Match) -> None:
        """From here on the match stands like that."""
        before, self.match = self.match, match
        if self.audience is not None:
            self.audience.changed(before)
        self.set_timers()
        if match.phase == OVER:
            self.registry.ended(self)

    def tell(self) -> None:
        """Whoever watches looks whether the match is still there."""
        if self.audience is not None:
            self.audience.look()

    async def rewrite(self, change: Callable[[StoredMatch], StoredMatch]) -> None:
        """Puts another text of the same match in its place, on disk and here; raises NoAccess, StorageFailed or ReadOnly."""

        async def replace() -> None:
            async with self.lock:
                await self.freshen()
                name = self.match.name
                stored = await self.registry.store.read(lambda storage: storage.load(name))
                if stored is None or stored.deleted:
                    raise NoAccess
                new = change(stored)
                await self.registry.store.write(Write(name, rewritten=new))
                self.header, self.answers = new.header, {(one.actor, one.request): one for one in new.answers}
                self.adopt(match_of(new))

        await asyncio.shield(self.registry.go(replace()))

    async def delete(self, idle_since: int | None = None, *, purge: bool = False) -> bool:
        """Removes the match, if need be only where it is idle; whether it is gone now. Raises StorageFailed or ReadOnly.

        `purge`: not even that it was there is kept.
        """

        async def remove() -> bool:
            async with self.lock:
                if self.is_gone and not purge:
                    return True
                if idle_since is not None and not self.is_idle(idle_since):
                    return False
                with suppress(Conflict):  # an earlier attempt was said to have failed, and got there all the same
                    await self.registry.store.write(Write(self.match.name, delete=not purge, purge=purge))
                self.leave()
                return True

        return await asyncio.shield(self.registry.go(remove()))

    def is_idle(self, since: int) -> bool:
        """Whether nothing has happened since then that everybody is shown, nothing is about to, and nobody watches.

        An answer that its seat alone is shown does not count: nobody may tell from how long a match stays that it was given.
        Nor does who stays once it is over, and only waits for a rematch.
        """
        match = self.match
        counts = self.timers or self.is_stale or (self.watchers and match.phase != OVER)
        return not counts and max(match.touched, self.header.created) < since

    def leave(self) -> None:
        """Nothing is done here any more."""
        self.is_gone = True
        self.tell()
        self.stop()
        self.registry.forget(self)

    # ---- Bots and clocks ----

    def stop(self) -> None:
        for timer in self.timers.values():
            if timer is not asyncio.current_task():
                timer.cancel()
        self.timers = {}

    def set_timers(self) -> None:
        """A task for each bot that is asked, a clock for each person; those whose question is gone are stopped."""
        wanted = dict(self.due())
        for key in set(self.timers) - set(wanted):
            timer = self.timers.pop(key)
            if timer is not asyncio.current_task():
                timer.cancel()
        for key, make in wanted.items():
            if key not in self.timers:
                self.timers[key] = make()

    def due(self) -> list[tuple[Key, Callable[[], Timer]]]:
        match, result = self.match, list[tuple[Key, Callable[[], Timer]]]()
        if self.is_gone or self.registry.is_closed or self.registry.mode.read_only:
            return result
        for seat, question in match.pending_questions.items():
            if seat in match.pending_answers:
                continue
            player = match.player(seat)
            if player is not None:
                result.append(((seat, question.seq, player, 0), partial(self.seat_bot, seat, question, player)))
            elif match.setup.settings.move_time is not None:
                result.append(((seat, question.seq, None, question.timed_from), partial(self.set_clock, seat, question)))
        return result

    async def settle(self) -> None:
        """Until no bot is asked any more."""
        while tasks := [one for one in self.timers.values() if isinstance(one, asyncio.Task) and not one.done()]:
            await asyncio.wait(tasks)

    def seat_bot(self, seat: int, question: PendingQuestion, player: Player) -> Timer:
        return self.registry.go(self.play(seat, question, player, self.registry.clock.monotonic()))

    async def play(self, seat: int, question: PendingQuestion, player: Player, asked: float) -> None:
        """A bot's answer, once its time is up that runs from `asked` on."""
        match, players, caller = self.match, self.registry.players, self.header.caller
        view = match.questions[seat].view(seat)
        try:
            move = await players.answer(match.name, caller, view, player, asked)
        except GameFault as error:
            self.registry.fault_log.match_failed(match.name, kind_of(error), frames_of(error))
            await self.insist(give_up)
            return
        del view

        def do(draft: Match, now: int) -> bytes:
            if (
                draft.pending_questions.get(seat) == question
                and seat not in draft.pending_answers
                and draft.player(seat) == player
            ):
                draft.answer(seat, move, now)
            return b""

        await self.insist(do, players.turn)

    def set_clock(self, seat: int, question: PendingQuestion) -> Timer:
        """From now on, for a question that is new here: the wall clock may be set while it runs."""
        limit = self.match.setup.settings.move_time or 0.0
        return self.registry.clock.call_later(limit, lambda: self.registry.go(self.ring(seat, question)))

    async def ring(self, seat: int, question: PendingQuestion) -> None:
        """The seat's time is up."""

        def do(draft: Match, now: int) -> bytes:
            if draft.pending_questions.get(seat) == question and seat not in draft.pending_answers and draft.player(seat) is None:
                draft.forfeit(seat, "time", now)
            return b""

        await self.insist(do)

    async def insist(self, do: Callable[[Match, int], bytes], turn: Turn = at_once) -> None:
        """A change that nobody would ask for again: tried until it is on disk, each time in its turn; a match never hangs."""
        pause = FIRST_PAUSE
        while not self.is_gone:
            try:
                async with turn(self.header.caller):
                    await self.change_now(do)
            except StorageFailed as error:
                self.registry.fault_log.storage_failed(error.problem)
            except ReadOnly:
                pass
            except NoAccess:
                return
            except Exception as error:  # noqa: BLE001
                self.registry.fault_log.match_failed(self.match.name, kind_of(error), frames_of(error))
                if isinstance(error, GameFault):  # it would be the same again
                    do = give_up
            else:
                return
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
