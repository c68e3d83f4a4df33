"""Where hosted matches are kept: one narrow interface, and what stands behind it."""

from machiavel.server.storage.async_storage import AsyncStorage
from machiavel.server.storage.contract import (
    Conflict,
    Event,
    Header,
    LastActivity,
    Retention,
    SavedResponse,
    Step,
    Storage,
    StorageDenied,
    StorageFailed,
    StoredMatch,
    Write,
    no_step,
)
from machiavel.server.storage.memory import MemoryStorage
from machiavel.server.storage.places import BadPlace, open_storage, usual_place
from machiavel.server.storage.sqlite import SqliteStorage

__all__ = [
    "AsyncStorage",
    "BadPlace",
    "Conflict",
    "Event",
    "Header",
    "LastActivity",
    "MemoryStorage",
    "Retention",
    "SavedResponse",
    "SqliteStorage",
    "Step",
    "Storage",
    "StorageDenied",
    "StorageFailed",
    "StoredMatch",
    "Write",
    "no_step",
    "open_storage",
    "usual_place",
]
