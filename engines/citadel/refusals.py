"""Why a move of citadel is not possible now, from what the mover sees and nothing else."""

from collections.abc import Mapping
from typing import Any

from machiavel.engines.citadel.house import COLOURS, House
from machiavel.engines.citadel.labels import behind, wording
from machiavel.engines.citadel.lists import EFFECTS
from machiavel.engines.phrases import Wording

__all__ = ["guards", "why_illegal"]

Seen = Mapping[str, Any]  # a view as JSON


def why_illegal(house: House, seen: Seen, move: str) -> Wording:
    key, parts = reason(house, seen, *move.split(":"))
    return wording(house, f"why.{key}", **parts)


def reason(house: House, seen: Seen, verb: str, *rest: str) -> tuple[str, Mapping[str, Any]]:
    """The key of its text, and what stands in that."""
    place, is_up = seen["places"][seen["active"]], seen["powers"][seen["active"]]
    match verb:
        case _ if seen["phase"] in {"card", "dice", "activate"}:
            return seen["phase"], {}
        case "go" | "unlock" | "disarm" | "take" if not seen["actions"]:
            return "no_action", {}
        case "go":
            return why_no_way(house, seen, place, rest[0])
        case "unlock" | "disarm" | "take" if place is None:
            return "outside", {}
        case "unlock" | "disarm":
            return "door_open" if verb == "unlock" else "trap_off", {}
        case "take":
            here = [one["id"] for one in seen["treasures"].values() if one and one["room"] == place]
            rooms = [room for some in guards(house, seen, here[0]).values() for room in some] if here else []
            return ("traps_on", {"rooms": rooms}) if here else ("no_treasure", {})
        case "power" | "bonus" if not is_up:
            return "power_down", {}
        case "power":
            return why_no_power(house, seen), {}
        case "bonus":
            return "bonus_fresh" if seen["activated"] else "impossible", {}
        case "card" if seen["played"] is not None or rest[0] not in seen["shown"]:
            return "not_shown" if seen["played"] is None else "played", {}
        case "card":
            return "impossible" if rest[1:] else "needs_more", {}
    return "not_now", {}


def guards(house: House, seen: Seen, treasure: str) -> dict[str, list[str]]:
    """The rooms whose traps protect a treasure and are on, by type."""
    types = [house.types[kind] for kind in house.tiles[house.treasures.index(treasure)][1]]
    rooms = {kind: [room for room, trap in seen["traps"].items() if trap == kind and room not in seen["off"]] for kind in types}
    return {kind: some for kind, some in rooms.items() if some}


def why_no_way(house: House, seen: Seen, place: str | None, room: str) -> tuple[str, Mapping[str, Any]]:
    if room == seen["professor"]:
        return "professor", {}
    if place is None or room == place:
        return "there" if place else "no_window", {}
    doors = [colour for colour in COLOURS if behind(house, place, colour) == room]
    return ("locked", {"colour": doors[0]}) if doors else ("far", {"room": place})


def why_no_power(house: House, seen: Seen) -> str:
    (kind, _), cost = house.abilities[house.characters.index(seen["characters"][seen["active"]])]
    if EFFECTS[kind] in {"reroll", "choose"}:
        return "power_of_dice"
    return "power_used" if seen["power_used"] else "no_action_for_power" if seen["actions"] < cost else "impossible"
