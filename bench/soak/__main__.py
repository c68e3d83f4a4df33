"""Whether a server stays as it is: `python -m bench.soak` puts mixed load on one of its own for an hour, and draws what it took.

People play at tables and are watched, programs search, follow, review, hold tournaments, leave streams and come back over new
connections, and some of what is sent is wrong. A sixth into the time, and at the end, everything stops for a moment: then the
server must have as many descriptors and threads as before. It ends with 1 where that is not so, where the memory of the last
sixth (its median) is more than 1.02 of that of the second sixth, or where anything was answered otherwise than it should be.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.abuse.attacked_server import AttackedServer, attacked_server
from bench.soak.mixed_load import MixedLoad
from bench.soak.soak_picture import Sample, picture

CALLERS = 20
BOUND = 1.02
QUIET = 30.0  # seconds until what has ended is gone: an idle connection's socket, a tournament's process
MIB = 1 << 20


def sample_of(server: AttackedServer, began: float) -> Sample:
    return Sample(time.monotonic() - began, server.resident() / MIB, server.descriptors(), server.threads(), server.cpu())


class Rest(NamedTuple):
    """What a server has while nobody calls."""

    sample: Sample
    opened: Counter[str]


async def at_rest(load: MixedLoad, server: AttackedServer, began: float) -> Rest:
    await load.pause()
    await asyncio.sleep(QUIET)
    rest = Rest(sample_of(server, began), server.opened())
    load.go_on()
    return rest


async def soak(given: argparse.Namespace, folder: Path) -> tuple[list[Sample], Rest, Rest, MixedLoad]:
    """All samples, and the two rests."""
    async with attacked_server(folder, CALLERS, given.server, given.serve) as server:
        tokens = [line.split('"')[1] for line in server.tokens.read_text().splitlines()[1:]]
        load, began, samples = MixedLoad(server.address, server.web, tokens, given.tables), time.monotonic(), list[Sample]()
        work = asyncio.create_task(load.run())
        first: Rest | None = None
        while (passed := time.monotonic() - began) < 60 * given.minutes:
            samples.append(sample_of(server, began))
            if first is None and passed > 10 * given.minutes:
                first = await at_rest(load, server, began)
            if len(samples) % 30 == 0:
                sys.stderr.write(f"{passed / 60:5.1f} min: {samples[-1].resident:.1f} MiB, wrong: {told(load.wrong)}\n")
            done = (await asyncio.wait({work}, timeout=given.every))[0]
            if done:
                work.result()
        last = await at_rest(load, server, began)
        load.end()
        await work
        if first is None:
            raise SystemExit(f"{given.minutes:g} minutes are over before there was a sample at rest; expected more")
        return samples, first, last, load


def median(samples: Sequence[Sample], first: float, last: float) -> float:
    """MiB, between two minutes."""
    return statistics.median(sample.resident for sample in samples if first <= sample.at / 60 <= last)


def report(samples: Sequence[Sample], rests: tuple[Rest, Rest], load: MixedLoad, minutes: float) -> bool:
    """Whether all is well."""
    (first, opened), (last, left) = rests
    sixth = minutes / 6
    early, late = median(samples, sixth, 2 * sixth), median(samples, 5 * sixth, minutes)
    print(f"| what | minutes {sixth:g} to {2 * sixth:g} | last {sixth:g} minutes | ratio |\n|---|--:|--:|--:|")
    print(f"| resident memory, MiB, median | {early:.1f} | {late:.1f} | {late / early:.3f} |")
    print(f"| descriptors, at rest | {first.descriptors} | {last.descriptors} | |")
    print(f"| threads, at rest | {first.threads} | {last.threads} | |")
    if opened != left:
        print(f"\nclosed since the first rest: {told(opened - left)}; open since: {told(left - opened)}")
    print(f"\ndone: {told(load.done)}\n\nwrong: {told(load.wrong)}")
    same = f"descriptors {first.descriptors} and {last.descriptors}, threads {first.threads} and {last.threads}"
    print(f"\nresult: memory {late / early:.3f}, {same}, wrong {load.wrong.total()}", flush=True)
    equal = first.descriptors == last.descriptors and first.threads == last.threads
    return equal and late <= BOUND * early and not load.wrong


def told(counts: Counter[str]) -> str:
    return ", ".join(f"{what} {count:,}" for what, count in counts.most_common()) or "nothing"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="how long (60)")
    parser.add_argument("--every", type=float, default=5.0, help="seconds from sample to sample (5)")
    parser.add_argument("--tables", type=int, default=12, help="matches at a time (12)")
    parser.add_argument("--picture", type=Path, help="an SVG file to be written")
    parser.add_argument("--server", default="", help="another release's command (this one's)")
    parser.add_argument("--folder", help="where the server keeps its matches meanwhile (the system's)")
    parser.add_argument("--serve", nargs=argparse.REMAINDER, default=[], help="what follows goes to the server")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        samples, first, last, load = asyncio.run(soak(given, Path(folder)))
    if given.picture:
        given.picture.write_text(picture(samples))
    raise SystemExit(not report(samples, (first, last), load, given.minutes))


if __name__ == "__main__":
    main()
