"""When Python looks for unreachable cycles: among young objects as ever, among all seldom, for that holds every call up."""

import asyncio
import contextlib
import gc

from machiavel.engines import GameError, games, load

__all__ = ["load_games", "settle", "settle_often"]

# Of Python's three generations. The last is looked through by itself only where very much was made since.
THRESHOLDS = (1000, 10, 500)
EVERY = 300.0  # seconds


def load_games() -> None:
    """Reads the rules of all games, which takes a quarter of a second. A broken one is told of when somebody asks for it."""
    for name in games():
        with contextlib.suppress(GameError):
            load(name)


def settle() -> None:
    """Frees what is unreachable; what is left is not looked at again until the next time."""
    gc.set_threshold(*THRESHOLDS)
    gc.unfreeze()
    gc.collect()
    gc.freeze()


async def settle_often() -> None:
    """For ever. A tenth of a second each time, or two with a thousand matches."""
    while True:
        await asyncio.sleep(EVERY)
        settle()
