"""Requests as the house reads them."""

import tracemalloc

import pytest

from machiavel import v1
from machiavel.engines import load
from machiavel.server.service import wire
from machiavel.server.service.refusals import Refusal


def test_of_a_long_record_that_cannot_be_only_what_can_is_looked_at() -> None:
    game = load("whist")
    state = game.deal(game.make_rules(3), seed=7)
    record = v1.Record()
    wire.put_record(record, state.record())
    record.moves.extend(["no move"] * 60_000)
    tracemalloc.start()
    try:
        with pytest.raises(Refusal) as caught:
            wire.read_state(record)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert caught.value.field == "record.moves[0]"
    assert most < 200_000  # bytes; a text for each move would be three million
