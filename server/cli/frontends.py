"""How a match is shown and moves are asked for: to a person at a table, or as JSON lines to a program."""

import select
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from machiavel.engines import AmbiguousMove, IllegalMove, MoveError, Teller
from machiavel.server.cli.advising import Adviser
from machiavel.server.cli.arguments import UsageError
from machiavel.server.cli.command_texts import Words
from machiavel.server.cli.hosting import TAKE_BACK
from machiavel.server.cli.output import json_line, visible
from machiavel.server.cli.tables import Table

__all__ = ["QUIT", "JsonFrontend", "TerminalFrontend", "read_line"]

LOOK_UP = 0.2  # seconds
QUIT = {"q", "quit", "exit", ":q"}
HELP = {"?", "help", "h", "aide"}
HAND = {"hand", "main"}
HINT = {"hint", "conseil", "indice"}
UNDO = {"undo", "annuler"}
UNSEEN = {"unseen", "caché", "cache", "cachées", "cachees"}
MANY, FEW = 12, 8  # of more moves than MANY, an error names FEW


def read_line(prompt: str) -> str | None:
    """The next line of stdin without its end, or None where there is no more; only a terminal is shown the prompt."""
    if sys.stdin is None or sys.stdin.closed:
        return None
    # Not `input`: what it calls puts the terminal into another mode, and misses a Ctrl-C that comes just then.
    asks = sys.stdin.isatty()
    if asks:
        sys.stdout.write(prompt)
        sys.stdout.flush()
    try:
        # A Ctrl-C that comes just before a read that waits would be heard after it: so the wait is one that looks up.
        while asks and not select.select([sys.stdin], [], [], LOOK_UP)[0]:
            pass
        line = sys.stdin.readline()
    except OSError as error:
        raise UsageError(f"the input cannot be read: {error.strerror or error}") from error
    if asks and not line.endswith("\n"):
        sys.stdout.write("\n")
    return line.rstrip("\r\n") if line else None


def listed(entry: str, moves: list[str]) -> str | None:
    """The move that a number of the list means; None where the entry is a number and means none."""
    if not (entry.isascii() and entry.isdigit()):
        return entry
    number = int(entry[:9])
    return moves[number - 1] if 1 <= number <= len(moves) else None


