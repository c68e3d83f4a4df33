"""The tournaments of a server: kept in a folder, played one after the other by a thread, gone on with after a restart."""

import contextlib
import json
import os
import shutil
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from machiavel.engines import GameError
from machiavel.server.clock import SYSTEM_CLOCK, Clock
from machiavel.server.draws import SYSTEM_DRAWS, Draws
from machiavel.server.journal import BadJournal
from machiavel.server.tournaments.executors import open_pool
from machiavel.server.tournaments.finish import finish, judge_of
from machiavel.server.tournaments.game_journal import GameJournal, read_results
from machiavel.server.tournaments.plan import Plan
from machiavel.server.tournaments.standings import Standing, standings
from machiavel.server.tournaments.tournament_run import Progress, Tournament, setup_of

__all__ = ["OVER", "OtherTournament", "TooManyTournaments", "TournamentEntry", "TournamentRegistry", "UnknownTournament"]

ENTRY = "tournament.json"
QUEUED, RUNNING, PLAYED, DECIDED, CANCELLED, FAILED = "queued", "running", "played", "decided", "cancelled", "failed"
OVER = {PLAYED, DECIDED, CANCELLED, FAILED}
ENDINGS = {"played": PLAYED, "decided": DECIDED}
RATED_SHARE = 0.05  # of the time that may go into the standings
RETRY = 10.0  # seconds after which it is worth asking again
NICE = 10  # searches for people come first


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
    """Too many are in line."""

    def __init__(self, most: int) -> None:
        super().__init__(f"{most} tournaments are in line already; come again when one is over")
        self.most = most
        self.retry_after = RETRY


@dataclass
class TournamentEntry:
    """A tournament of a caller. What is here changes only in the thread that plays, or under the registry's lock."""

    name: str
    caller: str
    request_id: str
    digest: str  # of the request
    created: int  # nanoseconds of the system's clock, and later than all before
    plan: Plan
    deals: int
    state: str = QUEUED
    decided: int | None = None  # deals
    problem: str = ""
    played: int = 0
    standings: list[Standing] = field(default_factory=list)
    version: int = 0  # raised when something changes
    stop: threading.Event = field(default_factory=threading.Event)
    is_cancelled: bool = False

    @property
    def games(self) -> int:
        return self.deals * self.plan.schedule.games_a_deal

    def to_json(self) -> dict[str, Any]:
        names = ("name", "caller", "request_id", "digest", "created", "deals", "state", "decided", "problem", "played")
        return {name: getattr(self, name) for name in names} | {"plan": self.plan.to_json()}


