"""Citadel's table in the terminal: the house, the clock, treasures, players and their cards."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from machiavel.engines.citadel.house import COLOURS, load_house
from machiavel.engines.citadel.labels import ability_words, list_words
from machiavel.server.cli.tables.citadel_entries import read_entry
from machiavel.server.cli.tables.citadel_map import INK, clock_lines, map_lines, minutes_left, rooms_list
from machiavel.server.cli.tables.citadel_story import Voice, dice_words, story
from machiavel.server.cli.tables.fitting import Fitting
from machiavel.server.cli.tables.setting import Seen, TableSetting

__all__ = ["CitadelTable"]

FIRST_BONUS = 30


class CitadelTable:
    """The table as everybody sees it; the reader sits at one seat."""

    def __init__(self, setting: TableSetting) -> None:
        self._setting = setting
        self._language = setting.language
        deck = setting.options.get("deck", "house")
        self._house, _ = load_house(deck if isinstance(deck, str | Path | Mapping) else "house")
        self._voice = Voice(self._house, setting)
        self._words = self._voice.words

    def tell(self, before: Seen | None, seat: int | None, move: str | None, after: Seen) -> list[Text]:
        self._voice.meet(after)
        return list(story(self._voice, before, seat, move, after))

    def draw(self, view: Seen) -> RenderableType:
        self._voice.meet(view)
        words, voice = self._words, self._voice
        title = Text(words("place", turn=view["turn"], who=voice.full(view["active"])), style="bold")
        score = words("score", saved=len(view["saved"]), lost=len(view["lost"]))
        lines: list[RenderableType] = [self._clock(view), Text(""), self._map(view), Text("")]
        lines += [*self._treasures(view), Text(""), *self._players(view), Text(""), *self._cards(view)]
        return Panel(Group(*lines), title=title, title_align="left", subtitle=score)

    def _clock(self, view: Seen) -> RenderableType:
        """The clock's face, or its hours in a line where there is no room for it."""
        words = self._words
        wide = Grid.grid()
        wide.add_column(no_wrap=True, min_width=60)
        for line in clock_lines(view):
            wide.add_row(line)
        brief = Text(f"{words('clock')} {view['time']} min")
        for colour in COLOURS:
            if view["treasures"][colour]:
                brief.append(f"  ◆{view['treasures'][colour]['clock']}", INK[colour])
        return Group(Fitting(wide, brief), Text(words("clock_key"), "dim"))

    def _map(self, view: Seen) -> RenderableType:
        narrow = rooms_list(self._house, view, self._words, self._language)
        drawn = map_lines(self._house, view, self._words, self._language)
        if drawn is None:
            return narrow
        wide = Grid.grid()
        wide.add_column(no_wrap=True, min_width=68)
        wide.add_row(drawn)
        return Fitting(wide, narrow)

    def _treasures(self, view: Seen) -> Iterator[Text]:
        words, voice, house = self._words, self._voice, self._house
        for colour in COLOURS:
            treasure = view["treasures"][colour]
            if treasure is None:
                continue
            types = house.tiles[house.treasures.index(treasure["id"])][1]
            names = house.type_names[self._language]
            parts = []
            for kind in types:
                rooms = [room for room, trap in view["traps"].items() if trap == house.types[kind] and room not in view["off"]]
                parts += [f"{names[kind]} ({', '.join(map(voice.room, rooms))})"] if rooms else []
            traps = words("guarded", traps=", ".join(parts)) if parts else words("free")
            text = words(
                "treasure",
                name=voice.treasure(treasure["id"]),
                minutes=minutes_left(view, colour),
                room=voice.room(treasure["room"]),
                traps=traps,
            )
            yield Text("◆ ", INK[colour]).append(text, "default")

    def _players(self, view: Seen) -> Iterator[Text]:
        words, voice, house = self._words, self._voice, self._house
        for seat, place in enumerate(view["places"]):
            line = Text("▶ " if seat == view["mover"] else "  ").append(voice.full(seat), "bold")
            line.append(
                f" {words('you') if seat == voice.me else self._setting.bots[seat]}", "bold cyan" if seat == voice.me else "dim"
            )
            line.append(f" · {words('player_out') if place is None else voice.room(place)} · ")
            number = house.characters.index(view["characters"][seat])
            if view["powers"][seat]:
                ability = ability_words(house, number, self._language)
                bonus = list_words(house.lists[FIRST_BONUS + number], self._language)
                line.append(words("power_up", ability=ability, bonus=bonus), "yellow")
            else:
                line.append(words("power_down"), "dim")
            yield line

    def _cards(self, view: Seen) -> Iterator[Text]:
        words, voice = self._words, self._voice
        yield Text(words("cards"), "bold")
        for card in view["shown"]:
            line = Text("  ").append_text(voice.card(card))
            if view["played"] is not None:
                line.stylize("dim")
            if card == view["played"]:
                line.append(f" ({words('played')})", "dim")
            yield line
        if view["phase"] == "act":
            yield Text(words("actions", actions=view["actions"]))
        if view["held"]:
            yield Text(words("held"), "yellow")

    def choices(self, view: Seen, moves: Sequence[str]) -> RenderableType:  # noqa: ARG002
        grid = Grid.grid(padding=(0, 2))
        grid.add_column(justify="right")
        grid.add_column(no_wrap=True)
        grid.add_column()
        lines: list[Text] = []
        for number, move in enumerate(moves, start=1):
            label = self._setting.label(move)
            grid.add_row(Text(str(number), "dim"), Text(move, "bold"), Text(label))
            lines.append(Text(f"{number} ", "dim").append(label, "bold"))
        return Group(Text(self._words("choices")), Fitting(grid, Group(*lines)))

    def question(self, view: Seen) -> str:
        dice = dice_words(self._voice, view) if view["phase"] == "dice" else ""
        return self._words(f"ask_{view['phase']}", dice=dice)

    def read(self, view: Seen, entry: str) -> str:  # noqa: ARG002
        return read_entry(self._house, entry)

    def why_not(self, view: Seen, entry: str) -> str:
        words = self._words
        if view["phase"] in {"card", "dice", "activate"}:
            return words(f"why_{view['phase']}")
        verb, _, rest = entry.strip().partition(":")
        if verb in {"go", "unlock", "disarm", "take"} and not view["actions"]:
            return words("why_actions")
        if verb == "card" and view["played"] is not None:
            return words("why_played")
        return self._why_no_way(view, rest) if verb == "go" and rest in self._house.rooms else ""

    def _why_no_way(self, view: Seen, room: str) -> str:
        words, place = self._words, view["places"][view["active"]]
        if room == view["professor"]:
            return words("why_professor")
        if place is None:
            return words("why_window")
        next_to = self._house.exits[self._house.rooms.index(place)]
        return words("why_locked" if self._house.rooms.index(room) in next_to else "why_far")

    def help(self) -> Sequence[tuple[str, str]]:
        words = self._words
        return [
            ("go:library", words("help_go")),
            ("unlock:red", words("help_unlock")),
            ("disarm", words("help_disarm")),
            ("take", words("help_take")),
            ("card:ID:…", words("help_card")),
            ("reroll:clock", words("help_reroll")),
            ("end", words("help_end")),
            (words("help_aim_word"), words("help_aim")),
        ]

    def result(self, view: Seen, winners: Sequence[int]) -> RenderableType:  # noqa: ARG002
        words = self._words
        won = view["result"] == "won"
        key = "won_all" if won else "lost_all" if len(view["lost"]) == 4 else "time_up"
        return Group(self.draw(view), Text(words(key), "bold green" if won else "bold red"))
