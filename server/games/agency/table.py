"""Agency's table in the terminal: the trick, the plan at stake, powers, what one has learned, and one's hand."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from machiavel.engines.agency.events import EVENT_KINDS, bonus_of
from machiavel.engines.events import GameEvent
from machiavel.engines.phrases import Span
from machiavel.server.cli.tables.fitting import Fitting
from machiavel.server.cli.tables.setting import Seen, TableSetting
from machiavel.server.cli.tables.telling import styled
from machiavel.server.cli.tables.worded import WordedTable
from machiavel.server.games.agency.entries import read_entry

__all__ = ["AgencyTable"]

INK = {"M": "magenta", "B": "blue", "G": "green", "Y": "yellow"}
CHIPS = {"M": "bold white on magenta", "B": "bold white on blue", "G": "bold black on green", "Y": "bold black on yellow"}
LINES = {"round": "bold underline", "round_end": "bold underline", "win": "bold green", "share": "bold green"}
LASTING = ("martha", "wxt", "jean")  # powers at work through the trick
COLUMNS = ("plays", "cards", "tricks", "plans", "greens", "yellows", "medals")
MOST_DRAWN = 4  # medals


class AgencyTable(WordedTable):
    """One seat's table; remembers of the past what a person would, and no more than the seat was shown."""

    def __init__(self, setting: TableSetting) -> None:
        super().__init__(setting)
        self._this_trick: list[tuple[GameEvent, Text]] = []  # what was told of it and still matters
        self._latest_trick: list[Text] = []

    def _told(self, event: GameEvent) -> Text:
        line = super()._told(event)
        if event.kind == "trick":
            key = "table.latest.me" if event.fields["who"] == self._setting.seat else "table.latest.they"
            spans = self._teller.phrase(self._seen, key, event.fields, EVENT_KINDS["trick"])
            self._this_trick, self._latest_trick = [], [styled(spans, self._style)]
        elif event.kind == "lead" or event.fields.get("power") in LASTING:
            self._this_trick.append((event, line.copy()))
        line.stylize(LINES.get(event.kind, ""))
        return Text("  ").append_text(line) if event.kind == "score" else line

    def _style(self, span: Span) -> str:
        if span.kind == "card":
            return INK[span.value[0]]
        if span.kind == "plan":
            return "bold yellow" if "+" in span.value else "bold"
        return "bold" if span.kind == "seat" else ""

    def draw(self, view: Seen) -> RenderableType:
        self._seen = view
        top = view["pile"][0]
        stake = self._text("table.stake", plan=top) if view["stake"] else self._text("table.on_top", agent=top)
        notes = [line for event, line in self._this_trick if event.fields.get("power") != "wxt" or view["last"] is not None]
        rows = [self._row(view, seat) for seat in view["order"] or range(len(view["medals"]))]
        lines = (stake, *notes, self._seats(COLUMNS, rows, left="plays"), *self._memory(view))
        title = Text(self._say("place", round=view["round"], trick=view["trick"]), "bold")
        return Panel(Group(*lines), title=title, subtitle=self._say("pile", count=len(view["pile"])), title_align="left")

    def _row(self, view: Seen, seat: int) -> list[Text]:
        """What the table shows of a seat, in the order of its columns."""
        cards = f"{view['hand_counts'][seat]}" + (f"+{view['reserve']}" if view["reserve"] else "")
        counts = (str(view[name][seat]) for name in ("tricks", "plan_points", "greens", "yellows"))
        player = self._player(seat, seat in view["to_move"])
        return [player, self._played(view, seat), *map(Text, (cards, *counts)), self._medals(view, seat)]

    def _played(self, view: Seen, seat: int) -> Text:
        card = dict(view["table"]).get(seat)
        if card is not None:
            return self._chip(card)
        asked, passes = seat in view["to_move"], view["phase"] == "pass"
        leads = view["stake"] is not None and seat == view["leader"]
        key = ("" if asked else "given") if passes else "to_play" if asked else "leads" if leads else ""
        return Text(self._say(key) if key else "", "dim")

    def _chip(self, card: str) -> Text:
        """A card's mark on its colour."""
        return Text.assemble((f" {self._teller.value(self._seen, 'card', card, 'mark')} ", CHIPS[card[0]]))

    def _medals(self, view: Seen, seat: int) -> Text:
        count, goal = view["medals"][seat], int(self._setting.options.get("medals", 2))
        if goal > MOST_DRAWN:
            return Text(f"{count}/{goal}")
        return Text("●" * count, "yellow").append("○" * max(0, goal - count), "dim")

    def _memory(self, view: Seen) -> Iterator[Text]:
        """What was learned earlier and may matter still."""
        me, players, look = self._setting.seat, len(view["medals"]), view["look"]
        left, right = (me + 1) % players, (me - 1) % players
        if view["last_round"]:
            points = enumerate(view["last_round"]["points"])
            scores = Text(", ").join(self._text("table.points", seat=seat, count=count) for seat, count in points)
            yield self._text("table.latest.round").append(" ").append_text(scores)
        yield from self._latest_trick
        if look and look["cards"] is not None:
            gone = {card for _, card in view["table"]} | set(view["seen"])
            fields = {"seat": look["target"], "trick": look["trick"], "cards": look["cards"]}
            spans = self._teller.phrase(view, "table.looked", fields)
            yield styled(spans, lambda one: "dim strike" if one.kind == "card" and one.value in gone else self._style(one))
        elif look and look["target"] == me:
            yield self._text("table.was_looked_at", seat=look["looker"], trick=look["trick"])
        for entry in view["half"]:
            if entry["received"] is not None:
                yield self._text("table.gave", card=entry["gave"], seat=left, trick=entry["trick"])
                yield self._text("table.received", card=entry["received"], seat=right, trick=entry["trick"])
            elif entry["gave"] is not None:
                yield self._text("table.waiting", card=entry["gave"], seat=left)

    def choices(self, view: Seen, moves: Sequence[str]) -> RenderableType:
        """The hand, the cards that may be chosen with their number; or the players that may be."""
        numbers = {move.removeprefix("pass:"): str(number) for number, move in enumerate(moves, start=1)}
        grid, brief = Grid.grid(padding=(0, 2)), []
        for card in view["hand"]:
            grid.add_column(justify="center")
            number = Text(f"{numbers[card]}\N{NO-BREAK SPACE}" if card in numbers else "", "bold")
            brief.append(number.append_text(self._chip(card)))
        grid.add_row(*map(self._chip, view["hand"]))
        if numbers.keys() & set(view["hand"]):
            grid.add_row(*(Text(numbers.get(card, "–"), "bold" if card in numbers else "dim") for card in view["hand"]))
        note = self._say("reserve", count=view["reserve"]) if view["reserve"] else None
        cards = Fitting(grid, Text("  ").join(brief))
        hand = Panel(cards, title=self._say("hand"), title_align="left", subtitle=note, subtitle_align="right")
        if view["phase"] not in {"lead", "look"}:
            return hand
        choices = (self._teller.move(view, move) for move in moves)
        return Group(hand, self._menu((number, Text(choice, "bold")) for number, choice in enumerate(choices, start=1)))

    def question(self, view: Seen) -> str:
        return self._say(f"ask_{view['phase']}", seat=(self._setting.seat + 1) % len(view["medals"]))

    def read(self, view: Seen, entry: str) -> str:
        return read_entry(view, entry)

    def help(self) -> Sequence[tuple[str, str]]:
        options = self._setting.options
        fields = {"bonus": bonus_of(self._teller.rules), "medals": options.get("medals", 2)}
        moves = ["play", *["pass"] * options.get("accomplices", True), *["lead", "look"] * options.get("powers", True)]
        lines = (self._text(f"help.{key}", **fields).plain.partition(" = ") for key in (*moves, "trick", "points", "medals"))
        return [(word, meaning) for word, _, meaning in lines]

    def result(self, view: Seen, winners: Sequence[int]) -> RenderableType:
        self._seen = view
        grid, points = Grid(box=None, padding=(0, 1), pad_edge=False), view["last_round"]["points"]
        grid.add_column(self._say("player"))
        grid.add_column(self._say("last_points"), justify="right")
        grid.add_column(self._say("medals"))
        for seat in sorted(range(len(points)), key=lambda seat: (-view["medals"][seat], -points[seat], seat)):
            score = self._teller.value(view, "count", points[seat])
            grid.add_row(self._player(seat), score, self._medals(view, seat), style="bold green" if seat in winners else "")
        return Panel(grid, title=Text(self._say("over"), style="bold"), title_align="left")
