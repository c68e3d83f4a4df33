"""Dice that are counted in the open, declared so that players are told how many were found, and which."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from machiavel.engines.kit.declared_fields import StateField, is_number
from machiavel.engines.kit.file_refusals import author_place, refused

__all__ = ["Tally"]

COUNTED = ("face", "found", "matching")  # what its event tells by itself


class Tally:
    """Tells how many of the dice that lie open show a face, after a move of the action `after`.

    `dice` and `face` are names of fields; the face is that before the move. `wild` counts as any face. What the sentence names
    besides, such as who bid, are the fields `told`, as they were before the move.
    """

    name: str = ""

    def __init__(self, dice: str, *, face: str, after: str, wild: int = 0, told: Sequence[str] = ()) -> None:
        self.path, self.line = author_place()
        self.dice = dice
        self.face = face
        self.after = after
        self.wild = wild
        self.told = (told,) if isinstance(told, str) else tuple(told)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def check(self, fields: Mapping[str, StateField[Any]], actions: Sequence[str]) -> None:
        """Refuse fields that hold no dice, no face, or what not all see; raises BadGameFile."""
        dice = fields.get(self.dice)
        if dice is None or dice.kind != "dice" or dice.is_hidden:
            raise refused("bad_tally", self.path, self.line, tally=self.name, dice=repr(self.dice))
        face = fields.get(self.face)
        if face is None or face.kind != "count" or not is_single(face):
            raise refused("bad_face_of_tally", self.path, self.line, tally=self.name, face=repr(self.face))
        if not is_number(self.wild, 0, dice.high or 0):
            raise refused("bad_wild_of_tally", self.path, self.line, tally=self.name, wild=repr(self.wild), most=dice.high)
        if self.after not in actions:
            known = ", ".join(actions)
            raise refused("bad_move_of_tally", self.path, self.line, tally=self.name, after=repr(self.after), known=known)
        single = [name for name, one in fields.items() if is_single(one) and name not in COUNTED]
        for name in self.told:
            if name not in single:
                known = ", ".join(single)
                raise refused("bad_told_of_tally", self.path, self.line, tally=self.name, told=repr(name), known=known)

    def parts(self) -> list[str]:
        """What its sentence may name."""
        return [*self.told, *COUNTED]

    def counted(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any] | None:
        """What it tells between two views: of the dice that lie open then, those that count; None where no face is named."""
        face = before[self.face]
        if not face:
            return None
        matching = sorted({face, self.wild} - {0})
        found = sum(die in matching for die in numbers_in(after[self.dice]))
        return {**{name: before[name] for name in self.told}, "face": face, "found": found, "matching": matching}


def is_single(one: StateField[Any]) -> bool:
    """Whether it is one value that all see."""
    return not one.is_hidden and not one.each_seat and one.length is None and one.kind != "dice"


def numbers_in(dice: Any) -> Iterator[int]:
    """What dice show, however they lie in rows."""
    if isinstance(dice, list):
        for one in dice:
            yield from numbers_in(one)
    elif dice:
        yield dice
