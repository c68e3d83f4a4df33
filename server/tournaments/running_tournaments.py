"""Tournaments that have begun and are not over: their journals, and the worker processes that go from one to the next."""

import contextlib
from dataclasses import dataclass
from pathlib import Path

from machiavel.server.tournaments.executors import Pool, pool_of_processes
from machiavel.server.tournaments.finish import judge_of
from machiavel.server.tournaments.game_journal import GameJournal, read_results
from machiavel.server.tournaments.tournament_entry import TournamentEntry
from machiavel.server.tournaments.tournament_run import Tournament, setup_of

__all__ = ["RunningTournaments"]

NICE = 10  # searches for people come first


@dataclass
class Run:
    """A tournament with what it has open."""

    tournament: Tournament
    files: contextlib.ExitStack


class RunningTournaments:
    """Belongs to one thread, with which its processes end."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.folder = folder
        self.workers = workers
        self.runs: dict[str, Run] = {}
        self.spare: Pool | None = None  # workers that have nothing to do

    def begin(self, entry: TournamentEntry) -> Tournament:
        """The tournament, with workers, where it was; raises BadJournal or OSError."""
        run = self.runs.get(entry.name)
        if run is None:
            run = self.runs[entry.name] = self.opened(entry)
        elif not run.tournament.is_parked:
            run.tournament.pool = self.take_workers()
        return run.tournament

    def opened(self, entry: TournamentEntry) -> Run:
        folder = self.folder / entry.name
        with contextlib.ExitStack() as files:
            journal = files.enter_context(GameJournal.open(folder, entry.plan))
            known, _ = read_results(folder)
            setup, judge = setup_of(entry.plan, {}), judge_of(entry.plan)
            pool = self.take_workers()
            try:
                tournament = Tournament(entry.plan, entry.deals, journal, pool, setup, known, judge, stop=entry.stop)
            except BaseException:
                pool.close(now=True)
                raise
            return Run(tournament, files.pop_all())

    def pause(self, entry: TournamentEntry) -> None:
        """After a turn: workers with nothing to do are another's; those in the middle of a game are suspended, and stay."""
        run = self.runs[entry.name]
        if not run.tournament.is_parked:
            self.put_back(run.tournament.pool)

    def end(self, entry: TournamentEntry, *, is_whole: bool) -> None:
        """`is_whole`: its workers have done all they were given. Does nothing where it is not under way."""
        run = self.runs.pop(entry.name, None)
        if run is None:
            return
        if is_whole:
            self.put_back(run.tournament.pool)
        elif run.tournament.pool is not self.spare:
            run.tournament.pool.close(now=True)
        run.files.close()

    def take_workers(self) -> Pool:
        pool, self.spare = self.spare, None
        return pool or pool_of_processes(self.workers, NICE)

    def put_back(self, pool: Pool) -> None:
        if self.spare is None:
            self.spare = pool
        else:
            pool.close(now=True)

    def rest(self) -> None:
        """Ends workers that have nothing to do."""
        pool, self.spare = self.spare, None
        if pool is not None:
            pool.close(now=True)

    def close(self) -> None:
        """Ends all workers, and closes all journals."""
        self.rest()
        for run in self.runs.values():
            run.tournament.pool.close(now=True)
            run.files.close()
        self.runs = {}
