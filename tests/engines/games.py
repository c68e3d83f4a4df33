"""The games that ship: each a folder with the rules it was written from, or a file in the box of the kit."""

from importlib import import_module
from pathlib import Path
from typing import Any

from machiavel.engines import load

__all__ = ["BOX", "GAMES", "INSTALLED", "declared", "players_of"]

ENGINES = Path(__file__).resolve().parents[2] / "engines"
GAMES = sorted(path.parent.name for path in ENGINES.glob("*/RULES.md"))
BOX = sorted(path.name.removesuffix(".en.md") for path in ENGINES.glob("kit/games/*.en.md"))
INSTALLED = sorted([*GAMES, *BOX])


def players_of(game: str, wanted: int = 3) -> int:
    """So many players where a game has them, else as few as can play it."""
    possible = load(game).players
    return wanted if wanted in possible else min(possible)


def declared(module: str, name: str) -> dict[str, Any]:
    """What each game's folder of tests declares by that name, by the game that it says it is of."""
    homes = [f"tests.engines.{game}" for game in GAMES] + [f"tests.engines.kit.{game}" for game in BOX]
    found = [getattr(import_module(f"{home}.{module}"), name) for home in homes]
    return {one.game: one for one in found}
