"""How long matches are kept where nobody says so: ninety days in a new file, for ever in one that was there before."""

from pathlib import Path

import pytest

from machiavel.clients import connect
from machiavel.server.cli.serve import kept_for
from machiavel.server.service.config import Config
from machiavel.server.storage import MemoryStorage, Retention, SqliteStorage
from machiavel.v1 import ListMatchesRequest, ListMatchesResponse
from tests.before.artifacts import copied
from tests.server.service.hosted import hosted

DAY = 86400


def told(**settings: object) -> tuple[float, float]:
    """What the list of matches says, in days, and then the limits, which must be the same."""
    with hosted(**settings) as server, connect(server.address) as service:
        listed: ListMatchesResponse = service.matches.ListMatches(ListMatchesRequest())
        limits = service.server_info().limits
        for name in ("keep_over", "keep_idle"):
            assert listed.HasField(name) == limits.HasField(name)
            assert getattr(listed, name) == getattr(limits, name)
        return listed.keep_over.ToSeconds() / DAY, listed.keep_idle.ToSeconds() / DAY


def test_a_new_file_keeps_matches_for_ninety_days_and_says_so(tmp_path: Path) -> None:
    place = f"sqlite:///{tmp_path / 'matches.sqlite3'}"
    assert told(storage=place) == (90, 90)
    assert told(storage=place, keep_idle=0) == (90, 0)
    assert told(storage=place, keep_over=7) == (7, 90)
    assert told(storage=place) == (90, 90)  # a flag is for one run


def test_a_file_of_an_earlier_release_keeps_them_until_they_are_deleted(tmp_path: Path) -> None:
    place = f"sqlite:///{copied('matches.sqlite3', tmp_path)}"
    for _ in range(2):
        assert told(storage=place) == (0, 0)
    assert told(storage=place, keep_over=30) == (30, 0)


def test_memory_removes_nothing_by_itself() -> None:
    assert MemoryStorage().retention() == Retention(0, 0)


def test_it_is_kept_in_the_file(tmp_path: Path) -> None:
    storage = SqliteStorage(tmp_path / "matches.sqlite3")
    assert storage.retention() == Retention(90, 90)
    storage.close()


@pytest.mark.parametrize(
    ("over", "idle", "text"),
    [
        (90.0, 90.0, "Matches are removed 90 days after their end or 90 days after their last event (--keep-over, --keep-idle)"),
        (0.0, 1.5, "Matches are removed 1.5 days after their last event (--keep-over, --keep-idle)"),
        (0.0, 0.0, ""),
        (None, None, ""),
    ],
)
def test_it_is_said_when_the_server_starts(over: float | None, idle: float | None, text: str) -> None:
    assert kept_for(Config(keep_over=over, keep_idle=idle)) == text
