"""The games in the box: files of the kit that come with it, each an engine that is made when it is asked for."""

from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["GAMES", "hearts", "kuhn", "liars_dice"]

GAMES = ("hearts", "kuhn", "liars_dice")
FOLDER = Path(__file__).resolve().parent / "games"

hearts: Any
kuhn: Any
liars_dice: Any


@cache
def game_in_box(name: str) -> Any:
    from machiavel.engines.kit.checker import load_source  # noqa: PLC0415
    from machiavel.engines.kit.engine import KitEngine  # noqa: PLC0415 - importing machiavel stays quick

    return KitEngine(load_source(FOLDER / f"{name}.py"))


def __getattr__(name: str) -> Any:
    """The engine of a game, for its entry point."""
    if name in GAMES:
        return game_in_box(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
