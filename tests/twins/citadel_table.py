"""The table of the slow model of citadel: setting up, what the players do in the house, the professor and the clock."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.twins.citadel_house import COLOURS, read_house

LAYOUT = ("first", "characters", "traps", "off", "treasures", "locations", "turns")


@dataclass
class OnBoard:
    """A treasure in the house; `clock` is where its marker lies, in minutes after XII."""

    treasure: str
    room: str
    clock: int


class Table:
    """Everything on the table but cards and dice, and what happens to it.

    `layout` is the luck, as given and as far as it was met: both stacks whole, cards and dice turn by turn. What it does
    not say yet is drawn from `rng`.
    """

    def __init__(
        self,
        players: int,
        *,
        setting: str = "without_55",
        characters: Sequence[str] | None = None,
        deck: str | Path | dict[str, Any] = "house",
        layout: dict[str, Any] | None = None,
        rng: random.Random | None = None,
    ) -> None:
        self.house = read_house(deck)
        if not 1 <= players <= 5 or setting not in self.house.settings:
            raise ValueError(f"1 to 5 players, and a setting of {', '.join(self.house.settings)}")
        self.players = players
        self.options: dict[str, Any] = {"players": players, "setting": setting, "characters": characters, "deck": deck}
        self.rng = rng or random.Random()
        # A layout is JSON, which is copied best as such.
        self.layout: dict[str, Any] = json.loads(json.dumps(layout or {}))
        if not set(self.layout) <= set(LAYOUT):
            raise ValueError(f"a layout has {', '.join(LAYOUT)}")

        self.moves: list[str] = []
        self.time = 0
        self.professor = self.house.start
        self.places: list[str | None] = [None] * players
        self.open_doors: set[str] = set()
        self.treasures: dict[str, OnBoard | None] = {}
        self.saved: list[str] = []
        self.lost: list[str] = []
        self.powers = [False] * players
        self.result: str | None = None
        self._set_up(setting, characters)
        self.phase = "set up"

    # ---- Setting up ----

    def _set_up(self, setting: str, characters: Sequence[str] | None) -> None:
        house, layout = self.house, self.layout
        # "Décidez au hasard qui sera le premier joueur."
        layout.setdefault("first", self.rng.randrange(self.players))
        if characters is not None and "characters" in layout:
            raise ValueError("the option says who is who, the layout must not")
        if characters is None:
            layout["characters"] = self._drawn("characters", list(house.characters), self.players)
        self.characters: list[str] = list(characters or layout["characters"])
        if len(set(self.characters)) != self.players:
            raise ValueError("one character for each seat, each once")
        # "placez un piège aléatoirement dans chaque pièce correspondante"
        traps = layout.setdefault("traps", {})
        rest = list(house.traps)
        for trap in traps.values():
            rest.remove(trap)
        self.rng.shuffle(rest)
        self.traps: dict[str, str] = {room: traps[room] if room in traps else rest.pop() for room in house.rooms}
        layout["traps"] = dict(self.traps)
        # "Piochez les 6 premières cartes Lieu […] côté OFF."
        layout["off"] = self._drawn("off", house.rooms, 6)
        self.off: set[str] = set(layout["off"])
        left_out = house.settings[setting]
        tiles = [tile for tile, treasure in house.treasures.items() if treasure.minutes not in left_out]
        layout["treasures"] = self._drawn("treasures", tiles, len(tiles))
        layout["locations"] = self._drawn("locations", house.rooms, len(house.rooms))
        self.tiles_gone = 0
        for colour in COLOURS:
            self._new_treasure(colour)
        layout.setdefault("turns", [])

    def _drawn(self, part: str, items: Sequence[str], count: int) -> list[str]:
        """That part of the layout, completed with a draw from what it does not name."""
        laid_out: list[str] = list(self.layout.get(part, []))
        if len(laid_out) > count or len(set(laid_out)) != len(laid_out) or not set(laid_out) <= set(items):
            raise ValueError(f"{part} are at most {count} of {', '.join(items)}, each once")
        rest = [item for item in items if item not in laid_out]
        return laid_out + self.rng.sample(rest, count - len(laid_out))

    def _new_treasure(self, colour: str) -> None:
        tile = self.layout["treasures"][self.tiles_gone]
        room = self.layout["locations"][self.tiles_gone]
        self.tiles_gone += 1
        # "la case qui se trouve à N minutes du marqueur de temps"
        self.treasures[colour] = OnBoard(tile, room, (self.time + self.house.treasures[tile].minutes) % 60)

    def on_board(self, colour: str) -> OnBoard:
        treasure = self.treasures[colour]
        if treasure is None:
            raise AssertionError("no colour is absent before the end")
        return treasure

    def end(self, result: str) -> None:
        self.result = result
        self.phase = "over"

    @property
    def is_over(self) -> bool:
        return self.phase == "over"

    # ---- Actions, whoever's they are ----

    def ways(self, seat: int) -> list[str]:
        """The rooms this seat may enter with an action."""
        here = self.places[seat]
        if here is None:
            # "vous pouvez entrer dans la galerie, la bibliothèque, ou la salle de bal en passant par les fenêtres"
            rooms = self.house.windows
        else:
            is_open = [colour for colour in COLOURS if self.house.door(here, colour) in self.open_doors]
            rooms = [self.house.exits[here][colour] for colour in is_open]
        # "Vous ne pouvez pas entrer dans la même pièce que le professeur."
        return [room for room in rooms if room != self.professor]

    def actions_of(self, seat: int) -> list[str]:
        moves = [f"go:{room}" for room in self.ways(seat)]
        here = self.places[seat]
        if here is None:
            return moves
        moves += [f"unlock:{colour}" for colour in COLOURS if self.house.door(here, colour) not in self.open_doors]
        if here not in self.off:
            moves.append("disarm")
        if any(here == self.on_board(colour).room and self._is_unguarded(colour) for colour in COLOURS):
            moves.append("take")
        return moves

    def _is_unguarded(self, colour: str) -> bool:
        # "tous les pièges des types représentés sur sa tuile doivent être désactivés"
        types = self.house.treasures[self.on_board(colour).treasure].traps
        return all(room in self.off for room in self.house.rooms if self.traps[room] in types)

    def act(self, seat: int, action: str) -> None:
        word, _, rest = action.partition(":")
        if word == "go":
            self.places[seat] = rest
            return
        here = self.places[seat]
        if here is None:
            raise AssertionError("outside there is nothing to act on")
        if word == "unlock":
            self.open_doors.add(self.house.door(here, rest))
        elif word == "disarm":
            self.off.add(here)
        else:
            self._save(next(colour for colour in COLOURS if self.on_board(colour).room == here))

    def _save(self, colour: str) -> None:
        treasure = self.on_board(colour).treasure
        self.treasures[colour] = None
        self.saved.append(treasure)
        # "réactivez immédiatement tous les pièges indiqués sur sa tuile"; "A save rearms before the new tile is shown"
        types = self.house.treasures[treasure].traps
        self.off -= {room for room in self.house.rooms if self.traps[room] in types}
        if len(self.saved) == 4:
            self.end("won")
        else:
            self._new_treasure(colour)

    # ---- The professor ----

    def professor_plays(self, face: str, colour: str, *, held: bool) -> None:
        if face in ("5", "10"):
            self._marker_back(colour, int(face))
        elif held:
            # "'Hold' cancels chevrons and passage, not 5, 10 or the clock."
            return
        elif face == "passage":
            room = self.on_board(colour).room
            # "Il verrouille aussitôt toutes les portes de cette pièce"
            self.open_doors -= set(self.house.doors(room))
            self._professor_enters(room)
        else:
            for _ in range(int(face)):
                self.professor_leaves(colour)

    def professor_leaves(self, colour: str) -> None:
        # "Lorsque le professeur franchit une porte ouverte, il la verrouille derrière lui."
        self.open_doors.discard(self.house.door(self.professor, colour))
        self._professor_enters(self.house.exits[self.professor][colour])

    def _professor_enters(self, room: str) -> None:
        self.professor = room
        self.off.discard(room)
        # "celui-ci (ou ceux-ci) doivent fuir […] placez-les n'importe où en dehors du manoir"
        self.places = [None if place == room else place for place in self.places]

    # ---- The clock ----

    def minutes_left(self, colour: str) -> int:
        """How far the marker lies ahead of the time marker."""
        return (self.on_board(colour).clock - self.time) % 60

    def _marker_back(self, colour: str, minutes: int) -> None:
        # "Si un marqueur de trésor atteint ou dépasse le marqueur de temps de cette façon, le trésor correspondant est perdu"
        is_lost = self.minutes_left(colour) <= minutes
        self.on_board(colour).clock = (self.on_board(colour).clock - minutes) % 60
        if is_lost:
            self._lose(colour)

    def time_passes(self, minutes: int) -> None:
        # "A two-space move is made whole; then its losses in the order red, green, blue, each replaced at once"
        losses = [colour for colour in COLOURS if self.minutes_left(colour) <= minutes]
        gives_power = any(0 < (place - self.time) % 60 <= minutes for place in (15, 45))
        self.time = (self.time + minutes) % 60
        for colour in losses:
            if not self.is_over:
                self._lose(colour)
        # "The choice is mandatory, made by the player whose turn it is […]; none: nothing happens; one: asked all the same."
        if gives_power and not self.is_over and not all(self.powers):
            self.phase = "activate"

    def _lose(self, colour: str) -> None:
        self.lost.append(self.on_board(colour).treasure)
        self.treasures[colour] = None
        if len(self.lost) == 4:
            self.end("lost")
        else:
            self._new_treasure(colour)
