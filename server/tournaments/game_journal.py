"""The journal: a line a game, appended as games end and on disk before they count; at the end in the order of (deal, seating)."""

import contextlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from machiavel.engines import Record
from machiavel.search.match_runner import seed_of_deal
from machiavel.server import journal
from machiavel.server.journal import BadJournal, FileJournal, Journal, JournalKind, Tell, ignore, lines, row_of
from machiavel.server.tournaments._lines import read_lines
from machiavel.server.tournaments.batches import Block
from machiavel.server.tournaments.plan import Plan
from machiavel.server.tournaments.results import Results, Timings

__all__ = [
    "GAMES",
    "TIMES",
    "Columns",
    "GameJournal",
    "GameRow",
    "difference",
    "read_game",
    "read_header",
    "read_plan",
    "read_results",
]

GAMES, TIMES = "games.jsonl", "times.jsonl"
KEY = re.compile(rb'\{"deal":(\d+),"seating":(\d+),')
END = b"]}\n"
MOVES = b',"moves":'
KINDS = (np.int64, np.int64, np.int64, np.float32, np.float32, np.uint32, np.uint32)
KEPT = (np.int64, np.int32, np.uint8, np.float32, np.float32, np.uint32, np.uint16)  # where there may be millions


@dataclass(frozen=True)
class GameRow:
    """One line of the journal."""

    plan: Plan
    number: int  # of the line, the first game being 1
    deal: int
    seating: int
    seats: tuple[int, ...]
    moves: tuple[str, ...]

    @property
    def record(self) -> Record:
        """What replays it."""
        plan = self.plan
        seed = seed_of_deal(plan.seed, self.deal)
        return Record(plan.game, plan.rules_version, plan.digest, plan.options, seed, None, self.moves)


class GameJournal:
    """The games of a folder, open for adding to them; one at a time has it open."""

    def __init__(self, folder: Path, plan: Plan, games: Journal, times: Journal) -> None:
        self.folder = folder
        self.plan = plan
        self._games = games
        self._times = times

    @classmethod
    @contextlib.contextmanager
    def open(cls, folder: Path, plan: Plan, tell: Tell = ignore) -> Iterator[Self]:
        """Makes the folder where there is none; raises BadJournal where it holds another tournament, or somebody adds to it.

        `tell` is told if the last game was not written to its end, and is played again.
        """
        games, times = games_of(folder / GAMES), times_of(folder)
        with games.open({"tournament": plan.to_json()}, tell), times.open():
            yield cls(folder, plan, games, times)

    def add(self, blocks: Sequence[Block]) -> None:
        """Games that are on disk when this returns."""
        self._games.append(b"".join(block.lines for block in blocks))
        self._times.append(b"".join(row_of({"timings": [list(timing) for timing in block.timings]}) for block in blocks))

    def in_order(self, before: int | None = None) -> None:
        """Puts the games into the order of (deal, seating), each once, without those of deals from `before` on."""
        keys = keys_of(self._games, self.plan.players)
        order = np.lexsort((keys[:, 1], keys[:, 0]))
        kept = np.ones(len(order), np.bool_)
        kept[1:] = (np.diff(keys[order], axis=0) != 0).any(axis=1)
        if before is not None:
            kept &= keys[order, 0] < before
        order = order[kept]
        if len(order) < len(keys) or not bool((np.diff(order) > 0).all()):
            self._games.keep(order)


def key_of(row: Mapping[str, Any]) -> tuple[int, int]:
    return row["deal"], row["seating"]


def is_whole(row: bytes) -> bool:
    return KEY.match(row) is not None and row.endswith(END)


