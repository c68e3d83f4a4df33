"""What happens at citadel's table, told from two views of it (all seats see the same) and the move between them."""

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any

from machiavel.engines.citadel.house import COLOURS, House
from machiavel.engines.citadel.labels import behind
from machiavel.engines.events import EventFields, GameEvent, SeenMove
from machiavel.engines.plugin import Rules

__all__ = ["EVENT_KINDS", "events", "minutes_left", "told"]

Seen = Mapping[str, Any]  # a view as JSON
ROLLS = ("end", "keep", "reroll", "choose")

# What is told, and the events that tell just that. A field is named for the kind of its value, but where that is a number.
FIELDS = {
    "": ("hold", "team_won", "team_lost", "time_up"),
    "seat": ("bonus", "power", "enough", "lure", "kept", "thrown_out"),
    "seat turn": ("turn",),
    "seat cards": ("drawn",),
    "seat room": ("walk", "enter", "slip"),  # by a door, by a window, or neither
    "seat door": ("unlock",),
    "seat room trap": ("disarm",),
    "seat trap": ("disarm_type",),
    "seat treasure": ("saved",),
    "seat card": ("card",),
    "seat ability": ("power_up",),
    "seat count": ("extra", "choose_right"),
    "seat count several": ("reroll_right",),  # dice, and how many times where that is more than once
    "seat professor colour clock": ("rolled",),
    "seat dice professor colour clock": ("rerolled", "turned"),
    "room rooms locked": ("professor",),  # step by step; `rooms` are those between
    "room locked": ("passage", "stays"),
    "rooms count": ("rearmed",),
    "treasure minutes": ("more_time", "less_time"),
    "minutes hour": ("clock", "clock_back"),
    "treasure": ("lost",),
    "colour treasure room minutes": ("new",),
}
NUMBERS = dict.fromkeys(("turn", "locked", "minutes", "several"), "count")
EVENT_KINDS: Mapping[str, EventFields] = {
    kind: {field: NUMBERS.get(field, field) for field in fields.split()} for fields, kinds in FIELDS.items() for kind in kinds
}


def event(kind: str, *values: Any) -> GameEvent:
    return GameEvent(kind, dict(zip(EVENT_KINDS[kind], values, strict=True)))


def minutes_left(seen: Seen, colour: str) -> int:
    return (seen["treasures"][colour]["clock"] - seen["time"]) % 60 or 60


def events(rules: Rules, before: Seen | None, move: SeenMove | None, after: Seen) -> Iterator[GameEvent]:
    return told(rules.tables.house, before, move, after)


def told(house: House, before: Seen | None, move: SeenMove | None, after: Seen) -> Iterator[GameEvent]:
    if before is not None and move is not None:
        yield from what_was_done(house, before, move, after)
        yield from professor(house, before, move, after)
        for seat, place in enumerate(before["places"]):
            if place is not None and after["places"][seat] is None:
                yield event("thrown_out", seat)
        rearmed = [room for room in before["off"] if room not in after["off"]]
        if rearmed:
            yield event("rearmed", rearmed, len(rearmed))
        yield from clock_and_treasures(before, after)
        yield from gains(house, before, move, after)
    if after["result"] is not None:
        yield event("team_won" if after["result"] == "won" else "team_lost" if len(after["lost"]) == 4 else "time_up")
    elif before is None or before["turn"] != after["turn"]:
        yield event("turn", after["active"], after["turn"])
        yield event("drawn", after["active"], after["shown"])


# ---- The move ----


def what_was_done(house: House, before: Seen, move: SeenMove, after: Seen) -> Iterator[GameEvent]:
    verb, *rest = move.text.split(":")
    dice = (after["dice"] or {}).values()
    match verb:
        case "end":
            yield event("rolled", move.seat, *dice)
        case "reroll" | "choose":
            yield event("rerolled" if verb == "reroll" else "turned", move.seat, rest[0], *dice)
        case "keep":
            yield event("kept", move.seat)
        case "activate":
            yield event("power_up", before["characters"].index(rest[0]), rest[0])
        case "card" | "bonus" | "power":
            is_card = verb == "card"
            if before["under_way"] is None:
                yield event(verb, move.seat, *rest[:is_card])
            if rest[is_card:]:
                yield choice_made(house, before, move.seat, rest[is_card:], after)
        case _:
            yield act_done(before, move.seat, verb, *rest)


