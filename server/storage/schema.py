"""The tables of an SQLite file, from version to version."""

import sqlite3

__all__ = ["APPLICATION", "MIGRATIONS", "NotOurs", "migrate", "version_of"]

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
)


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
        raise NotOurs(f"was written by a newer release (tables of version {version}; this one knows {len(MIGRATIONS)})")
    return int(version)


def migrate(connection: sqlite3.Connection) -> None:
    """Brings the tables to the newest version, step by step, each whole; raises NotOurs."""
    for number in range(version_of(connection), len(MIGRATIONS)):
        steps = f"PRAGMA application_id = {APPLICATION}; {MIGRATIONS[number]} PRAGMA user_version = {number + 1};"
        try:
            connection.executescript(f"BEGIN IMMEDIATE; {steps} COMMIT;")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
