"""What a seat of agency has taken, where the tricks of a round's first half are told."""

from collections.abc import Mapping, Sequence
from typing import Any

from machiavel.engines.agency import _engine
from machiavel.engines.agency.codec import HALF
from machiavel.engines.agency.deck import FIRST_POWER, AgencyDeck
from machiavel.engines.plugin import Rules

__all__ = ["SCORES", "told_scores"]

GREEN, YELLOW = 2, 3
SCORES = ("plan_points", "greens", "yellows")


def told_scores(rules: Rules, agents: Sequence[str], half: Sequence[Mapping[str, Any]], done: int) -> dict[str, list[int]] | None:
    """By playing the finished tricks again (R4, R5, R6); None where not all of the round, with their stakes, are told."""
    deck: AgencyDeck = rules.tables.deck
    players = rules.players
    if done >= HALF or len(half) < done:
        return None
    result = {name: [0] * players for name in (*SCORES, "tricks", "latest")}
    for number, entry in enumerate(half[:done], 1):
        kind = deck.kind_numbers.get(entry.get("stake") or "", FIRST_POWER)
        cards = [deck.card_numbers.get(card, -1) for card in entry.get("cards", ())]
        order = entry.get("order", [])
        whole = len(cards) == players and min(cards) >= 0 and sorted(order) == list(range(players))
        if entry.get("trick") != number or kind >= FIRST_POWER or not whole:
            return None
        winner = order[_engine.trick_so_far(rules.capsule, deck.kinds[kind][1], cards)[0]]
        is_agent = agents[winner : winner + 1]
        if entry.get("martha") and is_agent == ["martha"]:
            return None  # she has a plan besides, and nobody has told which
        colours = [deck.cards[card][0] for card in cards]
        counts = not (entry.get("jean") and is_agent == ["jean"])
        result["greens"][winner] += counts * colours.count(GREEN)
        result["yellows"][winner] += counts * colours.count(YELLOW)
        result["plan_points"][winner] += deck.kinds[kind][0]
        result["tricks"][winner] += 1
        result["latest"][winner] = number
    return result
