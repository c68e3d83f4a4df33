"""Whist in the kit is the compiled engine's whist: records of the one replay in the other, to the same truth."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from machiavel.engines import Record, State, games, load
from machiavel.engines.kit.loading import load_file

KIT = load_file(Path(__file__).parent / "whist.py")
WHIST = load("whist")
SAME = ("hands", "trump", "contenders", "tricks", "ply", "to_move", "seen")


def played(number: int) -> tuple[State, Sequence[State], list[Mapping[str, Any]]]:
    """A match in the kit from a seed: its end, all its positions, and how each round was dealt, as the compiled engine has it."""
    players = 2 + number % 6
    state, rng = KIT.new(players, seed=number), random.Random(number)
    positions, rounds = [state.copy()], [dealt(state)]
    while not state.is_over:
        state.play(rng.choice(state.legal_moves()))
        now = truth(state)
        if now["to_move"] and now["round"] == len(rounds):
            rounds.append(dealt(state))
        positions.append(state.copy())
    return state, positions, rounds


def truth(state: State) -> dict[str, Any]:
    seen: dict[str, Any] = state.view(None).to_json()["view"]
    return seen | state.truth()


def dealt(state: State) -> Mapping[str, Any]:
    now = truth(state)
    return {"trump": now["trump"], "hands": now["hands"]}


def told(state: State) -> dict[str, Any]:
    """What both say of a position, in the words of the compiled engine."""
    now = truth(state)
    result: dict[str, Any] = {name: now[name] for name in SAME}
    if state.is_over:
        # The round is over: one of them has put its cards away.
        return {name: result[name] for name in ("contenders", "ply", "to_move")} | {"utilities": state.utilities}
    is_kit = "may" in now
    lacking = (
        [[suit for suit in "CDHS" if not any(card[0] == suit for card in may)] for may in now["may"]] if is_kit else now["voids"]
    )
    led = now["led"] if is_kit else now["table"][0][1][0] if now["table"] else None
    legal = state.legal_moves()
    return result | {"led": led, "legal": legal, "voids": [lacking[seat] for seat in now["contenders"]]}


def replays(number: int) -> int:
    """A match of the kit, its record replayed by the compiled engine, and compared at every move; returns how many positions."""
    end, positions, rounds = played(number)
    data = end.record().to_json() | {"seed": None, "layout": {"rounds": rounds}}
    rules = WHIST.make_rules(end.players)
    record = Record.from_json(data | {"digest": rules.digest})
    assert (data["game"], data["rules_version"]) == ("whist", WHIST.rules_version)
    assert told(WHIST.replay(record)) == told(end), number
    state = WHIST.new(end.players, layout=record.layout)
    for position, move in zip(positions, record.moves, strict=False):
        assert told(state) == told(position), number
        state.play(move)
    # And back: the same luck as the kit lays it out gives the same match.
    layout = {"trump": [one["trump"] for one in rounds], "hands": [one["hands"] for one in rounds]}
    again = KIT.new(end.players, layout=layout)
    for move in record.moves:
        again.play(move)
    assert again.to_bytes() == end.to_bytes(), number
    return len(positions)


def test_the_kits_whist_is_no_game_of_the_house() -> None:
    assert games().count("whist") == 1
    assert KIT.name == WHIST.name == "whist"
    assert type(KIT.plugin) is not type(WHIST.plugin)


def test_records_of_the_kit_replay_in_the_compiled_engine() -> None:
    assert sum(map(replays, range(60))) > 3000


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("block", range(4))
def test_two_thousand_records_replay_in_the_compiled_engine(block: int) -> None:
    for number in range(500 * block, 500 * (block + 1)):
        replays(number)
