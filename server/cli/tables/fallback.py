"""A table for any game: its fields where they say they are drawn, else the view as readable JSON; the moves as a list."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
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
MANY_MOVES = 15  # that stand below each other; more stand in columns
MANY_THINGS = 15  # in a list by their names; more by what stands on them
COUNTS = "_counts"  # ends the name of the field that says how many are in another
NOTHING = "–"
EDGES = 6  # columns of a box beside its head


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
        place = Text(" · ").join(self._named(one, view) for one in self._in("place") if is_shown(one, view))
        lists = [
            self._named(one, view) for one in self._in("table", "pile", "hand") if not is_by_seat(one) and is_while(one, view)
        ]
        lines = [self._seats(view), *lists, *self._hands(view)]
        return HeadedPanel(place, Group(*lines))

    def _in(self, *zones: str) -> Iterator[ShownField]:
        return (one for one in self._setting.fields if one.zone in zones)

    def _named(self, one: ShownField, view: Seen) -> Text:
        value = view[one.name]
        is_number = one.shape["type"] == "number" and str(value) not in one.names
        text = self._text(one, value, view)
        return Text(one.label + (" " if is_number else self._words("colon"))).append(text, style="bold")

    def _seats(self, view: Seen) -> RenderableType:
        """A row for each seat: who it is, what it has played, and whatever else is told of each."""
        words, setting = self._words, self._setting
        played = [one for one in self._in("table") if is_pairs(one)]
        by_seat = (one for one in self._in("score", "table", "pile") if one.shape["type"] == "by_seat" and is_while(one, view))
        columns = [one for one in by_seat if self._says_something(one, view[one.name], view)]
        grid = Grid(box=None, padding=(0, 1), pad_edge=False)
        grid.add_column()
        for one in (*played, *columns):
            grid.add_column(one.label, justify="right" if inner_type(one) == "number" else "left")
        for seat, bot in enumerate(setting.bots):
            who = Text("▶ " if seat in (view.get("to_move") or ()) else "  ").append(words("seat", seat=seat).capitalize())
            who.append(f" {words('you') if seat == setting.seat else bot}", style="bold cyan" if seat == setting.seat else "dim")
            cards = [", ".join(self._text(one, item, view) for other, item in view[one.name] if other == seat) for one in played]
            values = [self._text(one, view[one.name][seat], view) for one in columns]
            grid.add_row(who, *(Text(text, style="bold") for text in cards), *map(Text, values))
        return grid

    def _says_something(self, one: ShownField, values: Sequence[Any], view: Seen) -> bool:
        """One of lists that are all empty does not, nor how many are in them."""
        is_count = one.name.endswith(COUNTS) and one.name.removesuffix(COUNTS) in view
        return any(values) or not (is_count or inner_type(one) in {"list", "items"})

    def _hands(self, view: Seen) -> Iterator[Text]:
        """What a seat has that not everybody sees: one's own, and of the others what is seen of it."""
        for one in self._in("hand"):
            if one.shape["type"] != "by_seat":
                continue
            for seat, value in enumerate(view[one.name]):
                is_own = seat == self._setting.seat
                if value is None or (value == [] and not (is_own and any(view.get(one.name + COUNTS, ())))):
                    continue
                who = "" if is_own else f" ({self._words('seat', seat=seat)})"
                yield Text(f"{one.label}{who}{self._words('colon')}").append(self._text(one, value, view), style="bold")

    def _text(self, one: ShownField, value: Any, view: Seen) -> str:
        """A value by the names of its field, or else as the game tells of it."""
        if isinstance(value, list):
            if len(value) >= MANY_THINGS and all(isinstance(item, str) for item in value):
                return " ".join(value)
            items = [self._text(one, item, view) for item in value]
            return (", " if any(" " in item for item in items) else " ").join(items) or NOTHING
        if value is None or str(value) in one.names:
            return NOTHING if value is None else one.names[str(value)]
        if isinstance(value, bool):
            return self._words("ask_yes" if value else "ask_no")
        if inner_type(one) in {"seat", "seats"}:
            return self._words("seat", seat=value)
        kind, teller = kind_of(one.shape), self._setting.teller
        return str(value) if teller is None or not kind else teller.value(view, kind, value)

    def choices(self, view: Seen, moves: Sequence[str]) -> RenderableType:  # noqa: ARG002
        self._moves = moves
        labels = [self._setting.label(move) for move in moves]
        rows = [
            (Text(str(number), style="dim"), Text(move, style="bold"), Text(label if label != move else ""))
            for number, (move, label) in enumerate(zip(moves, labels, strict=True), start=1)
        ]
        return Group(Text(self._words("choices")), listed(rows) if len(rows) < MANY_MOVES else in_columns(rows))

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


@dataclass(frozen=True)
class HeadedPanel:
    """A box with its head in the upper edge, or where that is too long, as its first lines."""

    head: Text
    body: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not self.head.plain:
            yield Panel(self.body)
        elif self.head.cell_len <= options.max_width - EDGES:
            yield Panel(self.body, title=self.head, title_align="left")
        else:
            yield Panel(Group(self.head, self.body))


def in_bold(span: Span) -> str:
    """Players stand out."""
    return "bold" if span.kind == "seat" else ""


Row = tuple[Text, Text, Text]  # number, move and label


def listed(rows: Sequence[Row]) -> RenderableType:
    grid = Grid.grid(padding=(0, 2))
    for row in rows:
        grid.add_row(*row)
    return grid


def in_columns(rows: Sequence[Row]) -> RenderableType:
    """As many columns as there is room for, to be read downwards."""
    widths = [max(row[at].cell_len for row in rows) for at in range(2)]
    cells = []
    for number, move, label in rows:
        cell = Text.assemble(" " * (widths[0] - number.cell_len), number, "  ", move)
        cells.append(cell.append(" " * (widths[1] - move.cell_len + 2)).append_text(label) if label.plain else cell)
    return Columns(cells, padding=(0, 3), column_first=True)


def is_shown(one: ShownField, view: Seen) -> bool:
    return view[one.name] is not None and is_while(one, view)


def is_while(one: ShownField, view: Seen) -> bool:
    """Whether a field is drawn in this view at all."""
    return not one.shown_while or view[one.shown_while] is True


def is_pairs(one: ShownField) -> bool:
    """Whether it is a list of `[seat, thing]`."""
    return bool(one.shape["type"] == "list" and isinstance(one.shape["of"], Mapping) and one.shape["of"]["type"] == "pair")


def is_by_seat(one: ShownField) -> bool:
    """Whether each seat has its own."""
    return is_pairs(one) or one.shape["type"] == "by_seat"


def inner_type(one: ShownField) -> str:
    """The type of a value, or of what each seat has."""
    shape = one.shape["of"] if one.shape["type"] == "by_seat" else one.shape
    return str(shape["type"])


def kind_of(shape: Mapping[str, Any]) -> str:
    """The kind of the things in a list, such as `card`; empty for numbers and the like."""
    inner = shape.get("of", "")
    inner = inner[-1] if isinstance(inner, list) else inner
    return kind_of(inner) if isinstance(inner, Mapping) else str(inner)


def compact(value: object) -> str:
    """JSON on one line, or indented where that would be too long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= WIDTH else json.dumps(value, ensure_ascii=False, indent=2)
