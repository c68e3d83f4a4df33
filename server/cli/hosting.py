"""A match hosted at this terminal: it alone holds the state; the fronts and the bots get views."""

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from machiavel.engines import MoveError, Record, State, View
from machiavel.search import Bot

__all__ = ["TAKE_BACK", "Frontend", "host", "try_record", "write_record"]


TAKE_BACK = "\0take back"  # no text of a move


class Frontend(Protocol):
    """Shows a match to the person at one seat and asks for moves."""

    def begin(self, view: Mapping[str, Any]) -> None:
        """The first view, as `View.to_json` makes it, like all views here."""

    def moved(self, before: Mapping[str, Any], seat: int, move: str, after: Mapping[str, Any]) -> None:
        """A move as the person's seat saw it, and the views around it."""

    def returned(self, view: Mapping[str, Any], ply: int) -> None:
        """Moves were taken back: the game stands there again, after so many moves."""

    def ask(self, view: Mapping[str, Any], moves: list[str]) -> str | None:
        """An entry to be tried as a move, or TAKE_BACK where it may be; None to leave the match."""

    def refuse(self, view: Mapping[str, Any], entry: str, error: MoveError, moves: list[str]) -> None:
        """The entry that `ask` gave last is no legal move."""


def host(state: State, seat: int, bots: Mapping[int, Bot], frontend: Frontend) -> View:
    """Plays the match until it is over or left; returns the last view of the person's seat."""
    view = state.view(seat)
    seen = view.to_json()
    frontend.begin(seen)
    while (mover := state.seat_to_move) is not None:
        if mover == seat:
            if not play_entry(state, view, seen, frontend):
                break
        else:
            state.play(bots[mover].choose(state.view(mover)))
        view = state.view(seat)
        before, seen = seen, view.to_json()
        frontend.moved(before, mover, state.observed_moves(seat)[-1], seen)
    return view


def play_entry(state: State, view: View, seen: Mapping[str, Any], frontend: Frontend) -> bool:
    """Asks until an entry is a legal move, and plays it; False where the person leaves."""
    moves = view.legal_moves()
    while (entry := frontend.ask(seen, moves)) is not None:
        try:
            state.play(entry)
        except MoveError as error:
            frontend.refuse(seen, entry, error, moves)
        else:
            return True
    return False


def part_of(path: Path) -> Path:
    """Where a record is written before it takes its place."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def try_record(path: Path) -> None:
    """Raises OSError where `write_record` would."""
    part = part_of(path)
    part.touch(exist_ok=False)
    part.unlink()


def write_record(path: Path, record: Record) -> None:
    """Writes the record as one line of JSON: all of it or nothing, whatever happens meanwhile."""
    part = part_of(path)
    try:
        with part.open("w", encoding="utf-8") as file:
            json.dump(record.to_json(), file, ensure_ascii=False)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
