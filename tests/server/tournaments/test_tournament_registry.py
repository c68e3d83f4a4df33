"""Tournaments of several callers: turns, bounds on machine time, disk and number, a restart, standing still."""

import errno
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from machiavel.server.operating_mode import Draining, OperatingMode, ReadOnly
from machiavel.server.shares import CallerLimits, Shares
from machiavel.server.tournaments import tournament_entry, tournament_registry, tournament_run, turn_clock
from machiavel.server.tournaments.caller_turns import CallerTurns
from machiavel.server.tournaments.plan import Plan
from machiavel.server.tournaments.tournament_entry import CANCELLED, FAILED, OVER, PLAYED, QUEUED, RUNNING
from machiavel.server.tournaments.tournament_registry import TooManyTournaments, TournamentBounds, TournamentRegistry
from tests.server.tournaments.running import games_of, make, play, until

ENDLESS = make("whist", ["ismcts:iterations=1000000000", "random"], 2)
LONG = make("whist", ["ismcts:iterations=300", "random"], 2)
SHORT = make("whist", ["greedy", "random"], 2)


@pytest.fixture(autouse=True)
def _short_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_registry, "TURN", 0.3)
    monkeypatch.setattr(tournament_registry, "ROOM_EVERY", 0.1)
    monkeypatch.setattr(turn_clock, "LEAST_TURN", 0.1)
    monkeypatch.setattr(turn_clock, "KEPT_EVERY", 0.1)
    monkeypatch.setattr(tournament_run, "PARKING", 0.1)


@contextmanager
def opened(
    folder: Path,
    *,
    limits: Any = None,
    mode: OperatingMode | None = None,
    told: list[tuple[str, str]] | None = None,
    **bounds: Any,
) -> Iterator[TournamentRegistry]:
    """`told`: what the registry says is wrong with a tournament's folder."""
    lines = [] if told is None else told
    shares, tell = Shares(CallerLimits(limits)), lambda *what: lines.append(what)
    registry = TournamentRegistry(folder, TournamentBounds(**bounds), shares, mode or OperatingMode(), tell=tell)
    registry.open()
    try:
        yield registry
    finally:
        registry.close()


def begin(registry: TournamentRegistry, caller: str, plan: Plan = SHORT, deals: int = 2) -> Any:
    return registry.begin(plan, deals, caller)


def ended(entry: Any) -> None:
    until(lambda: entry.state in OVER, 60)


def test_who_comes_new_is_next_for_one_turn_and_who_comes_back_gains_nothing() -> None:
    turns = CallerTurns(5)
    turns.meet({"anna"})
    turns.charge("anna", 1005)
    turns.meet({"anna", "bert"})
    assert turns.next() == "bert"
    assert turns.is_ahead("anna")
    turns.charge("bert", 9)
    assert not turns.is_ahead("bert")
    assert turns.next() == "anna"
    turns.charge("anna", 5)
    turns.meet({"anna"})
    turns.meet({"anna", "bert"})
    assert turns.seconds == {"anna": 1005, "bert": 1004}
    turns.charge("anna", 500)
    turns.meet({"anna"})
    turns.charge("anna", 500)
    turns.meet({"anna", "bert"})
    assert turns.seconds == {"anna": 2005, "bert": 2000}


def test_a_tournament_whose_games_never_end_keeps_nobody_elses_from_being_played(tmp_path: Path) -> None:
    with opened(tmp_path / "kept") as registry:
        endless = [begin(registry, "anna", ENDLESS, 1000) for _ in range(3)]
        until(lambda: endless[0].seconds > 0.2)
        polite = begin(registry, "bert", SHORT, 3)
        until(lambda: polite.state in OVER, 60)
        assert polite.state == PLAYED
        assert [one.state for one in endless] == [RUNNING, QUEUED, QUEUED]
        play(SHORT, tmp_path / "alone", 3)
        assert games_of(tmp_path / "kept" / polite.name) == games_of(tmp_path / "alone")
        registry.cancel(endless[0])
        assert endless[0].state == CANCELLED


def test_a_long_game_goes_on_after_its_turn_where_it_was(tmp_path: Path) -> None:
    plan = make("whist", ["ismcts:iterations=30000", "random"], 2)
    with opened(tmp_path / "kept") as registry:
        long = begin(registry, "anna", plan, 1)
        other = begin(registry, "bert", ENDLESS, 1)
        until(lambda: long.state in OVER, 120)
        assert long.state == PLAYED
        assert other.seconds > 0.2
        registry.forget(other)
    play(plan, tmp_path / "alone", 1)
    assert games_of(tmp_path / "kept" / long.name) == games_of(tmp_path / "alone")