class TournamentRegistry:
    """Holds tournaments, and plays them once begun. Its methods may be called from any thread."""

    def __init__(self, folder: Path, workers: int, most: int, clock: Clock = SYSTEM_CLOCK, draws: Draws = SYSTEM_DRAWS) -> None:
        self.folder = folder
        self.clock = clock
        self.draws = draws
        self.executor = f"processes:{workers}"
        self.most = most  # that may be under way or in line
        self.entries: dict[str, TournamentEntry] = {}
        self.changed = threading.Condition()
        self.is_closing = False
        self.thread = threading.Thread(target=self._play_all, name="tournaments")

    def open(self) -> None:
        """Goes on with what was not over; raises OSError where the folder cannot be had."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for path in sorted(self.folder.glob(f"*/{ENTRY}")):
            with contextlib.suppress(OSError, ValueError, KeyError, BadJournal):
                entry = read_entry(path)
                self.entries[entry.name] = entry
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

    def begin(self, plan: Plan, deals: int, caller: str, request_id: str, digest: str) -> TournamentEntry:
        """On disk when this returns. Raises OtherTournament or TooManyTournaments."""
        with self.changed:
            known = [one for one in self.entries.values() if request_id and (one.caller, one.request_id) == (caller, request_id)]
            if known and known[0].digest != digest:
                raise OtherTournament(request_id)
            if known:
                return known[0]
            if sum(one.state not in OVER for one in self.entries.values()) >= self.most:
                raise TooManyTournaments(self.most)
            created = max([self.clock.wall(), *(one.created + 1 for one in self.entries.values())])
            entry = TournamentEntry(self.draw_name(caller, request_id), caller, request_id, digest, created, plan, deals)
            (self.folder / entry.name).mkdir()
            self._keep(entry)
            self.entries[entry.name] = entry
            self.changed.notify_all()
        return entry

    def entry(self, name: str, caller: str) -> TournamentEntry:
        """Raises UnknownTournament."""
        result = self.entries.get(name)
        if result is None or result.caller != caller:
            raise UnknownTournament(name)
        return result

    def of(self, caller: str) -> list[TournamentEntry]:
        """The newest first."""
        return sorted((one for one in self.entries.values() if one.caller == caller), key=lambda one: -one.created)

    def cancel(self, entry: TournamentEntry) -> None:
        """Ends it; on disk when this returns."""
        with self.changed:
            if entry.state in OVER:
                return
            entry.is_cancelled = True
            entry.stop.set()
            if entry.state == QUEUED:
                self._end(entry, CANCELLED)
            while entry.state not in OVER and not self.is_closing:
                self.changed.wait()

    def forget(self, entry: TournamentEntry) -> None:
        """Ends it, and removes its folder."""
        self.cancel(entry)
        with self.changed:
            if self.entries.pop(entry.name, None) is not None:
                shutil.rmtree(self.folder / entry.name, ignore_errors=True)

    def place(self, entry: TournamentEntry) -> Path:
        """Its folder."""
        return self.folder / entry.name

    # ---- The thread that plays ----

    def _play_all(self) -> None:
        while True:
            with self.changed:
                while not self.is_closing and self._next() is None:
                    self.changed.wait()
                entry = self._next()
                if self.is_closing or entry is None:
                    return
                self._tell(entry, state=RUNNING)
            try:
                self._play(entry)
            except GameError as error:
                self._failed(entry, str(error))
            except OSError as error:
                self._failed(entry, f"its games cannot be kept: {error.strerror or type(error).__name__}")
            except Exception as error:  # noqa: BLE001 - one tournament's fault must not end the others
                self._failed(entry, f"a fault of the server: {type(error).__name__}")

    def _next(self) -> TournamentEntry | None:
        """What was being played when the server ended, or else the oldest in line."""
        waiting = [one for one in self.entries.values() if one.state in {QUEUED, RUNNING}]
        return min(waiting, key=lambda one: (one.state == QUEUED, one.created), default=None)

    def _play(self, entry: TournamentEntry) -> None:
        folder = self.folder / entry.name
        with self.changed:
            self._keep(entry)
        with GameJournal.open(folder, entry.plan) as journal, open_pool(self.executor, nice=NICE) as pool:
            known, _ = read_results(folder)
            setup = setup_of(entry.plan, {})
            tournament = Tournament(entry.plan, entry.deals, journal, pool, setup, known, judge_of(entry.plan), stop=entry.stop)
            tournament.watch = self._watcher(entry, tournament)
            outcome = tournament.run()
        entry.decided = outcome.deals
        entry.standings = standings(read_results(folder)[0].only_whole_deals())
        if outcome.reason == "stopped" and not entry.is_cancelled:
            return  # the server ends
        if outcome.reason != "stopped":
            finish(folder)
        with self.changed:
            self._end(entry, ENDINGS.get(outcome.reason, CANCELLED))

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
        self._tell(entry, state=state)
        self._keep(entry)

    def _failed(self, entry: TournamentEntry, problem: str) -> None:
        with self.changed:
            entry.problem = problem
            self._tell(entry, state=FAILED)
            with contextlib.suppress(OSError):
                self._keep(entry)

    def _keep(self, entry: TournamentEntry) -> None:
        """On disk when this returns."""
        path = self.folder / entry.name / ENTRY
        part = path.with_suffix(".part")
        with part.open("w", encoding="utf-8") as file:
            json.dump(entry.to_json(), file, ensure_ascii=False)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)


def read_entry(path: Path) -> TournamentEntry:
    """Raises OSError, ValueError, KeyError or BadJournal."""
    data: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    fields = {name: value for name, value in data.items() if name != "plan"}
    entry = TournamentEntry(**fields, plan=Plan.from_json(data["plan"]))
    if entry.state in OVER:
        with contextlib.suppress(BadJournal, OSError):
            entry.standings = standings(read_results(path.parent)[0].only_whole_deals())
    return entry
