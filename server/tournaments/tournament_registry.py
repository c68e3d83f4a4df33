"""The tournaments of a server: kept in a folder, played in turns by a thread, gone on with after a restart."""

import contextlib
import errno
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from machiavel.engines import GameError
from machiavel.server.clock import SYSTEM_CLOCK, Clock
from machiavel.server.draws import SYSTEM_DRAWS, Draws
from machiavel.server.journal import BadJournal
from machiavel.server.operating_mode import OperatingMode
from machiavel.server.shares import OverShare, Shares
from machiavel.server.tournaments.caller_turns import CallerTurns
from machiavel.server.tournaments.finish import finish
from machiavel.server.tournaments.game_journal import read_results
from machiavel.server.tournaments.plan import Plan
from machiavel.server.tournaments.running_tournaments import RunningTournaments
from machiavel.server.tournaments.standings import standings
from machiavel.server.tournaments.tournament_entry import (
    CANCELLED,
    DECIDED,
    ENTRY,
    FAILED,
    OVER,
    PLAYED,
    QUEUED,
    RUNNING,
    TournamentEntry,
    keep_entry,
    read_entry,
    remove_folder,
    sync_folder,
)
from machiavel.server.tournaments.tournament_run import Progress, Tournament
from machiavel.server.tournaments.turn_clock import TurnClock

__all__ = [
    "OtherTournament",
    "TooManyTournaments",
    "TournamentBounds",
    "TournamentRegistry",
    "UnknownTournament",
]

ENDINGS = {"played": PLAYED, "decided": DECIDED}
RATED_SHARE = 0.05  # of the time that may go into the standings
TURN = 5.0  # seconds by which a caller may be ahead of another who waits
BEYOND = 64  # callers with nothing in line that may have one tournament there although it is full, or as many as are known
FULL = {errno.ENOSPC, errno.EDQUOT}
ROOM_EVERY = 10.0  # seconds until a tournament that had no room on the disk is tried again


