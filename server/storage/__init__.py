"""Where hosted matches are kept: one narrow interface, and what stands behind it."""

from machiavel.server.storage.contract import (
    Answer,
    Conflict,
    Event,
    Header,
    Last,
    Step,
    Storage,
    StorageFailed,
    Stored,
    Write,
    no_step,
)
from machiavel.server.storage.memory import MemoryStorage
from machiavel.server.storage.places import BadPlace, open_storage, usual_place
from machiavel.server.storage.sqlite import SqliteStorage
from machiavel.server.storage.writer import Store

__all__ = [
    "Answer",
    "BadPlace",
    "Conflict",
    "Event",
    "Header",
    "Last",
    "MemoryStorage",
    "SqliteStorage",
    "Step",
    "Storage",
    "StorageFailed",
    "Store",
    "Stored",
    "Write",
    "no_step",
    "open_storage",
    "usual_place",
]
