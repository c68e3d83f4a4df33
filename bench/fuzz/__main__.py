"""Fuzzes what reads what others wrote: `python -m bench.fuzz [TARGET …] --seconds 300` needs atheris, which `make fuzz` installs.

Each target has a process of its own, and begins with bench/fuzz/corpus/TARGET.txt, inputs kept one a line. What is found stands
in build/fuzz/TARGET as a file that `--again FILE` reads once more. `--keep` puts the smallest inputs that reached something new
into the corpus. One line of JSON a target; exits with 1 where something was found.
"""

import argparse
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bench.fuzz.targets import TARGETS

ROOT = Path(__file__).parents[2]
CORPUS = Path(__file__).parent / "corpus"
BUILD = ROOT / "build/fuzz"
SLOW = 30  # seconds for an input: more is a find
MIB = 2048  # of memory: more is a find
KEPT = 12 * 1024  # bytes of a corpus that is kept
SMALL = 1500  # of an input that is kept
FOUND = ("crash-", "timeout-", "oom-", "leak-")


def read_corpus(name: str) -> list[bytes]:
    """The inputs that are kept of a target."""
    file = CORPUS / f"{name}.txt"
    return [base64.b64decode(line) for line in file.read_text().split()] if file.exists() else []


def fill(name: str, folder: Path) -> None:
    """The inputs to begin with, as files."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number, data in enumerate([*read_corpus(name), *TARGETS[name].seeds()]):
        (folder / f"{number:04}").write_bytes(data[: TARGETS[name].longest])


def fuzz(name: str, seconds: int) -> dict[str, Any]:
    """Runs a target, and tells what came of it."""
    home = BUILD / name
    home.mkdir(parents=True, exist_ok=True)
    fill(name, home / "corpus")
    options = (
        f"-max_total_time={seconds}",
        f"-timeout={SLOW}",
        f"-rss_limit_mb={MIB}",
        f"-max_len={TARGETS[name].longest}",
        "-print_final_stats=1",
    )
    log, began = home / "log", time.monotonic()
    with log.open("wb") as out:
        done = subprocess.run(
            [sys.executable, "-m", "bench.fuzz.one_target", name, *options, f"-artifact_prefix={home}/", str(home / "corpus")],
            cwd=ROOT,
            stdout=out,
            stderr=subprocess.STDOUT,
            check=False,
        )
    text = log.read_text(errors="replace")
    return {
        "fuzz": name,
        "seconds": round(time.monotonic() - began),
        "inputs": number_in(text, r"stat::number_of_executed_units: +(\d+)"),
        "coverage": number_in(text, r".*cov: (\d+)"),
        "corpus": sum(1 for _ in (home / "corpus").iterdir()),
        "memory_mib": number_in(text, r"stat::peak_rss_mb: +(\d+)"),
        "found": sorted(file.name for file in home.iterdir() if file.name.startswith(FOUND)),
        "exit": done.returncode,
    }


def number_in(text: str, pattern: str) -> int:
    """The last number that stands so in a log."""
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def keep(name: str) -> None:
    """Writes the smallest of the inputs that reached something new, as far as there is room."""
    seeds = {data[: TARGETS[name].longest] for data in TARGETS[name].seeds()}
    found = {file.read_bytes() for file in (BUILD / name / "corpus").iterdir()} - seeds
    lines, room = list[str](), KEPT
    for data in sorted(found, key=lambda data: (len(data), data)):
        line = base64.b64encode(data).decode()
        if 0 < len(data) <= SMALL and len(line) < room:
            lines.append(line)
            room -= len(line) + 1
    CORPUS.mkdir(exist_ok=True)
    (CORPUS / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"all unless given: {', '.join(TARGETS)}")
    parser.add_argument("--seconds", type=int, default=300, help="for each (300)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="so many at once (as many as there are cores)")
    parser.add_argument("--keep", action="store_true", help="renew the inputs that are kept")
    parser.add_argument("--again", type=Path, metavar="FILE", help="have one TARGET read this file, and nothing else")
    arguments = parser.parse_args()
    for name in arguments.targets:
        if name not in TARGETS:
            parser.error(f"{name}: expected some of {', '.join(TARGETS)}")
    if arguments.again:
        TARGETS[arguments.targets[0]].make()(arguments.again.read_bytes())
        return 0

    def run(name: str) -> dict[str, Any]:
        result = fuzz(name, arguments.seconds)
        print(json.dumps(result), flush=True)
        if arguments.keep:
            keep(name)
        return result

    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(run, arguments.targets or TARGETS))
    bad = [one["fuzz"] for one in results if one["exit"] or one["found"]]
    inputs = sum(one["inputs"] for one in results)
    print(f"result: {len(results)} targets, {inputs:,} inputs, found something in {', '.join(bad) or 'none'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
