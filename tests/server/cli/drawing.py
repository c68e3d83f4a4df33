"""What a table draws, as lines of a terminal."""

import io

from rich.console import Console, RenderableType

WIDTH = 80


def drawn(what: RenderableType) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=WIDTH, color_system=None, markup=False, emoji=False, highlight=False).print(what)
    lines = file.getvalue().splitlines()
    assert all(len(line) <= WIDTH for line in lines)
    return lines
