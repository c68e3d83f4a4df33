"""The client of an earlier release, with nothing of today's beside it, uses today's server."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

from tests.before.artifacts import GAMES, RELEASE
from tests.server.service.hosted import hosted


def test_an_old_client_plays_asks_watches_reviews_and_holds_tournaments(tmp_path: Path) -> None:
    (wheel,) = RELEASE.glob("machiavel_client-*-py3-none-any.whl")
    client = tmp_path / "client"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(client)
    path = os.pathsep.join([str(client), sysconfig.get_path("platlib")])  # -S: what this project has installed there stays out
    with hosted(tournaments=str(tmp_path / "tournaments")) as server:
        done = subprocess.run(
            [sys.executable, "-S", str(Path(__file__).with_name("frontend.py")), server.address, str(client)],
            env={"PYTHONPATH": path, "PYTHONUTF8": "1"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [*GAMES, "refused"]
