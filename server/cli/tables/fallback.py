"""A table for any game: the view as readable JSON, and the moves as a numbered list."""

import json
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from machiavel.server.cli.command_texts import TEXTS, Words
from machiavel.server.cli.tables.setting import Seen, TableSetting

__all__ = ["FallbackTable"]

WIDTH = 96


class FallbackTable:
    """Knows nothing of the game it shows."""

    def __init__(self, setting: TableSetting) -> None:
        self._setting = setting
        self._words = Words(TEXTS, setting.language)

    def tell(self, before: Seen | None, seat: int | None, move: str | None, after: Seen) -> list[Text]:  # noqa: ARG002
        if move is None:
            return []
        return [Text(self._words("you_play" if seat == self._setting.seat else "plays", seat=seat, move=move))]

    def draw(self, view: Seen) -> RenderableType:
        return Group(*(Text(f"{name}: {compact(value)}") for name, value in view.items()))

    def choices(self, view: Seen, moves: Sequence[str]) -> RenderableType:  # noqa: ARG002
        grid = Grid.grid(padding=(0, 2))
        for number, move in enumerate(moves, start=1):
            label = self._setting.label(move)
            grid.add_row(Text(str(number), style="dim"), Text(move, style="bold"), Text(label if label != move else ""))
        return Group(Text(self._words("choices")), grid)

    def question(self, view: Seen) -> str:  # noqa: ARG002
        return self._words("your_move")

    def read(self, view: Seen, entry: str) -> str:  # noqa: ARG002
        return entry

    def why_not(self, view: Seen, entry: str) -> str:  # noqa: ARG002
        return ""

    def help(self) -> Sequence[tuple[str, str]]:
        return ()

    def result(self, view: Seen, winners: Sequence[int]) -> RenderableType:
        words, me = self._words, self._setting.seat
        others = ", ".join(words("seat", seat=seat) for seat in winners if seat != me)
        key = "lost" if me not in winners else "shared" if others else "won"
        line = words(key, winners=others)
        return Group(self.draw(view), Text(words("over")), Text(line, style="bold green"))


def compact(value: object) -> str:
    """JSON on one line, or indented where that would be too long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= WIDTH else json.dumps(value, ensure_ascii=False, indent=2)
