"""What a person at a table answers to the questions of a form, made of what their seat sees: as it is typed."""

from collections.abc import Callable
from typing import Any

from machiavel.engines import View
from machiavel.engines.citadel.house import COLOURS

__all__ = ["ANSWERS"]

Json = dict[str, Any]


def words(items: Any) -> str:
    return " ".join(str(item) for item in items)


def agency_answers(view: View, *, remembers: bool) -> Json:
    seen = view.to_json()["view"]
    now = [entry for entry in seen["half"] if entry["trick"] == seen["trick"]]
    on_table = [card for _, card in seen["table"]]
    drawn = [power for power in ("martha", "jean") if seen[power]]
    return {
        "powers": "y",
        "agents": words(seen["agents"]),
        "medals": words(seen["medals"]),
        "trick": str(seen["trick"]),
        "hand": words(seen["hand"]),
        "top": seen["pile"][0],
        "passed": "y" if seen["phase"] == "play" else "n",
        "exchange": words([now[0]["gave"], now[0]["received"]]) if now else "",
        "table": words(on_table),
        "last": "y" if seen["last"] is not None else "n",
        "leader": str(seen["leader"]),
        "drawn": words(drawn),
        "points": words(seen["plan_points"]),
        "greens": words(seen["greens"]),
        "yellows": words(seen["yellows"]),
        "seen": words(card for card in seen["seen"] if card not in on_table) if remembers else "",
        "gone": "",
    }


def heap(cards: Json) -> str:
    return words(f"{sort}{card}" for name, sort in (("lairs", "l"), ("spies", "s"), ("doublers", "d")) for card in cards[name])


def bond_answers(view: View, *, remembers: bool) -> Json:
    seen = view.to_json()["view"]
    attack = seen["attack"] or {}
    return {
        "phase": seen["phase"],
        "hand": heap(seen["hand"]),
        "points": words(seen["points"]),
        "lairs": words("+".join(map(str, lair)) or "-" for lair in seen["lairs"]),
        "hands": words(f"{hand['spies']}+{hand['others']}" for hand in seen["hands"][1:]),
        "discard": heap(seen["discard"]),
        "top": seen["pile"]["top"] or "none",
        "idle": str(seen["idle"]),
        "turn": str(seen["turn"]),
        "target": str(attack.get("target")),
        "spies": words(attack.get("spies", ())),
        "victim": str(attack.get("victim")) if attack.get("source") == "steal" else str(attack.get("source")),
        "taunts": words(attack.get("taunts", ())),
        "taunt": str(attack.get("taunt")),
    }


def citadel_answers(view: View, *, remembers: bool) -> Json:
    seen = view.to_json()["view"]
    tiles = {colour: words(seen["treasures"][colour][name] for name in ("id", "room", "clock")) for colour in COLOURS}
    powers = [character for character, is_up in zip(seen["characters"], seen["powers"], strict=True) if is_up]
    return tiles | {
        "setting": view.rules.options["setting"],
        "characters": words(seen["characters"]),
        "places": words(place or "-" for place in seen["places"]),
        "professor": seen["professor"],
        "time": str(seen["time"]),
        "traps": words(seen["traps"].values()),
        "off": words(seen["off"]),
        "open": words(seen["open"]),
        "saved": words(seen["saved"]),
        "lost": words(seen["lost"]),
        "up": words(powers),
        "shown": words(seen["shown"]),
        "played": seen["played"] or "",
        "held": "y" if seen["held"] else "n",
        "used": "y" if seen["power_used"] else "n",
        "fresh": "y" if seen["activated"] else "n",
        "actions": str(seen["actions"]),
        "discards": words(card for cards in seen["discards"] for card in cards),
    }


def whist_answers(view: View, *, remembers: bool) -> Json:
    seen = view.to_json()["view"]
    on_table = [card for _, card in seen["table"]]
    return {
        "dealt": str(8 - seen["round"]),
        "trump": seen["trump"],
        "hand": words(seen["hand"]),
        "still_in": words(seen["contenders"]),
        "table": words(on_table),
        "tricks": words(seen["tricks"]),
        "seen": words(card for card in seen["seen"] if card not in on_table) if remembers else "",
    }


ANSWERS: dict[str, Callable[..., Json]] = {
    "agency": agency_answers,
    "bond": bond_answers,
    "citadel": citadel_answers,
    "whist": whist_answers,
}
