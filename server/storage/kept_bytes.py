"""About how many bytes the matches of each caller take."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from machiavel.server.storage.contract import Event, SavedResponse, Write

__all__ = ["CALLER", "MATCH", "counted", "put_on", "size_of_write", "size_of_writes", "take_off"]

# What a row takes besides its text: keys, digests, pages that are not full.
MATCH, EVENT, ANSWER = 600, 80, 200
SIZES = """
    SELECT match, length(CAST(setup AS BLOB)) + 600 AS size FROM matches WHERE NOT deleted
    UNION ALL SELECT match, length(CAST(data AS BLOB)) + 80 FROM events
    UNION ALL SELECT match, length(response) + 200 FROM answers
"""
CALLER = "iif(share = '', account, share)"
ALL = f"SELECT {CALLER}, sum(size) FROM ({SIZES}) JOIN matches USING (match) GROUP BY 1"  # noqa: S608
ONE = f"SELECT coalesce(sum(size), 0) FROM ({SIZES}) WHERE match = ?"  # noqa: S608


def size_of_write(one: Write) -> int:
    """What it adds; nothing is taken off for a deletion."""
    setup = 0 if one.header is None else len(one.header.setup.encode()) + MATCH
    answers = [answer for answer in (one.answer, one.creation) if answer is not None]
    return setup + size_of_writes(one.events, answers)


def size_of_writes(events: Iterable[Event], answers: Sequence[SavedResponse]) -> int:
    return sum(len(event.data.encode()) + EVENT for event in events) + sum(len(one.response) + ANSWER for one in answers)


def take_off(connection: sqlite3.Connection, match: str, sizes: Counter[str]) -> None:
    """What a match takes that is about to be removed."""
    put_on(connection, match, sizes, -1)


def put_on(connection: sqlite3.Connection, match: str, sizes: Counter[str], times: int = 1) -> None:
    """What a match takes as it is now."""
    row = connection.execute(f"SELECT {CALLER} FROM matches WHERE match = ?", (match,)).fetchone()  # noqa: S608
    if row is not None:
        sizes[row[0]] += times * connection.execute(ONE, (match,)).fetchone()[0]


def counted(connection: sqlite3.Connection) -> Counter[str]:
    """By caller; reads all that is kept."""
    return Counter({caller: int(size) for caller, size in connection.execute(ALL)})
