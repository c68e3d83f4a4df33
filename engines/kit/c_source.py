"""Machine code by way of GCC, for where llvmlite is missing."""

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from machiavel.engines.kit.c_writer import CWriter
from machiavel.engines.kit.lowered_playouts import PlayoutLoop, write_playout
from machiavel.engines.kit.lowering import lower
from machiavel.engines.kit.missing_compiler import MissingCompiler
from machiavel.engines.kit.program import Program

__all__ = ["c_text", "compile_shared", "gcc_version", "load_shared"]

# Integers that overflow unseen wrap around, as in LLVM; floats are never contracted: the same bytes on every machine.
OPTIONS = "-x c -O2 -shared -fPIC -fwrapv -fno-strict-aliasing -ffp-contract=off -fvisibility=hidden -w".split()
SECONDS = 120


@cache
def gcc() -> str:
    path = shutil.which(os.environ.get("CC") or "gcc")
    if path is None:
        raise MissingCompiler("no gcc is found on the PATH")
    return path


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [gcc(), *arguments]
    try:
        return subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=SECONDS)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingCompiler(f"{gcc()} cannot be run: {error}") from error


@cache
def gcc_version() -> str:
    """What an object depends on besides the text."""
    told = run("-dumpfullversion", "-dumpmachine")
    if told.returncode:
        raise MissingCompiler(f"{gcc()} does not work: {told.stderr.strip()}")
    return " ".join(["gcc", *told.stdout.split()])


def header() -> str:
    return (Path(__file__).parent / "kit_call.h").read_text(encoding="utf-8")


def c_text(program: Program, loop: PlayoutLoop | None = None) -> str:
    """The header is part of it, so that no compiler looks for files."""
    writer = CWriter(program)
    lower(program, writer)
    if loop is not None:
        write_playout(program, writer, loop)
    return writer.text().replace('#include "kit_call.h"', header())


def compile_shared(text: str) -> bytes:
    with tempfile.TemporaryDirectory(prefix="machiavel-kit-") as folder:
        made = Path(folder) / "functions.so"
        told = run(*OPTIONS, "-o", str(made), "-", text=text)
        if told.returncode:
            raise MissingCompiler(f"gcc cannot compile: {told.stderr.strip()[:500]}")
        return made.read_bytes()


def load_shared(image: bytes, names: Sequence[str]) -> tuple[dict[str, int], object]:
    """The addresses of functions, and what keeps them there.

    A file of a name never used before is loaded and goes at once: what lies in the cache may be replaced while it runs.
    """
    with tempfile.TemporaryDirectory(prefix="machiavel-kit-") as folder:
        file = Path(folder) / "functions.so"
        file.write_bytes(image)
        try:
            library = ctypes.CDLL(str(file))
        except OSError as error:
            raise MissingCompiler(f"what gcc made cannot be loaded: {error}") from error
    return {name: ctypes.cast(library[f"kit_{name}"], ctypes.c_void_p).value or 0 for name in names}, library
