"""What the tables of games with words of their own have in common."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, cast

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from machiavel.engines.events import GameEvent, SeenMove, Teller
from machiavel.engines.phrases import Span, capitalized
from machiavel.server.cli.tables.fitting import Fitting
from machiavel.server.cli.tables.setting import Seen, TableSetting
from machiavel.server.cli.tables.telling import styled

__all__ = ["WordedTable"]


class WordedTable:
    """Tells a game's events, and speaks in the texts of its `words/`: those of the table, of `help` and of `seats`.

    `table.player` heads the column of players, `table.you` marks the reader; each text of `help` is a word, ` = ` and its
    meaning.
    """

    styles: ClassVar[Mapping[str, str]] = {}  # of pieces of sentences, by what they name

    def __init__(self, setting: TableSetting) -> None:
        self._setting = setting
        self._teller = cast(Teller, setting.teller)  # every table of a game that tells events is given one
        self._seen: Seen = {}  # the view told last

    def tell(self, before: Seen | None, seat: int | None, move: str | None, after: Seen) -> list[Text]:
        self._seen = after
        seen_move = None if seat is None or move is None else SeenMove(seat, move)
        return [self._told(event) for event in self._teller.events(before, seen_move, after)]

    def read(self, view: Seen, entry: str) -> str:  # noqa: ARG002
        return entry

    def why_not(self, view: Seen, entry: str) -> str:
        return self._setting.why_not(view, entry)

    def help(self) -> Sequence[tuple[str, str]]:
        pairs = (text.partition(" = ") for text in self._teller.phrases.under("help", self._setting.language).values())
        return [(word, meaning) for word, _, meaning in pairs]

    # ---- For the tables made of it ----

    def _style(self, span: Span) -> str:
        return self.styles.get(span.kind, "")

    def _told(self, event: GameEvent) -> Text:
        return styled(self._teller.spans(self._seen, event), self._style)

    def _text(self, key: str, **fields: Any) -> Text:
        """A text whose holes are named for the kinds of their values; `key.me` where `seat` is the reader's, else `key.they`."""
        return styled(self._spans(key, fields), self._style)

    def _line(self, key: str, **fields: Any) -> Text:
        """The same as the beginning of a line."""
        return styled(capitalized(self._spans(key, fields)), self._style)

    def _spans(self, key: str, fields: Mapping[str, Any]) -> list[Span]:
        if f"{key}.me" in self._teller.phrases:
            key += ".me" if fields["seat"] == self._setting.seat else ".they"
        return self._teller.phrase(self._seen, key, fields)

    def _say(self, key: str, **fields: Any) -> str:
        """A text of the table."""
        return self._text(f"table.{key}", **fields).plain

    def _player(self, seat: int, is_asked: bool = False) -> Text:
        mine = seat == self._setting.seat
        name = self._teller.value(self._seen, "seat", seat).removeprefix("le ")
        text = Text("▶ " if is_asked else "  ").append(name[:1].upper() + name[1:], "bold" if mine else "")
        return text.append(f" {self._say('you') if mine else self._setting.bots[seat]}", "bold cyan" if mine else "dim")

    def _seats(self, columns: Sequence[str], rows: Sequence[Sequence[Text]], left: str = "") -> RenderableType:
        """A row a seat: its player, and what stands in these columns; on a narrow screen two lines, in the words of `brief`."""
        grid = Grid(box=None, padding=(0, 1), pad_edge=False)
        for name in ("player", *columns):
            grid.add_column(self._say(name), justify="left" if name in {"player", left} else "right", no_wrap=True)
        lines = []
        for player, *rest in rows:
            grid.add_row(player, *rest)
            lines += [player, Text(f"  {self._say('brief', **dict(zip(columns, map(str, rest), strict=True)))}")]
        return Fitting(grid, Group(*lines))

    def _menu(self, rows: Iterable[tuple[int | None, RenderableType]]) -> RenderableType:
        """What one may choose, each with its number."""
        grid = Grid.grid(padding=(0, 2))
        for number, words in rows:
            grid.add_row(Text(f"{number or '':>3}", "dim"), words)
        return Group(Text(self._say("choices")), grid)

    def _standings(self, points: Sequence[int], winners: Sequence[int]) -> RenderableType:
        """Who has how many points at the end."""
        grid = Grid(box=None, padding=(0, 1), pad_edge=False)
        grid.add_column(self._say("player"))
        grid.add_column(self._say("points"), justify="right")
        for seat in sorted(range(len(points)), key=lambda seat: (-points[seat], seat)):
            grid.add_row(self._player(seat), str(points[seat]), style="bold green" if seat in winners else "")
        return Panel(grid, title=Text(self._say("over"), style="bold"), title_align="left", expand=False)
