"""Positions of the slow model of citadel that tests set up, and wild houses: other cards, powers, tiles and dice."""

from __future__ import annotations

import random
import tomllib
from typing import Any

from tests.twins.citadel import Match
from tests.twins.citadel_house import COLOURS, SHIPPED, read_house

# What each character's ability (with its cost), bonus and cards are in these positions, whatever the shipped ones become.
CHARACTERS = {
    "nathan": {
        "ability": "shadow 1",
        "bonus": "leap extra*2",
        "sprint": "step*3",
        "skylight": "leap",
        "on_his_heels": "shadow extra",
        "second_wind": "extra*2",
        "shoulder_charge": "unlock_here step",
        "follow_me": "anyone_goes*3",
    },
    "edward": {
        "ability": "unlock_here 0",
        "bonus": "unlock_anywhere*4",
        "master_key": "unlock_anywhere*2",
        "bunch_of_keys": "unlock_near*3",
        "door_wedge": "unlock_here step unlock_here",
        "cut_wire": "unlock_here disarm_near",
        "jammed_lock": "hold unlock_anywhere",
        "clockwork_hand": "extra unlock_here",
    },
    "irene": {
        "ability": "marker_on:5 1",
        "bonus": "time_back:10",
        "rewind": "time_back:5",
        "stopped_watch": "marker_on:10",
        "borrowed_time": "time_on:5 extra*4",
        "long_minute": "marker_on:5 extra",
        "deja_vu": "reroll:3 extra",
        "synchrony": "anyone_acts*2",
    },
    "leroy": {
        "ability": "disarm_near 1",
        "bonus": "disarm_type disarm_anywhere",
        "remote_control": "disarm_anywhere",
        "short_circuit": "disarm_type",
        "jammer": "disarm_near*2",
        "wiring_plan": "disarm_near unlock_near",
        "false_alarm": "lure disarm_anywhere",
        "toolbox": "extra disarm_near",
    },
    "destiny": {
        "ability": "reroll:1 0",
        "bonus": "choose*2 extra*2",
        "loaded_dice": "choose extra",
        "double_or_quits": "reroll:3*2 extra",
        "lucky_break": "hold extra",
        "beginners_luck": "reroll:1 anyone_acts*2",
        "coin_toss": "lure*2 extra",
        "joker": "leap reroll:1",
    },
}


def _effects(told: str) -> list[dict[str, Any]]:
    effects = []
    for effect in told.split():
        name, _, count = effect.partition("*")
        do, _, number = name.partition(":")
        numbers = {"dice" if do == "reroll" else "minutes": int(number)} if number else {}
        effects.append({"do": do, "count": int(count or 1), **numbers})
    return effects


def scene_tables() -> dict[str, Any]:
    """The shipped rooms, tiles and dice with the characters above."""
    tables = tomllib.loads(SHIPPED.read_text("utf-8"))
    tables["characters"] = []
    for who, told in CHARACTERS.items():
        ability, cost = told["ability"].split()
        effect = {key: content for key, content in _effects(ability)[0].items() if key != "count"}
        cards = [{"id": card, "effects": _effects(of)} for card, of in told.items() if card not in ("ability", "bonus")]
        power = {"cost": int(cost), "effect": effect}
        tables["characters"].append({"id": who, "power": power, "bonus": _effects(told["bonus"]), "cards": cards})
    return tables


TABLES = scene_tables()
HOUSE = read_house(TABLES)
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
    match = Match(len(names), characters=names, setting=setting, deck=TABLES, layout=layout, rng=random.Random(1))
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


ASKING = ["step", "leap", "shadow", "unlock_here", "unlock_near", "unlock_anywhere", "disarm_near", "disarm_anywhere"]
ASKING += ["disarm_type", "lure", "marker_on", "anyone_goes", "anyone_acts"]
PLAIN = ["hold", "time_back", "time_on", "extra", "reroll", "choose"]


def wild_tables(rng: random.Random) -> dict[str, Any]:
    """The shipped house with its effects dealt out anew, other treasures and other faces on the dice."""
    tables = tomllib.loads(SHIPPED.read_text("utf-8"))
    tables["name"] = "wild"
    for character in tables["characters"]:
        ability = _wild_effect(rng, [effect for effect in ASKING + PLAIN if effect != "time_on"])
        # Rights to roll again and to choose come by themselves, and so for nothing.
        cost = 0 if ability["do"] in ("reroll", "choose") else rng.randint(0, 2)
        character["power"] = {"cost": cost, "effect": ability}
        character["bonus"] = _wild_effects(rng)
        for card in character["cards"]:
            card["effects"] = _wild_effects(rng)
    types = [trap["id"] for trap in tables["traps"]]
    for treasure in tables["treasures"]:
        treasure["traps"] = [trap for trap in types if rng.random() < 0.3] or [rng.choice(types)]
    for die in tables["dice"].values():
        die["faces"] = sorted({*die["faces"]}, key=die["faces"].index) + rng.choices(die["faces"], k=6 - len({*die["faces"]}))
    return tables


def _wild_effects(rng: random.Random) -> list[dict[str, Any]]:
    effects = [_wild_effect(rng, ASKING if rng.random() < 0.6 else PLAIN) for _ in range(rng.randint(1, 4))]
    return [effect | ({"count": 2} if rng.random() < 0.3 else {}) for effect in effects]


def _wild_effect(rng: random.Random, names: list[str]) -> dict[str, Any]:
    name = rng.choice(names)
    if name in ("time_back", "time_on", "marker_on"):
        return {"do": name, "minutes": rng.choice((5, 10))}
    return {"do": name, "dice": rng.randint(1, 3)} if name == "reroll" else {"do": name}
