"""Pages of two origins with the client in JavaScript, for Chromium."""

import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.clients.js.programs import ENVIRONMENT, NODE, PACKAGE
from tests.packaging.project import ROOT
from tests.server.service.hosted import Hosted, hosted

__all__ = ["Pages", "pages"]

GUIDE = ROOT / "docs" / "javascript.md"
# As strict as a page can be: what the client needs beyond that would be found here.
POLICY = "default-src 'none'; script-src 'self'; connect-src http:; require-trusted-types-for 'script'; trusted-types 'none'"
PAGE = f'''<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>page</title><body><script type="module" src="bundle.js"></script></body>'''
HTML = re.compile(r"^```html\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SCRIPT = re.compile(r"^```js\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BROWSER = PACKAGE / "dist" / "browser.js"
ENTRY = 'import * as machiavel from "{}";\nglobalThis.machiavel = machiavel;\n'


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing of it."""

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
        pass


class Pages:
    """Pages of an origin that may call a server, and of one that may not."""

    def __init__(self, server: Hosted, allowed: str, foreign: str) -> None:
        self.server = server
        self.allowed = allowed
        self.foreign = foreign

    def drive(self, mode: str, **more: Any) -> Any:
        """What Chromium saw."""
        chromium = shutil.which("chromium")
        assert chromium is not None, "expected Debian's Chromium: apt install chromium"
        places = {"chromium": chromium, "door": self.server.server.web_address, "allowed": self.allowed, "foreign": self.foreign}
        done = subprocess.run(
            [NODE, PACKAGE / "test" / "chromium.js", mode, json.dumps(places | more)],
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@contextmanager
def pages(folder: Path) -> Iterator[Pages]:
    """Pages out of a folder, and a server with room for one search."""
    (folder / "page.html").write_text(PAGE, encoding="utf-8")
    bundle(folder, "bundle.js", ENTRY.format(BROWSER))
    with ExitStack() as stack:
        allowed, foreign = (stack.enter_context(origin(folder)) for _ in range(2))
        server = stack.enter_context(hosted(think=0.02, web="127.0.0.1:0", web_origins=allowed, searches=1, queue=1))
        put_guide(folder, server)
        yield Pages(server, allowed, foreign)


def put_guide(folder: Path, server: Hosted) -> None:
    """The page of the guide, with the address of this server and bots that play at once."""
    (page,) = HTML.findall(GUIDE.read_text(encoding="utf-8"))
    (script,) = SCRIPT.findall(GUIDE.read_text(encoding="utf-8"))
    assert server.server.web_address is not None
    for written, meant in {
        "http://127.0.0.1:7789": server.server.web_address,
        '"@machiavel/client"': json.dumps(str(BROWSER)),
        '"level2"': '"greedy"',
        "thinkMs: 300": "thinkMs: 20",
    }.items():
        assert written in script
        script = script.replace(written, meant)
    (folder / "index.html").write_text(page, encoding="utf-8")
    bundle(folder, "table.js", script)


def bundle(folder: Path, name: str, source: str) -> None:
    (folder / "entry.js").write_text(source, encoding="utf-8")
    command = [NODE, PACKAGE / "scripts" / "bundle.js", folder / "entry.js", folder / name]
    subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True, timeout=120)


@contextmanager
def origin(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
