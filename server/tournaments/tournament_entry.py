"""A tournament of a server, as it is kept: whose it is, how far it is, what it has used."""

import contextlib
import json
import os
import shutil
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from machiavel.server.journal import BadJournal
from machiavel.server.tournaments.game_journal import GAMES, TIMES, read_results
from machiavel.server.tournaments.plan import Plan
from machiavel.server.tournaments.standings import Standing, standings

__all__ = [
    "CANCELLED",
    "DECIDED",
    "ENTRY",
    "FAILED",
    "OVER",
    "PLAYED",
    "QUEUED",
    "RUNNING",
    "TournamentEntry",
    "bytes_of",
    "keep_entry",
    "read_entry",
    "remove_folder",
    "sync_folder",
]

ENTRY = "tournament.json"
QUEUED, RUNNING, PLAYED, DECIDED, CANCELLED, FAILED = "queued", "running", "played", "decided", "cancelled", "failed"
OVER = {PLAYED, DECIDED, CANCELLED, FAILED}


@dataclass
class TournamentEntry:
    """A tournament of a caller. What is here changes only in the thread that plays, or under the registry's lock."""

    name: str
    caller: str  # whose it is: the name of a token, empty where the server asks for none
    request_id: str
    digest: str  # of the request
    created: int  # nanoseconds of the system's clock, and later than all before
    plan: Plan
    deals: int
    share: str = ""  # whose share it counts for: `caller`, or else an address
    state: str = QUEUED
    decided: int | None = None  # deals
    problem: str = ""
    played: int = 0
    seconds: float = 0.0  # machine time: of each worker the time of its turns
    standings: list[Standing] = field(default_factory=list)
    version: int = 0  # raised when something changes
    stop: threading.Event = field(default_factory=threading.Event)
    is_cancelled: bool = False

    @property
    def games(self) -> int:
        return self.deals * self.plan.schedule.games_a_deal

    def to_json(self) -> dict[str, Any]:
        names = ("name", "caller", "request_id", "digest", "created", "deals", "share", "state", "decided", "problem", "played")
        return {name: getattr(self, name) for name in (*names, "seconds")} | {"plan": self.plan.to_json()}


def keep_entry(folder: Path, entry: TournamentEntry) -> None:
    """On disk when this returns."""
    path = folder / ENTRY
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8") as file:
        json.dump(entry.to_json(), file, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    sync_folder(folder)


def remove_folder(folder: Path) -> None:
    """What says that there is a tournament goes first, and is gone for good. Raises OSError where something is left."""
    (folder / ENTRY).unlink(missing_ok=True)
    if folder.exists():
        sync_folder(folder)
        shutil.rmtree(folder)


def sync_folder(folder: Path) -> None:
    """The names in it are on disk when this returns."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_entry(path: Path) -> TournamentEntry:
    """Raises OSError, ValueError, KeyError, TypeError or BadJournal."""
    data: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    fields = {name: value for name, value in data.items() if name != "plan"}
    entry = TournamentEntry(**fields, plan=Plan.from_json(data["plan"]))
    entry.share = entry.share or entry.caller  # those of 0.1.0 have none
    if entry.state in OVER:
        with contextlib.suppress(BadJournal, OSError):
            entry.standings = standings(read_results(path.parent)[0].only_whole_deals())
    return entry


def bytes_of(folder: Path) -> int:
    """What the games of a tournament take on disk."""
    total = 0
    for name in (GAMES, TIMES):
        with contextlib.suppress(OSError):
            total += (folder / name).stat().st_size
    return total
