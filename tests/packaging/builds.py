"""What a test run builds once, however many processes it has."""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

__all__ = ["made_once"]


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder that `make` fills: the first process of the run that asks makes it, and the others wait."""
    base = factory.getbasetemp()
    # The processes of a run have folders of their own, side by side.
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, unfinished = shared / name, shared / f"{name}-unfinished"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(folder)
    return folder
