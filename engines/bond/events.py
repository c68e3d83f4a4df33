"""What happens at a table of bond, from two views of one seat or of the spectator."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from machiavel.engines.events import EventFields, GameEvent, SeenMove
from machiavel.engines.plugin import Rules

__all__ = ["EVENT_KINDS", "GOAL", "Seen", "events", "worth_of"]

Seen = Mapping[str, Any]  # a view of one seat, or of the spectator

GOAL, SPIES = 30, 18
SORTS = {"lair": "lair", "spy": "spy", "add": "spy", "taunt": "doubler", "foil": "doubler"}  # of the card that a move names

BY_SEAT: EventFields = {"seat": "seat"}
OUTCOME: EventFields = {"seat": "seat", "lair": "count", "count": "count", "worth": "count"}
EVENT_KINDS: Mapping[str, EventFields] = {
    # What is said or played, by the words of moves. A card is None to those who do not see it.
    **dict.fromkeys(("skip", "end", "go", "let"), BY_SEAT),
    "lair": {"seat": "seat", "card": "card", "worth": "count"},
    "spy": {"seat": "seat", "target": "seat", "card": "card?"},
    "steal": {"seat": "seat", "victim": "seat", "target": "seat"},
    "deck": {"seat": "seat", "target": "seat"},
    "add": {"seat": "seat", "card": "card?"},
    "kill": {"seat": "seat", "count": "count", "worth": "count", "doublings": "doubling", "points": "count", "total": "count"},
    "taunt": {"seat": "seat", "count": "count", "card": "card"},
    "foil": {"seat": "seat", "target": "seat", "count": "count", "card": "card"},
    # What follows. `count` spies are worth their sum; they are captured in, or escape from, a seat's lair.
    "turned_up": {"spy": "card"},
    "turned_up_together": {"spies": "cards", "worth": "count"},
    "captured": OUTCOME,
    "escaped": OUTCOME,
    "stands": {"seat": "seat", "count": "count", "worth": "count"},
    "draw": {"seat": "seat", "card": "card"},
    "draw_back": {"seat": "seat", "back": "back"},
    "no_draw": BY_SEAT,
    # The beginning and the end.
    "begin": {"seat": "seat", "goal": "count"},
    "goal": {"goal": "count"},
    "last_spy": {},
    "nobody_plays": {},
    "won": {"seat": "seat", "points": "count"},
    "shared": {"seats": "seats", "points": "count"},
}


def events(
    rules: Rules,  # noqa: ARG001
    before: Seen | None,
    move: SeenMove | None,
    after: Seen,
) -> Iterator[GameEvent]:
    """A move, and what followed from it, in order."""
    if before is None or move is None:
        yield event("begin", {"seat": after["turn"], "goal": GOAL})
        return
    facts = facts_of(before, move, after)
    yield event(str(facts["word"]), facts)
    if facts["spies"]:  # R4.1, R4.4
        yield event("turned_up_together" if facts["count"] > 1 else "turned_up", facts)
        yield event("captured" if after["attack"] else "escaped", facts | {"seat": facts["target"]})
    if move.text == "let" and after["phase"] == "captured":  # R6.3
        yield event("stands", facts | {"seat": facts["target"], "worth": worth_of(after["attack"])})
    if after["phase"] == "over":
        yield from told_end(after)
    elif before["turn"] != after["turn"]:
        yield told_draw(before, facts, after)


def event(kind: str, facts: Mapping[str, Any]) -> GameEvent:
    return GameEvent(kind, {name: facts[name] for name in EVENT_KINDS[kind]})


def facts_of(before: Seen, move: SeenMove, after: Seen) -> dict[str, Any]:
    """Everything that an event of this move may have among its fields."""
    what, _, lair = move.text.partition(">")
    word, _, mark = what.partition(":")
    attack = before["attack"] or {"target": move.seat, "spies": [], "taunts": [], "taunt": None}
    target = int(lair) if lair else attack["target"]
    mark = attack["taunt"] if word == "foil" else mark
    turned = turned_up(before, word, after)
    spies = turned or attack["spies"]
    is_known = None not in spies
    return {
        "word": word,
        "seat": move.seat,
        "target": target,
        "victim": int(mark) if word == "steal" else None,
        "card": f"{SORTS[word]}:{mark}" if word in SORTS and mark != "?" else None,
        "spy": f"spy:{turned[0]}" if turned else None,
        "spies": [f"spy:{value}" for value in turned],
        "count": len(spies),
        "worth": sum(after["lairs"][move.seat]) if word == "lair" else sum(spies) if is_known else 0,
        "lair": sum(before["lairs"][target]),
        "doublings": len(attack["taunts"]),
        "points": after["points"][move.seat] - before["points"][move.seat],
        "total": after["points"][move.seat],
    }


def turned_up(before: Seen, word: str, after: Seen) -> list[int]:
    """The spies that a move showed to everybody, the strongest first; none where it showed none."""
    attack = after["attack"]
    if word not in {"spy", "steal", "deck", "go"} or (attack and not attack["captured"]):
        return []
    if attack:
        return list(attack["spies"])
    escaped = Counter(after["discard"]["spies"]) - Counter(before["discard"]["spies"])
    return sorted(escaped.elements(), reverse=True)


def worth_of(attack: Seen) -> int:
    """What a captured spy scores if it is killed now (R5.3)."""
    value: int = sum(attack["spies"]) * 2 ** len(attack["taunts"])
    return value


def told_draw(before: Seen, facts: Mapping[str, Any], after: Seen) -> GameEvent:
    """The card with which a turn begins (R3.1): to whoever draws it by its face, to the others by its back."""
    seat, is_deck = after["turn"], facts["word"] == "deck"
    if before["pile"]["count"] == int(is_deck):
        return GameEvent("no_draw", {"seat": seat})
    if seat != after["seat"]:
        is_spy = before["pile"]["spies"] - after["pile"]["spies"] > int(is_deck)
        return GameEvent("draw_back", {"seat": seat, "back": "spy" if is_spy else "other"})
    hand = cards_in(after["hand"]) - (cards_in(before["hand"]) - Counter(facts["spies"] if facts["victim"] == seat else ()))
    return GameEvent("draw", {"seat": seat, "card": next(iter(hand))})


def cards_in(heap: Seen) -> Counter[str]:
    sorts = {"lairs": "lair", "spies": "spy", "doublers": "doubler"}
    return Counter(f"{sorts[sort]}:{mark}" for sort, marks in heap.items() for mark in marks)


def told_end(after: Seen) -> Iterator[GameEvent]:
    """Why the match is over, and who has won it (R7)."""
    most = max(after["points"])
    seats = [seat for seat, points in enumerate(after["points"]) if points == most]
    is_last = len(after["discard"]["spies"]) == SPIES
    yield event("goal" if most >= GOAL else "last_spy" if is_last else "nobody_plays", {"goal": GOAL})
    yield event("won" if len(seats) == 1 else "shared", {"seat": seats[0], "seats": seats, "points": most})