def test_callers_get_machine_time_alike_however_many_tournaments_each_has(tmp_path: Path) -> None:
    with opened(tmp_path) as registry:
        many = [begin(registry, "anna", ENDLESS, 10) for _ in range(5)]
        one = begin(registry, "bert", ENDLESS, 10)
        until(lambda: one.seconds > 1.0 and sum(entry.seconds for entry in many) > 1.0, 60)
        assert 0.3 < one.seconds / sum(entry.seconds for entry in many) < 3


def test_machine_time_is_bounded_and_what_was_used_survives_a_restart(tmp_path: Path) -> None:
    hours = 1.2 / 3600
    with opened(tmp_path, hours=hours) as registry:
        entry = begin(registry, "anna", ENDLESS, 10)
        until(lambda: entry.seconds > 0.4)
    with opened(tmp_path, hours=hours) as registry:
        again = registry.entry(entry.name, "anna")
        assert again.seconds >= 0.3
        until(lambda: again.state in OVER, 30)
        assert again.state == FAILED
        assert "has used its machine time" in again.problem
        assert registry.unfinished == 0
        assert begin(registry, "anna").state == QUEUED


def test_room_on_disk_is_bounded(tmp_path: Path) -> None:
    with opened(tmp_path, megabytes=1) as registry:
        entry = begin(registry, "anna", SHORT, 10_000)
        until(lambda: entry.state in OVER, 120)
        assert entry.state == FAILED
        assert "more than 1 MiB" in entry.problem
        assert (tmp_path / entry.name / "games.jsonl").stat().st_size < 8 << 20


def test_how_many_are_in_line_and_how_many_are_kept_is_shared_between_callers(tmp_path: Path) -> None:
    with opened(tmp_path, queue=4, kept=6, limits={"carl": {"tournaments": 1}}) as registry:
        mine = [begin(registry, "anna", ENDLESS, 5) for _ in range(3)]
        with pytest.raises(TooManyTournaments, match="when one is over") as raised:
            begin(registry, "anna")
        assert (raised.value.limit, raised.value.most, raised.value.own) == ("tournaments", 4, 3)
        assert raised.value.retry_after
        ended(begin(registry, "bert"))
        for one in mine:
            registry.cancel(one)
        ended(begin(registry, "anna"))
        with pytest.raises(TooManyTournaments, match="when one is deleted") as raised:
            begin(registry, "anna")
        assert raised.value.limit == "tournaments_kept"
        registry.forget(mine[0])
        begin(registry, "carl", ENDLESS, 5)
        with pytest.raises(TooManyTournaments) as raised:
            begin(registry, "carl")
        assert raised.value.limit == "callers.carl.tournaments"


def test_after_a_restart_what_is_kept_counts_and_callers_take_turns_again(tmp_path: Path) -> None:
    with opened(tmp_path, queue=4) as registry:
        endless = begin(registry, "anna", ENDLESS, 5)
        until(lambda: endless.state == RUNNING)
        polite = begin(registry, "bert", LONG, 20)
    with opened(tmp_path, queue=4) as registry:
        assert registry.in_line.taken == {"anna": 1, "bert": 1}
        assert registry.kept.taken == {"anna": 1, "bert": 1}
        until(lambda: registry.entry(polite.name, "bert").state == PLAYED, 60)


def test_one_that_was_cancelled_while_it_was_suspended_ends_at_once(tmp_path: Path) -> None:
    with opened(tmp_path) as registry:
        first, second = begin(registry, "anna", ENDLESS, 5), begin(registry, "bert", ENDLESS, 5)
        until(lambda: first.seconds > 0.1 and second.seconds > 0.1, 60)
        for one in (first, second):
            registry.cancel(one)
            assert one.state == CANCELLED
        assert len(multiprocessing.active_children()) <= 1  # workers that wait for another


def test_a_registry_that_is_read_only_writes_nothing_and_goes_on_afterwards(tmp_path: Path) -> None:
    mode = OperatingMode()
    with opened(tmp_path, mode=mode) as registry:
        entry = begin(registry, "anna", LONG, 500)
        until(lambda: entry.played > 0)
        mode.read_only = True
        registry.settle()
        stood = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
        for refused in (lambda: begin(registry, "anna"), lambda: registry.cancel(entry), lambda: registry.forget(entry)):
            with pytest.raises(ReadOnly):
                refused()
        time.sleep(0.5)
        assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == stood
        mode.read_only, played = False, entry.played
        registry.settle()
        until(lambda: entry.played > played)
        mode.draining = True
        with pytest.raises(Draining):
            begin(registry, "anna")
        registry.cancel(entry)


ABANDONED = """
import sys, time
from tests.server.tournaments.suspended import suspended_pool
pool = suspended_pool()
print(*(worker.pid for worker in pool.workers), flush=True)
time.sleep(60)
"""