def act_done(before: Seen, seat: int, verb: str, *rest: str) -> GameEvent:
    """One of the acts, by whoever does it."""
    place = before["places"][seat]
    match verb:
        case "go":
            return event("walk" if place else "enter", seat, *rest)
        case "unlock":
            return event("unlock", seat, f"{place}:{rest[0]}")
        case "disarm":
            return event("disarm", seat, place, before["traps"][place])
    return event("saved", seat, next(one["id"] for one in before["treasures"].values() if one and one["room"] == place))


def choice_made(house: House, before: Seen, seat: int, choice: list[str], after: Seen) -> GameEvent:
    """What a card, bonus or power was used on; what it did tells for which of its effects."""
    place, name = before["places"][seat], choice[0]
    match choice:
        case ["enough"]:
            return event("enough", seat)
        case [_, ("red" | "green" | "blue")]:
            return event("unlock", seat, ":".join(choice))
        case [_, *act] if act:
            return act_done(before, before["characters"].index(name), *act)
    if name in COLOURS:
        marker, now = before["treasures"][name], after["treasures"][name]
        if before["professor"] != after["professor"]:
            return event("lure", seat)
        return event("more_time", marker["id"], (now["clock"] - marker["clock"]) % 60)
    if name == after["places"][seat] != place:
        if place is None:
            return event("enter" if house.rooms.index(name) in house.windows else "slip", seat, name)
        doors = ({room, behind(house, room, colour)} for room, colour in (door.split(":") for door in before["open"]))
        return event("walk" if {place, name} in doors else "slip", seat, name)
    if name in house.rooms and name in after["off"] and name not in before["off"]:
        return event("disarm", seat, name, before["traps"][name])
    return event("disarm_type", seat, name)


# ---- What follows ----


def professor(house: House, before: Seen, move: SeenMove, after: Seen) -> Iterator[GameEvent]:
    """His way, when the dice count or somebody lures him (R9)."""
    verb, *rest = move.text.split(":")
    is_lured = verb not in ROLLS and before["professor"] != after["professor"]
    if not is_lured and (verb not in ROLLS or after["phase"] == "dice"):
        return
    face, colour = ("1", rest[-1]) if is_lured else (after["dice"]["professor"], after["dice"]["colour"])
    start, treasure = before["professor"], before["treasures"][colour]
    locked = len(set(before["open"]) - set(after["open"]))
    if face in {"5", "10"}:
        yield event("less_time", treasure["id"], int(face))
    elif (before["held"] and not is_lured) or (face == "passage" and treasure["room"] == start):
        yield event("stays", start, locked)
    elif face == "passage":
        yield event("passage", treasure["room"], locked)
    else:
        rooms = list(accumulate(range(int(face)), lambda room, _: behind(house, room, colour), initial=start))
        yield event("professor", rooms[-1], rooms[1:-1], locked)


def clock_and_treasures(before: Seen, after: Seen) -> Iterator[GameEvent]:
    forward = (after["time"] - before["time"]) % 60
    both = [(colour, before["treasures"][colour], new) for colour, new in after["treasures"].items() if new is not None]
    # On its way forward the time marker would have met a treasure that is still there.
    is_back = after["result"] is None and any(
        old["id"] == new["id"] and minutes_left(before, at) <= forward for at, old, new in both
    )
    if forward:
        yield event("clock_back" if is_back else "clock", 60 - forward if is_back else forward, after["time"])
    yield from (event("lost", name) for name in after["lost"] if name not in before["lost"])
    for colour, old, new in both:
        if old["id"] != new["id"]:
            yield event("new", colour, new["id"], new["room"], minutes_left(after, colour))


def gains(house: House, before: Seen, move: SeenMove, after: Seen) -> Iterator[GameEvent]:
    """What a card or bonus gives besides: that he stays, actions, rights to change the dice."""
    verb = move.text.partition(":")[0]
    if before["turn"] != after["turn"] or verb in ROLLS:
        return
    if after["held"] and not before["held"]:
        yield event("hold")
    cost = house.abilities[house.characters.index(before["characters"][move.seat])][1] if verb == "power" else 0
    actions = after["actions"] - before["actions"] + cost
    if actions > 0:
        yield event("extra", move.seat, actions)
    for count, (old, new) in enumerate(zip(before["rerolls"], after["rerolls"], strict=True), start=1):
        if new > old:
            yield event("reroll_right", move.seat, count, new - old if new - old > 1 else 0)
    if after["chooses"] > before["chooses"]:
        yield event("choose_right", move.seat, after["chooses"] - before["chooses"])
