"""A server in a process of its own."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.server.cli.command import COMMAND, environment


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[str, Any]]:
    """The address of a server in a process of its own, and the process."""
    command = [*COMMAND, "serve", "--listen", "127.0.0.1:0", "--json", "--log-level", "error", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())["address"], process
        finally:
            process.kill()
