"""Kuhn poker in the terminal: two cards, and the pot between them."""

from collections.abc import Mapping, Sequence

from rich.console import RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from machiavel.server.cli.tables import Seen
from machiavel.server.cli.tables.fallback import FallbackTable

from . import ENGINE, pot_of, staked_by

__all__ = ["ENTRIES", "KuhnTable"]

ENTRIES = {"p": "pass", "passe": "pass", "passer": "pass", "b": "bet", "m": "bet", "mise": "bet", "miser": "bet", "suivre": "bet"}


class KuhnTable(FallbackTable):
    """One seat's table; what happens is told by the engine's events, moves are listed as for any game."""

    def say(self, key: str, **parts: object) -> str:
        return ENGINE.phrases()(f"table.{key}", self._setting.language, **parts)

    def draw(self, view: Seen) -> RenderableType:
        grid = Grid.grid(padding=(0, 3))
        grid.add_row(*(self.seat(view, seat) for seat in range(2)))
        return Panel(grid, title=self.say("pot", pot=pot_of(view["moves"])), title_align="left", expand=False)

    def seat(self, view: Seen, seat: int) -> Text:
        """A player, the card as far as it is seen, and the chips put in."""
        is_mine, card = seat == self._setting.seat, view["cards"][seat]
        name = self.say("you") if is_mine else self.say("other", seat=seat, bot=self._setting.bots[seat])
        shown = Text(f" {card} ", "bold black on white") if card else Text(self.say("hidden"), "dim")
        staked = Text(self.say("staked", staked=staked_by(seat, view["moves"])), "yellow")
        return Text("\n").join([Text(name, "bold cyan" if is_mine else "bold"), shown, staked])

    def question(self, view: Seen) -> str:
        return self.say("ask_bet" if "bet" in view["moves"] else "ask")

    def read(self, view: Seen, entry: str) -> str:
        return ENTRIES.get(entry.casefold(), entry)

    def help(self) -> Sequence[tuple[str, str]]:
        helps: Mapping[str, str] = {"pass": "help_pass", "bet": "help_bet"}
        return [(move, self.say(key)) for move, key in helps.items()]
