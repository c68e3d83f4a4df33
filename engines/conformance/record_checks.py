"""Records: written, read and replayed."""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from machiavel.engines import BadRecord, NotAMove, Record
from machiavel.engines.conformance.checks import Chapter
from machiavel.engines.conformance.trial import Finding, Trial

__all__ = ["CHAPTER"]

CHAPTER = Chapter("records")


@CHAPTER.check()
def written_records(trial: Trial) -> Iterator[Finding]:
    """Every record is the same after JSON, and replays to the same state."""
    for state in trial.positions(10):
        data = state.record().to_json()
        again = Record.from_json(json.dumps(data))
        yield from trial.equal(again.to_json(), data, "the record")
        replayed = trial.game.replay(again)
        yield from trial.expect(replayed.to_bytes() == state.to_bytes(), "the same state when it is replayed")
        yield from trial.equal(replayed.moves, state.moves, "the moves replayed")
        yield from trial.equal(replayed.record().to_json(), data, "the record of what was replayed")


@CHAPTER.check()
def tampered_records(trial: Trial) -> Iterator[Finding]:
    """A record that was tampered with is refused, whatever field it was."""
    state = trial.at(trial.sample(3)[-1])
    record = state.record().to_json()
    first = record["moves"][0]
    tampered: dict[str, list[Any]] = {
        "game": ["another", "", None],
        "rules_version": [record["rules_version"] + 1, 0, "1", None],
        "digest": ["", "00" * 32, None],
        "options": [{}, record["options"] | {"players": 99}, record["options"] | {"other": 1}, None, "x"],
        "seed": ["-1", str(1 << 128), "x", 1.5, None],
        "layout": [{"no such field": 1}, 7],
        "moves": [[*record["moves"], first], ["nonsense"], [7], "x", None, [first, *record["moves"], *record["moves"]]],
    }
    yield from trial.equal(set(record), set(tampered), "the fields of a record")

    def replay(data: Any) -> object:
        return trial.game.replay(Record.from_json(data))

    for field, values in tampered.items():
        for value in values:
            what = f"a record with {field} {json.dumps(value)[:60]}"
            yield from trial.refused(BadRecord, what, partial(replay, record | {field: value}))
            trial.counts["records"] += 1
        rest = {name: value for name, value in record.items() if name != field}
        yield from trial.refused(BadRecord, f"a record without {field}", partial(Record.from_json, rest), naming=field)
    yield from trial.refused(
        BadRecord, "a record with a field too many", partial(Record.from_json, record | {"more": 1}), naming="unknown"
    )


@CHAPTER.check()
def failed_moves(trial: Trial) -> Iterator[Finding]:
    """A move that was refused is no part of the record."""
    state = trial.at(trial.new(7))
    yield from trial.refused(NotAMove, "nonsense", partial(state.play, "nonsense"))
    yield from trial.equal(state.record().moves, (), "moves of the record")
