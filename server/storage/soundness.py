"""Whether a database holds what it says: its pages, how many matches and events there are, how far it has come."""

import sqlite3
from dataclasses import dataclass

from machiavel.server.storage.lock_file import Mark
from machiavel.server.storage.schema import COUNTED, NotOurs, version_of

__all__ = ["ADVICE", "DatabaseStanding", "broken_page_in", "damage_in", "require_all", "standing_of"]

ADVICE = (
    "put back what belongs there, or restore a backup (machiavel restore BACKUP), "
    "or go on with what is left (machiavel restore --what-is-left)"
)


@dataclass(frozen=True)
class DatabaseStanding:
    """Which database it is, and how far it has come."""

    identity: bytes
    commits: int


def standing_of(connection: sqlite3.Connection) -> DatabaseStanding | None:
    """None where it has no tables yet; raises NotOurs where it is something else, or of a newer release."""
    version = version_of(connection)
    if not version:
        return None
    (identity,) = connection.execute("SELECT id FROM identity").fetchone()
    (commits,) = connection.execute("SELECT commits FROM identity").fetchone() if version >= COUNTED else (0,)
    return DatabaseStanding(identity, commits)


def require_all(standing: DatabaseStanding | None, mark: DatabaseStanding | Mark) -> None:
    """Raises NotOurs where it is another database than the one of the mark, or has not come as far."""
    if standing is None:
        raise NotOurs(f"is empty, and {mark.commits} commits were kept there; {ADVICE}")
    if standing.identity != mark.identity:
        raise NotOurs(f"is another database than the one that was served from there; {ADVICE}")
    if standing.commits < mark.commits:
        raise NotOurs(
            f"has lost the last {mark.commits - standing.commits} of its {mark.commits} commits: "
            f"its -wal was removed or cut short, or an older copy was put there; {ADVICE}"
        )


def broken_page_in(connection: sqlite3.Connection) -> str:
    """What is wrong with its pages; empty: nothing. Reads all of them. May raise sqlite3.DatabaseError."""
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found == "ok":
        return ""
    return f"is damaged: {' '.join(found.split())}; put back what belongs there, or restore a backup (machiavel restore BACKUP)"


def damage_in(connection: sqlite3.Connection) -> str:
    """What is wrong with its pages, or with how much it holds; empty: nothing. May raise sqlite3.DatabaseError."""
    if broken := broken_page_in(connection):
        return broken
    if version_of(connection) < COUNTED:
        return ""
    for name in ("matches", "events"):
        (wanted,) = connection.execute(f"SELECT {name} FROM identity").fetchone()  # noqa: S608 - names of ours
        (found,) = connection.execute(f"SELECT count(*) FROM {name}").fetchone()  # noqa: S608
        if found != wanted:
            return f"is damaged: it holds {found} {name} and should hold {wanted}; {ADVICE}"
    return ""
