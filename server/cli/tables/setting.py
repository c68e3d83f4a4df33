"""What a table is, and what it knows of the match from the start."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rich.console import RenderableType
from rich.text import Text

from machiavel.engines.events import Teller

__all__ = ["Seen", "ShownField", "Table", "TableSetting"]

Seen = Mapping[str, Any]  # what one seat sees: the `view` of View.to_json()


@dataclass(frozen=True)
class ShownField:
    """A field of a view as a table draws it: where, under which name, and what its values are called."""

    name: str
    zone: str
    label: str
    shape: Mapping[str, Any]  # Type.describe()
    names: Mapping[str, str]
    shown_while: str = ""  # a flag of the view; empty: always


@dataclass(frozen=True)
class TableSetting:
    """What everybody knows before the deal."""

    language: str
    seat: int  # of the person at this table
    bots: Sequence[str]  # the name of the bot on each seat; empty for the person
    options: Mapping[str, Any]
    label: Callable[[str], str]  # a move in words
    teller: Teller | None = None  # tells what happens; None: nothing but the moves is told
    fields: Sequence[ShownField] = ()  # that the game says where to draw
    why_not: Callable[[Seen, str], str] = lambda _seen, _move: ""  # why a move that exists is not legal, to who sees that


class Table(Protocol):
    """Draws one seat's view and tells what happens, in one language.

    Calls come in order: `tell` for the first view and after every move; `draw`, `choices`, `question` and `why_not`
    only while the seat is asked, with the view told last.
    """

    def tell(self, before: Seen | None, seat: int | None, move: str | None, after: Seen) -> list[Text]:
        """What the seat learned by a move, which is as it saw it; all but `after` is None at the beginning."""

    def draw(self, view: Seen) -> RenderableType:
        """The whole table but for the choices."""

    def choices(self, view: Seen, moves: Sequence[str]) -> RenderableType:
        """The hand, and the legal moves with their numbers from 1."""

    def question(self, view: Seen) -> str:
        """What is asked now."""

    def read(self, view: Seen, entry: str) -> str:
        """An entry in a player's words, or one that is short, in the notation of moves; anything else unchanged."""

    def why_not(self, view: Seen, entry: str) -> str:
        """Why a move that exists is not legal now; empty where there is nothing to add."""

    def help(self) -> Sequence[tuple[str, str]]:
        """Pairs of a word and its meaning, to be shown on request."""

    def result(self, view: Seen, winners: Sequence[int]) -> RenderableType:
        """The end of a match, and the seats that won it."""
