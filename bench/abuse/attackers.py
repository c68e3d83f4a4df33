"""The attackers, in a process of their own: `python -m bench.abuse.attackers`, begun by `bench.abuse`, prints how they fared."""

import argparse
import asyncio
import contextlib
import json
import time
import tomllib
from collections import Counter
from pathlib import Path

from bench.abuse.attacks import ATTACKS, Attacker, AttackTally, Target
from bench.abuse.callers import CallRefused, caller_of

__all__ = ["BEGUN", "attack", "target_from", "target_text"]

BEGUN = "begun"
GRACE = 3.0  # seconds beyond the end for calls under way


def target_text(target: Target) -> str:
    return json.dumps([value.hex() if isinstance(value, bytes) else value for value in target])


def target_from(text: str) -> Target:
    match, record, view, move = json.loads(text)
    return Target(match, bytes.fromhex(record), bytes.fromhex(view), move)


async def attack(
    names: list[str], places: list[str], tokens: list[str], target: Target, seconds: float, *, first: int = 0
) -> dict[str, AttackTally]:
    """By attack, how it fared. The callers take the places in turn."""
    tallies = {name: AttackTally() for name in names}
    callers = [caller_of(places[number % len(places)], token) for number, token in enumerate(tokens, first)]
    print(BEGUN, flush=True)
    until = time.monotonic() + seconds

    async def one(name: str, number: int) -> None:
        attacker = Attacker(callers[number], first + number, target, until, tallies[name])
        try:
            await ATTACKS[name].run(attacker)
        except CallRefused as error:
            tallies[name].done[error.reason or error.code] += 1

    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds + GRACE):
            await asyncio.gather(*(one(name, number) for name in names for number in range(len(tokens))))
    for caller in callers:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(caller.close(), GRACE)
    return tallies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("attacks", nargs="+", choices=list(ATTACKS))
    parser.add_argument("--place", action="append", required=True)
    parser.add_argument("--tokens", type=Path, required=True)
    parser.add_argument("--target", type=Path, required=True)
    parser.add_argument("--first", type=int, required=True)
    parser.add_argument("--last", type=int, required=True, help="the one after it")
    parser.add_argument("--seconds", type=float, required=True)
    given = parser.parse_args()
    tokens = tomllib.loads(given.tokens.read_text())["tokens"]
    mine = [token for name, token in sorted(tokens.items()) if name.startswith("attacker")][given.first : given.last]
    target = target_from(given.target.read_text())
    tallies = asyncio.run(attack(given.attacks, given.place, mine, target, given.seconds, first=given.first))
    rows = {name: {"done": Counter(tally.done), "late": tally.late, "in_vain": tally.in_vain} for name, tally in tallies.items()}
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
