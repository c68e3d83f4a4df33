"""Seeds, laid-out luck and records: what makes a match the same again."""

import ctypes
import json
import random
from typing import Any

import pytest

from machiavel.engines import BadRecord, NotAMove, Record
from tests.conformance.cases import Case, positions, scaled, walk
from tests.conformance.contract import (
    LUCK_INVALID,
    LUCK_MISSING,
    RULES_CAPSULE,
    SEEDED,
    Luck,
    Outcome,
    contract_of,
    pointer_of,
)


class Host:
    """Plays through the bare contract, with luck as it likes."""

    def __init__(self, case: Case, luck: Luck) -> None:
        self.contract = contract_of(case.game.plugin)
        self.rules = case.rules  # owns what `pointer` points to
        self.pointer = pointer_of(self.rules.capsule, RULES_CAPSULE)
        self.luck = luck
        self.state = ctypes.create_string_buffer(self.contract.state_size)
        self.moves = (ctypes.c_uint16 * self.contract.max_moves)()

    def deal(self) -> bytes:
        self.contract.deal(self.pointer, self.luck, self.state)
        return self.state.raw

    def legal(self) -> list[int]:
        seat = self.contract.to_move(self.pointer, self.state)
        return self.moves[: self.contract.legal_moves(self.pointer, self.state, seat, self.moves)] if seat >= 0 else []

    def apply(self, move: int) -> bytes:
        self.contract.apply(self.pointer, self.state, move, self.luck)
        return self.state.raw


class LaidOut:
    """Luck that grows as the match asks for it, each outcome some order of what is possible."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.outcomes: list[tuple[int, int, bytes]] = []
        self.luck = Luck()

    def lay(self, outcomes: list[tuple[int, int, bytes]]) -> None:
        laid = (Outcome * len(outcomes))()
        for place, (purpose, counter, items) in zip(laid, outcomes, strict=True):
            place.purpose, place.counter, place.count, place.values = purpose, counter, len(items), items
        self.luck.laid = laid
        self.luck.laid_count = len(outcomes)
        self.luck.failed = 0

    def answer(self, attempt: Any) -> None:
        """Call `attempt`, which must begin from the same state each time, until no luck is missing."""
        self.lay(self.outcomes)
        attempt()
        while self.luck.failed:
            assert self.luck.failed == LUCK_MISSING
            event = self.luck.failed_purpose, self.luck.failed_counter
            items = self.luck.expected[: self.luck.expected_count]
            self.draw.shuffle(items)
            # How many of them are drawn, only the engine knows; all of them is the first guess.
            for count in range(len(items), 0, -1):
                self.lay([*self.outcomes, (*event, bytes(items[:count]))])
                attempt()
                if self.luck.failed != LUCK_INVALID:
                    break
            assert self.luck.failed != LUCK_INVALID, f"no outcome fits {event}"
            self.outcomes.append((*event, bytes(items[:count])))


def seeded(seed: int, outcomes: LaidOut | None = None) -> Luck:
    luck = Luck(flags=SEEDED, laid=outcomes.luck.laid if outcomes else None)
    luck.seed[:] = [seed, ~seed & (1 << 64) - 1]
    luck.laid_count = outcomes.luck.laid_count if outcomes else 0
    return luck


def test_luck_is_no_part_of_the_state(case: Case) -> None:
    for seed in range(scaled(3)):
        laid = LaidOut(random.Random(seed))
        host = Host(case, laid.luck)
        laid.answer(host.deal)
        states, moves = [host.state.raw], []
        while legal := host.legal():
            before = host.state.raw
            moves.append(laid.draw.choice(legal))

            def attempt(host: Host = host, before: bytes = before, move: int = moves[-1]) -> None:
                host.state.raw = before
                host.apply(move)

            laid.answer(attempt)
            states.append(host.state.raw)
        laid.lay(laid.outcomes)
        for luck in (laid.luck, seeded(1, laid), seeded(2, laid)):
            again = Host(case, luck)
            assert [again.deal(), *map(again.apply, moves)] == states
            assert not luck.failed


def test_an_engine_that_draws_nothing_from_the_seed_leaves_every_deal_the_same(case: Case) -> None:
    deals = {Host(case, seeded(seed)).deal() for seed in range(50)}
    laid = LaidOut(random.Random(0))
    laid.answer(Host(case, laid.luck).deal)

    assert (len(deals) > 1) == bool(laid.outcomes)


def test_the_same_seed_and_moves_give_the_same_bytes(case: Case) -> None:
    for state in positions(case, scaled(10)):
        again = case.game.deal(case.rules, seed=state.seed)
        for move in state.moves:
            again.play(move)
        assert again.to_bytes() == state.to_bytes()


def test_a_copy_is_the_same_and_goes_its_own_way(case: Case) -> None:
    for state in positions(case, scaled(10)):
        before = state.to_bytes()
        copy = state.copy()
        assert copy.to_bytes() == before
        for _ in walk(copy, 0):
            pass
        assert state.to_bytes() == before


def test_a_record_is_a_fixed_point_of_json_and_replays(case: Case) -> None:
    for state in positions(case, scaled(10)):
        data = state.record().to_json()
        again = Record.from_json(json.dumps(data))
        assert again.to_json() == data
        replayed = case.game.replay(again)
        assert replayed.to_bytes() == state.to_bytes()
        assert replayed.moves == state.moves
        assert replayed.record().to_json() == data


def test_a_tampered_record_is_refused(case: Case) -> None:
    state = positions(case, scaled(3))[-1]
    record = state.record().to_json()
    assert state.is_over
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
    assert set(tampered) == set(record)
    for field, values in tampered.items():
        for value in values:
            with pytest.raises(BadRecord):
                case.game.replay(Record.from_json(record | {field: value}))
        with pytest.raises(BadRecord, match=field):
            Record.from_json({name: value for name, value in record.items() if name != field})
    with pytest.raises(BadRecord, match="unknown"):
        Record.from_json(record | {"more": 1})


def test_a_failed_move_is_no_part_of_the_record(case: Case) -> None:
    state = case.new(7)
    with pytest.raises(NotAMove):
        state.play("nonsense")

    assert state.record().moves == ()
