"""Puzzles: positions in which one move is clearly the best by what its seat knows, and the sets of them that games bring."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from machiavel.engines import LANGUAGES, Game, GameError, View, load
from machiavel.search.cached_by_game import cached_by_game
from machiavel.search.limits import is_number, is_whole

__all__ = [
    "LEAD",
    "BadPuzzles",
    "Puzzle",
    "PuzzleMove",
    "PuzzleSet",
    "PuzzleSource",
    "puzzle_id",
    "puzzles_of",
    "read_puzzles",
    "set_text",
]

FORMAT = 1
LEAD = 0.10  # of win chance, by which the best move is ahead of every other one
ID_DIGITS = 12
DECIMALS = 4


class BadPuzzles(GameError):
    """A file of puzzles cannot be read, or is not for this game as it is now."""


@dataclass(frozen=True)
class PuzzleMove:
    """A legal move with its win chance, from 0 to 1, and the standard error of that."""

    move: str
    win_chance: float
    win_chance_error: float


@dataclass(frozen=True)
class PuzzleSource:
    """Where a position comes from: the match `deal` of a seed, after so many moves of so many."""

    match: int
    deal: int  # the seed of the deal
    ply: int
    plies: int
    bots: tuple[str, ...]  # by seat


@dataclass(frozen=True)
class Puzzle:
    """A position as its seat sees it, and what there is to find."""

    id: str
    view: Mapping[str, Any]  # as `View.to_json` makes it
    players: int
    seat: int
    moves: tuple[PuzzleMove, ...]  # in the order of the legal moves, which says nothing of their worth
    best: str
    lead: float  # how far the next best move is behind, where it is least
    kind: str  # of the best move
    stage: str  # `early`, `middle` or `late` in its match
    level: int  # the lowest level from which on bots find the move nearly always; one more than the highest asked, if none does
    solved: Mapping[int, float]  # how often bots of each level found the move
    sentences: tuple[Mapping[str, str], ...]  # why: `kind` and a text by language
    source: PuzzleSource

    @property
    def best_move(self) -> PuzzleMove:
        return next(one for one in self.moves if one.move == self.best)

    def to_json(self) -> dict[str, Any]:
        source = self.source
        return {
            "id": self.id,
            "players": self.players,
            "seat": self.seat,
            "best": self.best,
            "lead": round(self.lead, DECIMALS),
            "kind": self.kind,
            "stage": self.stage,
            "level": self.level,
            "solved": {str(level): round(share, DECIMALS) for level, share in self.solved.items()},
            "moves": [[one.move, round(one.win_chance, DECIMALS), round(one.win_chance_error, DECIMALS)] for one in self.moves],
            "sentences": [dict(one) for one in self.sentences],
            "source": {
                "match": source.match,
                "deal": str(source.deal),
                "ply": source.ply,
                "plies": source.plies,
                "bots": list(source.bots),
            },
            "view": dict(self.view),
        }

    @classmethod
    def from_json(cls, data: Any) -> "Puzzle":
        """What `to_json` wrote; raises BadPuzzles, naming the field, for anything else."""
        fields = Fields(data, "a puzzle")
        source = Fields(fields.take("source", dict, "an object"), "source")
        return cls(
            fields.text("id"),
            fields.take("view", dict, "an object"),
            fields.whole("players"),
            fields.whole("seat"),
            tuple(move_of(one) for one in fields.take("moves", list, "a list")),
            fields.text("best"),
            fields.number("lead"),
            fields.text("kind"),
            fields.text("stage"),
            fields.whole("level"),
            {int(level): share for level, share in fields.take("solved", dict, "an object").items() if level.isdecimal()},
            tuple(sentence_of(one) for one in fields.take("sentences", list, "a list")),
            PuzzleSource(
                source.whole("match"),
                int(source.take("deal", str, "a seed, as a text", str.isdecimal)),
                source.whole("ply"),
                source.whole("plies"),
                tuple(map(str, source.take("bots", list, "a list"))),
            ),
        )


@dataclass(frozen=True)
class PuzzleSet:
    """The puzzles of a game that still fit it, and what is wrong with the others, in words."""

    game: str
    puzzles: tuple[Puzzle, ...] = ()
    dropped: int = 0
    problems: tuple[str, ...] = ()
    made: Mapping[str, Any] = field(default_factory=dict)  # with what they were found and checked

    @cached_property
    def by_id(self) -> Mapping[str, Puzzle]:
        return {one.id: one for one in self.puzzles}


def puzzle_id(view: Mapping[str, Any]) -> str:
    """The same for the same view, whatever else is known of it."""
    text = json.dumps(view, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:ID_DIGITS]


# ---- Files ----


def set_text(game: Game, puzzles: Sequence[Puzzle], made: Mapping[str, Any]) -> str:
    """A set as its file: one object, with a line for each puzzle."""
    digests = {str(players): game.make_rules(players).digest for players in sorted({one.players for one in puzzles})}
    head = {"format": FORMAT, "game": game.name, "rules_version": game.rules_version, "digests": digests, "made": dict(made)}
    lines = ",\n".join(compact(one.to_json()) for one in puzzles)
    return f'{compact(head)[:-1]},"puzzles":[\n{lines}\n]}}\n'


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_puzzles(game: Game, file: Path | Traversable) -> PuzzleSet:
    """The set of a file. Puzzles that do not fit the game as it is now are left out, and `problems` says why.

    Raises BadPuzzles where the file cannot be read, holds no puzzles, or those of another game or version of the rules.
    """
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadPuzzles(f"{file}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise BadPuzzles(f"{file}: is no JSON; expected what `machiavel puzzles` writes") from None
    try:
        head = Fields(data, "the file")
        rows = head.take("puzzles", list, "a list")
        version, name = head.whole("format"), head.text("game")
        rules_version, digests = head.whole("rules_version"), head.take("digests", dict, "an object")
        made = head.take("made", dict, "an object")
    except BadPuzzles as error:
        raise BadPuzzles(f"{file}: {error}") from None
    again = f"make new ones with: machiavel puzzles {game.name}"
    if version != FORMAT:
        raise BadPuzzles(f"{file}: has format {version}; this release reads format {FORMAT}; {again}")
    if name != game.name:
        raise BadPuzzles(f"{file}: holds puzzles of {name}; expected those of {game.name}")
    if rules_version != game.rules_version:
        raise BadPuzzles(f"{file}: is for version {rules_version} of the rules; {game.name} has {game.rules_version}; {again}")
    return fitting(game, str(file), rows, digests, made)


def fitting(game: Game, file: str, rows: Sequence[Any], digests: Mapping[str, Any], made: Mapping[str, Any]) -> PuzzleSet:
    puzzles: dict[str, Puzzle] = {}
    problems: dict[str, int] = {}
    for row in rows:
        try:
            puzzle = Puzzle.from_json(row)
            check_fit(game, puzzle, digests)
            puzzles.setdefault(puzzle.id, puzzle)
        except GameError as error:
            problems[str(error)] = problems.get(str(error), 0) + 1
    told = tuple(f"{file}: puzzles left out: {count}: {problem}" for problem, count in problems.items())
    return PuzzleSet(game.name, tuple(puzzles.values()), len(rows) - len(puzzles), told, made)


def check_fit(game: Game, puzzle: Puzzle, digests: Mapping[str, Any]) -> None:
    """Raises BadPuzzles, or what `view_from_json` does, for a puzzle that the game as it is now would not ask."""
    if puzzle.players not in game.players:
        raise BadPuzzles(f"is for {puzzle.players} players; {game.name} has {game.players[0]} to {game.players[-1]}")
    if digests.get(str(puzzle.players)) != game.make_rules(puzzle.players).digest:
        raise BadPuzzles(f"{game.name} with {puzzle.players} players has other rules, options or cards than when it was made")
    view = view_of(game, puzzle)
    if view.legal_moves() != [one.move for one in puzzle.moves]:
        raise BadPuzzles("other moves are legal than when it was made")
    if puzzle.best not in {one.move for one in puzzle.moves} or puzzle.id != puzzle_id(puzzle.view):
        raise BadPuzzles("was changed by hand: its best move is none of its moves, or its id is another view's")


def view_of(game: Game, puzzle: Puzzle) -> View:
    """Raises BadView."""
    return game.view_from_json(puzzle.view)


@cached_by_game
def puzzles_of(name: str) -> PuzzleSet:
    """The set that a game brings; none where it brings none. A set that does not fit is none, and `problems` says why."""
    game = load(name)
    file = game.plugin.puzzles_file()
    if file is None:
        return PuzzleSet(name)
    try:
        return read_puzzles(game, file)
    except BadPuzzles as error:
        return PuzzleSet(name, problems=(str(error),))


# ---- JSON from outside ----


class Fields:
    """Takes fields out of an object of JSON."""

    def __init__(self, data: Any, name: str) -> None:
        if not isinstance(data, dict):
            raise BadPuzzles(f"{name} is {str(data)[:40]!r}; expected an object")
        self.data = data
        self.name = name

    def take(self, key: str, kind: type, expected: str, fits: Callable[[Any], bool] = lambda _: True) -> Any:
        value = self.data.get(key)
        if not isinstance(value, kind) or not fits(value):
            raise BadPuzzles(f"{self.name}: {key} is {str(value)[:40]!r}; expected {expected}")
        return value

    def text(self, key: str) -> str:
        return str(self.take(key, str, "a text"))

    def whole(self, key: str) -> int:
        return int(self.take(key, int, "a whole number, at least 0", lambda value: is_whole(value) and value >= 0))

    def number(self, key: str) -> float:
        return float(self.take(key, int | float, "a number", is_number))  # type: ignore[arg-type]


def move_of(data: Any) -> PuzzleMove:
    match data:
        case [str(move), int() | float() as chance, int() | float() as error] if 0 <= chance <= 1 and error >= 0:
            return PuzzleMove(move, float(chance), float(error))
    raise BadPuzzles(f"moves: {str(data)[:40]!r}; expected a move, its win chance and the error of that")


def sentence_of(data: Any) -> Mapping[str, str]:
    if not isinstance(data, dict) or not all(isinstance(data.get(key), str) for key in ("kind", *LANGUAGES)):
        raise BadPuzzles(f"sentences: {str(data)[:40]!r}; expected an object with kind, {', '.join(LANGUAGES)}")
    return data
