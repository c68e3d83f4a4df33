"""Puts what was measured into a game's `search.toml`."""

from collections.abc import Iterable
from pathlib import Path

from machiavel.engines import IncompatibleEngine, load

__all__ = ["with_tables", "write_tables"]


def write_tables(game: str, tables: Iterable[str]) -> None:
    """Puts tables, each a text that begins with its head, such as `[calibration.2]`, into the file beside the game's code."""
    found = load(game).plugin.search_file()
    if not isinstance(found, Path):
        raise IncompatibleEngine(game, "it has no file search.toml beside its code; put an empty one there")
    found.write_text(with_tables(found.read_text(encoding="utf-8"), tables), encoding="utf-8")


def with_tables(text: str, tables: Iterable[str]) -> str:
    """The file with these tables, in place of those with the same head, or after the last of their part; the rest stays."""
    blocks = [block for block in text.rstrip("\n").split("\n\n") if block]
    for table in tables:
        head = table.partition("\n")[0]
        part = head.partition(".")[0]
        same = [number for number, block in enumerate(blocks) if head in block.split("\n")]
        if same:
            before = blocks[same[0]].partition(head)[0]  # a comment above it
            blocks[same[0]] = before + table
        else:
            of_part = [number for number, block in enumerate(blocks) if f"\n{part}" in f"\n{block}"]
            blocks.insert(of_part[-1] + 1 if of_part else len(blocks), table)
    return "\n\n".join(blocks) + "\n"
