"""Why a move of bond is refused."""

from collections.abc import Mapping
from typing import Any

from machiavel.engines.bond.schema import PHRASES
from machiavel.engines.phrases import Wording

__all__ = ["why_illegal"]

ASKED = {"lair": "lair skip", "spy": "spy steal deck end", "add": "add go", "captured": "kill taunt", "foil": "foil let"}


def why_illegal(seen: Mapping[str, Any], move: str) -> Wording:
    """From what the mover sees, and nothing else."""
    say = PHRASES.wording
    what, _, target = move.partition(">")
    word, _, mark = what.partition(":")
    phase, attack = seen["phase"], seen["attack"]
    if word not in ASKED[phase].split():
        return say(f"why.asked.{phase}")
    if target and not seen["lairs"][int(target)]:
        return say("why.no_lair", seat=target)
    if word == "steal":
        return say("why.own_spy") if int(mark) == seen["seat"] else say("why.no_spy", seat=mark)
    if word == "deck":
        return say("why.no_top")
    if word == "foil":
        return say("why.no_foil", mark=attack["taunt"])
    if word == "add" and int(mark) > attack["spies"][-1]:
        return say("why.too_strong", mark=attack["spies"][-1])
    if word == "taunt" and mark in attack["taunts"]:
        return say("why.used", mark=mark)
    return say(f"why.missing.{ {'add': 'spy', 'taunt': 'doubler'}.get(word, word) }", mark=mark)
