"""What happens in a match of agency, told from two views of one seat, or of the spectator, and the move between them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from machiavel.engines.agency import _engine
from machiavel.engines.agency.deck import AGENTS, HALF, TRICKS, AgencyDeck
from machiavel.engines.events import EventFields, GameEvent, SeenMove
from machiavel.engines.plugin import Rules

__all__ = ["EVENT_KINDS", "bonus_of", "events"]

Seen = Mapping[str, Any]

EVENT_KINDS: Mapping[str, EventFields] = {
    "play": {"who": "seat", "card": "card"},
    "pass": {"who": "seat", "whom": "seat", "card": "card?"},
    "lead": {"who": "seat", "whom": "seat"},
    "look": {"who": "seat", "whom": "seat", "cards": "cards"},  # none for who does not see them
    "exchange": {"who": "seat?", "giver": "seat?", "card": "card?"},  # what the view's own seat gets
    # Plans by their values, that from the bottom too; `uncounted`: the cards taken count for nobody (R6.4).
    "trick": {"who": "seat", "plan": "count", "bottom": "count?", "greens": "count", "yellows": "count", "uncounted": "flag"},
    "reserves": {},
    "round_end": {"round": "count"},
    "score": {"who": "seat", **dict.fromkeys(("plans", "greens", "bonus", "yellows", "malus", "points"), "count")},
    "medal": {"who": "seat"},
    "round": {"round": "count", "left": "count", "under": "count"},  # cards of the pile; none left before the second round
    "power": {"who": "seat", "power": "agent"},
    "stake": {"plan": "plan"},
    "win": {"who": "seat"},
    "share": {"who": "seat"},
}


def events(rules: Rules, before: Seen | None, move: SeenMove | None, after: Seen) -> Iterator[GameEvent]:
    if before is not None and move is not None:
        yield moved(before, move, after)
        if before["phase"] == "pass" and after["phase"] != "pass":
            yield exchanged(after)
        if before["phase"] == "play" and len(before["table"]) + 1 == len(before["order"]):
            yield from trick_ended(rules, before, move, after)
    yield from begun(before, after)


def event(kind: str, *values: object) -> GameEvent:
    return GameEvent(kind, dict(zip(EVENT_KINDS[kind], values, strict=True)))


def moved(before: Seen, move: SeenMove, after: Seen) -> GameEvent:
    word, _, rest = move.text.rpartition(":")
    if word == "lead":
        return event("lead", move.seat, int(rest))
    if word == "look":
        return event("look", move.seat, int(rest), after["look"]["cards"] or [])
    if word == "pass":
        return event("pass", move.seat, (move.seat + 1) % len(before["medals"]), None if rest == "?" else rest)
    return event("play", move.seat, rest)


def exchanged(after: Seen) -> GameEvent:
    """R7.5."""
    if after["seat"] is None:
        return event("exchange", None, None, None)
    return event("exchange", after["seat"], (after["seat"] - 1) % len(after["medals"]), after["half"][-1]["received"])


def trick_ended(rules: Rules, before: Seen, move: SeenMove, after: Seen) -> Iterator[GameEvent]:
    """R4.3, R5, R6.2, R6.4."""
    deck: AgencyDeck = rules.tables.deck
    seats, cards = zip(*before["table"], (move.seat, move.text), strict=True)
    value, accomplice = deck.kinds[deck.kind_numbers[before["stake"]]]
    best, *_ = _engine.trick_so_far(rules.capsule, accomplice, [deck.card_numbers[card] for card in cards])
    winner = seats[best]
    agent = before["agents"][winner] if before["agents"] else ""
    greens, yellows = (sum(card[0] == letter for card in cards) for letter in "GY")
    uncounted = before["jean"] and agent == "jean"
    # What each seat has of the round; a view keeps nothing of a round that is over but its points.
    taken = {name: list(before[name]) for name in ("greens", "yellows")}
    taken["greens"][winner] += 0 if uncounted else greens
    taken["yellows"][winner] += 0 if uncounted else yellows
    is_last = before["trick"] == TRICKS
    scores = scored(rules, taken, after) if is_last else []
    plans = scores[winner].fields["plans"] if is_last else after["plan_points"][winner]
    bottom = plans - before["plan_points"][winner] - value if before["martha"] and agent == "martha" else None
    yield event("trick", winner, value, bottom, greens, yellows, uncounted and greens + yellows > 0)
    if before["trick"] == HALF:
        yield event("reserves")
    if is_last:
        yield event("round_end", before["round"])
        yield from scores
        yield from (event("medal", seat) for seat in after["last_round"]["winners"])


def scored(rules: Rules, taken: Mapping[str, Sequence[int]], after: Seen) -> list[GameEvent]:
    """R8: the points of each seat taken apart."""
    worth, greens, yellows = bonus_of(rules), taken["greens"], taken["yellows"]
    result = []
    for seat, points in enumerate(after["last_round"]["points"]):
        bonus = worth if greens[seat] == min(greens) else 0
        malus = worth if yellows[seat] == max(yellows) else 0
        result.append(event("score", seat, points - bonus + malus, greens[seat], bonus, yellows[seat], malus, points))
    return result


def bonus_of(rules: Rules) -> int:
    """R8.2, R8.3: what the fewest greens gain, and the most yellows cost."""
    return _engine.bonus(rules.capsule)


def begun(before: Seen | None, after: Seen) -> Iterator[GameEvent]:
    """A new round, powers that have come up since, what is at stake; or the end of the match."""
    if after["phase"] == "over":
        yield from (event("share" if after["winners"][1:] else "win", seat) for seat in after["winners"])
        return
    place = after["round"], after["trick"]
    if before is None or before["round"] != after["round"]:
        *left, under = (segment["size"] for segment in after["segments"])
        yield event("round", after["round"], sum(left), under)
    known = before if before is not None and place == (before["round"], before["trick"]) else None
    for agent in powers_up(after):
        if known is None or agent not in powers_up(known):
            yield event("power", after["agents"].index(agent), agent)
    if after["stake"] is not None and (known is None or known["stake"] is None):
        yield event("stake", after["stake"])


def powers_up(seen: Seen) -> list[str]:
    """The agents whose power is at work in this trick, or is being used."""
    up = {
        "belton": seen["phase"] == "lead",
        "martha": seen["martha"],
        "wxt": seen["last"] is not None,
        "jean": seen["jean"],
        "moignons": seen["phase"] == "look",
    }
    return [agent for agent in AGENTS if up[agent]]
