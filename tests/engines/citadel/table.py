"""Tables of citadel for tests: one deal laid out, and situations made of it by changing what a view shows."""

import copy
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from machiavel.engines import State, View, load

GAME = load("citadel")
COLOURS = ("red", "green", "blue")
ROOMS = (
    *("main_hall", "gallery", "conservatory", "ballroom", "armoury", "library"),
    *("laboratory", "trophy_room", "observatory", "study", "vault", "cellar"),
)
CHARACTERS = ("nathan", "edward", "irene", "leroy", "destiny")
# The first two cards of each character in the house.
SHOWN = {
    "nathan": ["sprint", "skylight"],
    "edward": ["master_key", "bunch_of_keys"],
    "irene": ["rewind", "stopped_watch"],
    "leroy": ["remote_control", "short_circuit"],
    "destiny": ["loaded_dice", "double_or_quits"],
}
# The skull's: saws in gallery, laboratory and vault, the console in the library, lasers in ballroom and study.
TRAPS = dict(
    zip(
        ROOMS,
        "padlock saw camera laser padlock console saw padlock camera laser saw padlock".split(),
        strict=True,
    )
)
OFF = ["gallery", "conservatory", "ballroom", "armoury", "library", "laboratory"]
TREASURES = ["crystal_skull", "mona_lisa", "dead_sea_scrolls"]
LOCATIONS = ["vault", "study", "cellar"]

Layout = dict[str, Any]
Seen = dict[str, Any]


def layout(who: Sequence[str] = CHARACTERS, **parts: Any) -> Layout:
    """The deal that all situations are made of."""
    cards = {"turns": [{"cards": SHOWN[who[0]]}]}
    fixed = {"first": 0, "traps": dict(TRAPS), "off": OFF, "treasures": TREASURES, "locations": LOCATIONS}
    return fixed | cards | parts


def deal(players: int = 1, *, characters: Sequence[str] = CHARACTERS, seed: int = 1, options: Any = None, **parts: Any) -> State:
    """A match with that deal, whose later luck comes from the seed."""
    who = list(characters[:players])
    return GAME.new(players, seed=seed, layout=layout(who, **parts), characters=who, **(options or {}))


def seen(state: State) -> Seen:
    return dict(state.view().to_json()["view"])


def treasure(view: Mapping[str, Any], colour: str, name: str, room: str, left: int) -> Seen:
    """A treasure so many minutes from being lost."""
    return {"id": name, "room": room, "clock": (view["time"] + left) % 60}


def changed(players: int, changes: Mapping[str, Any], characters: Sequence[str], options: Any) -> View:
    data = deal(players, characters=characters, options=options).view(0).to_json()
    view = data["view"]
    for field in ("locations", "throws", "turn", "ply"):
        del view[field]
    if "active" in changes or "characters" in changes:
        view["shown"] = SHOWN[characters[changes.get("active", 0)]]
    view.update({field: copy.deepcopy(value) for field, value in changes.items() if field != "left"})
    for colour, minutes in changes.get("left", {}).items():
        view["treasures"][colour]["clock"] = (view["time"] + minutes) % 60
    if "time" in changes and "treasures" not in changes:
        for number, colour in enumerate(COLOURS):
            minutes = changes.get("left", {}).get(colour, (50, 50, 35)[number])
            view["treasures"][colour]["clock"] = (view["time"] + minutes) % 60
    view.pop("mover"), view.pop("result")
    return GAME.view_from_json(data)


def situation(
    players: int = 1, *, characters: Sequence[str] = CHARACTERS, luck: int = 1, options: Any = None, **changes: Any
) -> State:
    """The first turn of the deal, with these fields of the view changed; `left` gives minutes by colour."""
    return changed(players, changes, characters[:players], options).determinize(luck)


def roll(face: str, colour: str, clock: int = 5, players: int = 1, **changes: Any) -> State:
    """A turn that ends with these dice."""
    dice = {"professor": face, "colour": colour, "clock": clock}
    rolled = {"phase": "dice", "actions": 0, "chooses": 1, "dice": dice}
    every: dict[str, Any] = rolled | changes
    state = situation(players, **every)
    state.play("keep")
    return state


def moves(state: State, start: str) -> list[str]:
    """The legal moves that begin so, without that beginning."""
    return [move.removeprefix(start) for move in state.legal_moves() if move.startswith(start)]


def play(state: State, *texts: str) -> State:
    for text in texts:
        state.play(text)
    return state


def house_tables() -> Seen:
    """The file of the shipped house."""
    return tomllib.loads((files("machiavel.engines.citadel") / "decks" / "house.toml").read_text(encoding="utf-8"))


def with_effects(*effects: Mapping[str, Any], ability: Mapping[str, Any] | None = None, cost: int = 0) -> Seen:
    """Options for a house in which Nathan's first card, and his bonus, are made of these effects."""
    house = house_tables() | {"name": "test"}
    nathan = house["characters"][0]
    if effects:
        nathan["cards"][0]["effects"] = list(effects)
        nathan["bonus"] = list(effects)
    if ability is not None:
        nathan["power"] = {"cost": cost, "effect": ability}
    return {"deck": house}
