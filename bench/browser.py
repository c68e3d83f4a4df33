"""A page that is closed: `python -m bench.browser` prints how soon the server has ended its search.

Chromium opens a page with an AnalyzeMoves stream, sees three answers, and the page is closed. The server has a single place for
searches, so it answers another question once that search has ended. The time to that answer bounds the time to
the end from above. It is told from the call of `page.close()` on, and from Chromium's word that the page is closed.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

from bench.service import percentile
from machiavel.server.web.context import WebContext
from tests.clients.js.pages import pages

__all__ = ["main"]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.browser", description=__doc__)
    parser.add_argument("--times", type=int, default=100, help="pages that are closed, one after another")
    arguments = parser.parse_args(argv)
    known: list[float] = []
    lost = WebContext.lost

    def noted(context: WebContext) -> None:
        known.append(1000 * time.time())
        lost(context)

    with tempfile.TemporaryDirectory() as folder, pages(Path(folder)) as driven, patch.object(WebContext, "lost", noted):
        closed = driven.drive("closed", times=arguments.times)
    learned = [min(at for at in known if at >= began) - began for began, _, _ in closed]
    gone = [end - began for began, end, _ in closed]
    took = [answered - began for began, _, answered in closed]
    after = [max(0.0, answered - end) for _, end, answered in closed]
    rest = [whole - part for whole, part in zip(took, learned, strict=True)]
    print("| ms | median | p95 | most |\n|---|--:|--:|--:|")
    for name, values in {
        "until the server knows": learned,
        "from then on": rest,
        "together": took,
        "until the page is closed": gone,
        "from closed to ended": after,
    }.items():
        print(f"| {name} | {percentile(values, 0.5):.1f} | {percentile(values, 0.95):.1f} | {max(values):.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
