"""How cards and moves may be said at agency's table, in any language."""

import re
from collections.abc import Mapping

from machiavel.engines.phrases import load_phrases
from machiavel.server.cli.tables.entries import meant, ways
from machiavel.server.cli.tables.setting import Seen

__all__ = ["card_named", "read_entry"]

TEXTS = load_phrases("machiavel.engines.agency")
MOST_SEATS = 5


def read_entry(view: Seen, entry: str) -> str:
    """The move that is meant; the entry itself where it could be none, or several."""
    phase, spoken = view["phase"], {}
    for card, said in cards_in(entry).items():
        verbs = {"": "play", "pass:": "pass"}
        for prefix, verb in verbs.items():
            spoken[prefix + card] = ways(TEXTS, f"spoken.{verb}", card=said) + (said if (phase == "pass") == bool(prefix) else [])
    for rank in re.findall(r"\d+", entry):
        spoken[f"pass:{rank}"] = ways(TEXTS, "spoken.pass", card=[rank])
    for seat in range(MOST_SEATS):
        agents = view["agents"][seat : seat + 1]
        names = [name for agent in agents for name in (agent, *ways(TEXTS, f"spoken.agents.{agent}"))]
        said = ways(TEXTS, "spoken.number", number=[str(seat)]) + ways(TEXTS, "spoken.agent", agent=names, number=[str(seat)])
        for verb in ("lead", "look"):
            seats = [str(seat), *said]
            spoken[f"{verb}:{seat}"] = ways(TEXTS, f"spoken.{verb}", seat=seats) + (said if verb == phase else [])
    return meant(entry, spoken)


def card_named(text: str) -> str | None:
    """`G8` from what a person may call it: g8, green 8, V8, 8 vert."""
    cards = cards_in(text)
    card = meant(text, cards)
    return card if card in cards else None


def cards_in(text: str) -> Mapping[str, list[str]]:
    """The cards of all the ranks in a text, and how each may be said."""
    result = {}
    for rank in map(int, re.findall(r"[0-9]{1,2}", text)):
        for letter in "MBGY":
            marks = [TEXTS(f"letters.{letter}", language) for language in TEXTS.languages]
            colours = [TEXTS(f"colours.{letter}", language) for language in TEXTS.languages]
            result[f"{letter}{rank}"] = ways(TEXTS, "spoken.card", letter=marks, colour=colours, rank=[str(rank)])
    return result
