"""A fault of an author's function as its author reads it: as Python tells it, with file, line, function and the line itself."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from tokenize import COMMENT, TokenError, generate_tokens
from traceback import extract_tb

from machiavel.engines.kit.fault_kinds import FUEL, MOST_YIELDED, FaultKind
from machiavel.engines.kit.fault_record import FaultRecord
from machiavel.engines.kit.game_description import GameDescription
from machiavel.engines.kit.game_fields import KIT_PHRASES
from machiavel.engines.kit.layout import StateLayout
from machiavel.engines.kit.source import GameSource
from machiavel.engines.phrases import Wording

__all__ = ["FaultTexts", "error_told", "record_told"]

MOST_CARDS = 64  # that can be drawn at once
KEYS: Mapping[FaultKind, str] = {
    FaultKind.BAD_INDEX: "bad_index",
    FaultKind.OVERFLOW: "overflow",
    FaultKind.DOES_NOT_FIT: "does_not_fit",
    FaultKind.DIVISION: "division",
    FaultKind.BAD_SHIFT: "bad_shift",
    FaultKind.NO_FUEL: "no_fuel",
    FaultKind.RAISED: "raised",
    FaultKind.ASSERTION: "assertion",
    FaultKind.EMPTY_SET: "empty_set",
    FaultKind.BAD_LUCK: "bad_luck",
    FaultKind.BAD_COUNTER: "bad_counter",
    FaultKind.BAD_PART: "bad_part",
    FaultKind.INEXACT: "inexact",
    FaultKind.NO_MOVE: "no_move",
    FaultKind.BAD_MOVE: "bad_move",
    FaultKind.SAME_MOVE: "same_move",
    FaultKind.TOO_MANY_MOVES: "too_many_moves",
    FaultKind.ENDLESS: "endless",
    FaultKind.BAD_RESULT: "bad_result",
    FaultKind.BAD_WEIGHT: "bad_weight",
    FaultKind.NO_WORLD: "no_world",
    FaultKind.NO_SET: "no_set",
}
HEADER_SLOTS = (-1, -2)  # mover and asked, in place of a field's number


@dataclass(frozen=True)
class FaultTexts:
    """A fault in words, and what of it holds no value: its kind, as `IndexError` or `no_move`, and `mine.py:73 apply`."""

    what: Wording
    kind: str
    place: str


def error_told(source: GameSource, error: BaseException) -> FaultTexts | None:
    """An exception: `IndexError: list index out of range (mine.py:73, in apply: self.points[self.best] += 1)`.

    None where no line of the author's raised it.
    """
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    frames = [frame for frame in extract_tb(error.__traceback__) if Path(frame.filename) == Path(source.path)]
    return told(source, text, type(error).__name__, frames[-1].lineno, frames[-1].name) if frames else None


def record_told(source: GameSource, layout: StateLayout, record: FaultRecord, shares: Sequence[float]) -> FaultTexts:
    """A fault by its kind, where repeating the call raises nothing; `shares` are what `result` or `estimate` gave."""
    kind, a, b = FaultKind(record.kind), record.a, record.b
    parts: dict[str, object] = {"a": str(a), "b": str(b), "last": str(b - 1), "most": str(FUEL)}
    key = KEYS[kind]
    if kind is FaultKind.DOES_NOT_FIT and b in HEADER_SLOTS:
        key = "no_seat"
    elif kind is FaultKind.DOES_NOT_FIT:
        slot = layout.slots[b]
        parts |= {"field": slot.name, "least": str(slot.low), "most": str(slot.high)}
    elif kind is FaultKind.BAD_LUCK and b == 0 and not 0 < a < MOST_CARDS:
        key = "bad_sides"
    elif kind is FaultKind.BAD_RESULT:
        key, parts = share_told(source.description, record, shares)
    elif kind is FaultKind.TOO_MANY_MOVES:
        parts["most"] = str(MOST_YIELDED)
    what = KIT_PHRASES.wording(f"faults.{key}", **parts)
    return told(source, what, kind.name.lower(), record.line or None, record.function)


def share_told(game: GameDescription, record: FaultRecord, shares: Sequence[float]) -> tuple[str, dict[str, object]]:
    """A share that is none: which text says so, and what stands in it."""
    low, high = game.worth or (0, 1 if game.cooperative else None)
    parts: dict[str, object] = {"function": record.function, "a": str(record.a), "share": f"{shares[record.a]:g}"}
    if game.cooperative and record.b:  # it is one, but not everybody's
        return "unequal_shares", parts | {"first": f"{shares[0]:g}"}
    parts |= {"least": f"{low:g}", "highest": None if high is None else f"{high:g}"}
    return ("share_of_worth" if game.cooperative and game.worth is None else "bad_result"), parts


def told(source: GameSource, what: str, kind: str, line: int | None, function: str) -> FaultTexts:
    """What went wrong, and where. Without a line, the function's own."""
    found = function_at(source.tree, line, function)
    at = found.lineno if line is None and found is not None else line
    place = Path(source.path).name + ("" if at is None else f":{at}")
    code = None if line is None else code_at(source, line)
    name = found.name if found else function
    return FaultTexts(KIT_PHRASES.wording("faults.at", what=what, place=place, function=name, code=code), kind, f"{place} {name}")


def code_at(source: GameSource, line: int) -> str:
    """What stands in a line, without the comment behind it."""
    text = (source.text.splitlines()[line - 1 :] or [""])[0].strip()
    try:
        comments = [token.start[1] for token in generate_tokens(StringIO(text).readline) if token.type == COMMENT]
    except (TokenError, SyntaxError):  # the line is a part of a longer one
        return text
    return text[: comments[0]].rstrip() if comments else text


def function_at(tree: ast.Module, line: int | None, name: str) -> ast.FunctionDef | None:
    """The innermost function around a line, else the one of that name."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    if line is None:
        return next((node for node in functions if node.name == name), None)
    around = [node for node in functions if node.lineno <= line <= (node.end_lineno or node.lineno)]
    return max(around, key=lambda node: node.lineno, default=None)
