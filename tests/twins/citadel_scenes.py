"""Positions of the slow model of citadel that tests set up: known traps, treasures, rooms, cards and dice."""

from __future__ import annotations

import random
from typing import Any

from tests.twins.citadel import Match
from tests.twins.citadel_house import COLOURS, read_house

HOUSE = read_house("house")
TRAPS = {
    **dict.fromkeys(("main_hall", "armoury", "trophy_room", "cellar"), "padlock"),
    **dict.fromkeys(("gallery", "library", "vault"), "saw"),
    **dict.fromkeys(("conservatory", "study"), "camera"),
    **dict.fromkeys(("ballroom", "observatory"), "laser"),
    "laboratory": "console",
}
OFF = ["gallery", "ballroom", "study", "conservatory", "trophy_room", "observatory"]


def set_up(
    characters: str = "nathan edward",
    cards: str = "",
    *,
    treasures: str = "magna_carta excalibur mona_lisa sabre",
    locations: str = "vault armoury observatory study",
    setting: str = "all",
    **fields: Any,
) -> Match:
    """The first turn of the first of these characters, all luck that matters known; then these attributes are set."""
    deck = list(HOUSE.characters[characters.split(maxsplit=1)[0]].cards)
    shown = cards.split() + [card for card in deck if card not in cards.split()]
    layout = {
        "first": 0,
        "traps": TRAPS,
        "off": OFF,
        "treasures": treasures.split(),
        "locations": locations.split(),
        "turns": [{"cards": shown[:2]}],
    }
    names = characters.split()
    match = Match(len(names), characters=names, setting=setting, layout=layout, rng=random.Random(1))
    for name, content in fields.items():
        setattr(match, name, content)
    return match


def play(match: Match, moves: str) -> Match:
    for move in moves.split():
        match.play(move)
    return match


def laid(match: Match, dice: str) -> Match:
    """These are the throws of the turn: professor, colour, clock, those of one die with slashes between."""
    throws = dict(zip(("professor", "colour", "clock"), (throw.split("/") for throw in dice.split()), strict=True))
    match.layout["turns"][match.turn - 1]["dice"] = throws | {"clock": [int(minutes) for minutes in throws["clock"]]}
    return match


def roll(match: Match, dice: str) -> Match:
    return play(laid(match, dice), "end")


def markers(match: Match, **clocks: int) -> Match:
    for colour, clock in clocks.items():
        match.on_board(colour).clock = clock
    return match


def on_board(match: Match) -> list[str]:
    return [match.on_board(colour).treasure for colour in COLOURS]


def clocks(match: Match) -> list[int]:
    return [match.on_board(colour).clock for colour in COLOURS]
