"""The game of the README as a file of somebody's own, and what becomes of such a file."""

import re
from pathlib import Path

__all__ = ["changed", "duel_file"]

README = Path(__file__).resolve().parents[2] / "README.md"
BLOCK = re.compile(r'^```python\n("""Duel.*?)^```$', re.MULTILINE | re.DOTALL)
DECLARED = "    play = Action("
OPTION = '    rounds = Option(5, least=1, most=5, en="cards each", fr="cartes par joueur")\n'


def duel_file(folder: Path, name: str = "duel") -> Path:
    """The game under that name, with an option of its own."""
    (text,) = BLOCK.findall(README.read_text(encoding="utf-8"))
    text = text.replace("Game, one", "Game, Option, one").replace('version = "duel"', f'version = "{name}"')
    text = text.replace(DECLARED, OPTION + DECLARED, 1).replace(", 5, at=", ", self.rounds, at=")
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return path


def changed(path: Path, old: str, new: str) -> Path:
    """The file with other rules, as after an afternoon of work."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path
