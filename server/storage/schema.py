"""The tables of an SQLite file, from version to version."""

import sqlite3

from machiavel.server.storage.contract import Retention

__all__ = ["APPLICATION", "COUNTED", "MIGRATIONS", "NEW", "SHARED", "NotOurs", "migrate", "version_of"]

APPLICATION = 0x4D616368  # "Mach", in the file's header

# What each version adds to the one before. One that has been released is never changed: a change is another one at the end.
MIGRATIONS = (
    """
    CREATE TABLE identity (one INTEGER PRIMARY KEY CHECK (one = 1), id BLOB NOT NULL) STRICT;
    INSERT INTO identity VALUES (1, randomblob(16));
    CREATE TABLE matches (
        match TEXT PRIMARY KEY,
        account TEXT NOT NULL,
        created INTEGER NOT NULL,
        host BLOB NOT NULL,
        code BLOB UNIQUE,
        setup TEXT NOT NULL,
        phase TEXT NOT NULL,
        summary TEXT NOT NULL,
        deleted INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE events (
        match TEXT NOT NULL,
        seq INTEGER NOT NULL,
        time INTEGER NOT NULL,
        data TEXT NOT NULL,
        PRIMARY KEY (match, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE answers (
        match TEXT NOT NULL,
        actor TEXT NOT NULL,
        request BLOB NOT NULL,
        digest BLOB NOT NULL,
        response BLOB NOT NULL,
        PRIMARY KEY (match, actor, request)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE creations (
        account TEXT NOT NULL,
        request BLOB NOT NULL,
        match TEXT NOT NULL,
        PRIMARY KEY (account, request)
    ) STRICT, WITHOUT ROWID;
    """,
    """
    CREATE INDEX matches_of_an_account ON matches (account, created, match);
    CREATE INDEX matches_by_phase ON matches (phase, created, match);
    """,
    # Without what is left of deleted matches, which may be many more than there are others.
    """
    DROP INDEX matches_by_phase;
    CREATE INDEX matches_by_phase ON matches (phase, created, match) WHERE NOT deleted;
    """,
    # How far the database has come, and what it must hold then; how long matches are kept, which a database that is older keeps
    # until they are deleted.
    """
    ALTER TABLE identity ADD COLUMN commits INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE identity ADD COLUMN matches INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE identity ADD COLUMN events INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE identity ADD COLUMN keep_over REAL NOT NULL DEFAULT 0;
    ALTER TABLE identity ADD COLUMN keep_idle REAL NOT NULL DEFAULT 0;
    UPDATE identity SET matches = (SELECT count(*) FROM matches), events = (SELECT count(*) FROM events);
    """,
    # Whose share a match counts for, where there is no account.
    """
    ALTER TABLE matches ADD COLUMN share TEXT NOT NULL DEFAULT '';
    """,
)
COUNTED = 4  # the version from which on commits are counted
SHARED = 5  # the version from which on a match says whose share it counts for
NEW = Retention(over=90.0, idle=90.0)  # of a database that is made


class NotOurs(Exception):
    """The file is something else, or of a newer release; the message says which."""


def version_of(connection: sqlite3.Connection) -> int:
    """The version of its tables, 0 where it has none; raises NotOurs."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application != APPLICATION and (tables or application):
        raise NotOurs("is a database of something else")
    if version > len(MIGRATIONS):
        raise NotOurs(
            f"was written by a newer release (tables of version {version}; this one knows {len(MIGRATIONS)}); "
            "take that release, or a backup from before"
        )
    return int(version)


def migrate(connection: sqlite3.Connection) -> None:
    """Brings the tables to the newest version, step by step, each whole; raises NotOurs."""
    before = version_of(connection)
    for number in range(before, len(MIGRATIONS)):
        steps = f"PRAGMA application_id = {APPLICATION}; {MIGRATIONS[number]} PRAGMA user_version = {number + 1};"
        if number + 1 == COUNTED and (not before or is_unused(connection)):
            steps += f"UPDATE identity SET keep_over = {NEW.over}, keep_idle = {NEW.idle};"  # noqa: S608 - numbers of ours
        try:
            connection.executescript(f"BEGIN IMMEDIATE; {steps} COMMIT;")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def is_unused(connection: sqlite3.Connection) -> bool:
    """Whether it was only begun, by one that was killed before its tables were all there."""
    (matches,) = connection.execute("SELECT count(*) FROM matches").fetchone()
    return not matches
