"""What tests build once: for all processes of a run, and for later runs as long as nothing it is made of changes."""

import fcntl
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path

from tests.packaging.project import ROOT, page_files, project_files

__all__ = ["made_once"]

BUILDS = ROOT / "build" / "for-tests"
TOOLS = ("build", "Cython", "grpcio-tools", "mypy-protobuf", "numpy", "setuptools")


def made_once(name: str, folders: Iterable[str], make: Callable[[Path], object]) -> Path:
    """The folder that `make` fills from these folders of the project and the files on top of it.

    The first process that asks makes it, and the others wait. It is kept until a file or a tool is another.
    """
    BUILDS.mkdir(parents=True, exist_ok=True)
    with (BUILDS / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder = BUILDS / f"{name}-{digest(folders)}"
        if not folder.exists():
            for old in BUILDS.glob(f"{name}-*"):
                shutil.rmtree(old)
            unfinished = BUILDS / f"{name}-unfinished"
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(folder)
    return folder


def digest(folders: Iterable[str]) -> str:
    """Of every file, every name of a file, and every tool that a build depends on."""
    compiler = subprocess.run(["gcc", "--version"], check=True, capture_output=True, text=True).stdout
    result = hashlib.sha256(repr((sys.version, compiler, [(tool, version(tool)) for tool in TOOLS])).encode())
    for path in [*project_files(), *(ROOT / name for name in page_files())]:
        place = path.relative_to(ROOT)
        if len(place.parts) == 1 or place.parts[0] in folders:
            result.update(repr((str(place), path.read_bytes())).encode())
    return result.hexdigest()
