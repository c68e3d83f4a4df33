"""Makes docs/screenshots: four states of each game's table, and each page once in French, as Chromium shows them.

`python -m bench.screenshots` starts servers with a seed, so deals and moves of bots are the same each time. What a hint says
still depends on how far its search came.
"""

import argparse
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.packaging.project import ROOT
from tests.page.browser import driven
from tests.page.elsewhere import serving

__all__ = ["FOLDER", "LOOKS", "MOST", "PAGES", "STATES", "TABLES"]

FOLDER = ROOT / "docs" / "screenshots"
MOST = 6_000_000  # bytes in all
STATES = ("1-first", "2-hint", "3-other", "4-end")
LOOKS = ("desktop", "phone")
PAGES = (
    "home", "home-phone", "setup", "setup-friends", "join", "lobby", "match", "match-hint", "watch", "review", "review-phone",
    "record", "tournaments", "tournament", "puzzle", "coach", "gallery", "rules", "about", "nowhere",
)  # fmt: skip
SEED = 7
PLACE = "127.0.0.1:7797"  # it stands in a picture
# By game: who sits there besides this page's seat and one more person, and how many answers are given before the hint. With
# none before it, no card need lie on the table yet.
TABLES = {
    "agency": (["level3", "level4"], 9),
    "bond": (["level4"], 1),
    "citadel": (["level3"], 5),
    "whist": (["level3", "level2"], 2),
    "hearts": (["level3", "level4"], 5),
    "liars_dice": (["level3", "level2"], 2),
    "kuhn": ([], 0),
}


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.screenshots", description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"some of {', '.join(TABLES)}, pages; all of them unless named")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--address", help="a server that runs already")
    arguments = parser.parse_args(argv)
    parts = arguments.parts or [*TABLES, "pages"]
    if unknown := set(parts) - {*TABLES, "pages"}:
        parser.error(f"{', '.join(sorted(unknown))}: expected some of {', '.join(TABLES)}, pages")
    for part in parts:
        folder = arguments.folder / part
        shutil.rmtree(folder, ignore_errors=True)
        if arguments.address:
            made(part, arguments.address, folder)
        else:
            with (
                TemporaryDirectory() as kept,
                serving("--rehearsal", str(SEED), "--web", PLACE, "--tournaments", kept) as address,
            ):
                made(part, address, folder)
    size = sum(path.stat().st_size for path in arguments.folder.rglob("*.webp"))
    print(f"{len(list(arguments.folder.rglob('*.webp')))} pictures, {size / 1e6:.2f} MB")
    return int(size > MOST)


def made(part: str, address: str, folder: Path) -> None:
    """Makes the pictures of one part; raises where a page did what it may not, or a state never came."""
    if part == "pages":
        seen = driven("pages", address, folder=str(folder))
    else:
        seats, midst = TABLES[part]
        seen = driven("states", address, game=part, seats=seats, folder=str(folder), midst=midst)
    if seen["faults"] or seen.get("missing"):
        raise RuntimeError(f"{part}: {seen}")


if __name__ == "__main__":
    sys.exit(main())
