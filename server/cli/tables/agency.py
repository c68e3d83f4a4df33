"""Agency's table in the terminal: the trick, the plan at stake, powers, what one has learned, and one's hand."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from machiavel.server.cli.tables.agency_entries import read_entry
from machiavel.server.cli.tables.agency_story import bonus_of, powers_up, story, told_haul, trick_taken
from machiavel.server.cli.tables.agency_voice import Voice
from machiavel.server.cli.tables.fitting import Fitting
from machiavel.server.cli.tables.setting import Seen, TableSetting

__all__ = ["AgencyTable"]

MOST_DRAWN = 4  # medals
BRIEF = ("cards", "tricks", "plans", "greens", "yellows", "medals")


class AgencyTable:
    """One seat's table; remembers of the past what a person would, and no more than the seat was shown."""

    def __init__(self, setting: TableSetting) -> None:
        self._setting = setting
        self._voice = Voice(setting)
        self._words = self._voice.words
        self._named: int | None = None  # who leads this trick by Belton's choice
        self._latest: Text | None = None  # the last trick

    def tell(self, before: Seen | None, seat: int | None, move: str | None, after: Seen) -> list[Text]:
        self._voice.meet(after)
        lines = list(story(self._voice, before, seat, move, after))
        if before is None or seat is None or move is None:
            return lines
        haul = trick_taken(before, seat, move, after)
        if haul is not None:
            self._named = None
            self._latest = Text(f"{self._voice.name(haul.winner)} – ").append_text(told_haul(self._voice, haul))
        if move.startswith("lead:"):
            self._named = int(move.removeprefix("lead:"))
        return lines

    def draw(self, view: Seen) -> RenderableType:
        place = self._words("place", round=view["round"], trick=view["trick"])
        title = Text(place, style="bold")
        lines: list[RenderableType] = [*self._stake(view), self._seats(view), *self._memory(view)]
        return Panel(Group(*lines), title=title, subtitle=self._words("pile", count=len(view["pile"])), title_align="left")

    def _stake(self, view: Seen) -> Iterator[Text]:
        words, voice = self._words, self._voice
        if view["stake"] is None:
            agent = view["pile"][0]
            yield words.styled("on_top", agent=Text(voice.agent(agent), style="bold"), power=voice.power(agent))
        else:
            value = voice.plan(view["stake"])
            if "+" not in view["stake"] and self._setting.options.get("accomplices", True):
                value.append(f" ({words('no_accomplice')})", style="dim not bold")
            yield words.styled("stake", value=value)
        for what in self._this_trick(view):
            yield words.styled("this_trick", what=what)

    def _this_trick(self, view: Seen) -> Iterator[str]:
        words, voice = self._words, self._voice
        if self._named is not None:
            yield words("choice_lead", agent=voice.agent("belton"), target=voice.name(self._named))
        for agent in powers_up(None, view):
            seat = voice.seat_of(agent)
            if seat is None or agent in {"belton", "moignons"}:
                continue
            if agent == "wxt":
                yield words("last_player", who=voice.name(seat))
            else:
                yield words("power_of", who=voice.full(seat), power=voice.power(agent))

    def _seats(self, view: Seen) -> RenderableType:
        played = dict(view["table"])
        order = view["order"] or range(len(view["medals"]))
        rows = [self._row(view, seat, played.get(seat)) for seat in order]
        return Fitting(self._grid(rows), self._lines(rows))

    def _row(self, view: Seen, seat: int, card: str | None) -> list[Text]:
        """What the table shows of a seat, in the order of its columns."""
        cards = f"{view['hand_counts'][seat]}" + (f"+{view['reserve']}" if view["reserve"] else "")
        counts = (str(view[name][seat]) for name in ("tricks", "plan_points", "greens", "yellows"))
        played = self._played(view, seat, card)
        return [self._player(view, seat), played, *map(Text, (cards, *counts)), self._medals(view["medals"][seat])]

    def _grid(self, rows: Sequence[Sequence[Text]]) -> Grid:
        words = self._words
        grid = Grid(box=None, padding=(0, 1), pad_edge=False)
        grid.add_column(words("player"), no_wrap=True)
        grid.add_column(words("card"), min_width=8)
        for name in ("cards_left", *BRIEF[1:]):
            grid.add_column(words(name), justify="right", header_style={"greens": "green", "yellows": "yellow"}.get(name, ""))
        for row in rows:
            grid.add_row(*row)
        return grid

    def _lines(self, rows: Sequence[Sequence[Text]]) -> RenderableType:
        """The same on a narrow screen: a line a seat, each number with a letter that the last line explains."""
        words = self._words
        lines = [
            Text(" ").join(
                [player, *([played] if played.plain else []), words.styled("brief", **dict(zip(BRIEF, rest, strict=True)))]
            )
            for player, played, *rest in rows
        ]
        return Group(*lines, Text(words("brief_key"), style="dim"))

    def _player(self, view: Seen, seat: int) -> Text:
        mine = seat == self._voice.me
        text = Text("▶ " if seat in view["to_move"] else "  ")
        text.append(self._voice.short(seat), style="bold" if mine else "")
        note = self._words("you") if mine else self._setting.bots[seat]
        return text.append(f" {note}", style="bold cyan" if mine else "dim")

    def _played(self, view: Seen, seat: int, card: str | None) -> Text:
        if card is not None:
            return self._voice.chip(card)
        if view["phase"] == "pass":
            return Text("" if seat in view["to_move"] else self._words("given"), style="dim")
        if seat in view["to_move"]:
            return Text(self._words("to_play"), style="dim")
        leads = view["stake"] is not None and seat == view["leader"]
        return Text(self._words("leads") if leads else "", style="dim")

    def _medals(self, count: int) -> Text:
        goal = int(self._setting.options.get("medals", 2))
        if goal > MOST_DRAWN:
            return Text(f"{count}/{goal}")
        return Text("●" * count, style="yellow").append("○" * max(0, goal - count), style="dim")

    def _memory(self, view: Seen) -> Iterator[Text]:
        """What was learned earlier and may matter still."""
        words, voice = self._words, self._voice
        players = len(view["medals"])
        left, right = (voice.me + 1) % players, (voice.me - 1) % players
        if view["last_round"]:
            points = view["last_round"]["points"]
            yield Text(words("latest_round", what=", ".join(f"{voice.name(s)} {p}" for s, p in enumerate(points))), "dim")
        if self._latest is not None:
            yield words.styled("latest_trick", what=self._latest)
        look = view["look"]
        if look and look["cards"] is not None:
            played = {card for _, card in view["table"]} | set(view["seen"])
            cards = Text(", ").join(strike(voice.card(card), card in played) for card in look["cards"])
            yield words.styled("looked", target=voice.full(look["target"]), trick=look["trick"], cards=cards)
        elif look and look["target"] == voice.me:
            yield words.styled("was_looked_at", looker=voice.full(look["looker"]), trick=look["trick"])
        for entry in view["half"]:
            if entry["gave"] is None:
                continue
            gave = {"card": voice.card(entry["gave"]), "target": voice.full(left)}
            if entry["received"] is None:
                yield words.styled("gave_waiting", **gave)
                continue
            yield words.styled("gave", trick=entry["trick"], **gave)
            received = voice.card(entry["received"])
            yield words.styled("received", card=received, source=voice.full(right), trick=entry["trick"])

    def choices(self, view: Seen, moves: Sequence[str]) -> RenderableType:
        hand = self._hand(view, moves)
        if view["phase"] not in {"lead", "look"}:
            return hand
        lines = [
            Text(f"  {number} ", "dim").append(move, "bold").append(f"  {self._aim(move)}")
            for number, move in enumerate(moves, 1)
        ]
        return Group(hand, Text(self._words("choices")), *lines)

    def _aim(self, move: str) -> str:
        return self._voice.name(int(move.partition(":")[2]))

    def _hand(self, view: Seen, moves: Sequence[str]) -> RenderableType:
        """The cards in hand; those that may be chosen with their number."""
        numbers = {move.removeprefix("pass:"): number for number, move in enumerate(moves, start=1)}
        grid = Grid.grid(padding=(0, 2))
        brief: list[Text] = []
        cards = view["hand"]
        for _ in cards:
            grid.add_column(justify="center")
        grid.add_row(*(strike(self._voice.chip(card), False) for card in cards))
        grid.add_row(*(self._voice.card(card) for card in cards))
        if any(card in numbers for card in cards):
            grid.add_row(*(Text(str(numbers.get(card, "–")), "bold" if card in numbers else "dim") for card in cards))
        for card in cards:
            number = Text(f"{numbers[card]}\N{NO-BREAK SPACE}" if card in numbers else "", "bold")
            brief.append(number.append_text(self._voice.chip(card)))
        note = self._words("reserve", count=view["reserve"]) if view["reserve"] else None
        hand = Fitting(grid, Text("  ").join(brief))
        return Panel(hand, title=self._words("hand"), title_align="left", subtitle=note, subtitle_align="right")

    def question(self, view: Seen) -> str:
        target = self._voice.full((self._voice.me + 1) % len(view["medals"]))
        return self._words(f"ask_{view['phase']}", target=target)

    def read(self, view: Seen, entry: str) -> str:
        return read_entry(view, entry)

    def why_not(self, view: Seen, entry: str) -> str:
        words, phase = self._words, view["phase"]
        word, colon, rest = entry.strip().rpartition(":")
        card = rest.strip().upper()
        if phase in {"lead", "look"}:
            return words(f"why_{phase}", seat=(self._voice.me + 1) % len(view["medals"]))
        if phase == "pass" and word.strip().lower() != "pass":
            return words("why_pass", move=f"pass:{view['hand'][0]}")
        if phase == "play" and colon:
            return words("why_play")
        if card not in view["hand"]:
            return words("why_hand")
        return words("why_follow", colour=self._voice.colour(view["table"][0][1])) if view["table"] else ""

    def help(self) -> Sequence[tuple[str, str]]:
        words = self._words
        options = self._setting.options
        moves = [("G8", words("help_card"))]
        if options.get("accomplices", True):
            moves.append(("pass:Y12", words("help_pass")))
        if options.get("powers", True):
            moves += [("lead:2", words("help_lead")), ("look:1", words("help_look"))]
        return [
            *moves,
            (words("help_trick_word"), words("help_trick")),
            (words("help_aim_word"), words("help_aim", bonus=bonus_of(len(self._setting.bots)))),
            (words("help_end_word"), words("help_end", medals=options.get("medals", 2))),
        ]

    def result(self, view: Seen, winners: Sequence[int]) -> RenderableType:
        words, voice = self._words, self._voice
        grid = Grid(box=None, padding=(0, 1), pad_edge=False)
        grid.add_column(words("player"))
        grid.add_column(words("last_points"), justify="right")
        grid.add_column(words("medals"))
        points = view["last_round"]["points"]
        for seat in sorted(range(len(points)), key=lambda seat: (-view["medals"][seat], -points[seat], seat)):
            grid.add_row(self._player(view, seat), str(points[seat]), self._medals(view["medals"][seat]))
        if list(winners) == [voice.me]:
            line = words("won")
        else:
            line = words("won_by" if len(winners) == 1 else "won_shared", winners=", ".join(map(voice.name, winners)))
        title = Text(words("match_over"), style="bold")
        return Panel(Group(grid, Text(line, style="bold green")), title=title, title_align="left")


def strike(text: Text, gone: bool) -> Text:
    if gone:
        text.stylize("dim strike")
    return text
