"""Which storage a text such as `sqlite:///FILE` means."""

import os
from collections.abc import Mapping
from pathlib import Path

from machiavel.server.storage.contract import Step, Storage, no_step
from machiavel.server.storage.memory import MemoryStorage
from machiavel.server.storage.sqlite import SqliteStorage

__all__ = ["MEMORY", "BadPlace", "open_storage", "path_of", "usual_place"]

SQLITE, MEMORY = "sqlite:///", "memory:"


class BadPlace(Exception):
    """The text means no storage."""


def usual_place(environment: Mapping[str, str] | None = None) -> str:
    """Where matches are kept where nobody says: in the user's folder for what programs remember."""
    environment = os.environ if environment is None else environment
    state = environment.get("XDG_STATE_HOME", "")
    folder = Path(state) if Path(state).is_absolute() else Path.home() / ".local" / "state"
    return f"{SQLITE}{folder / 'machiavel' / 'matches.sqlite3'}"


def path_of(text: str) -> Path | None:
    """The file that a text means, None for memory; raises BadPlace."""
    if text == MEMORY:
        return None
    if not text.startswith(SQLITE) or not text.removeprefix(SQLITE) or "\0" in text:
        raise BadPlace(f"is {text!r}; expected sqlite:///FILE or memory:")
    return Path(text.removeprefix(SQLITE))


def open_storage(text: str, step: Step = no_step) -> Storage:
    """Raises BadPlace, or StorageFailed where it cannot be had."""
    path = path_of(text)
    return MemoryStorage(step) if path is None else SqliteStorage(path, step)