def state_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a suspended process outlives its parent")
def test_suspended_workers_end_with_a_process_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", ABANDONED], stdout=subprocess.PIPE, text=True) as parent:
        try:
            assert parent.stdout is not None
            worker = int(parent.stdout.readline())
            until(lambda: state_of(worker) == "T", 30)
        finally:
            parent.send_signal(signal.SIGKILL)
        until(lambda: state_of(worker) in {"", "Z"}, 30)


def test_a_line_that_others_have_filled_has_a_place_for_who_has_nothing_there(tmp_path: Path) -> None:
    with opened(tmp_path, queue=2) as registry:
        entries = [begin(registry, f"caller {number}", ENDLESS, 5) for number in range(3)]
        polite = begin(registry, "bert", SHORT, 2)
        ended(polite)
        with pytest.raises(TooManyTournaments):
            begin(registry, "caller 0")
        for one in entries:
            registry.cancel(one)


# ---- A folder that fails ----


class FullDisk:
    """Nothing can be written while `is_full`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_full = False
        keep = tournament_entry.keep_entry

        def kept(folder: Path, entry: tournament_entry.TournamentEntry) -> None:
            if self.is_full:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            keep(folder, entry)

        monkeypatch.setattr(tournament_registry, "keep_entry", kept)


def test_a_tournament_stands_still_while_the_disk_is_full_and_then_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, told = FullDisk(monkeypatch), list[tuple[str, str]]()
    with opened(tmp_path / "kept", told=told) as registry:
        entry = begin(registry, "anna", LONG, 6)
        until(lambda: entry.played > 0)
        disk.is_full = True
        until(lambda: len(told) >= 2)
        assert entry.state == RUNNING
        disk.is_full = False
        ended(entry)
        assert entry.state == PLAYED
    assert told[0] == (entry.name, f"cannot be kept just now: {os.strerror(errno.ENOSPC)}")
    play(LONG, tmp_path / "alone", 6)
    assert games_of(tmp_path / "kept" / entry.name) == games_of(tmp_path / "alone")


def test_a_tournament_that_finds_no_room_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = FullDisk(monkeypatch)
    with opened(tmp_path, kept=1) as registry:
        disk.is_full = True
        for _ in range(3):
            with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
                begin(registry, "anna")
        assert list(tmp_path.iterdir()) == []
        disk.is_full = False
        ended(begin(registry, "anna"))


def test_a_tournament_whose_folder_cannot_be_removed_whole_does_not_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stuck(_: Path) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with opened(tmp_path) as registry:
        entry = begin(registry, "anna")
        ended(entry)
        with monkeypatch.context() as patch:
            patch.setattr(shutil, "rmtree", stuck)
            with pytest.raises(OSError, match=os.strerror(errno.EIO)):
                registry.forget(entry)
    with opened(tmp_path) as registry:
        assert registry.of(None) == []


def test_what_could_not_be_removed_is_when_it_is_asked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stuck(_: Path) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with opened(tmp_path) as registry:
        entry = begin(registry, "anna")
        ended(entry)
        with monkeypatch.context() as patch:
            patch.setattr(shutil, "rmtree", stuck)
            with pytest.raises(OSError, match=os.strerror(errno.EIO)):
                registry.forget(entry)
        assert registry.entry(entry.name, "anna") is entry
        registry.forget(entry)
        assert list(tmp_path.iterdir()) == []
        assert registry.of(None) == []


def test_nothing_is_removed_once_the_registry_is_read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mode = OperatingMode()
    with opened(tmp_path, mode=mode) as registry:
        entry = begin(registry, "anna")
        ended(entry)
        cancel = registry.cancel

        def cancelled(one: tournament_entry.TournamentEntry) -> None:
            cancel(one)
            mode.read_only = True

        monkeypatch.setattr(registry, "cancel", cancelled)
        with pytest.raises(ReadOnly):
            registry.forget(entry)
        assert (tmp_path / entry.name / tournament_entry.ENTRY).exists()


def test_a_tournament_that_cannot_be_read_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "0123456789abcdef").mkdir()
    (tmp_path / "0123456789abcdef" / tournament_entry.ENTRY).write_text("{}")
    told = list[tuple[str, str]]()
    with opened(tmp_path, told=told) as registry:
        assert registry.of(None) == []
    ((name, problem),) = told
    assert name == "0123456789abcdef"
    assert "cannot be read" in problem


def test_a_tournament_kept_before_there_were_shares_counts_for_its_caller(tmp_path: Path) -> None:
    with opened(tmp_path) as registry:
        entry = begin(registry, "anna")
        ended(entry)
    path = tmp_path / entry.name / tournament_entry.ENTRY
    data = json.loads(path.read_text())
    del data["share"]
    path.write_text(json.dumps(data))
    with opened(tmp_path) as registry:
        assert registry.entry(entry.name, "anna").share == "anna"
