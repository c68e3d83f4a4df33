"""The games that ship, each a folder with the rules it was written from."""

from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["GAMES", "declared"]

GAMES = sorted(path.parent.name for path in (Path(__file__).resolve().parents[2] / "engines").glob("*/RULES.md"))


def declared(module: str, name: str) -> dict[str, Any]:
    """What each game's folder of tests declares by that name, by the game that it says it is of."""
    found = [getattr(import_module(f"tests.engines.{game}.{module}"), name) for game in GAMES]
    return {one.game: one for one in found}
