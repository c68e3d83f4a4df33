"""A page that is closed: `python -m bench.browser` prints how soon the server has ended its search.

Chromium opens a page with an AnalyzeMoves stream, sees three answers, and the page is closed. The server has a single place for
searches, so it answers another question once that search has ended. The time from the closing to that answer bounds the time to
the end from above. The browser's own way of closing a page is part of it.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from bench.service import percentile
from tests.clients.js.pages import pages

__all__ = ["main"]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.browser", description=__doc__)
    parser.add_argument("--times", type=int, default=100, help="pages that are closed, one after another")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder, pages(Path(folder)) as driven:
        took = sorted(driven.drive("closed", times=arguments.times))
    print("| pages | median ms | p95 ms | most ms |\n|--:|--:|--:|--:|")
    print(f"| {len(took)} | {percentile(took, 0.5):.1f} | {percentile(took, 0.95):.1f} | {took[-1]:.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
