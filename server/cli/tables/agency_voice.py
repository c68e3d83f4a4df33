"""How agency's players, cards and plans are named: to the person at one seat, in one language."""

from collections.abc import Iterable, Sequence

from rich.text import Text

from machiavel.engines.agency.labels import ACCOMPLICE_WORDS, AGENT_NAMES, COLOUR_NAMES, POWER_WORDS, card_label
from machiavel.server.cli.tables.agency_words import AGENCY_TEXTS
from machiavel.server.cli.tables.setting import Seen, TableSetting
from machiavel.server.cli.tables.voice import SeatVoice

__all__ = ["STYLES", "Voice"]

STYLES = {
    "M": "bold white on magenta",
    "B": "bold white on blue",
    "G": "bold black on green",
    "Y": "bold black on yellow",
}
INK = {"M": "magenta", "B": "blue", "G": "green", "Y": "yellow"}


class Voice(SeatVoice):
    """Says who and what; the agents are known from the first view on."""

    def __init__(self, setting: TableSetting) -> None:
        super().__init__(AGENCY_TEXTS, setting)
        self.agents: Sequence[str] = ()

    def meet(self, view: Seen) -> None:
        self.agents = view["agents"]

    def agent(self, name: str) -> str:
        return AGENT_NAMES.get(name, name)

    def seat_of(self, agent: str) -> int | None:
        return self.agents.index(agent) if agent in self.agents else None

    def full(self, seat: int) -> str:
        """A player by agent and seat, the reader too."""
        if not self.agents:
            return super().full(seat)
        return self.words("name", agent=self.agent(self.agents[seat]), seat=seat)

    def short(self, seat: int) -> str:
        """A player where there is little room."""
        return self.full(seat).removeprefix("Henry B. ")

    def card(self, card: str) -> Text:
        return Text(card_label(card, self.language), style=INK[card[0]])

    def cards(self, cards: Iterable[str]) -> Text:
        return Text(", ").join(self.card(card) for card in cards)

    def chip(self, card: str) -> Text:
        """A card as its notation on its colour."""
        return Text.assemble((f" {card} ", STYLES[card[0]]))

    def colour(self, card: str) -> str:
        return COLOUR_NAMES[self.language][card[0]]

    def plan(self, plan: str) -> Text:
        """The value of a plan, and what its accomplice does."""
        value, _, accomplice = plan.partition("+")
        text = Text(value, style="bold")
        if accomplice:
            text.append(" – ", style="not bold").append(ACCOMPLICE_WORDS[self.language][accomplice], style="bold yellow")
        return text

    def power(self, agent: str) -> str:
        return POWER_WORDS[self.language][agent]
