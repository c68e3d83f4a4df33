"""Bond's table in the terminal: lairs and points, backs, the spy under attack, and one's hand."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from machiavel.engines.bond.events import GOAL, worth_of
from machiavel.server.cli.tables.setting import Seen
from machiavel.server.cli.tables.worded import WordedTable
from machiavel.server.games.bond.entries import read_entry

__all__ = ["BondTable"]

CHIPS = {"lair": "bold white on blue", "spy": "bold black on yellow", "doubler": "bold white on magenta"}
LONG = 12  # moves; where there are more, attacks by the same spy share a line


class BondTable(WordedTable):
    """One seat's table; all there is to remember lies open or is in the views."""

    styles: ClassVar = {"seat": "bold", "card": "bold", "cards": "bold", "spies": "bold yellow", "points": "bold"}

    def draw(self, view: Seen) -> RenderableType:
        title = Text(" · ", "bold").join([self._line("table.turn", seat=view["turn"]), self._text("table.goal", goal=GOAL)])
        pile = view["pile"]
        back = self._say("pile", **pile | {"top": self._say(f"top_{pile['top']}")}) if pile["count"] else self._say("empty")
        rows = [self._row(view, seat) for seat in range(len(view["points"]))]
        seats = self._seats(("points", "worth", "spies", "others"), rows, left="worth")
        return Panel(Group(*self._attack(view), seats, *self._rest(view)), title=title, subtitle=back, title_align="left")

    def _attack(self, view: Seen) -> Iterator[Text]:
        attack = view["attack"]
        if attack is None:
            return
        count, values = len(attack["spies"]), " + ".join(map(str, attack["spies"]))
        spies = self._say("face_down" if None in attack["spies"] else "face_up", count=count, spies=values)
        fields = {"place": self._place(view, attack["target"]), "spies": spies, "letters": " ".join(attack["taunts"])}
        if attack["captured"]:
            yield self._text("table.captured", **fields, letter=attack["taunt"], points=worth_of(attack))
        else:
            yield self._text("table.attacked", **fields)

    def _place(self, view: Seen, seat: int) -> str:
        """A lair and what it is worth."""
        return self._say("place", which=self._say("lair", seat=seat), worth=sum(view["lairs"][seat]))

    def _row(self, view: Seen, seat: int) -> list[Text]:
        lair, hand = view["lairs"][seat], view["hands"][seat]
        worth = Text(str(sum(lair)), style="bold blue") if lair else Text(self._say("none"), style="dim")
        if len(lair) > 1:
            worth.append(f" ({'+'.join(map(str, lair))})", style="dim not bold")
        counts = (Text(str(number)) for number in (hand["spies"], hand["others"]))
        return [self._player(seat, seat == view["mover"]), Text(str(view["points"][seat]), style="bold"), worth, *counts]

    def _rest(self, view: Seen) -> Iterator[Text]:
        """What is out of the match, for it tells which taunts are safe."""
        gone = {sort: " ".join(map(str, view["discard"][sort])) or self._say("none") for sort in ("spies", "doublers")}
        yield Text(self._say("gone", **gone), style="dim")
        if view["idle"]:
            yield Text(self._say("idle", count=view["idle"], most=len(view["points"])), style="dim")

    def choices(self, view: Seen, moves: Sequence[str]) -> RenderableType:
        chips = [
            Text(f" {self._teller.value(view, 'card', f'{sort}:{mark}')} ", style, no_wrap=True)
            for (sort, style), marks in zip(CHIPS.items(), view["hand"].values(), strict=True)
            for mark in marks
        ]
        hand = Panel(Columns(chips), title=self._say("hand"), title_align="left")
        return Group(hand, self._menu(self._rows(view, moves)))

    def _rows(self, view: Seen, moves: Sequence[str]) -> Iterator[tuple[int | None, RenderableType]]:
        attacks: dict[str, list[Text]] = {}
        for number, move in enumerate(moves, 1):
            what, _, target = move.partition(">")
            if not target:
                yield number, self._setting.label(move)
            elif len(moves) <= LONG:
                yield number, self._attacker(f"to_{what}", place=self._place(view, int(target)))
            else:
                seat, worth = int(target), sum(view["lairs"][int(target)])
                words = self._say("owner", seat=seat, worth=worth)
                attacks.setdefault(what, []).append(Text(f"{number:>3}", "dim").append(f" {words}", "not dim"))
        for what, owners in attacks.items():
            yield None, Group(self._attacker(f"many_{what}"), Columns(owners, padding=(0, 2)))

    def _attacker(self, key: str, **fields: str) -> str:
        word, _, mark = key.partition(":")
        return self._say(word, card=key.partition("_")[2], seat=int(mark) if "steal" in word else None, **fields)

    def question(self, view: Seen) -> str:
        attack = view["attack"] or {"target": None, "taunt": None}
        return self._line(f"ask.{view['phase']}", seat=attack["target"], letter=attack["taunt"]).plain

    def read(self, view: Seen, entry: str) -> str:
        return read_entry(view, entry)

    def why_not(self, view: Seen, entry: str) -> str:
        return super().why_not(view, entry) or self._text(f"why.asked.{view['phase']}").plain

    def result(self, view: Seen, winners: Sequence[int]) -> RenderableType:
        return self._standings(view["points"], winners)
