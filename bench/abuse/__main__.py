"""What fifty callers who want everything do to one who asks for little: `python -m bench.abuse` prints a Markdown table.

Each attack meets a new server on loopback. The attackers are processes at a lower priority, on the same cores as the server and
the polite caller. Half of them call over gRPC and half through the door, each with a token of its own. The row `none` is
without attackers, and `all` makes all attacks at once but the floods of small calls. `--server` attacks another release's
command. It ends with 1 where the polite caller was hurt, but by a flood, and where an attack was not made. On a machine that
has other work the clock tells little.
"""

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.abuse.attacked_server import AttackedServer, attacked_server, nice_attackers
from bench.abuse.attackers import BEGUN, target_text
from bench.abuse.attacks import ATTACKS
from bench.abuse.polite_caller import PoliteCaller, Waits, cells

NONE, ALL = "none", "all"
LOOKS = ("GetState-gRPC", "GetState-door")
COLUMNS = [*((way, share) for way in LOOKS for share in (0.99, 1.0)), ("search", 0.5), ("search", 0.99), ("turn", 1.0)]
HEAD = [
    "attack",
    *(f"GetState {way} {share}" for way in ("gRPC", "door") for share in ("p99", "most")),
    *("200 iterations p50", "p99", "own table late, most"),
    *("tournament", "refused", "server grew, MiB", "CPU s"),
]
BOUNDS: dict[tuple[str, float], float] = {  # milliseconds
    **{(way, 0.99): 25.0 for way in LOOKS},
    ("search", 0.99): 1000.0,
    ("turn", 1.0): 1000.0,
    ("tournament", 1.0): 10_000.0,
}
WARM_UP, AHEAD = 1.0, 1.0  # seconds
MIB = 1 << 20


class AttackFailed(Exception):
    """An attack was not made."""


async def attacked(name: str, given: argparse.Namespace) -> tuple[Waits, dict[str, Any], AttackedServer, int, float]:
    """What the polite caller met, how the attack fared, and by how much the server grew."""
    names = names_of(name)
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        async with attacked_server(Path(folder), given.callers, given.server, given.serve) as server:
            polite = PoliteCaller(server.address, server.web, server.polite)
            target = Path(folder) / "target"
            target.write_text(target_text(await polite.begin()))
            await polite.measure(WARM_UP, with_tournament=False)
            polite.waits = Waits()
            before, spent = server.resident(), server.cpu()
            begun = [await begin(names, part, server, target, given) for part in parts(given)] if names else []
            await asyncio.sleep(AHEAD if begun else 0)
            await polite.measure(given.seconds, with_tournament=True)
            grew, spent = server.most_resident() - before, server.cpu() - spent
            tallies: dict[str, Any] = {}
            for process in begun:
                merge(tallies, *(await process.communicate())[:1], process.returncode)
            await polite.close()
            return polite.waits, tallies, server, grew, spent


def names_of(name: str) -> list[str]:
    """The attacks of a row."""
    if name == ALL:
        return [one for one in ATTACKS if not ATTACKS[one].is_flood]
    return [] if name == NONE else [name]


