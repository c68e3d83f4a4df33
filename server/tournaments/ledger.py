"""The ledger: a line a game, appended as games end and on disk before they count; at the end in the order of (deal, seating)."""

import contextlib
import fcntl
import json
import mmap
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Self

import numpy as np
from numpy.typing import NDArray

from machiavel.engines import Record
from machiavel.search._runner import seed_of_deal
from machiavel.server.tournaments._lines import read_lines
from machiavel.server.tournaments.batches import Block
from machiavel.server.tournaments.plan import BadLedger, Plan
from machiavel.server.tournaments.results import Results, Timings

__all__ = ["GAMES", "TIMES", "Columns", "Game", "Ledger", "difference", "read_game", "read_header", "read_plan", "read_results"]

GAMES, TIMES = "games.jsonl", "times.jsonl"
KEY = re.compile(rb'\{"deal":(\d+),"seating":(\d+),')
END = b"]}\n"
MOVES = b',"moves":'
READ = 1 << 23  # bytes that are read at a time
NEWLINE = ord("\n")
KINDS = (np.int64, np.int64, np.int64, np.float32, np.float32, np.uint32, np.uint32)
KEPT = (np.int64, np.int32, np.uint8, np.float32, np.float32, np.uint32, np.uint16)  # where there may be millions


@dataclass(frozen=True)
class Game:
    """One line of the ledger."""

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


class Ledger:
    """The games of a folder, open for adding to them; one at a time has it open."""

    def __init__(self, folder: Path, plan: Plan, file: IO[bytes], times: IO[bytes]) -> None:
        self.folder = folder
        self.plan = plan
        self._file = file
        self._times = times

    @classmethod
    @contextlib.contextmanager
    def open(cls, folder: Path, plan: Plan) -> Iterator[Self]:
        """Makes the folder where there is none; raises BadLedger where it holds another tournament, or somebody adds to it."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / GAMES
        with contextlib.ExitStack() as stack:
            file = stack.enter_context(path.open("ab"))
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise BadLedger(f"{path}: another command is adding games to it") from None
            times = stack.enter_context((folder / TIMES).open("ab"))
            if not path.stat().st_size or not whole_lines(path, file):
                file.write(header(plan))
                synced(file)
            elif (found := read_plan(path)) != plan:
                raise BadLedger(f"{path}: {difference(found, plan)}; take another folder")
            yield cls(folder, plan, file, times)

    def add(self, blocks: Sequence[Block]) -> None:
        """Games that are on disk when this returns."""
        for block in blocks:
            self._file.write(block.lines)
            line = {"timings": [list(timing) for timing in block.timings]}
            self._times.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        synced(self._file)
        self._times.flush()

    def in_order(self, before: int | None = None) -> None:
        """Puts the games into the order of (deal, seating), each once, without those of deals from `before` on."""
        self._file.flush()
        path = self.folder / GAMES
        keys, edges = index_of(path, self.plan.players)
        order = np.lexsort((keys[:, 1], keys[:, 0]))
        kept = np.ones(len(order), np.bool_)
        kept[1:] = (np.diff(keys[order], axis=0) != 0).any(axis=1)
        if before is not None:
            kept &= keys[order, 0] < before
        order = order[kept]
        if len(order) == len(keys) and bool((np.diff(order) > 0).all()):
            return
        part = path.with_name(f".{GAMES}.part")
        with path.open("rb") as source, part.open("wb") as target:
            target.write(source.readline())
            with mapped(source) as games:
                for run in np.split(order, np.flatnonzero(np.diff(order) != 1) + 1):
                    target.write(games[edges[run[0]] : edges[run[-1] + 1]])
            synced(target)
            fcntl.flock(target, fcntl.LOCK_EX | fcntl.LOCK_NB)
            part.replace(path)


def header(plan: Plan) -> bytes:
    return json.dumps({"tournament": plan.to_json()}, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def synced(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


@contextlib.contextmanager
def mapped(file: IO[bytes]) -> Iterator[mmap.mmap]:
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as games:
        yield games


def difference(found: Plan, wanted: Plan) -> str:
    """The first thing in which they differ."""
    before, now = found.to_json(), wanted.to_json()
    field = next(field for field in sorted(before, key=lambda one: one == "digest") if before[field] != now[field])
    if field == "options":
        field = next(name for name in before["options"] if before["options"].get(name) != now["options"].get(name))
        before, now = before["options"], now["options"]
    return f"holds another tournament: {field} {shown(before[field])}, not {shown(now.get(field))}"


def shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else f"{text[:100]} …"


def whole_lines(path: Path, file: IO[bytes]) -> bool:
    """Cuts off a last line that was being written when everything stopped; False where nothing is left."""
    with path.open("rb") as source, mapped(source) as games:
        end = games.rfind(b"\n") + 1
        while end and not is_whole(games[games.rfind(b"\n", 0, end - 1) + 1 : end], is_first=games.rfind(b"\n", 0, end - 1) < 0):
            end = games.rfind(b"\n", 0, end - 1) + 1
    if end != path.stat().st_size:
        file.truncate(end)
        os.fsync(file.fileno())
    return end > 0


def is_whole(line: bytes, *, is_first: bool) -> bool:
    if is_first:
        return line.startswith(b'{"tournament":') and line.endswith(b"}\n")
    return KEY.match(line) is not None and line.endswith(END)


def index_of(path: Path, players: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of all games deal and seating, and where the lines begin and end; raises BadLedger."""
    parts = [(np.stack(columns[:2], axis=1), ends) for columns, ends in whole_games(path, players)]
    keys, ends = (np.concatenate(column) for column in zip(*parts, strict=True)) if parts else (np.zeros((0, 2), np.int64),) * 2
    with path.open("rb") as file:
        return keys, np.append(len(file.readline()), ends.ravel())