def complete(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return Plan.from_json(fields).to_json()


KIND = JournalKind("tournament", key_of, is_synced=True, is_whole=is_whole, complete=complete)


def games_of(path: Path) -> FileJournal:
    return FileJournal(path, KIND)


def times_of(folder: Path) -> FileJournal:
    return FileJournal(folder / TIMES, JournalKind("timings", is_headed=False))


def difference(plan: Plan, wanted: Plan) -> str:
    """The first thing in which they differ."""
    return f"holds another tournament: {journal.difference(plan.to_json(), wanted.to_json())}"


def keys_of(games: Journal, players: int) -> NDArray[np.int64]:
    """Of all games deal and seating; raises BadJournal."""
    parts = [np.stack(columns[:2], axis=1) for columns in whole_games(games, players)]
    return np.concatenate(parts) if parts else np.zeros((0, 2), np.int64)


def damaged(games: Journal, line: int) -> str:
    return f"{games.name}: line {line} is no game; it was changed, or its disk is damaged"


def read_plan(path: Path) -> Plan:
    """The tournament of a journal; raises BadJournal."""
    return Plan.from_json(games_of(path).header())


def read_header(folder: Path) -> dict[str, Any]:
    """What the tournament of a folder is, as JSON has it; raises BadJournal."""
    return read_plan(folder / GAMES).to_json()


def read_results(folder: Path) -> tuple[Results, Timings]:
    """All games of a folder, and how long its bots took; raises BadJournal."""
    path = folder / GAMES
    plan = read_plan(path)
    result = Columns(plan)
    for columns in whole_games(games_of(path), plan.players):
        result.add(columns)
    return result.results(), read_timings(folder, plan)


def whole_games(games: Journal, players: int) -> Iterator[tuple[NDArray[Any], ...]]:
    """Their columns, many games at a time."""
    for block in games.blocks():
        yield columns_of(games, block, players)


def columns_of(games: Journal, block: journal.RowBlock, players: int) -> tuple[NDArray[Any], ...]:
    ends = block.ends
    columns = room_for(len(ends), players, KINDS)
    text, done = memoryview(block.text), 0
    while done < len(ends):
        begin = int(ends[done - 1]) if done else 0
        done += read_lines(text[begin:], *(column[done:] for column in columns))
        if done < len(ends):  # another hand has written it
            begin = int(ends[done - 1]) if done else 0
            row = values_of(games, block.line + done, block.text[begin : ends[done]], players)
            for column, value in zip(columns, row, strict=True):
                column[done] = value
            done += 1
    return columns


class Columns:
    """Games as they come, in any order."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._parts: list[tuple[NDArray[Any], ...]] = []

    def add_block(self, block: Block) -> None:
        batch = block.batch
        self.add((batch.deals, batch.seatings, batch.seats, block.utilities, block.points, block.plies, block.faults))

    def add_known(self, known: Results) -> None:
        self.add((known.deals, known.seatings, known.seats, known.utilities, known.points, known.plies, known.faults))

    def add(self, columns: tuple[NDArray[Any], ...]) -> None:
        """Deals, seatings, seats, utilities, points, plies, faults."""
        self._parts.append(tuple(column.astype(kind) for column, kind in zip(columns, KEPT, strict=True)))

    def results(self) -> Results:
        """All there are, each once, in order."""
        plan, players = self._plan, self._plan.players
        if len(self._parts) != 1:
            joined = [np.concatenate(parts) for parts in zip(*self._parts, strict=True)]
            self._parts = [tuple(joined)] if joined else [room_for(0, players, KEPT)]
        order = np.lexsort(self._parts[0][1::-1])
        keys = [column[order] for column in self._parts[0][:2]]
        is_new = np.diff(keys[0]).astype(np.bool_) | np.diff(keys[1]).astype(np.bool_)
        order = order[np.append(np.ones(min(1, len(order)), np.bool_), is_new)]
        columns = zip(self._parts[0], KINDS, strict=True)
        deals, seatings, seats, utilities, points, plies, faults = (column[order].astype(kind) for column, kind in columns)
        return Results(
            plan.game,
            players,
            plan.loaded.is_cooperative,
            plan.bots,
            deals,
            seatings,
            seats,
            utilities,
            points,
            plies,
            faults,
            plan.schedule.games_a_deal,
        )


def room_for(games: int, players: int, kinds: Sequence[type]) -> tuple[NDArray[Any], ...]:
    """Columns of so many games, to be filled in."""
    shapes = [(games,), (games,), (games, players), (games, players), (games, players), (games,), (games, players)]
    return tuple(np.empty(shape, kind) for shape, kind in zip(shapes, kinds, strict=True))


def values_of(games: Journal, line: int, text: bytes, players: int) -> tuple[NDArray[Any], ...]:
    """One row of the columns. The moves take long to read and are not asked for."""
    head, result, _ = text.partition(MOVES)
    try:
        game = json.loads(head + b"}") if result else {}
        points = [float("nan") if one is None else one for one in game["points"]]
        faults = game.get("faults", [0] * players)
        row = (game["deal"], game["seating"], game["seats"], game["utilities"], points, game["plies"], faults)
        if any(len(row[part]) != players for part in (2, 3, 4, 6)):
            raise ValueError
        return tuple(np.array(value, kind) for value, kind in zip(row, KINDS, strict=True))
    except (ArithmeticError, ValueError, KeyError, TypeError):
        raise BadJournal(damaged(games, line)) from None


def read_timings(folder: Path, plan: Plan) -> Timings:
    """What is known of the time that moves took."""
    totals = np.zeros((len(plan.bots), 3))
    with contextlib.suppress(OSError):
        for _, row in lines(times_of(folder)):
            with contextlib.suppress(ValueError, KeyError, TypeError):
                result = np.array(json.loads(row)["timings"], np.float64)
                if result.shape == totals.shape:
                    totals[:, :2] += result[:, :2]
                    totals[:, 2] = np.maximum(totals[:, 2], result[:, 2])
    return Timings(plan.bots, totals[:, 0].astype(np.int64), totals[:, 1], totals[:, 2])


def read_game(path: Path, is_wanted: Callable[[int, int, int], bool]) -> GameRow | None:
    """The first game of which the number, the deal and the seating are as wanted; raises BadJournal."""
    plan, games = read_plan(path), games_of(path)
    for number, (line, row) in enumerate(lines(games), start=1):
        key = KEY.match(row)
        if key is None or not is_wanted(number, int(key[1]), int(key[2])):
            continue
        try:
            game = json.loads(row)
            return GameRow(plan, number, int(key[1]), int(key[2]), tuple(game["seats"]), tuple(game["moves"]))
        except (ValueError, KeyError, TypeError):
            raise BadJournal(damaged(games, line)) from None
    return None
