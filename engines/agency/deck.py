"""Decks of agency: the cards, plans and agents that a match is played with."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from machiavel.engines.decks import DeckReader, read_deck

__all__ = ["ACCOMPLICES", "AGENTS", "COLOURS", "FIRST_POWER", "AgencyDeck", "load_deck"]

# In the order of the engine's enumerations.
COLOURS = ("mauve", "blue", "green", "yellow")
LETTERS = "MBGY"
AGENTS = ("belton", "martha", "wxt", "jean", "moignons")
ACCOMPLICES = ("", "blue_over_mauve", "plain_mauve", "low_wins", "follow_suit", "pass_left")

FIRST_POWER = 24
MOST_CARDS = 64
MOST_RANK = 99
LEAST_PLANS, MOST_PLANS = 13, 23


@dataclass(frozen=True)
class AgencyDeck:
    """What can be on the table: cards in deck order, kinds of plans with how many there are, agents."""

    name: str
    cards: tuple[tuple[int, int], ...]  # colour, rank
    kinds: tuple[tuple[int, int], ...]  # of plans: value, accomplice; ascending by value, then by the accomplice's name
    counts: tuple[int, ...]  # of each kind
    agents: tuple[int, ...]

    @cached_property
    def card_texts(self) -> tuple[str, ...]:
        return tuple(f"{LETTERS[colour]}{rank}" for colour, rank in self.cards)

    @cached_property
    def card_numbers(self) -> dict[str, int]:
        return {text: number for number, text in enumerate(self.card_texts)}

    @cached_property
    def kind_texts(self) -> dict[int, str]:
        """What lies in the pile, plans and powers, by kind."""
        texts = {kind: plan_text(value, accomplice) for kind, (value, accomplice) in enumerate(self.kinds)}
        return texts | {FIRST_POWER + agent: name for agent, name in enumerate(AGENTS)}

    @cached_property
    def kind_numbers(self) -> dict[str, int]:
        return {text: kind for kind, text in self.kind_texts.items()}

    @cached_property
    def digest(self) -> str:
        """Of what changes the game: provenance and names do not."""
        return hashlib.sha256(json.dumps([self.cards, self.kinds, self.counts, self.agents]).encode()).hexdigest()

    def without_accomplices(self) -> "AgencyDeck":
        """The same with every plan plain."""
        counts: Counter[int] = Counter()
        for (value, _), count in zip(self.kinds, self.counts, strict=True):
            counts[value] += count
        values = sorted(counts)
        return AgencyDeck(
            self.name, self.cards, tuple((value, 0) for value in values), tuple(counts[v] for v in values), self.agents
        )


def plan_text(value: int, accomplice: int) -> str:
    return f"{value}+{ACCOMPLICES[accomplice]}" if accomplice else str(value)


def load_deck(option: object, players: int) -> tuple[AgencyDeck, str | Mapping[str, Any]]:
    """The deck that an option means, checked for that many players, and the option as a record keeps it; raises BadDeck."""
    source, tables, deck = shipped_deck(option) if isinstance(option, str) else parsed_deck(option)
    reader = DeckReader(source, tables)
    if len(deck.cards) < 12 * players:
        raise reader.bad("cards", f"are {len(deck.cards)}; {players} players need at least {12 * players}")
    if len(deck.agents) < players:
        raise reader.bad("agents", f"are {len(deck.agents)}; {players} players need one each")
    return deck, option if isinstance(option, str) else json.loads(json.dumps(tables, default=str))


def parsed_deck(option: object) -> tuple[str, Mapping[str, Any], AgencyDeck]:
    source, tables = read_deck("machiavel.engines.agency", option)
    reader = DeckReader(source, tables)
    deck = AgencyDeck(reader.text("name", "a name"), read_cards(reader), *read_plans(reader), read_agents(reader))
    reader.done()
    return source, tables, deck


# What is shipped does not change while we run, and is asked for at every new match.
shipped_deck = cache(parsed_deck)


def read_cards(reader: DeckReader) -> tuple[tuple[int, int], ...]:
    cards: list[tuple[int, int]] = []
    table = reader.table("cards", f"a table with {', '.join(COLOURS)}")
    for colour, name in enumerate(COLOURS):
        entry = table.table(name, "a table with ranks and provenance")
        ranks = entry.take("ranks", list, "a list of ranks")
        for rank in ranks:
            if isinstance(rank, bool) or not isinstance(rank, int) or not 1 <= rank <= MOST_RANK:
                raise entry.bad("ranks", f"hold {rank!r}; expected whole numbers from 1 to {MOST_RANK}")
            if ranks.count(rank) > 1:
                raise entry.bad(
                    "ranks",
                    f"hold {rank} more than once; ranks must be unique in a colour, for equal cards have no rule",
                )
        entry.text("provenance", "where the ranks are known from")
        entry.done()
        cards += [(colour, rank) for rank in sorted(ranks)]
    table.done()
    if len(cards) > MOST_CARDS:
        raise reader.bad("cards", f"are {len(cards)}; at most {MOST_CARDS} in all")
    return tuple(cards)


def read_plans(reader: DeckReader) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    counts: Counter[tuple[int, int]] = Counter()
    for entry in reader.tables("plans", "an array of tables with value, count, provenance and perhaps accomplice"):
        value = entry.number("value", 1, 99)
        accomplice = entry.choice("accomplice", ACCOMPLICES[1:], "")
        counts[value, ACCOMPLICES.index(accomplice)] += entry.number("count", 1, MOST_PLANS)
        entry.text("provenance", "where the plan is known from")
        entry.done()
    if not LEAST_PLANS <= counts.total() <= MOST_PLANS:
        raise reader.bad("plans", f"are {counts.total()}; expected {LEAST_PLANS} to {MOST_PLANS}, counted by `count`")
    kinds = sorted(counts, key=lambda kind: (kind[0], ACCOMPLICES[kind[1]]))
    return tuple(kinds), tuple(counts[kind] for kind in kinds)


def read_agents(reader: DeckReader) -> tuple[int, ...]:
    agents: list[int] = []
    for entry in reader.tables("agents", "an array of tables with id and provenance"):
        agent = AGENTS.index(entry.choice("id", AGENTS))
        if agent in agents:
            raise entry.bad("id", f"is {AGENTS[agent]!r} again; each agent once")
        entry.text("provenance", "where the agent is known from")
        entry.done()
        agents.append(agent)
    return tuple(agents)
