"""Golden matches: records kept beside a game's file, with what came of them, to see when its rules change."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from machiavel.engines import BadRecord, Game, Record, State
from machiavel.engines.conformance import ConformanceCase, walk

__all__ = ["GoldenMatch", "course", "golden_path", "played_golden", "read_golden", "written_golden"]

MATCHES = 3  # of each number of players and set of options


@dataclass(frozen=True)
class GoldenMatch:
    """A record, and a hash of all that was so after each of its moves."""

    record: Record
    course: str

    def to_json(self) -> dict[str, Any]:
        return {"record": self.record.to_json(), "course": self.course}


def golden_path(file: Path) -> Path:
    """`mygame.golden.jsonl` for `mygame.py`."""
    return file.with_suffix(".golden.jsonl")


def read_golden(path: Path) -> list[GoldenMatch]:
    """The matches of a file; raises BadRecord, which names the line, and FileNotFoundError."""
    result = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            data = json.loads(line)
            result.append(GoldenMatch(Record.from_json(data["record"]), str(data["course"])))
        except (ValueError, TypeError, KeyError, BadRecord) as error:
            raise BadRecord("record", f"line {number} of {path.name} is no golden match: {error}") from None
    return result


def written_golden(matches: Iterable[GoldenMatch]) -> str:
    return "".join(json.dumps(match.to_json(), separators=(",", ":")) + "\n" for match in matches)


def played_golden(case: ConformanceCase) -> Iterator[GoldenMatch]:
    """New matches, at random."""
    for seed in range(MATCHES):
        *_, (last, _) = walk(case.new(seed), seed)
        record = last.record()
        yield GoldenMatch(record, course(case.game, record))


def course(game: Game, record: Record) -> str:
    """All that is so in a match, position by position, as one hash; raises BadRecord where it does not replay."""
    told = sha256()
    rules = game.make_rules(int(record.options["players"]), **{name: record.options[name] for name in own_options(record)})
    state = game.deal(rules, seed=record.seed, layout=record.layout)
    add(told, state)
    for ply, move in enumerate(record.moves):
        if move not in state.legal_moves():
            raise BadRecord("moves", f"move {ply + 1}, {move}, is not legal there any more")
        state.play(move)
        add(told, state)
    return told.hexdigest()


def own_options(record: Record) -> list[str]:
    return [name for name in record.options if name != "players"]


def add(told: Any, state: State) -> None:
    result = state.utilities if state.is_over else None
    told.update(json.dumps([state.truth(), state.seat_to_move, state.legal_moves(), result], sort_keys=True).encode())
