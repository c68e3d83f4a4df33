"""Whether a database holds what it says: its pages, how many matches and events there are, how far it has come."""

import shlex
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from machiavel.server.storage.lock_file import Mark
from machiavel.server.storage.rescue import saved_copies
from machiavel.server.storage.schema import COUNTED, NotOurs, version_of

__all__ = [
    "DataLost",
    "DatabaseStanding",
    "broken_page_in",
    "damage_in",
    "require_all",
    "restoring",
    "standing_of",
    "told_damage",
    "ways_on",
]


class DataLost(NotOurs):
    """It has not all that it should have; whoever tells that adds `ways_on`."""


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
    """Raises DataLost where it is another database than the one of the mark, or has not come as far."""
    if not mark.commits:
        return
    if standing is None:
        raise DataLost(f"is empty, and {mark.commits} commits were kept there")
    if standing.identity != mark.identity:
        raise DataLost("is another database than the one that was served from there")
    if standing.commits < mark.commits:
        raise DataLost(
            f"has lost the last {mark.commits - standing.commits} of its {mark.commits} commits: "
            f"its -wal was removed or cut short, or an older copy was put there"
        )


def broken_page_in(connection: sqlite3.Connection) -> str:
    """What is wrong with its pages; empty: nothing. Reads all of them. May raise sqlite3.DatabaseError."""
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found == "ok":
        return ""
    return f"is damaged: {' '.join(found.split())}"


def damage_in(connection: sqlite3.Connection) -> str:
    """What is wrong with its pages, or with how much it holds; empty: nothing. May raise sqlite3.DatabaseError."""
    return broken_page_in(connection) or miscount_in(connection)


def miscount_in(connection: sqlite3.Connection) -> str:
    if version_of(connection) < COUNTED:
        return ""
    for name in ("matches", "events"):
        (wanted,) = connection.execute(f"SELECT {name} FROM identity").fetchone()  # noqa: S608 - names of ours
        (found,) = connection.execute(f"SELECT count(*) FROM {name}").fetchone()  # noqa: S608
        if found != wanted:
            return f"is damaged: it holds {found} {name} and should hold {wanted}"
    return ""


def told_damage(connection: sqlite3.Connection, path: Path) -> str:
    """What is wrong with it, and what leads on from there; empty: nothing. May raise sqlite3.DatabaseError."""
    if broken := broken_page_in(connection):
        return f"{broken}; {ways_on(path, with_the_rest=False)}"
    damage = miscount_in(connection)
    return damage and f"{damage}; {ways_on(path)}"


def ways_on(path: Path, *, with_the_rest: bool = True) -> str:
    """What an operator can do about a database that has lost something, in commands to be typed as they are."""
    ways = ["put back what belongs there", f"restore a backup ({restoring(path, 'BACKUP')})"]
    if saved := saved_copies(path):
        ways.insert(0, f"restore what the server saved when it was taken away ({restoring(path, saved[0])})")
    elif with_the_rest:
        ways.append(f"go on with what is left ({restoring(path, '--what-is-left')})")
    return ", or ".join(ways)


def restoring(path: Path, what: str | Path) -> str:
    """The command that puts something in the place of a database."""
    return f"machiavel restore {shlex.quote(str(what))} --storage {shlex.quote(f'sqlite:///{path}')}"
