"""Decks of agency: the cards, plans and agents that a match is played with."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

from machiavel.engines.decks import DeckReader, read_deck

__all__ = ["ACCOMPLICES", "AGENTS", "FIRST_POWER", "HALF", "HIDDEN", "LETTERS", "TRICKS", "UNSEEN", "AgencyDeck", "load_deck"]

# In the order of the engine's enumerations.
COLOURS = ("mauve", "blue", "green", "yellow")
LETTERS = "MBGY"
AGENTS = ("belton", "martha", "wxt", "jean", "moignons")
ACCOMPLICES = ("", "blue_over_mauve", "plain_mauve", "low_wins", "follow_suit", "pass_left")
FIRST_POWER, HIDDEN = 24, 255
UNSEEN = "?"  # a place of the pile
HALF, TRICKS = 6, 12
MOST_CARDS, MOST_RANK = 64, 99
LEAST_PLANS, MOST_PLANS = 13, 23

Plan = tuple[int, int]  # value, accomplice


class AgencyDeck:
    """What can be on the table: cards in deck order, kinds of plans with how many there are, agents. Nobody changes it."""

    def __init__(self, name: str, cards: list[tuple[int, int]], plans: Counter[Plan], agents: list[int]) -> None:
        """Cards by colour and rank."""
        self.name, self.cards, self.agents = name, cards, agents
        # Ascending by value, then by the accomplice's name; how many there are of each.
        self.kinds = sorted(plans, key=lambda plan: (plan[0], ACCOMPLICES[plan[1]]))
        self.counts = [plans[kind] for kind in self.kinds]
        self.card_texts = [f"{LETTERS[colour]}{rank}" for colour, rank in cards]
        self.card_numbers = {text: card for card, text in enumerate(self.card_texts)}
        self.colours = {name: sum(1 << card for card, one in enumerate(cards) if one[0] == i) for i, name in enumerate(COLOURS)}
        self.agent_texts = AGENTS
        self.agent_numbers = {AGENTS[agent]: agent for agent in agents}
        # What lies in the pile, by kind.
        plan_texts = [f"{value}+{ACCOMPLICES[accomplice]}" if accomplice else str(value) for value, accomplice in self.kinds]
        self.plan_numbers = {text: kind for kind, text in enumerate(plan_texts)}
        self.kind_numbers = self.plan_numbers | {agent: FIRST_POWER + i for i, agent in enumerate(AGENTS)}
        self.kind_texts = {kind: text for text, kind in self.kind_numbers.items()}
        self.kinds_by_text = [kind for _, kind in sorted(self.kind_numbers.items())]
        self.place_numbers = self.kind_numbers | {UNSEEN: HIDDEN}
        self.place_texts = self.kind_texts | {HIDDEN: UNSEEN}
        self.points = self.worth(dict(enumerate(self.counts)))
        # Of what changes the game: provenance and names do not.
        self.digest = hashlib.sha256(json.dumps([cards, self.kinds, self.counts, agents]).encode()).hexdigest()

    def worth(self, kinds: Mapping[int, int]) -> int:
        """What so many plans of these kinds are worth."""
        return sum(self.kinds[kind][0] * count for kind, count in kinds.items() if kind < FIRST_POWER)

    def without_accomplices(self) -> "AgencyDeck":
        """The same with every plan plain."""
        plans: Counter[Plan] = Counter()
        for (value, _), count in zip(self.kinds, self.counts, strict=True):
            plans[value, 0] += count
        return AgencyDeck(self.name, self.cards, plans, self.agents)


def load_deck(option: object, players: int) -> tuple[AgencyDeck, str | Mapping[str, Any]]:
    """The deck that an option means, checked for that many players, and the option as a record keeps it; raises BadDeck."""
    source, tables, deck = shipped_deck(option) if isinstance(option, str) else parsed_deck(option)
    reader = DeckReader(source, tables)
    if len(deck.cards) < TRICKS * players:
        raise reader.bad("cards", f"are {len(deck.cards)}; {players} players need at least {TRICKS * players}")
    if len(deck.agents) < players:
        raise reader.bad("agents", f"are {len(deck.agents)}; {players} players need one each")
    return deck, option if isinstance(option, str) else json.loads(json.dumps(tables, default=str))


def parsed_deck(option: object) -> tuple[str, Mapping[str, Any], AgencyDeck]:
    source, tables = read_deck("machiavel.engines.agency", option)
    reader = DeckReader(source, tables)
    deck = AgencyDeck(reader.text("name", "a name"), read_cards(reader), read_plans(reader), read_agents(reader))
    reader.done()
    return source, tables, deck


# What is shipped does not change while we run, and is asked for at every new match.
shipped_deck = cache(parsed_deck)


def read_cards(reader: DeckReader) -> list[tuple[int, int]]:
    cards: list[tuple[int, int]] = []
    table = reader.table("cards", f"a table with {', '.join(COLOURS)}")
    for colour, name in enumerate(COLOURS):
        entry = table.table(name, "a table with ranks and provenance")
        ranks = entry.take("ranks", list, "a list of ranks")
        for rank in ranks:
            if type(rank) is not int or not 1 <= rank <= MOST_RANK:
                raise entry.bad("ranks", f"hold {rank!r}; expected whole numbers from 1 to {MOST_RANK}")
            if ranks.count(rank) > 1:
                raise entry.bad(
                    "ranks", f"hold {rank} more than once; ranks must be unique in a colour, for equal cards have no rule"
                )
        entry.text("provenance", "where the ranks are known from")
        entry.done()
        cards += [(colour, rank) for rank in sorted(ranks)]
    table.done()
    if len(cards) > MOST_CARDS:
        raise reader.bad("cards", f"are {len(cards)}; at most {MOST_CARDS} in all")
    return cards


def read_plans(reader: DeckReader) -> Counter[Plan]:
    counts: Counter[Plan] = Counter()
    expected = "an array of tables with value, count, provenance and perhaps accomplice"
    for entry in reader.entries("plans", expected, "where the plan is known from"):
        value = entry.number("value", 1, 99)
        accomplice = entry.choice("accomplice", ACCOMPLICES[1:], "")
        counts[value, ACCOMPLICES.index(accomplice)] += entry.number("count", 1, MOST_PLANS)
    if not LEAST_PLANS <= counts.total() <= MOST_PLANS:
        raise reader.bad("plans", f"are {counts.total()}; expected {LEAST_PLANS} to {MOST_PLANS}, counted by `count`")
    return counts


def read_agents(reader: DeckReader) -> list[int]:
    agents: list[int] = []
    for entry in reader.entries("agents", "an array of tables with id and provenance", "where the agent is known from"):
        agent = AGENTS.index(entry.choice("id", AGENTS))
        if agent in agents:
            raise entry.bad("id", f"is {AGENTS[agent]!r} again; each agent once")
        agents.append(agent)
    return agents