class UnknownTournament(GameError):
    """The caller has no tournament of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no tournament {name!r}; expected the name that StartTournament answered")
        self.name = name


class OtherTournament(GameError):
    """Another tournament was started with that request_id."""

    def __init__(self, request_id: str) -> None:
        super().__init__(f"another tournament was started with the request_id {request_id!r}; expected one that is new")
        self.given = request_id


class TooManyTournaments(GameError):
    """Too many are in line, or kept."""

    def __init__(self, over: OverShare, instead: str) -> None:
        super().__init__(f"{over}, {instead}")
        self.limit, self.most, self.own, self.retry_after = over.limit, over.most, over.own, over.retry_after


@dataclass(frozen=True)
class TournamentBounds:
    """How much there is for tournaments."""

    workers: int = 1
    queue: int = 16  # tournaments that may be under way or in line
    kept: int = 200  # tournaments, over or not
    hours: float = 24.0  # of machine time for each
    megabytes: int = 64  # on disk for each


class TournamentRegistry:
    """Holds tournaments, and plays them once begun. Its methods may be called from any thread.

    Callers take turns: each time, a tournament of the caller whose tournaments had the least machine time. A caller's own are
    played one after the other. Of the shares, `tournaments` and `tournaments_kept` are used here alone, under the lock.
    """

    def __init__(
        self,
        folder: Path,
        bounds: TournamentBounds,
        shares: Shares,
        mode: OperatingMode,
        *,
        clock: Clock = SYSTEM_CLOCK,
        draws: Draws = SYSTEM_DRAWS,
        tell: Callable[[str, str], None] = lambda _name, _problem: None,
    ) -> None:
        """`tell` gets the name of a tournament, and what is wrong with its folder; it may be called from any thread."""
        self.folder = folder
        self.tell = tell
        self.bounds = bounds
        self.mode = mode
        self.clock = clock
        self.draws = draws
        self.in_line = shares.resource("tournaments", bounds.queue, what="tournaments under way or in line")
        self.kept = shares.resource("tournaments_kept", bounds.kept, what="tournaments kept")
        self.entries: dict[str, TournamentEntry] = {}
        self.changed = threading.Condition()
        self.is_closing = False
        self.turns = CallerTurns(TURN * bounds.workers)
        self.playing: TournamentEntry | None = None  # whose turn it is
        self.running = RunningTournaments(folder, bounds.workers)  # used in the thread that plays alone
        self.thread = threading.Thread(target=self._play_all, name="tournaments")

    def open(self) -> None:
        """Goes on with what was not over; raises OSError where the folder cannot be had."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for path in sorted(self.folder.glob(f"*/{ENTRY}")):
            try:
                entry = read_entry(path)
            except (OSError, ValueError, KeyError, TypeError, BadJournal) as error:
                self.tell(path.parent.name, f"{ENTRY} cannot be read, {type(error).__name__}: it is neither listed nor erased")
            else:
                self.entries[entry.name] = entry
                self.kept.put(entry.share)
                if entry.state not in OVER:
                    self.in_line.put(entry.share)
        self.thread.start()

    def close(self) -> None:
        """Ends what is being played; the next to open the folder goes on."""
        with self.changed:
            self.is_closing = True
            for entry in self.entries.values():
                entry.stop.set()
            self.changed.notify_all()
        if self.thread.ident is not None:
            self.thread.join()

    def draw_name(self, caller: str, request_id: str) -> str:
        """One that no tournament has; in a rehearsal the folder may hold those of an earlier one."""
        while True:
            name = self.draws.of("tournament", caller, request=request_id)(8).hex()
            if name not in self.entries:
                return name
            request_id = ""

    # ---- Calls ----

    def begin(
        self, plan: Plan, deals: int, caller: str, *, request_id: str = "", digest: str = "", share: str = ""
    ) -> TournamentEntry:
        """On disk when this returns. Raises OtherTournament, TooManyTournaments, ReadOnly, Draining or OSError."""
        with self.changed:
            known = [one for one in self.entries.values() if request_id and (one.caller, one.request_id) == (caller, request_id)]
            if known and known[0].digest != digest:
                raise OtherTournament(request_id)
            if known:
                return known[0]
            self.mode.check_new()
            share = share or caller
            self._take_share(share)
            created = max([self.clock.wall(), *(one.created + 1 for one in self.entries.values())])
            entry = TournamentEntry(self.draw_name(caller, request_id), caller, request_id, digest, created, plan, deals, share)
            try:
                (self.folder / entry.name).mkdir()
                self._keep(entry)
                sync_folder(self.folder)
            except OSError:
                shutil.rmtree(self.folder / entry.name, ignore_errors=True)
                self.in_line.give(share)
                self.kept.give(share)
                raise
            self.entries[entry.name] = entry
            self.changed.notify_all()
        return entry

    def _take_share(self, share: str) -> None:
        try:
            self.in_line.take(share)
        except OverShare as error:
            is_own = error.limit != self.in_line.name
            if is_own or error.own or self.in_line.used >= self.in_line.total + max(BEYOND, self.in_line.known):
                raise TooManyTournaments(error, "when one is over") from None
            self.in_line.put(share)
        try:
            self.kept.take(share)
        except OverShare as error:
            self.in_line.give(share)
            raise TooManyTournaments(error, "when one is deleted") from None

    def entry(self, name: str, caller: str | None) -> TournamentEntry:
        """None: whosever it is. Raises UnknownTournament."""
        if (result := self.entries.get(name)) is None or caller not in (None, result.caller):
            raise UnknownTournament(name)
        return result

    def of(self, caller: str | None) -> list[TournamentEntry]:
        """The newest first; None: of all callers."""
        return sorted((one for one in list(self.entries.values()) if caller in (None, one.caller)), key=lambda one: -one.created)

    @property
    def unfinished(self) -> int:
        """How many are under way or in line."""
        return self.in_line.used

    def cancel(self, entry: TournamentEntry) -> None:
        """Ends it; on disk when this returns. Raises ReadOnly or OSError."""
        with self.changed:
            if entry.state in OVER:
                return
            self.mode.check_writable()
            entry.is_cancelled = True
            entry.stop.set()
            if entry.state == QUEUED:
                self._end(entry, CANCELLED)
            self.changed.notify_all()
            while entry.state not in OVER and not self.is_closing:
                self.changed.wait()

    def forget(self, entry: TournamentEntry) -> None:
        """Ends it, and removes its folder. Raises ReadOnly, or OSError where something of it is left; then it may be repeated."""
        self.mode.check_writable()
        self.cancel(entry)
        with self.changed:  # whoever makes it read-only waits for the lock
            if entry.name in self.entries:
                self.mode.check_writable()
                remove_folder(self.folder / entry.name)
                del self.entries[entry.name]
                self.kept.give(entry.share)

    def place(self, entry: TournamentEntry) -> Path:
        """Its folder."""
        return self.folder / entry.name

    def settle(self) -> None:
        """After a change of the mode: where nothing is to be written, returns when nothing is any more."""
        with self.changed:
            self.changed.notify_all()
            while self.mode.read_only and self.playing is not None:
                self.changed.wait()

    # ---- The thread that plays ----

    def _play_all(self) -> None:
        while (entry := self._next()) is not None:
            has_room = self._play_turn(entry)
            with self.changed:
                self.playing = None
                self.changed.notify_all()
                if not has_room:
                    self.changed.wait_for(lambda: self.is_closing, ROOM_EVERY)
        self.running.close()

    def _play_turn(self, entry: TournamentEntry) -> bool:
        """Whether there was room on the disk; where there was none, the tournament goes on from what is kept."""
        try:
            try:
                self._play(entry)
            except GameError as error:
                self._failed(entry, str(error))
            except OSError as error:
                if error.errno in FULL:
                    raise
                self.tell(entry.name, f"its games cannot be kept: {error.strerror or type(error).__name__}")
                self._failed(entry, f"its games cannot be kept: {error.strerror or type(error).__name__}")
            except Exception as error:  # noqa: BLE001 - one tournament's fault must not end the others
                self._failed(entry, f"a fault of the server: {type(error).__name__}")
        except OSError as error:
            self.tell(entry.name, f"cannot be kept just now: {error.strerror or type(error).__name__}")
            with contextlib.suppress(OSError):  # what is left in the journal's buffer
                self.running.end(entry, is_whole=False)
            return False
        return True

    def _next(self) -> TournamentEntry | None:
        """Whose turn it is, waited for; None at the end."""
        with self.changed:
            while not self.is_closing:
                entry = None if self.mode.read_only else self._chosen()
                if entry is not None:
                    self.playing = entry
                    self._tell(entry, state=RUNNING)
                    return entry
                self.running.rest()
                self.changed.wait()
        return None

    def _chosen(self) -> TournamentEntry | None:
        """One that was cancelled before all else; then by turns; of a caller's own what was begun before what waits."""
        waiting = [one for one in self.entries.values() if one.state in {QUEUED, RUNNING}]
        if not waiting:
            return None
        self.turns.meet({one.share for one in waiting})
        if cancelled := [one for one in waiting if one.is_cancelled]:
            return cancelled[0]
        share = self.turns.next()
        return min((one for one in waiting if one.share == share), key=lambda one: (one.state == QUEUED, one.created))

    def _play(self, entry: TournamentEntry) -> None:
        """One turn."""
        with self.changed:
            self._keep(entry)
        tournament = self.running.begin(entry)
        tournament.watch = self._watcher(entry, tournament)
        tournament.is_to_pause = turn = TurnClock(self, entry)
        outcome = tournament.run()
        turn()
        if outcome.reason == "paused" and not turn.problem:
            self.running.pause(entry)
            with self.changed:
                self._keep(entry)
            return
        self.running.end(entry, is_whole=outcome.reason == "played")
        entry.decided = outcome.deals
        entry.standings = standings(read_results(self.folder / entry.name)[0].only_whole_deals())
        if outcome.reason == "stopped" and not entry.is_cancelled:
            return  # the server ends
        if outcome.reason == "paused":
            self._failed(entry, turn.problem)
            return
        if outcome.reason != "stopped":
            finish(self.folder / entry.name)
        with self.changed:
            self._end(entry, ENDINGS.get(outcome.reason, CANCELLED))

    def is_ahead(self, entry: TournamentEntry) -> bool:
        """Whether another caller who waits has had less by a whole turn."""
        self.turns.meet({one.share for one in list(self.entries.values()) if one.state in {QUEUED, RUNNING}})
        return self.turns.is_ahead(entry.share)

    def must_pause(self, entry: TournamentEntry) -> bool:
        """Whether something else comes first, whatever is left of the turn."""
        return self.mode.read_only or any(
            one.is_cancelled and one.state == RUNNING and one is not entry for one in list(self.entries.values())
        )

    def charge(self, entry: TournamentEntry, seconds: float, *, keeps: bool) -> None:
        """Counts so much of a turn."""
        entry.seconds += seconds * self.bounds.workers
        self.turns.charge(entry.share, seconds * self.bounds.workers)
        if keeps:
            with self.changed:
                self._keep(entry)

    def _watcher(self, entry: TournamentEntry, tournament: Tournament) -> Callable[[Progress], None]:
        rated_next = 0.0

        def watch(progress: Progress) -> None:
            nonlocal rated_next
            begun = self.clock.monotonic()
            if begun >= rated_next:
                entry.standings = standings(tournament.results().only_whole_deals())
                rated_next = begun + max(1.0, (self.clock.monotonic() - begun) / RATED_SHARE)
            if progress.played != entry.played:
                self._tell(entry, played=progress.played)

        return watch

    def _tell(self, entry: TournamentEntry, **changes: Any) -> None:
        with self.changed:
            for name, value in changes.items():
                setattr(entry, name, value)
            entry.version += 1
            self.changed.notify_all()

    def _end(self, entry: TournamentEntry, state: str) -> None:
        """On disk when it is told; the lock is held. Raises OSError, and then it is not over."""
        self._keep(replace(entry, state=state))
        if entry.state not in OVER:
            self.in_line.give(entry.share)
        self._tell(entry, state=state)

    def _failed(self, entry: TournamentEntry, problem: str) -> None:
        """Raises OSError where that cannot be kept."""
        self.running.end(entry, is_whole=False)
        with self.changed:
            entry.problem = problem
            self._end(entry, FAILED)

    def _keep(self, entry: TournamentEntry) -> None:
        keep_entry(self.folder / entry.name, entry)
