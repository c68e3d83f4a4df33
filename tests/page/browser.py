"""Chromium at the page, driven by `page/test/browser/cases.js`."""

import json
import shutil
import subprocess
from typing import Any

from tests.clients.js.programs import ENVIRONMENT, NODE
from tests.packaging.project import ROOT

__all__ = ["driven"]

FOLDER = ROOT / "page" / "test" / "browser"


def driven(case: str, address: str = "", **more: Any) -> Any:
    """What a case saw; `address` is the door's."""
    chromium = shutil.which("chromium")
    assert chromium is not None, "expected Debian's Chromium: apt install chromium"
    given = {"chromium": chromium, "address": address} | more
    done = subprocess.run(
        [NODE, FOLDER / "cases.js", case, json.dumps(given)],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
