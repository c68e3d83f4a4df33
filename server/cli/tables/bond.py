"""Bond's table in the terminal: lairs and points, backs, the spy under attack, and one's hand."""

from collections.abc import Iterator, Sequence

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from machiavel.server.cli.tables.bond_entries import read_entry
from machiavel.server.cli.tables.bond_story import GOAL, SPIES, story, worth_of
from machiavel.server.cli.tables.bond_words import BOND_TEXTS
from machiavel.server.cli.tables.fitting import Fitting
from machiavel.server.cli.tables.setting import Seen, TableSetting
from machiavel.server.cli.tables.voice import SeatVoice

__all__ = ["BondTable"]

STYLES = {"lairs": "bold white on blue", "spies": "bold black on yellow", "doublers": "bold white on magenta"}
BRIEF = ("points", "lair", "spies", "others")


class BondTable:
    """One seat's table; all there is to remember lies open or is in the views."""

    def __init__(self, setting: TableSetting) -> None:
        self._setting = setting
        self._voice = SeatVoice(BOND_TEXTS, setting)
        self._words = self._voice.words

    def tell(self, before: Seen | None, seat: int | None, move: str | None, after: Seen) -> list[Text]:
        return list(story(self._voice, before, seat, move, after))

    def draw(self, view: Seen) -> RenderableType:
        mine = view["turn"] == self._voice.me
        turn = self._words("turn_of_me") if mine else self._words("turn_of", who=self._voice.full(view["turn"]))
        title = Text(f"{turn} · {self._words('goal')}", style="bold")
        lines = [*self._attack(view), self._seats(view), *self._rest(view)]
        return Panel(Group(*lines), title=title, subtitle=self._pile(view), title_align="left")

    def _pile(self, view: Seen) -> str:
        pile = view["pile"]
        if not pile["count"]:
            return self._words("pile_empty")
        return self._words("pile", count=pile["count"], spies=pile["spies"], top=self._words(f"top_{pile['top']}"))

    def _attack(self, view: Seen) -> Iterator[Text]:
        attack, words = view["attack"], self._words
        if attack is None:
            return
        who, lair = self._voice.name(attack["target"]), sum(view["lairs"][attack["target"]])
        if not attack["captured"]:
            spies = " + ".join(words("face_down") if value is None else str(value) for value in attack["spies"])
            place = self._voice.of("lair_of", attack["target"])
            yield words.styled("attacked", place=place, lair=lair, spies=Text(spies, style="bold yellow"))
            return
        value = Text(" + ".join(map(str, attack["spies"])), style="bold yellow")
        line = words.styled("captured", who=who, lair=lair, value=value)
        if attack["taunts"]:
            line.append(words("on_it", letters=" ".join(attack["taunts"])))
        if attack["taunt"]:
            line.append(words("asked", letter=attack["taunt"]))
        yield line.append(words("worth", worth=worth_of(attack)))

    def _seats(self, view: Seen) -> RenderableType:
        rows = [self._row(view, seat) for seat in range(len(view["points"]))]
        return Fitting(self._grid(rows), self._lines(rows))

    def _row(self, view: Seen, seat: int) -> list[Text]:
        """What the table shows of a seat, in the order of its columns."""
        lair = view["lairs"][seat]
        value = Text(f"{sum(lair)}", style="bold blue") if lair else Text(self._words("no_lair"), style="dim")
        if len(lair) > 1:
            value.append(f" ({'+'.join(map(str, lair))})", style="dim not bold")
        hand = view["hands"][seat]
        points = Text(str(view["points"][seat]), style="bold")
        return [self._player(view, seat), points, value, Text(str(hand["spies"])), Text(str(hand["others"]))]

    def _grid(self, rows: Sequence[Sequence[Text]]) -> Grid:
        grid = Grid(box=None, padding=(0, 1), pad_edge=False)
        grid.add_column(self._words("player"), no_wrap=True)
        for name in BRIEF:
            grid.add_column(self._words(name), justify="left" if name == "lair" else "right", no_wrap=True)
        for row in rows:
            grid.add_row(*row)
        return grid

    def _lines(self, rows: Sequence[Sequence[Text]]) -> RenderableType:
        """The same on a narrow screen: two lines a seat."""
        lines = []
        for player, *rest in rows:
            lines.append(player)
            lines.append(Text("  ").append_text(self._words.styled("brief", **dict(zip(BRIEF, rest, strict=True)))))
        return Group(*lines)

    def _player(self, view: Seen, seat: int) -> Text:
        mine = seat == self._voice.me
        text = Text("▶ " if seat == view["mover"] else "  ")
        text.append(self._voice.full(seat), style="bold" if mine else "")
        note = self._words("you") if mine else self._setting.bots[seat]
        return text.append(f" {note}", style="bold cyan" if mine else "dim")

    def _rest(self, view: Seen) -> Iterator[Text]:
        """What is out of the match, for it tells which taunts are safe."""
        gone = {sort: " ".join(map(str, view["discard"][sort])) or self._words("none") for sort in ("spies", "doublers")}
        yield Text(self._words("gone", **gone), style="dim")
        if view["idle"]:
            yield Text(self._words("idle", count=view["idle"], most=len(view["points"])), style="dim")

    def choices(self, view: Seen, moves: Sequence[str]) -> RenderableType:
        return Group(self._hand(view), Text(self._words("choices")), *self._listed(view, moves))

    def _hand(self, view: Seen) -> RenderableType:
        chips = []
        for sort, cards in view["hand"].items():
            word = {"lairs": "lair", "spies": "spy", "doublers": "doubler"}[sort]
            chips += [Text(f" {self._words(f'card_{word}', mark=mark)} ", STYLES[sort], no_wrap=True) for mark in cards]
        return Panel(Columns(chips), title=self._words("hand"), title_align="left")

    def _listed(self, view: Seen, moves: Sequence[str]) -> Iterator[Text]:
        """The moves with their numbers; attacks of one spy, which differ in their lair alone, on one line."""
        attacks: dict[str, Text] = {}
        for number, move in enumerate(moves, 1):
            what, arrow, target = move.partition(">")
            if not arrow:
                yield self._choice(number, move).append(f"  {self._setting.label(move)}")
                continue
            line = attacks.get(what)
            if line is None:
                line = attacks[what] = Text(f"  {self._attacker(what)} {self._words('into')}", style="not dim")
            lair = sum(view["lairs"][int(target)])
            line.append_text(Text("  ").append(str(number), "dim").append(f" {move}", "bold").append(f" ({lair})", "dim"))
        yield from attacks.values()

    def _choice(self, number: int, move: str) -> Text:
        return Text(f"  {number} ", "dim").append(move, "bold")

    def _attacker(self, what: str) -> str:
        word, _, mark = what.partition(":")
        if word == "spy":
            return self._words("spy_of", value=mark)
        return self._words("from_seat", who=self._voice.full(int(mark))) if word == "steal" else self._words("from_pile")

    def question(self, view: Seen) -> str:
        attack = view["attack"]
        who = self._voice.full(attack["target"]) if attack else ""
        return self._words(f"ask_{view['phase']}", who=who, letter=attack["taunt"] if attack else "")

    def read(self, view: Seen, entry: str) -> str:
        return read_entry(view, entry)

    def why_not(self, view: Seen, entry: str) -> str:  # noqa: ARG002
        return self._words(f"why_{view['phase']}", letter=view["attack"]["taunt"] if view["attack"] else "")

    def help(self) -> Sequence[tuple[str, str]]:
        words = self._words
        moves = {
            "lair:3 · skip": "help_lair",
            "spy:5>2": "help_spy",
            "steal:1>0": "help_steal",
            "deck>2": "help_deck",
            "add:4 · go": "help_add",
            "kill · taunt:C": "help_kill",
            "foil · let": "help_foil",
        }
        aims = [(words("help_aim_word"), words("help_aim")), (words("help_lair_word"), words("help_lairs"))]
        return [*((move, words(key)) for move, key in moves.items()), *aims]

    def result(self, view: Seen, winners: Sequence[int]) -> RenderableType:
        words, voice = self._words, self._voice
        grid = Grid(box=None, padding=(0, 1), pad_edge=False)
        grid.add_column(words("player"))
        grid.add_column(words("points"), justify="right")
        points = view["points"]
        for seat in sorted(range(len(points)), key=lambda seat: (-points[seat], seat)):
            grid.add_row(self._player(view, seat), str(points[seat]))
        is_last = len(view["discard"]["spies"]) == SPIES
        ended = "over_goal" if max(points) >= GOAL else "over_spies" if is_last else "over_idle"
        if list(winners) == [voice.me]:
            line = words("won")
        else:
            line = words("won_by" if len(winners) == 1 else "won_shared", winners=", ".join(map(voice.name, winners)))
        title = Text(words("match_over"), style="bold")
        return Panel(Group(Text(words(ended)), grid, Text(line, style="bold green")), title=title, title_align="left")
