"""A stall shows in what the polite caller of `bench.abuse` waited for, and whoever is not attacked is not said to be unhurt."""

import asyncio
import json
import time
from typing import Any

import pytest

from bench.abuse.__main__ import BOUNDS, LOOKS, AttackFailed, hurts, merge, not_made
from bench.abuse.polite_caller import PoliteCaller, Waits

NOWHERE = "127.0.0.1:1"


def waits_of(**changes: float) -> Waits:
    """Everything within its bound, but for what is changed, in seconds."""
    return Waits({name: [changes.get(name, most / 2000)] for (name, _), most in BOUNDS.items()})


def test_a_stall_counts_for_every_call_that_was_due_in_it() -> None:
    async def work() -> Waits:
        polite = PoliteCaller(NOWHERE, f"http://{NOWHERE}", "token")
        began = time.monotonic()
        polite.until = began + 1.0

        async def attempt() -> None:
            if 0.3 < time.monotonic() - began < 0.7:
                await asyncio.sleep(0.7 - (time.monotonic() - began))

        await polite.every(0.01, "look", attempt)
        await polite.close()
        return polite.waits

    waited = asyncio.run(work()).taken["look"]
    assert len(waited) == 100
    assert sum(one > 0.1 for one in waited) >= 25


def test_a_caller_who_waited_within_all_bounds_is_not_hurt() -> None:
    assert hurts(waits_of(), 1) == []


@pytest.mark.parametrize(
    ("name", "seconds"), [(LOOKS[0], 0.03), (LOOKS[1], 0.03), ("search", 1.1), ("turn", 4.0), ("tournament", 15.0)]
)
def test_whatever_is_too_late_hurts(name: str, seconds: float) -> None:
    late = waits_of(**{name: seconds})
    assert len(hurts(late, 1)) == 1
    late.taken[name] = []
    assert hurts(late, 1) == [f"{name} was never answered"]


def test_a_refusal_hurts() -> None:
    refused = waits_of()
    refused.refused["tournament not over"] += 1
    assert hurts(refused, 2) == ["tournament not over, 1 times"]


@pytest.mark.parametrize(("text", "code"), [(b"", 0), (b"", 1), (b"{}", 1)])
def test_attackers_that_broke_have_made_no_attack(text: bytes, code: int) -> None:
    with pytest.raises(AttackFailed):
        merge({}, text, code)


def test_an_attack_with_a_call_was_made() -> None:
    tallies: dict[str, Any] = {}
    for _ in range(2):
        merge(tallies, json.dumps({"bots": {"done": {"OK": 2}, "late": 0, "in_vain": 0}}).encode(), 0)
    assert tallies["bots"]["done"] == {"OK": 4}
    assert not_made(["bots"], tallies) == []


@pytest.mark.parametrize("done", [{}, {"OK": 0}])
def test_an_attack_without_a_call_is_none(done: dict[str, int]) -> None:
    tallies: dict[str, Any] = {}
    merge(tallies, json.dumps({"bots": {"done": done, "late": 0, "in_vain": 0}}).encode(), 0)
    assert not_made(["bots"], tallies) == ["bots"]
