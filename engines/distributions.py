"""The distributions that bring games, found by entry point."""

from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points

__all__ = ["entries", "home_pages", "origin"]

GROUP = "machiavel.engines"


def entries(name: str | None = None) -> list[EntryPoint]:
    """The entry points of all installed games, or of the game of that name."""
    return list(entry_points(group=GROUP) if name is None else entry_points(group=GROUP, name=name))


def origin(name: str) -> str:
    """The distribution that brings a game, with its version; empty where it is not known."""
    return next((f"{entry.dist.name} {entry.dist.version}" for entry in entries(name) if entry.dist is not None), "")


def home_pages(name: str) -> Sequence[str]:
    """The addresses that the distribution of a game names as its own, in its order."""
    for entry in entries(name):
        if entry.dist is not None:
            named = [url.partition(",")[2].strip() for url in entry.dist.metadata.get_all("Project-URL") or ()]
            return [*(entry.dist.metadata.get_all("Home-page") or ()), *named]
    return ()
