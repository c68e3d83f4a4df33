"""A table for any game: its fields where they say they are drawn, else the view as readable JSON; the moves as a list."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from machiavel.engines.events import SeenMove
from machiavel.engines.phrases import Span
from machiavel.server.cli.command_texts import TEXTS, Words
from machiavel.server.cli.tables.entries import meant
from machiavel.server.cli.tables.setting import Seen, ShownField, TableSetting
from machiavel.server.cli.tables.telling import styled

__all__ = ["FallbackTable"]

WIDTH = 96


class FallbackTable:
    """Knows nothing of the game it shows but what its schema declares."""

    def __init__(self, setting: TableSetting) -> None:
        self._setting = setting
        self._words = Words(TEXTS, setting.language)
        self._moves: Sequence[str] = ()  # the list shown last

    def tell(self, before: Seen | None, seat: int | None, move: str | None, after: Seen) -> list[Text]:
        teller = self._setting.teller
        seen_move = None if seat is None or move is None else SeenMove(seat, move)
        lines = [] if teller is None else [styled(spans, in_bold) for spans in teller.tell(before, seen_move, after)]
        if lines or move is None:
            return lines
        return [Text(self._words("you_play" if seat == self._setting.seat else "plays", seat=seat, move=move))]

    def draw(self, view: Seen) -> RenderableType:
        if not self._setting.fields:
            return Group(*(Text(f"{name}: {compact(value)}") for name, value in view.items()))
        place = Text(" · ").join(self._named(one, view) for one in self._in("place"))
        lists = [self._named(one, view) for one in self._in("table", "pile", "hand") if not is_by_seat(one)]
        return Panel(Group(self._seats(view), *lists), title=place, title_align="left")

    def _in(self, *zones: str) -> Iterator[ShownField]:
        return (one for one in self._setting.fields if one.zone in zones)

    def _named(self, one: ShownField, view: Seen) -> Text:
        value = view[one.name]
        return Text(one.label + (" " if isinstance(value, int) else self._words("colon"))).append(
            self._text(one, value, view), style="bold"
        )

    def _seats(self, view: Seen) -> RenderableType:
        """A row for each seat: who it is, what it has played, and whatever else is told of each."""
        words, setting = self._words, self._setting
        played = [one for one in self._in("table") if is_by_seat(one)]
        columns = [one for one in self._in("score", "table", "hand") if one.shape["type"] == "by_seat"]
        grid = Grid(box=None, padding=(0, 1), pad_edge=False)
        grid.add_column()
        for one in (*played, *columns):
            grid.add_column(one.label, justify="left" if one in played else "right")
        for seat, bot in enumerate(setting.bots):
            who = Text("▶ " if seat in (view.get("to_move") or ()) else "  ").append(words("seat", seat=seat).capitalize())
            who.append(f" {words('you') if seat == setting.seat else bot}", style="bold cyan" if seat == setting.seat else "dim")
            cards = [", ".join(self._text(one, item, view) for other, item in view[one.name] if other == seat) for one in played]
            values = [self._text(one, view[one.name][seat], view) for one in columns]
            grid.add_row(who, *(Text(text, style="bold") for text in cards), *map(Text, values))
        return grid

    def _text(self, one: ShownField, value: Any, view: Seen) -> str:
        """A value by the names of its field, or else as the game tells of it."""
        if isinstance(value, list):
            items = [self._text(one, item, view) for item in value]
            return (", " if any(" " in item for item in items) else " ").join(items) or "–"
        if value is None or str(value) in one.names:
            return "–" if value is None else one.names[str(value)]
        kind, teller = kind_of(one.shape), self._setting.teller
        return str(value) if teller is None or not kind else teller.value(view, kind, value)

    def choices(self, view: Seen, moves: Sequence[str]) -> RenderableType:  # noqa: ARG002
        self._moves = moves
        grid = Grid.grid(padding=(0, 2))
        for number, move in enumerate(moves, start=1):
            label = self._setting.label(move)
            grid.add_row(Text(str(number), style="dim"), Text(move, style="bold"), Text(label if label != move else ""))
        return Group(Text(self._words("choices")), grid)

    def question(self, view: Seen) -> str:  # noqa: ARG002
        return self._words("your_move")

    def read(self, view: Seen, entry: str) -> str:
        teller = self._setting.teller
        return meant(
            entry, {move: [self._setting.label(move), *(teller.ways(view, move) if teller else ())] for move in self._moves}
        )

    def why_not(self, view: Seen, entry: str) -> str:
        return self._setting.why_not(view, entry)

    def help(self) -> Sequence[tuple[str, str]]:
        return ()

    def result(self, view: Seen, winners: Sequence[int]) -> RenderableType:
        words, me = self._words, self._setting.seat
        others = ", ".join(words("seat", seat=seat) for seat in winners if seat != me)
        key = "lost" if me not in winners else "shared" if others else "won"
        line = words(key, winners=others)
        return Group(self.draw(view), Text(words("over")), Text(line, style="bold green"))


def in_bold(span: Span) -> str:
    """Players stand out."""
    return "bold" if span.kind == "seat" else ""


def is_by_seat(one: ShownField) -> bool:
    """Whether it is a list of `[seat, thing]`."""
    return bool(one.shape["type"] == "list" and one.shape["of"]["type"] == "pair")


def kind_of(shape: Mapping[str, Any]) -> str:
    """The kind of the things in a list, such as `card`; empty for numbers and the like."""
    inner = shape.get("of", "")
    inner = inner[-1] if isinstance(inner, list) else inner
    return kind_of(inner) if isinstance(inner, Mapping) else str(inner)


def compact(value: object) -> str:
    """JSON on one line, or indented where that would be too long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= WIDTH else json.dumps(value, ensure_ascii=False, indent=2)
