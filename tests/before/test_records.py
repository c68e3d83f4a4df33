"""Records replay to the same truth, and views of seats are read to the same view."""

import base64
import hashlib
import json
from collections.abc import Mapping
from typing import Any

import pytest

from machiavel.engines import Record, State, load
from tests.before.artifacts import GAMES, differences, rows

RECORDS = rows("records.jsonl")
VIEWS = rows("views.jsonl")


def digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def as_then(game: str, truth: Mapping[str, Any]) -> dict[str, Any]:
    """A truth without the fields that the game's views have gained since."""
    then = {name for row in VIEWS if row["view"]["game"] == game for name in row["view"]["view"]}
    gained = {one.name for one in getattr(load(game).plugin.views, "shown", ())} - then
    return {name: value for name, value in truth.items() if name not in gained}


def replayed(number: int) -> State:
    record = RECORDS[number]["record"]
    return load(record["game"]).replay(Record.from_json(record))


@pytest.mark.parametrize("game", GAMES)
def test_every_record_replays_to_the_same_truth(game: str) -> None:
    result = [number for number, row in enumerate(RECORDS) if row["record"]["game"] == game]
    assert {RECORDS[number]["record"]["options"]["players"] for number in result} == set(load(game).players)
    for number in result:
        state = replayed(number)
        assert digest(as_then(game, state.truth())) == RECORDS[number]["truth"], number
        seen = [list(state.observed_moves(seat)) for seat in (None, *range(state.players))]
        assert digest(seen) == RECORDS[number]["observed"], number
        assert Record.from_json(state.record().to_json()) == Record.from_json(RECORDS[number]["record"])


@pytest.mark.parametrize("game", GAMES)
def test_every_view_is_read_to_what_its_seat_sees(game: str) -> None:
    result = [row for row in VIEWS if row["view"]["game"] == game]
    assert {row["seat"] for row in result} == {None, *range(max(load(game).players))}
    for row in result:
        state = replayed(row["record"])
        seen = state.view(row["seat"])
        of_json = load(game).view_from_json(row["view"])
        of_bytes = load(game).view_from_bytes(state.rules, base64.b64decode(row["bytes"]))
        assert of_json == of_bytes == seen, row["record"]
        assert of_json.seat == of_bytes.seat == row["seat"]
        assert not list(differences(row["view"], of_json.to_json()))
