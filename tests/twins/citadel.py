"""A slow, obvious model of citadel, written from the rule sheet and the rulings alone, to check the engine against."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tests.twins.citadel_effects import NOTHING_TO_NAME, choices, perform
from tests.twins.citadel_house import COLOURS, DICE, Effect
from tests.twins.citadel_table import Table

TURNS = 100


@dataclass
class UnderWay:
    """A card or the bonus while it is done; `at` is the effect that comes next."""

    source: str
    effects: tuple[Effect, ...]
    at: int = 0


class Match(Table):
    """A match in play; options and luck are those of its table. With `options`, `layout` and `moves` it can be played again."""

    def __init__(self, players: int, **options_and_luck: Any) -> None:
        super().__init__(players, **options_and_luck)
        self.turn = 0
        self.discards: list[set[str]] = [set() for _ in range(players)]
        self.dice: dict[str, Any] | None = None
        # How often each die was thrown, turn by turn.
        self.throws: list[dict[str, int]] = []
        self._begin_turn(self.layout["first"])

    # ---- A turn ----

    def _begin_turn(self, seat: int) -> None:
        self.turn += 1
        self.active = seat
        if len(self.layout["turns"]) < self.turn:
            self.layout["turns"].append({})
        self._clear_turn()
        self.actions = 3
        self.phase = "act"
        self.played: str | None = None
        self.throws.append(dict.fromkeys(DICE, 0))
        self.shown = self._draw_two()

    def _clear_turn(self) -> None:
        self.actions = 0
        self.power_used = self.activated = self.held = False
        self.rerolls = {1: 0, 2: 0, 3: 0}
        self.chooses = 0
        self.under_way: UnderWay | None = None

    def _draw_two(self) -> list[str]:
        deck = list(self.house.characters[self.characters[self.active]].cards)
        # "shuffled when no face-down card is left": with six cards the third draw is certain.
        if self.discards[self.active] == set(deck):
            self.discards[self.active] = set()
        face_down = [card for card in deck if card not in self.discards[self.active]]
        entry = self.layout["turns"][self.turn - 1]
        drawn = entry.setdefault("cards", self.rng.sample(face_down, 2))
        if len(set(drawn)) != 2 or not set(drawn) <= set(face_down):
            raise ValueError(f"the cards of turn {self.turn} are two of {', '.join(face_down)}")
        return [card for card in deck if card in drawn]

    def _end_turn(self) -> None:
        # "défaussez les deux cartes Action (vous pouvez les remettre face visible sous votre paquet de cartes)"
        self.discards[self.active] |= set(self.shown)
        self._begin_turn((self.active + 1) % self.players)

    @property
    def to_move(self) -> list[int]:
        return [] if self.is_over else [self.active]

    def utilities(self) -> list[float]:
        """All win or lose together."""
        if self.result is None:
            raise ValueError("the match is not over")
        return [1.0 if self.result == "won" else 0.0] * self.players

    # ---- Moves ----

    def legal_moves(self, seat: int | None = None) -> list[str]:
        if self.is_over or seat not in (None, self.active):
            return []
        if self.phase == "activate":
            # "among the characters in play that lie face down"
            return [f"activate:{who}" for who, is_up in zip(self.characters, self.powers, strict=True) if not is_up]
        if self.phase == "dice":
            return self._dice_moves()
        if self.under_way is not None:
            effect = self.under_way.effects[self.under_way.at]
            word = self._word(self.under_way.source)
            return [*_with(word, choices(self, effect)), f"{word}:enough"]
        moves = self.actions_of(self.active) if self.actions else []
        if self.played is None:
            moves += [move for card in self.shown for move in self._first_moves(card, self.house.effects(card))]
        character = self.house.characters[self.characters[self.active]]
        if self.powers[self.active] and not self.activated:
            moves += self._first_moves("bonus", character.bonus)
        # A reroll or a choice is no move: it is there when the dice are.
        if character.ability.do not in ("reroll", "choose") and self._may_use_power(character.cost):
            moves += _with("power", choices(self, character.ability))
        return [*moves, "end"]

    def _may_use_power(self, cost: int) -> bool:
        return self.powers[self.active] and not self.power_used and self.actions >= cost

    def _word(self, source: str) -> str:
        return source if source == "bonus" else f"card:{source}"

    def _first_moves(self, source: str, effects: Iterable[Effect]) -> list[str]:
        """What plays a card or the bonus: all ways to do the first of its effects that can do anything."""
        possible = (choices(self, effect) for effect in effects)
        return _with(self._word(source), next((named for named in possible if named), []))

    def play(self, move: str) -> None:
        """Play a move of whoever's turn it is; ValueError when illegal, and nothing has changed."""
        move = self._as_listed(move)
        if move not in self.legal_moves():
            raise ValueError(f"illegal move {move}; legal: {', '.join(self.legal_moves())}")
        self.moves.append(move)
        word, _, rest = move.partition(":")
        character = self.house.characters[self.characters[self.active]]
        if word == "activate":
            self._activate(self.characters.index(rest))
        elif word == "card":
            card, _, choice = rest.partition(":")
            if self.under_way is None:
                self.played = card
                self.under_way = UnderWay(card, self.house.effects(card))
            self._do_effects(choice)
        elif word == "bonus":
            if self.under_way is None:
                # "Lorsqu'un joueur décide d'utiliser son bonus unique, il retourne aussitôt sa tuile face cachée"
                self.powers[self.active] = False
                self.under_way = UnderWay("bonus", character.bonus)
            self._do_effects(rest)
        elif word == "power":
            self.actions -= character.cost
            self.power_used = True
            perform(self, character.ability, rest)
        elif word == "end":
            self._end_actions()
        elif word in ("reroll", "choose", "keep"):
            self._change_dice(word, rest)
        else:
            self.actions -= 1
            self.act(self.active, move)
        if self.is_over:
            self._clear_turn()

    def _as_listed(self, move: str) -> str:
        """The move with its door, where it ends in one, named as `legal_moves` does."""
        head, *door = move.rsplit(":", maxsplit=2)
        if head.startswith(("card", "bonus", "power")) and len(door) == 2 and door[0] in self.house.rooms and door[1] in COLOURS:
            return f"{head}:{self.house.door(door[0], door[1])}"
        return move

    # ---- Cards, bonuses and powers ----

    def _do_effects(self, choice: str) -> None:
        """Do the effect the choice is for, then all that follow until somebody has to choose again."""
        under_way = self._present_under_way()
        if choice == "enough":
            under_way.at = len(under_way.effects)
        else:
            while not choices(self, under_way.effects[under_way.at]):
                under_way.at += 1
            under_way.at += 1
            perform(self, under_way.effects[under_way.at - 1], choice)
        self._go_on()

    def _present_under_way(self) -> UnderWay:
        if self.under_way is None:
            raise AssertionError("no card is being done")
        return self.under_way

    def _go_on(self) -> None:
        while not self.is_over and self.phase != "activate":
            under_way = self._present_under_way()
            if under_way.at == len(under_way.effects):
                self.under_way = None
                self.phase = "act"
                return
            effect = under_way.effects[under_way.at]
            possible = choices(self, effect)
            if possible and possible != NOTHING_TO_NAME:
                self.phase = "card"
                return
            under_way.at += 1
            if possible:
                perform(self, effect, "")

    def _activate(self, seat: int) -> None:
        self.powers[seat] = True
        if self.under_way is None:
            self._end_turn()
            return
        # In the middle of a turn: the bonus waits for the owner's next turn.
        self.activated = self.activated or seat == self.active
        self.phase = "act"
        self._go_on()

    # ---- Dice ----

    def _end_actions(self) -> None:
        ability = self.house.characters[self.characters[self.active]].ability
        if self.powers[self.active] and ability.do in ("reroll", "choose"):
            perform(self, ability, "")
        self.actions = 0
        self.power_used = self.activated = False
        self.dice = {die: self._throw(die) for die in DICE}
        self._resolve_when_final()

    def _throw(self, die: str) -> Any:
        laid_out = self.layout["turns"][self.turn - 1].setdefault("dice", {}).setdefault(die, [])
        throw = self.throws[-1][die]
        if throw == len(laid_out):
            laid_out.append(self.rng.choice(self.house.faces[die]))
        if laid_out[throw] not in self.house.faces[die]:
            raise ValueError(f"the {die} die has no {laid_out[throw]}")
        self.throws[-1][die] += 1
        return laid_out[throw]

    def _shown_dice(self) -> dict[str, Any]:
        if self.dice is None:
            raise AssertionError("no dice have been rolled")
        return self.dice

    def _dice_moves(self) -> list[str]:
        most = max((dice for dice, rights in self.rerolls.items() if rights), default=0)
        moves = [f"reroll:{'+'.join(dice)}" for count in range(1, most + 1) for dice in combinations(DICE, count)]
        if self.chooses:
            shown = self._shown_dice()
            faces = {die: dict.fromkeys(self.house.faces[die]) for die in DICE}
            moves += [f"choose:{die}:{face}" for die in DICE for face in faces[die] if face != shown[die]]
        return [*moves, "keep"]

    def _change_dice(self, word: str, rest: str) -> None:
        if word == "reroll":
            dice = rest.split("+")
            # "The smallest right that covers a roll is used up."
            self.rerolls[next(most for most, rights in self.rerolls.items() if rights and most >= len(dice))] -= 1
            self.dice = self._shown_dice() | {die: self._throw(die) for die in dice}
        elif word == "choose":
            self.chooses -= 1
            die, face = rest.split(":")
            self.dice = self._shown_dice() | {die: next(side for side in self.house.faces[die] if str(side) == face)}
        else:
            self.rerolls = dict.fromkeys(self.rerolls, 0)
            self.chooses = 0
        self._resolve_when_final()

    def _resolve_when_final(self) -> None:
        if self.chooses or any(self.rerolls.values()):
            self.phase = "dice"
            return
        dice = self._shown_dice()
        self.phase = "resolve"
        self.professor_plays(dice["professor"], dice["colour"], held=self.held)
        if not self.is_over:
            self.time_passes(dice["clock"])
        if self.is_over:
            return
        self._clear_turn()
        if self.turn == TURNS:
            # "A match undecided after 100 turns is lost"
            self.end("lost")
        elif self.phase != "activate":
            self._end_turn()

    # ---- What is seen ----

    def view(self, seat: int | None) -> dict[str, Any]:
        """What the seat, or a spectator (None), sees: everything on the table."""
        house = self.house
        under_way = self.under_way
        return {
            "seat": seat,
            "ply": len(self.moves),
            "turn": self.turn,
            "phase": self.phase,
            "active": self.active,
            "mover": None if self.is_over else self.active,
            "characters": list(self.characters),
            "places": list(self.places),
            "professor": self.professor,
            "held": self.held,
            "time": self.time,
            "open": [door for door in house.all_doors() if door in self.open_doors],
            "traps": dict(self.traps),
            "off": house.in_order(self.off),
            "treasures": {
                colour: there and {"id": there.treasure, "room": there.room, "clock": there.clock}
                for colour, there in self.treasures.items()
            },
            "saved": [tile for tile in house.treasures if tile in self.saved],
            "lost": [tile for tile in house.treasures if tile in self.lost],
            "locations": house.in_order(set(self.layout["locations"][: self.tiles_gone])),
            "shown": list(self.shown),
            "played": self.played,
            "discards": [
                [card for card in house.characters[who].cards if card in face_up]
                for who, face_up in zip(self.characters, self.discards, strict=True)
            ],
            "actions": self.actions,
            "powers": list(self.powers),
            "power_used": self.power_used,
            "activated": self.activated,
            "under_way": under_way and {"source": under_way.source, "effect": under_way.at},
            "rerolls": list(self.rerolls.values()),
            "chooses": self.chooses,
            "throws": list(self.throws[-1].values()) if self.phase == "dice" else [0, 0, 0],
            "dice": self.dice and dict(self.dice),
            "result": self.result,
        }

    def truth(self) -> dict[str, Any]:
        """The host's view: all that is not on the table is drawn when it is revealed."""
        return self.view(None)

    def copy(self) -> Match:
        """The match so far, free to be changed; it shares the house and the generator."""
        # A layout is JSON, and much the largest part.
        layout = json.loads(json.dumps(self.layout))
        return copy.deepcopy(self, {id(self.house): self.house, id(self.rng): self.rng, id(self.layout): layout})


def _with(word: str, named: Sequence[str]) -> list[str]:
    return [f"{word}:{choice}" if choice else word for choice in named]


def replayed_views(match: Match, seat: int | None = None) -> list[dict[str, Any]]:
    """What the seat, or a spectator, sees before each move of the match played again, and at the end."""
    again = Match(**match.options, layout=match.layout, rng=random.Random(0))
    views = [again.view(seat)]
    for move in match.moves:
        again.play(move)
        views.append(again.view(seat))
    return views


def replayed(match: Match, layout: dict[str, Any] | None = None, moves: Sequence[str] | None = None) -> list[Match]:
    """The match played again from its layout (or another) and moves: how it stood before each move and at the end."""
    again = Match(**match.options, layout=layout or match.layout, rng=random.Random(0))
    stood = []
    for move in match.moves if moves is None else moves:
        stood.append(again.copy())
        again.play(move)
    return [*stood, again.copy()]
