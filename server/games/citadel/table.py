"""Citadel's table in the terminal: the house, the clock, treasures, players and their cards."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from machiavel.engines.citadel.events import minutes_left, told
from machiavel.engines.citadel.house import load_house
from machiavel.engines.citadel.labels import label, list_words, named, said
from machiavel.engines.citadel.refusals import guards, why_illegal
from machiavel.engines.events import SeenMove
from machiavel.engines.phrases import load_phrases
from machiavel.server.cli.tables.fitting import Fitting
from machiavel.server.cli.tables.setting import Seen, TableSetting
from machiavel.server.cli.tables.telling import styled
from machiavel.server.games.citadel.entries import folded, read_entry
from machiavel.server.games.citadel.map import INK, FloorPlan, clock_lines

__all__ = ["CitadelTable"]

# Where a new line begins, and how a line is drawn that begins so.
LINES = {"professor": "magenta", "passage": "magenta", "stays": "magenta", "less_time": "", "clock": "", "saved": "bold green"}
LINES |= {"lost": "bold red", "new": "", "power_up": "yellow", "turn": "bold"}
NAMED = {"seat": "bold cyan", "card": "bold", "treasure": "bold", "room": "bold"}
ENDS = {"team_won": "green", "team_lost": "red", "time_up": "red"}


class CitadelTable:
    """The table as everybody sees it; the reader sits at one seat."""

    def __init__(self, setting: TableSetting) -> None:
        self._setting = setting
        self._language = setting.language
        deck = setting.options.get("deck", "house")
        self._house, _ = load_house(deck if isinstance(deck, str | Path | Mapping) else "house")
        self._offered: Mapping[str, str] = {}

    def _words(self, key: str, **parts: Any) -> str:
        return said(self._house, f"table.{key}", self._language, **parts)

    # ---- What happens ----

    def tell(self, before: Seen | None, seat: int | None, move: str | None, after: Seen) -> list[Text]:
        """A line for what is done, one for what the professor does, and so on; the end is told by `result`."""
        teller, lines = self._setting.teller, list[Text]()
        if teller is None:
            return lines
        for event in teller.events(before, None if seat is None or move is None else SeenMove(seat, move), after):
            if event.kind in ENDS:
                continue
            text = styled(teller.spans(after, event), lambda span: NAMED.get(span.kind, ""))
            if event.kind in LINES or not lines:
                lines.append(Text(style=LINES.get(event.kind, "")))
            lines[-1].append_text(Text(" ") if lines[-1] else Text()).append_text(text)
        return lines

    def result(self, view: Seen, winners: Sequence[int]) -> RenderableType:  # noqa: ARG002
        end = next(told(self._house, view, None, view)).kind
        return Group(self.draw(view), Text(said(self._house, f"events.{end}", self._language), f"bold {ENDS[end]}"))

    # ---- The table ----

    def draw(self, view: Seen) -> RenderableType:
        words = self._words
        title = Text(words("place", turn=view["turn"], character=view["characters"][view["active"]]), "bold")
        clock, trap = words("clock", hour=view["time"]), words("trap")
        lines = [
            *(Fitting(rows(clock_lines(view)), Text(clock)), Text(words("clock_key"), "dim"), Text("")),
            *(*self._house_lines(view), Text(words("map_key", on=f"[{trap}]", off=f"({trap})"), "dim"), Text("")),
            *(*self._treasures(view), Text(""), *self._players(view), Text(""), *self._cards(view)),
        ]
        score = words("score", saved=len(view["saved"]), lost=len(view["lost"]))
        return Panel(Group(*lines), title=title, title_align="left", subtitle=score)

    def _house_lines(self, view: Seen) -> Iterator[RenderableType]:
        plan = FloorPlan(self._house, view, self._language)
        drawn, narrow = plan.map_lines(), rows(plan.rooms_list(), no_wrap=False)
        if drawn is None:
            yield narrow
            return
        lines, others = drawn
        yield Fitting(rows(lines), narrow)
        if others:
            yield Text.assemble(self._words("also"), " ", Text(" · ").join(others))

    def _treasures(self, view: Seen) -> Iterator[Text]:
        for colour, treasure in view["treasures"].items():
            if treasure is not None:
                on = [
                    f"{self._say('trap', kind)} ({self._say('room', rooms)})"
                    for kind, rooms in guards(self._house, view, treasure["id"]).items()
                ]
                traps = self._words("guarded", traps=", ".join(on)) if on else self._words("free")
                parts = {"treasure": treasure["id"], "room": treasure["room"], "minutes": minutes_left(view, colour)}
                yield Text.assemble(("◆ ", INK[colour]), self._words("treasure", colour=colour, traps=traps, **parts))

    def _say(self, kind: str, value: Any) -> str:
        return named(self._house, kind, value, (self._language, "bare"))

    def _players(self, view: Seen) -> Iterator[Text]:
        for seat, place in enumerate(view["places"]):
            character, is_me = view["characters"][seat], seat == self._setting.seat
            who = self._words("you") if is_me else self._setting.bots[seat]
            where = said(self._house, "things.outside", self._language) if place is None else self._say("room", place)
            bonus = self._house.lists[len(self._house.cards) + self._house.characters.index(character)]
            power = "power_up" if view["powers"][seat] else "power_down"
            parts = (
                {"ability": character, "bonus": list_words(self._house, bonus, self._language)} if view["powers"][seat] else {}
            )
            yield Text.assemble(
                *("▶ " if seat == view["mover"] else "  ", (f"{seat} ", "dim"), (self._say("character", character), "bold")),
                *((f" ({who})" if who else "", "bold cyan" if is_me else "dim"), f" · {where} · "),
                (self._words(power, **parts), "yellow" if parts else "dim"),
            )

    def _cards(self, view: Seen) -> Iterator[Text]:
        house, words = self._house, self._words
        yield Text(words("cards"), "bold")
        for card in view["shown"]:
            what = list_words(house, house.lists[house.cards.index(card)], self._language)
            mark = f" ({words('played')})" if card == view["played"] else ""
            name = (self._say("card", card), "bold")
            yield Text.assemble("  ", name, f" – {what}{mark}", style="dim" if view["played"] is not None else "")
        if view["phase"] == "act":
            yield Text(words("actions", actions=view["actions"]))
        if view["held"]:
            yield Text(words("held"), "yellow")

    # ---- What is asked ----

    def choices(self, view: Seen, moves: Sequence[str]) -> RenderableType:
        labels = [label(self._house, move, self._language, view) for move in moves]
        self._offered = dict(zip(map(folded, labels), moves, strict=True))
        grid = Grid.grid(padding=(0, 1))
        grid.add_column(justify="right", style="dim")
        for number, text in enumerate(labels, start=1):
            grid.add_row(str(number), Text(text, "bold"))
        return Group(Text(self._words("choices")), grid)

    def question(self, view: Seen) -> str:
        return self._words(view["phase"], **(view["dice"] or {}))

    def read(self, view: Seen, entry: str) -> str:
        return self._offered.get(folded(entry)) or read_entry(self._house, entry, view)

    def why_not(self, view: Seen, entry: str) -> str:
        return why_illegal(self._house, view, entry).texts[self._language]

    def help(self) -> Sequence[tuple[str, str]]:
        phrases = load_phrases("machiavel.engines.citadel")
        texts = (phrases.under(table, self._language).values() for table in ("help_words", "help"))
        return list(zip(*texts, strict=True))


def rows(lines: Iterable[Text], *, no_wrap: bool = True) -> RenderableType:
    grid = Grid.grid()
    grid.add_column(no_wrap=no_wrap)
    for line in lines:
        grid.add_row(line)
    return grid