class TerminalFrontend:
    """The table of a game, with questions underneath."""

    def __init__(
        self,
        console: Console,
        table: Table,
        words: Words,
        adviser: Adviser | None,
        teller: Teller,
        *,
        takes_back: bool | None = None,
    ) -> None:
        """`takes_back`: whether decisions can be; None: at this terminal they never are."""
        self._takes_back = takes_back
        self._console = console
        self._adviser = adviser
        self._table = table
        self._words = words
        self._teller = teller
        self._is_drawn = False
        self._typed = ""

    def begin(self, view: Mapping[str, Any]) -> None:
        self._tell(self._table.tell(None, None, None, view["view"]))

    def moved(self, before: Mapping[str, Any], seat: int, move: str, after: Mapping[str, Any]) -> None:
        self._tell(self._table.tell(before["view"], seat, move, after["view"]))
        self._is_drawn = False

    def returned(self, view: Mapping[str, Any], ply: int) -> None:  # noqa: ARG002
        self._table.tell(None, None, None, view["view"])  # which was told when the game stood there first
        self._is_drawn = False

    def ask(self, view: Mapping[str, Any], moves: list[str]) -> str | None:
        seen = view["view"]
        if not self._is_drawn:
            self._console.print("", self._table.draw(seen), self._table.choices(seen, moves), sep="\n")
            self._is_drawn = True
        while True:
            self._console.print(Text(self._table.question(seen), style="bold"))
            line = read_line("> ")
            if line is None:
                self._console.print(Text(self._words("no_input")))
                return None
            entry = line.strip()
            self._typed = visible(entry)
            if not sys.stdin.isatty():
                self._console.print(Text(f"> {self._typed}"))
            if entry.lower() in QUIT:
                self._console.print(Text(self._words("quit")))
                return None
            if entry.lower() in UNDO and self._takes_back is not None:
                if self._takes_back:
                    return TAKE_BACK
                self._complain(self._words("no_undo"))
            elif entry.lower() in HINT | UNSEEN or (entry.startswith("?") and entry != "?"):
                self._advise(view, entry, moves)
            elif entry.lower() in HELP:
                self._console.print(self._help(), self._table.choices(seen, moves), sep="\n")
            elif entry.lower() in HAND:
                self._console.print(self._table.choices(seen, moves))
            elif entry:
                move = listed(entry, moves)
                if move is not None:
                    return move if move in moves else self._table.read(seen, move)
                self._complain(self._words("no_number", entry=self._typed, most=len(moves)))

    def _advise(self, view: Mapping[str, Any], entry: str, moves: list[str]) -> None:
        """A hint, where unseen cards are, or how a move does beside the best one; nothing is played."""
        if self._adviser is None:
            self._complain(self._words("no_hints"))
        elif entry.lower() in HINT:
            self._adviser.explain(self._console, view)
        elif entry.lower() in UNSEEN:
            self._adviser.unseen(self._console, view)
        else:
            self._what_about(self._adviser, view, entry[1:].strip(), moves)

    def _what_about(self, adviser: Adviser, view: Mapping[str, Any], entry: str, moves: list[str]) -> None:
        move = listed(entry, moves)
        self._typed = visible(entry)
        if move is None:
            self._complain(self._words("no_number", entry=self._typed, most=len(moves)))
            return
        meant = move if move in moves else self._table.read(view["view"], move)
        try:
            adviser.compare(self._console, view, meant)
        except MoveError as error:
            self.refuse(view, meant, error, moves)

    def refuse(self, view: Mapping[str, Any], entry: str, error: MoveError, moves: list[str]) -> None:
        legal, typed = self._named(view, moves), self._typed
        if isinstance(error, IllegalMove):
            why = self._table.why_not(view["view"], entry)
            message = self._words("illegal" if why else "illegal_bare", entry=typed, why=why, legal=legal)
        elif isinstance(error, AmbiguousMove):
            message = self._words("ambiguous", entry=typed, candidates=self._named(view, error.candidates))
        else:
            message = self._words("not_a_move", entry=typed, legal=legal)
        self._complain(message)

    def _named(self, view: Mapping[str, Any], moves: Sequence[str]) -> str:
        """Moves in words; of many the first few, since the list above has them all."""
        some = moves if len(moves) <= MANY else moves[:FEW]
        named = ", ".join(self._teller.move(view["view"], move) for move in some)
        return named if some is moves else self._words("and_more", some=named, count=len(moves) - FEW)

    def _tell(self, lines: list[Text]) -> None:
        for line in lines:
            self._console.print(line)

    def _complain(self, message: str) -> None:
        self._console.print(Text(message, style="bold red"))

    def _help(self) -> RenderableType:
        grid = Grid.grid(padding=(0, 2))
        words = self._words
        for word, meaning in (
            ("…", words("help_moves")),
            *self._table.help(),
            (words("help_hand_word"), words("help_hand")),
            (words("help_hint_word"), words("help_hint")),
            (words("help_unseen_word"), words("help_unseen")),
            (words("help_what_about_word"), words("help_what_about")),
            *([(words("help_undo_word"), words("help_undo"))] if self._takes_back else []),
            ("?", words("help_help")),
            ("q", words("help_quit")),
        ):
            grid.add_row(Text(word, style="bold cyan"), Text(meaning))
        return Group(grid)


class JsonFrontend:
    """Everything a seat sees, as objects with a `type`; entries are read line by line, as at a table."""

    def __init__(self, seat: int, ply: int = 0, *, takes_back: bool = False) -> None:
        self._seat = seat
        self._ply = ply
        self._takes_back = takes_back
        self._asked = False

    def begin(self, view: Mapping[str, Any]) -> None:
        json_line({"type": "view", **view})

    def moved(self, before: Mapping[str, Any], seat: int, move: str, after: Mapping[str, Any]) -> None:  # noqa: ARG002
        json_line({"type": "move", "ply": self._ply, "seat": seat, "move": move})
        json_line({"type": "view", **after})
        self._ply += 1
        self._asked = False

    def returned(self, view: Mapping[str, Any], ply: int) -> None:
        json_line({"type": "view", **view})
        self._ply, self._asked = ply, False

    def ask(self, view: Mapping[str, Any], moves: list[str]) -> str | None:  # noqa: ARG002
        if not self._asked:
            json_line({"type": "ask", "seat": self._seat, "legal": moves})
            self._asked = True
        while True:
            line = read_line("")
            entry = "q" if line is None else line.strip()
            if entry.lower() in QUIT:
                return None
            if entry.lower() in UNDO and self._takes_back:
                return TAKE_BACK
            if entry:
                # A number that is not in the list is left for the game to refuse.
                return listed(entry, moves) or entry

    def refuse(self, view: Mapping[str, Any], entry: str, error: MoveError, moves: list[str]) -> None:  # noqa: ARG002
        kind = type(error).__name__
        json_line({"type": "refused", "entry": entry, "error": kind, "message": str(error), "legal": moves})
