"""The games that ship, each a folder with the rules it was written from."""

from pathlib import Path

__all__ = ["GAMES"]

GAMES = sorted(path.parent.name for path in (Path(__file__).resolve().parents[2] / "engines").glob("*/RULES.md"))