def damaged(path: Path, number: int) -> str:
    return f"{path}: line {number + 1} is no game; it was changed, or its disk is damaged"


def read_plan(path: Path) -> Plan:
    """The tournament of a ledger; raises BadLedger."""
    try:
        with path.open("rb") as file:
            data = json.loads(file.readline())["tournament"]
    except OSError as error:
        raise BadLedger(f"{path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError):
        raise BadLedger(f"{path}: its first line is no tournament") from None
    if not isinstance(data, dict):
        raise BadLedger(f"{path}: its first line is no tournament")
    try:
        return Plan.from_json(data)
    except BadLedger as error:
        raise BadLedger(f"{path}: {error}") from None


def read_header(folder: Path) -> dict[str, Any]:
    """What the tournament of a folder is, as JSON has it; raises BadLedger."""
    return read_plan(folder / GAMES).to_json()


def read_results(folder: Path) -> tuple[Results, Timings]:
    """All games of a folder, and how long its bots took; raises BadLedger."""
    path = folder / GAMES
    plan = read_plan(path)
    found = Columns(plan)
    for columns, _ in whole_games(path, plan.players):
        found.add(columns)
    return found.results(), read_timings(folder, plan)


def whole_games(path: Path, players: int) -> Iterator[tuple[tuple[NDArray[Any], ...], NDArray[np.int64]]]:
    """Many at a time, their columns and where in the file their lines end; a last line that is being written is none."""
    with path.open("rb") as file:
        at = len(file.readline())
        number, text = 0, b""
        while more := file.read(READ):
            text += more
            ends = np.flatnonzero(np.frombuffer(text, np.uint8) == NEWLINE) + 1
            if len(ends):
                yield columns_of(path, number, text, ends, players), at + ends
                at, number, text = at + int(ends[-1]), number + len(ends), text[ends[-1] :]


def columns_of(path: Path, number: int, text: bytes, ends: NDArray[np.int64], players: int) -> tuple[NDArray[Any], ...]:
    """Of lines that stand in a file behind so many others."""
    columns = room_for(len(ends), players, KINDS)
    lines, done = memoryview(text), 0
    while done < len(ends):
        begin = int(ends[done - 1]) if done else 0
        done += read_lines(lines[begin:], *(column[done:] for column in columns))
        if done < len(ends):  # another hand has written it
            begin = int(ends[done - 1]) if done else 0
            row = row_of(path, number + done + 1, text[begin : ends[done]], players)
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


def row_of(path: Path, number: int, line: bytes, players: int) -> tuple[NDArray[Any], ...]:
    """One row of the columns. The moves take long to read and are not asked for."""
    head, found, _ = line.partition(MOVES)
    try:
        game = json.loads(head + b"}") if found else {}
        points = [float("nan") if one is None else one for one in game["points"]]
        faults = game.get("faults", [0] * players)
        row = (game["deal"], game["seating"], game["seats"], game["utilities"], points, game["plies"], faults)
        if any(len(row[part]) != players for part in (2, 3, 4, 6)):
            raise ValueError
        return tuple(np.array(value, kind) for value, kind in zip(row, KINDS, strict=True))
    except (ArithmeticError, ValueError, KeyError, TypeError):
        raise BadLedger(damaged(path, number)) from None


def read_timings(folder: Path, plan: Plan) -> Timings:
    """What is known of the time that moves took."""
    totals = np.zeros((len(plan.bots), 3))
    with contextlib.suppress(OSError), (folder / TIMES).open("rb") as file:
        for line in file:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                found = np.array(json.loads(line)["timings"], np.float64)
                if found.shape == totals.shape:
                    totals[:, :2] += found[:, :2]
                    totals[:, 2] = np.maximum(totals[:, 2], found[:, 2])
    return Timings(plan.bots, totals[:, 0].astype(np.int64), totals[:, 1], totals[:, 2])


def read_game(path: Path, is_wanted: Callable[[int, int, int], bool]) -> Game | None:
    """The first game of which the number, the deal and the seating are as wanted; raises BadLedger."""
    plan = read_plan(path)
    with path.open("rb") as file:
        file.readline()
        for number, line in enumerate(file, start=1):
            key = KEY.match(line)
            if key is None or not is_wanted(number, int(key[1]), int(key[2])):
                continue
            try:
                game = json.loads(line)
                return Game(plan, number, int(key[1]), int(key[2]), tuple(game["seats"]), tuple(game["moves"]))
            except (ValueError, KeyError, TypeError):
                raise BadLedger(damaged(path, number)) from None
    return None