def parts(given: argparse.Namespace) -> list[tuple[int, int]]:
    """Which callers each process has."""
    bounds = [given.callers * number // given.processes for number in range(given.processes + 1)]
    return [pair for pair in itertools.pairwise(bounds) if pair[0] < pair[1]]


async def begin(
    names: Sequence[str], part: tuple[int, int], server: AttackedServer, target: Path, given: argparse.Namespace
) -> asyncio.subprocess.Process:
    places = [place for way, place in (("grpc", server.address), ("door", server.web)) if given.through in {way, "both"}]
    arguments = [*names, *(word for place in places for word in ("--place", place)), "--tokens", str(server.tokens)]
    arguments += ["--target", str(target), "--first", str(part[0]), "--last", str(part[1])]
    arguments += ["--seconds", str(given.seconds + AHEAD)]
    process = await asyncio.create_subprocess_exec(*nice_attackers(), *arguments, stdout=subprocess.PIPE)
    if process.stdout is None or (await process.stdout.readline()).decode().strip() != BEGUN:
        raise SystemExit("the attackers did not begin")
    return process


def merge(tallies: dict[str, Any], text: bytes, code: int | None) -> None:
    """Adds what a process of attackers did; raises AttackFailed where it broke."""
    if code or not text.strip():
        raise AttackFailed(f"the attackers ended with {code} and without a tally; expected 0 and one")
    for name, row in json.loads(text).items():
        mine = tallies.setdefault(name, {"done": Counter(), "late": 0, "in_vain": 0})
        mine["done"].update(row["done"])
        mine["late"] += row["late"]
        mine["in_vain"] += row["in_vain"]


def not_made(names: Sequence[str], tallies: dict[str, Any]) -> list[str]:
    """The attacks that made no call."""
    return [name for name in names if name not in tallies or not tallies[name]["done"].total()]


def row(name: str, waits: Waits, grew: int, spent: float) -> str:
    lasted = waits.taken.get("tournament")
    tournament = f"{lasted[0]:.1f} s" if lasted else "not over"
    refused = ", ".join(f"{what} {count}" for what, count in sorted(waits.refused.items())) or "nothing"
    return f"| {' | '.join([name, *cells(waits, COLUMNS), tournament, refused, f'{grew / MIB:,.0f}', f'{spent:.1f}'])} |"


async def run(given: argparse.Namespace) -> int:
    print(f"load at the start {os.getloadavg()[0]:.1f}; {given.callers} callers, {given.seconds:g} s each; times in ms\n")
    print(f"| {' | '.join(HEAD)} |\n|---|{'--:|' * (len(HEAD) - 1)}", flush=True)
    fared, problems = list[str](), list[str]()
    for name in given.attacks:
        try:
            waits, tallies, _, grew, spent = await attacked(name, given)
        except AttackFailed as error:
            problems.append(f"{name}: {error}")
            print(f"| {name} | {error} |", flush=True)
            continue
        print(row(name, waits, grew, spent), flush=True)
        fared += [told(one, tallies[one], within=name) for one in tallies]
        is_flood = name in ATTACKS and ATTACKS[name].is_flood
        missing = not_made(names_of(name), tallies)
        problems += [f"{name}: the attackers made no call of {one}; expected some" for one in missing]
        if not is_flood:
            problems += [f"{name}: {one}" for one in hurts(waits, 2 if name == ALL else 1)]
    print("\n| attack | of the attackers' calls | late, in vain |\n|---|---|---|")
    print("\n".join(fared))
    print("\n".join(["", *(f"- {one}" for one in problems)]))
    print(f"result: {len(problems)} bounds broken in {len(given.attacks)} rows")
    return int(bool(problems))


def hurts(waits: Waits, times: int) -> list[str]:
    """What the polite caller waited for longer than is promised, so many times as long, or did not get."""
    result = [f"{what}, {count} times" for what, count in sorted(waits.refused.items())]
    for (what, share), most in BOUNDS.items():
        waited, called = waits.share(what, share), "most" if share == 1 else f"p{100 * share:g}"
        if waited is None:
            result.append(f"{what} was never answered")
        elif waited > most * times:
            result.append(f"{what} {called} {waited:,.0f} ms; expected at most {most * times:,.0f}")
    return result


def told(name: str, tally: dict[str, Any], within: str) -> str:
    done = ", ".join(f"{reason} {count}" for reason, count in tally["done"].most_common())
    return f"| {name}{'' if name == within else f' ({within})'} | {done} | {tally['late']}, {tally['in_vain']} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.abuse", description=__doc__)
    parser.add_argument(
        "attacks", nargs="*", metavar="ATTACK", help=f"{NONE}, {ALL}, {', '.join(ATTACKS)} (each, and then {ALL})"
    )
    parser.add_argument("--callers", type=int, default=50, help="who attack (50)")
    parser.add_argument("--processes", type=int, default=2, help="that they are in (2)")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long each attack lasts (20)")
    parser.add_argument("--through", choices=("both", "grpc", "door"), default="both", help="which way they come (both)")
    parser.add_argument("--server", default="", help="another release's command, such as /opt/old/bin/machiavel (this one's)")
    parser.add_argument("--folder", help="where the server keeps its matches meanwhile (the system's)")
    parser.add_argument("--serve", nargs=argparse.REMAINDER, default=[], help="what follows goes to the server")
    given = parser.parse_args()
    given.attacks = given.attacks or [NONE, *ATTACKS, ALL]
    unknown = set(given.attacks) - {NONE, ALL, *ATTACKS}
    if unknown:
        parser.error(f"{', '.join(sorted(unknown))}: unknown; expected {NONE}, {ALL}, {', '.join(ATTACKS)}")
    with contextlib.suppress(KeyboardInterrupt):
        raise SystemExit(asyncio.run(run(given)))


if __name__ == "__main__":
    main()
