"""What people type at agency's table, in the notation of moves."""

import re
from collections.abc import Mapping

from machiavel.engines.agency.labels import AGENT_NAMES, COLOUR_NAMES
from machiavel.server.cli.tables.setting import Seen

__all__ = ["card_named", "read_entry"]

VERBS: Mapping[str, str] = {
    **dict.fromkeys(("play", "joue", "jouer"), "play"),
    **dict.fromkeys(("pass", "passe", "passer"), "pass"),
    **dict.fromkeys(("lead", "commence"), "lead"),
    **dict.fromkeys(("look", "regarde", "regarder"), "look"),
}
COLOURS: Mapping[str, str] = {
    **{name: letter for names in COLOUR_NAMES.values() for letter, name in names.items()},
    **{letter: letter.upper() for letter in "mbgy"},
    "v": "G",
    "j": "Y",
}
VERB = re.compile(r"(\w+)\s*(?::|\s)\s*(.+)")
CARD = re.compile(r"([^\W\d]+)\s*([0-9]{1,2})|([0-9]{1,2})\s*([^\W\d]+)")
SEAT = re.compile(r"(?:(?:seat|joueur)\s*)?([0-9])|.*\(([0-9])\)")


def read_entry(view: Seen, entry: str) -> str:
    """The move that is meant; the entry itself where it could be none, or several."""
    text = entry.strip().casefold()
    verb, thing = "", text
    matched = VERB.fullmatch(text)
    if matched and matched[1] in VERBS:
        verb, thing = VERBS[matched[1]], matched[2]
    card, seat = card_named(thing), seat_named(view, thing)
    if card is not None and verb in {"", "play", "pass"}:
        passes = verb == "pass" or (not verb and view["phase"] == "pass")
        return f"pass:{card}" if passes else card
    if seat is not None and verb in {"lead", "look"}:
        return f"{verb}:{seat}"
    if seat is not None and not verb and not thing.isdigit() and view["phase"] in {"lead", "look"}:
        return f"{view['phase']}:{seat}"
    return f"{verb}:{thing}" if verb and verb != "play" else entry


def card_named(text: str) -> str | None:
    """`G8` from what a person may call it: g8, green 8, V8, 8 vert."""
    matched = CARD.fullmatch(text)
    if matched is None:
        return None
    colour, rank = matched[1] or matched[4], matched[2] or matched[3]
    return f"{COLOURS[colour]}{int(rank)}" if colour in COLOURS else None


def seat_named(view: Seen, text: str) -> int | None:
    """A seat by its number, or by its agent."""
    for seat, agent in enumerate(view["agents"]):
        if text in {agent, AGENT_NAMES[agent].casefold()}:
            return seat
    matched = SEAT.fullmatch(text)
    return int(matched[1] or matched[2]) if matched else None
