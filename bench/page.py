"""What the browser table costs: `python -m bench.page` prints a Markdown table; exit code 1 where a bound is broken.

A server of its own on loopback, Debian's Chromium, and people alone at the table, whom this machine plays.

- Bytes are those of a first visit as they were transferred, headers included: files and answers.
- The wait until a move is seen begins when the server has written the move. It ends when a frame with something new is on
  the screen. Both clocks are this machine's. Each move comes to a page at rest.
- Nobody touches the page while it is watched, so no shift of its layout is let off as an answer to input.
- The trace is of moves with full motion.

The clock tells little on a machine that has other work.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bench.service import percentile
from machiavel.engines import load
from tests.page.browser import driven
from tests.page.elsewhere import serving

__all__ = ["ANIMATED", "BYTES", "CLS", "PageFigure", "main"]

BYTES = 150_000
SEEN_MS = 100
CLS = 0.02
TASK_MS = 50
SCRIPT_MS = 4
ANIMATED = {"transform", "opacity"}
TABLES = (("agency", 4), ("whist", 2), ("whist", 4))
LOOKS = ("desktop", "phone")
PARTS = ("bytes", "pace", "shifts", "trace")


@dataclass(frozen=True)
class PageFigure:
    what: str
    figure: str
    bound: str
    holds: bool
    more: str = ""

    def __str__(self) -> str:
        return f"| {self.what} | {self.figure} | {self.bound} | {'yes' if self.holds else '**no**'} | {self.more} |"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.page", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", help=f"some of {', '.join(PARTS)}; all of them unless named")
    parser.add_argument("--game", choices=sorted({game for game, _ in TABLES}), help="this game alone")
    parser.add_argument("--look", choices=LOOKS, help="this window alone")
    parser.add_argument("--seconds", type=float, default=40, help="how long moves are waited for at each table (40)")
    parser.add_argument("--moves", type=int, default=12, help="moves in the trace of each table (12)")
    arguments = parser.parse_args(argv)
    if unknown := set(arguments.parts) - set(PARTS):
        parser.error(f"{', '.join(sorted(unknown))}: expected some of {', '.join(PARTS)}")
    print("| what | figure | at most | holds | more |\n|---|--:|--:|---|---|")
    broken = 0
    with serving() as address:
        for row in rows(arguments, address):
            print(row, flush=True)
            broken += not row.holds
    print(f"\nresult: {broken} bounds broken")
    return int(broken > 0)


def rows(arguments: argparse.Namespace, address: str) -> Iterator[PageFigure]:
    parts = arguments.parts or PARTS
    tables = [table for table in TABLES if arguments.game in {None, table[0]}]
    looks = [look for look in LOOKS if arguments.look in {None, look}]
    if "bytes" in parts:
        for game in dict.fromkeys(game for game, _ in tables):
            yield first_view(game, driven("bytes", address, title=str(load(game).plugin.titles["en"])))
    for game, players in tables:
        for look in looks:
            where = {"game": game, "players": players, "look": look}
            name = f"{game}, {players} seats, {look}"
            if "pace" in parts:
                yield seen_after(name, driven("pace", address, **where, seconds=arguments.seconds))
            if "shifts" in parts:
                seen = driven("shifts", address, **where)
                yield PageFigure(
                    f"{name}: layout shift", f"{seen['cls']:.4f}", str(CLS), seen["cls"] <= CLS and not seen["faults"],
                    f"{seen['total']:.4f} in all {seen['moves']} moves",
                )  # fmt: skip
                yield moved(name, seen)
            if "trace" in parts:
                seen = driven("traced", address, **where, moves=arguments.moves)
                yield from main_thread(name, seen)
                yield moved(f"{name}, traced", seen)


def first_view(game: str, seen: Any) -> PageFigure:
    files = sum(one["size"] for one in seen["all"] if "machiavel.v1" not in one["path"])
    more = f"start page with its answers {seen['home']:,}; answers until a table is seen {seen['table'] - files:,}"
    return PageFigure(f"{game}: bytes of the page until a table is seen", f"{files:,}", f"{BYTES:,}", files <= BYTES, more)


def seen_after(name: str, seen: Any) -> PageFigure:
    """The row of one table: `times` are in milliseconds."""
    written = [one["written"] for one in seen["times"]]
    sent = percentile([one["sent"] for one in seen["times"]], 0.95)
    p95 = percentile(written, 0.95)
    more = f"median {percentile(written, 0.5):.0f}, most {max(written):.0f}, of {len(written)} moves; p95 from sending {sent:.0f}"
    return PageFigure(
        f"{name}: p95 until a move is seen, ms", f"{p95:.0f}", str(SEEN_MS), p95 <= SEEN_MS and not seen["faults"], more
    )


def main_thread(name: str, seen: Any) -> Iterator[PageFigure]:
    longest, script, own = seen["longest"], seen["script"], seen["mainScript"]
    tasks = f"{seen['tasks']} tasks in {seen['seconds']:.0f} s and {seen['moves']} moves; it was {', '.join(seen['made'])}"
    yield PageFigure(f"{name}: longest task, ms", f"{longest:.1f}", str(TASK_MS), longest <= TASK_MS, tasks)
    p95 = percentile(script, 0.95)
    more = f"{len(script)} frames, most {max(script):.1f}; {len(own)} with the main thread, p95 {percentile(own, 0.95):.2f}"
    yield PageFigure(f"{name}: p95 of script a frame, ms", f"{p95:.2f}", str(SCRIPT_MS), p95 <= SCRIPT_MS, more)


def moved(name: str, seen: Any) -> PageFigure:
    """What was animated, as the page and a trace tell it."""
    animated = {*seen["animated"], *seen.get("unsupported", [])}
    return PageFigure(f"{name}: animated", ", ".join(sorted(animated)), ", ".join(sorted(ANIMATED)), animated <= ANIMATED)


if __name__ == "__main__":
    sys.exit(main())
