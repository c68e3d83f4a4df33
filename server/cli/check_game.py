"""`machiavel check-game`: what holds of a game, installed or in a file, and what does not."""

import argparse
import os
import sys
import time
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from machiavel.engines.conformance import Check
from machiavel.server.cli.arguments import UsageError, add_json, number, seconds
from machiavel.server.cli.check_page import LOADING, USUAL_MATCHES, CheckPage, JsonPage, TextPage
from machiavel.server.cli.check_runner import WRITE_GOLDEN, CheckResult, CheckRunner, WorkerDied, finding_of
from machiavel.server.cli.game_files import is_game_file
from machiavel.server.cli.options import add_options

__all__ = ["add_command"]

EPILOG = """\
Each check says in a sentence what it proves, and on how much. What it finds names the deal, the moves and the seat, and the
flags that find it again. Checks run in a process of their own: one that crashes or never ends is a finding, and the rest go on.

examples:
  machiavel check-game agency
  machiavel check-game ./mygame.py --players 3 --matches 200
  machiavel check-game ./mygame.py --seconds 600 --seed 1
  machiavel check-game ./mygame.py --checks secrecy worlds
  machiavel check-game ./mygame.py --write-golden
  machiavel check-game --list
"""
BAD = 1
USUAL_LIMIT = 120.0
EVERY = 5.0  # seconds between two lines of progress
LARGEST_SEED = (1 << 64) - 1
GIVING_UP = 3  # workers of a check that may die
LOADS = "The game can be loaded, and makes rules of every case."


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "check-game",
        help="whether a game fulfils the contract",
        description="Whether a game fulfils the contract: rules, views, worlds, luck, records, words, table and form.",
        epilog=EPILOG,
    )
    parser.add_argument("game", metavar="GAME", nargs="?", help="which game (`machiavel games`), or a file with one")
    parser.add_argument("--players", type=number(1), metavar="N", help="how many players (every possible number)")
    add_options(parser)
    much = parser.add_mutually_exclusive_group()
    much.add_argument(
        "--matches",
        type=number(1),
        default=USUAL_MATCHES,
        metavar="M",
        help=f"about how many matches a check plays in each case ({USUAL_MATCHES})",
    )
    much.add_argument("--seconds", type=seconds, metavar="S", help="how long in all: checks are repeated with other seeds")
    parser.add_argument("--seed", type=number(0, LARGEST_SEED), default=0, metavar="S", help="of the matches (0)")
    parser.add_argument("--checks", nargs="+", default=[], metavar="NAME", help="these checks or chapters alone")
    parser.add_argument(
        "--write-golden",
        action="store_true",
        help="keep matches beside the file, as mygame.golden.jsonl: later checks replay them",
    )
    parser.add_argument("--list", action="store_true", help="what is checked, and nothing else")
    parser.add_argument(
        "--limit", type=seconds, default=USUAL_LIMIT, metavar="S", help=f"how long a check may take in a case ({USUAL_LIMIT:g})"
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from machiavel.server.cli.check_suite import ALL_CHECKS, checks_named  # noqa: PLC0415 - other commands have no need of it

    try:
        checks = checks_named(arguments.checks) if arguments.checks else list(ALL_CHECKS)
    except KeyError as unknown:
        chapters = ", ".join(dict.fromkeys(check.chapter for check in ALL_CHECKS))
        raise UsageError(
            f"--checks {unknown.args[0]}: there is no such check; chapters: {chapters}; `machiavel check-game --list` names all"
        ) from None
    page = JsonPage(arguments) if arguments.json else TextPage(arguments)
    if arguments.list:
        for check in checks:
            page.listed(check)
        return 0
    if arguments.game is None:
        raise UsageError("a GAME is needed, or --list (see machiavel check-game --help)")
    if is_game_file(arguments.game) and not Path(arguments.game).expanduser().exists():
        raise UsageError(f"{arguments.game}: there is no such file")
    with CheckRunner(arguments.limit) as runner:
        return tried(arguments, checks, runner, page)


def tried(arguments: argparse.Namespace, checks: Sequence[Check], runner: CheckRunner, page: CheckPage) -> int:
    from machiavel.server.cli.check_suite import FAULT_CHECKS, FOR_THE_KIT  # noqa: PLC0415 - other commands have no need of it

    head = {"game": arguments.game, "players": arguments.players, "options": dict(arguments.option)}
    began = time.monotonic()
    about = described(runner, head)
    faults = [] if "cases" in about else [finding_of(head | {"check": LOADING}, about["error"], "a game that can be loaded")]
    page.begin(arguments.game, about)
    page.told(LOADING, LOADS, CheckResult(faults, cases=len(about.get("cases", [0])), seconds=time.monotonic() - began))
    chosen = [] if faults else [check for check in checks if about["kit"] or arguments.checks or check not in FOR_THE_KIT]
    progress = CheckProgress(len(chosen))
    for check in chosen:
        if page.findings and check not in FAULT_CHECKS and not arguments.checks and has_fault(page):
            page.stop(len(chosen) - chosen.index(check))
            break
        progress.tell(check, len(page.findings))
        page.told(check.name, check.proves, result_of(arguments, check, runner, about["cases"], len(chosen)))
    page.end()
    if arguments.write_golden and not page.findings:
        write_golden(arguments, runner, about["cases"], page)
    return BAD if page.findings else 0


def has_fault(page: CheckPage) -> bool:
    """Whether the game cannot be played without a fault."""
    from machiavel.server.cli.check_suite import FAULT_CHECKS  # noqa: PLC0415 - other commands have no need of it

    return any(finding["check"] == check.name for finding in page.findings for check in FAULT_CHECKS)


def write_golden(arguments: argparse.Namespace, runner: CheckRunner, cases: Sequence[Any], page: CheckPage) -> None:
    """Golden matches, in the place of those there may be."""
    try:
        answer = runner.ask({"game": arguments.game, "check": WRITE_GOLDEN, "cases": cases})
    except WorkerDied as death:
        raise UsageError(f"--write-golden: {death}") from None
    if "error" in answer:
        raise UsageError(answer["error"])
    write_whole(Path(answer["path"]), answer["text"])
    page.golden(answer["path"], answer["matches"])


def write_whole(path: Path, text: str) -> None:
    """All of it or nothing."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UsageError(f"--write-golden: {path} cannot be written: {error.strerror or error}") from None


def described(runner: CheckRunner, head: dict[str, Any]) -> dict[str, Any]:
    """What there is to check, or an `error` where the engine cannot be loaded."""
    try:
        about = runner.ask(head | {"check": None})
    except WorkerDied as death:
        return {"error": str(death)}
    if about.get("is_usage"):
        raise UsageError(about["error"])
    return about


def result_of(
    arguments: argparse.Namespace, check: Check, runner: CheckRunner, cases: Sequence[tuple[int, Mapping[str, Any]]], share: int
) -> CheckResult:
    """One check in every case; in the time there is, with seed after seed."""
    result = CheckResult()
    effort = 1.0 if arguments.seconds else arguments.matches / USUAL_MATCHES
    deadline = time.monotonic() + (arguments.seconds or 0) / share
    for seed in count(arguments.seed):
        for players, options in cases:
            task = {"game": arguments.game, "players": players, "options": options, "check": check.name}
            runner.try_check(result, task | {"seed": seed, "effort": effort})
            if result.deaths >= GIVING_UP:
                return result
        if result.findings or len(result.skipped) == result.cases or time.monotonic() >= deadline:
            return result
    return result


class CheckProgress:
    """Lines on stderr, a few seconds apart."""

    def __init__(self, checks: int) -> None:
        self._checks = checks
        self._tried = 0
        self._began = self._last = time.monotonic()

    def tell(self, check: Check, findings: int) -> None:
        """A check begins."""
        now = time.monotonic()
        if now - self._last >= EVERY:
            self._last = now
            done = f"{self._tried} of {self._checks} checks, {findings} findings, {now - self._began:.0f} s"
            sys.stderr.write(f"machiavel: {done}; now {check.name}\n")
            sys.stderr.flush()
        self._tried += 1
