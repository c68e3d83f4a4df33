"""Bots that an installed package brings, for tests: what `install` writes is found by entry point."""

from pathlib import Path

__all__ = ["install"]

SOURCE = """
import os, random, time
from machiavel.search import BotKind, Parameter

SEED = Parameter("seed", int, None, {"en": "luck", "fr": "hasard"}, least=0, unset={"en": "drawn", "fr": "tirée"})


class Bot:
    def __init__(self, how, seed=None):
        self.how, self.seed, self.asked = how, seed, 0
        self.spec = how

    def choose(self, view, limits=None):
        self.asked += 1
        moves = view.legal_moves()
        if self.how == "cheat":
            return "not a move"
        if self.how == "silent":
            return None
        if self.how == "broken":
            raise RuntimeError("no idea")
        if self.how == "hangs":
            time.sleep(60)
        if self.how == "counts":
            return moves[self.asked % len(moves)]
        if self.how == "draws":
            return random.Random(f"{self.seed} {moves}").choice(moves)
        return moves[0]


def kind(how, *parameters):
    return BotKind(how, {"en": how, "fr": how}, parameters, lambda values: Bot(how, values.get("seed")))


FIRST, CHEAT, SILENT, BROKEN, HANGS, COUNTS = map(kind, ("first", "cheat", "silent", "broken", "hangs", "counts"))
DRAWS = kind("draws", SEED)
"""
NAMES = ("first", "cheat", "silent", "broken", "hangs", "counts", "draws")


def install(folder: Path) -> Path:
    """A folder to be put on the path."""
    info = folder / "bots_from_elsewhere-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "bots_from_elsewhere.py").write_text(SOURCE, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bots-from-elsewhere\nVersion: 1.0\n")
    lines = [f"{name} = bots_from_elsewhere:{name.upper()}\n" for name in NAMES]
    (info / "entry_points.txt").write_text("".join(["[machiavel.bots]\n", *lines]))
    return folder
