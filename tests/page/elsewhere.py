"""A server in a process of its own, with the games of a folder or of a file besides."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["serving"]


@contextmanager
def serving(*flags: str, path: str = "") -> Iterator[str]:
    """The address of its door; `path` is a folder whose packages it finds."""
    command = [sys.executable, "-m", "machiavel.server.cli", "serve", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0"]
    command += ["--storage", "memory:", "--think", "0.02", "--json", "--log-level", "error", *flags]
    found = os.pathsep.join(filter(None, [path, os.environ.get("PYTHONPATH", "")]))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": found}) as process:
        try:
            assert process.stdout is not None
            yield next(told["web"] for told in map(json.loads, process.stdout) if told["type"] == "listening")
        finally:
            process.kill()
