"""A server that ends itself, as kill -9 does, at a step of a change.

`python -m tests.server.matches.launch --crash committed:3 serve …`. The steps, in order: received (a call that changes a match
has come), checked (it may be done, and nothing is written), written (rows are in, and not committed), committed (on disk; nobody
has been told), applied (the table has gone on), answered (the answer is on its way out). The number says which time around;
bots' moves count for all but received and answered.
"""

import os
import signal
import sys
from collections import Counter
from typing import Any

from machiavel.server.cli import main
from machiavel.server.service import app
from machiavel.server.service.config import Config

STEPS = ("received", "checked", "written", "committed", "applied", "answered")


def crash_at(step: str, number: int) -> None:
    """From here on, servers of this process end so."""
    seen: Counter[str] = Counter()
    make = app.Server.__init__

    def watched(name: str) -> None:
        seen[name] += 1
        if name == step and seen[name] == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def init(self: app.Server, config: Config, **settings: Any) -> None:
        make(self, config, step=watched, **settings)

    app.Server.__init__ = init  # type: ignore[method-assign,assignment]


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments[:1] == ["--crash"]:
        name, _, at = arguments[1].partition(":")
        if name not in STEPS:
            raise SystemExit(f"--crash: {name!r} is no step; expected one of {', '.join(STEPS)}")
        crash_at(name, int(at or 1))
        arguments = arguments[2:]
    sys.exit(main(arguments))
