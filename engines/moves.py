"""Moves of a game: their numbers, their texts, and what may be typed for them. docs/schema.md tells how."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from machiavel.engines.errors import NotAMove
from machiavel.engines.fields import Kind
from machiavel.engines.phrases import Wording

if TYPE_CHECKING:
    from machiavel.engines.plugin import Rules

__all__ = ["SEAT", "MoveKind", "MovePart", "MoveSchema", "MoveTable", "folded"]

SEAT = Kind("seat", lambda rules: [str(seat) for seat in range(rules.players)], lambda _: {})  # as a part of moves
GAPS = re.compile(r"\s*([:>+])\s*")


@dataclass(frozen=True)
class MovePart:
    """A part of moves of one sort, such as the card that is played: it adds `stride` times its number to theirs."""

    name: str
    kind: Kind
    stride: int = 1


@dataclass(frozen=True)
class MoveKind:
    """Moves of one sort: `spy:{spy}>{target}` with a MovePart for each hole, numbered from `first` on.

    `hidden` is how those see it who may not know what it was. A seat makes so many of them `together`: what it has chosen so far
    lies in the field `into`, by seat.
    """

    pattern: str
    first: int
    parts: Sequence[MovePart] = ()
    hidden: str | None = None
    together: int = 0
    into: str = ""

    def moves(self, rules: "Rules") -> Iterator[tuple[int, str, str]]:
        """Number, text and public text of each."""
        choices = [items_of(part.kind.texts(rules)) for part in self.parts]
        for chosen in product(*choices):
            move = self.first + sum(part.stride * number for part, (number, _) in zip(self.parts, chosen, strict=True))
            texts = {part.name: text for part, (_, text) in zip(self.parts, chosen, strict=True)}
            text = self.pattern.format(**texts)
            yield move, text, text if self.hidden is None else self.hidden.format(**texts)


def items_of(texts: Mapping[int, str] | Sequence[str]) -> list[tuple[int, str]]:
    return list(texts.items() if isinstance(texts, Mapping) else enumerate(texts))


class MoveTable(NamedTuple):
    """All moves under one set of rules."""

    texts: Mapping[int, str]
    public: Mapping[int, str]
    exact: Mapping[str, Sequence[int]]  # by their texts
    numbers: Mapping[str, Sequence[int]]  # by what may be typed, folded


def folded(text: str) -> str:
    """Small and capital letters are the same, and so are both apostrophes; blanks around signs do not matter."""
    text = text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    words = text.split()
    return words[0] if len(words) == 1 else GAPS.sub(r"\1", text.strip())


class MoveSchema:
    """The moves of a game: their numbers, their texts, and what else may be typed for them."""

    def __init__(
        self,
        *kinds: MoveKind,
        fold: Callable[[str], str] = folded,
        shorter: Callable[["Rules", str], Iterable[str]] = lambda _rules, _text: (),
        depends_on: Callable[["Rules"], Any] = lambda rules: rules,
    ) -> None:
        """`fold` makes one text of those that mean the same; `shorter` gives other texts that may mean the move of a text.

        `depends_on` gives the part of the rules that all texts follow from, such as a deck: they are made once for it.
        """
        self.kinds = kinds
        self.fold = fold
        self.shorter = shorter
        self.depends_on = depends_on
        self._tables: WeakKeyDictionary[Any, MoveTable] = WeakKeyDictionary()

    def table(self, rules: "Rules") -> MoveTable:
        table = self._tables.get(self.depends_on(rules))
        if table is None:
            moves = [move for kind in self.kinds for move in kind.moves(rules)]
            numbers: dict[str, list[int]] = {}
            exact: dict[str, list[int]] = {}
            for number, text, _ in moves:
                exact[text] = numbers.setdefault(self.fold(text), [])
                exact[text].append(number)
            others: dict[str, list[int]] = {}
            for number, text, _ in moves:
                for other in self.shorter(rules, text):
                    others.setdefault(self.fold(other), []).append(number)
            texts = {number: text for number, text, _ in moves}
            # A whole text means its own move alone.
            table = MoveTable(texts, {number: public for number, _, public in moves}, exact, {**others, **numbers})
            self._tables[self.depends_on(rules)] = table
        return table

    def parse(self, rules: "Rules", text: str, expected: Callable[[], Wording]) -> Sequence[int]:
        """All moves that a text could mean; raises NotAMove where there is none."""
        table = self.table(rules)
        numbers = table.exact.get(text) or table.numbers.get(self.fold(text))
        if numbers is None:
            raise NotAMove(text, expected())
        return numbers
