"""The pages, their blocks of code, and how what stands in them is run."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.server.service.hosted import Hosted

__all__ = ["DOCS", "ROOT", "blocks", "javascript", "run", "web_url"]

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
TOOLS = Path(sys.executable).parent
NODE = TOOLS.parent / "node"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
USUAL = "http://127.0.0.1:7789"


def blocks(page: Path, language: str) -> list[str]:
    """The blocks of a language on a page, in their order."""
    return [text for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")) if kind == language]


def web_url(server: Hosted) -> str:
    address = server.server.web_address
    assert address is not None
    return address


def run(server: Hosted, *command: str | Path, **environment: str) -> str:
    """What a command prints, run from the root of the repository, with the usual address replaced by the server's."""
    url = web_url(server)
    words = [str(word).replace(USUAL, url) for word in command]
    path = f"{NODE}:{TOOLS}:{os.environ['PATH']}"
    environment = os.environ | {"SERVER": url, "PATH": path} | environment
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr
    return done.stdout


def javascript(server: Hosted, text: str, folder: Path, **environment: str) -> str:
    """What a module prints that imports the client as a stranger has it."""
    packages = folder / "node_modules" / "@machiavel"
    packages.mkdir(parents=True)
    (packages / "client").symlink_to(ROOT / "clients" / "js")
    module = folder / "page.mjs"
    module.write_text(text.replace(USUAL, web_url(server)), encoding="utf-8")
    return run(server, "node", module, **environment)
