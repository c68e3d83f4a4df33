"""Backups of hosted matches: each is replayed before it counts as one."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from machiavel.server.matches.verification import Verification, verify
from machiavel.server.storage import StorageFailed
from machiavel.server.storage.copies import (
    accept,
    commits_acknowledged,
    copy_of,
    lost_since,
    name_finally,
    opened_copy,
    put_in_place,
    renew_identity,
    taken,
)

__all__ = ["Report", "accept_what_is_left", "back_up", "restore"]


@dataclass
class Report:
    """What was copied, or taken as it is."""

    matches: int = 0
    commits: int = 0  # how far the database has come
    lost: int = 0  # commits that were acknowledged there, and are not in it
    aside: Path | None = None  # where a copy of what stood there before is
    problems: list[Verification] = field(default_factory=list)  # matches that are not what they say

    def read(self, path: Path) -> None:
        """Replays every match there; raises StorageFailed."""
        with opened_copy(path) as storage:
            for one in verify(storage):
                self.matches += 1
                if one.problem:
                    self.problems.append(one)


@contextmanager
def part_of(path: Path) -> Iterator[Path]:
    """A name beside the file, for what is not whole yet."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)


def back_up(source: Path, target: Path) -> Report:
    """Copies a database that a server may be writing to into a new file; raises StorageFailed.

    Matches that do not replay are copied as they are, and told; so is what the source has lost.
    """
    if target.exists():
        raise StorageFailed(f"{target}: is there already; expected a new name")
    report = Report()
    mark = commits_acknowledged(source)
    with part_of(target) as part:
        standing = copy_of(source, part)
        report.commits, report.lost = standing.commits, lost_since(mark, standing)
        report.read(part)
        name_finally(part, target)
    return report


def restore(backup: Path, path: Path) -> Report:
    """Puts a backup where a server keeps its matches, while none runs there; raises StorageFailed."""
    report = Report()
    with taken(path) as lock, part_of(path) as part:
        standing = copy_of(backup, part)
        report.commits = standing.commits
        mark = lock.mark()
        if mark is not None and mark.identity == standing.identity:
            report.lost = lost_since(mark, standing)
        report.read(part)
        renew_identity(part)
        report.aside = put_in_place(part, path, lock)
    return report


def accept_what_is_left(path: Path) -> Report:
    """Lets a server start with a database that has lost something; raises StorageFailed where nobody could read it."""
    with taken(path) as lock:
        leftover = accept(path, lock)
        report = Report(lost=leftover.lost, aside=leftover.aside)
        if leftover.standing is not None:
            report.commits = leftover.standing.commits
            report.read(path)
    return report
