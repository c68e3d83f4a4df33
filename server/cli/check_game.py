"""`machiavel check-game`: what holds of a game, installed or in a file, and what does not."""

import argparse
import json
import shlex
import sys
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from machiavel.engines.conformance import Check
from machiavel.server.cli.arguments import UsageError, add_json, number, seconds
from machiavel.server.cli.check_runner import CheckResult, CheckRunner, WorkerDied, finding_of
from machiavel.server.cli.check_suite import ALL_CHECKS, checks_named
from machiavel.server.cli.games import span
from machiavel.server.cli.options import add_options
from machiavel.server.cli.output import json_line, people, visible

__all__ = ["add_command"]

EPILOG = """\
Each check says in a sentence what it proves, and on how much. What it finds names the deal, the moves and the seat, and the
flags that find it again. Checks run in a process of their own: one that crashes or never ends is a finding, and the rest go on.

examples:
  machiavel check-game agency
  machiavel check-game ./mygame.py --players 3 --matches 200
  machiavel check-game ./mygame.py --seconds 600 --seed 1
  machiavel check-game ./mygame.py --checks secrecy worlds
  machiavel check-game --list
"""
BAD = 1
USUAL_MATCHES = 20
USUAL_LIMIT = 120.0
SHOWN = 5  # findings of a check
EVERY = 5.0  # seconds between two lines of progress
LARGEST_SEED = (1 << 64) - 1
GIVING_UP = 3  # workers of a check that may die
LOADING = "loading"
LOADS = "The game can be loaded, and makes rules of every case."
MARKS = {"holds": ("✓", "green"), "found": ("✗", "bold red"), "not tried": ("–", "dim")}
ENDINGS = {"holds": "hold", "not tried": "not tried", "found": "found something"}


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
    parser.add_argument("--list", action="store_true", help="what is checked, and nothing else")
    parser.add_argument(
        "--limit", type=seconds, default=USUAL_LIMIT, metavar="S", help=f"how long a check may take in a case ({USUAL_LIMIT:g})"
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
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
    with CheckRunner(arguments.limit) as runner:
        return tried(arguments, checks, runner, page)


def tried(arguments: argparse.Namespace, checks: Sequence[Check], runner: CheckRunner, page: "CheckPage") -> int:
    head = {"game": arguments.game, "players": arguments.players, "options": dict(arguments.option)}
    began = time.monotonic()
    about = described(runner, head)
    faults = [] if "cases" in about else [finding_of(head | {"check": LOADING}, about["error"])]
    page.begin(arguments.game, about)
    page.told(LOADING, LOADS, CheckResult(faults, cases=len(about.get("cases", [0])), seconds=time.monotonic() - began))
    progress = CheckProgress(len(checks))
    for check in checks if not faults else ():
        progress.tell(check, len(page.findings))
        page.told(check.name, check.proves, result_of(arguments, check, runner, about["cases"], len(checks)))
    page.end()
    return BAD if page.findings else 0


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


# ---- What is shown ----


class CheckPage(ABC):
    """Where results go; keeps what was found."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.findings: list[Mapping[str, Any]] = []
        self.verdicts: Counter[str] = Counter()

    @abstractmethod
    def listed(self, check: Check) -> None:
        """A check of the suite, before it is tried."""

    @abstractmethod
    def begin(self, game: str, about: Mapping[str, Any]) -> None:
        """The game that is checked."""

    def told(self, name: str, proves: str, result: CheckResult) -> None:
        """What came of a check."""
        self.findings += result.findings
        is_skipped = len(result.skipped) == result.cases
        verdict = "found" if result.findings else "not tried" if is_skipped else "holds"
        self.verdicts[verdict] += 1
        self.show(name, proves, verdict, result)

    @abstractmethod
    def show(self, name: str, proves: str, verdict: str, result: CheckResult) -> None: ...

    @abstractmethod
    def end(self) -> None:
        """All checks have been tried."""


class JsonPage(CheckPage):
    """A line of JSON for each check and each finding."""

    def listed(self, check: Check) -> None:
        json_line({"type": "check", "check": check.name, "chapter": check.chapter, "proves": check.proves})

    def begin(self, game: str, about: Mapping[str, Any]) -> None:
        cases = [{"players": players, "options": options} for players, options in about.get("cases", [])]
        known = {name: about.get(name) for name in ("title", "origin", "rules_version")}
        json_line({"type": "game", "game": game, **known, "cases": cases, "seed": self.arguments.seed})

    def show(self, name: str, proves: str, verdict: str, result: CheckResult) -> None:
        for finding in result.findings:
            json_line({"type": "finding", **finding, "seed": None if finding["seed"] is None else str(finding["seed"])})
        figures = {"cases": result.cases, "counts": dict(result.counts), "seconds": round(result.seconds, 3)}
        reason = result.skipped[0] if verdict == "not tried" else None
        json_line({"type": "result", "check": name, "proves": proves, "verdict": verdict, "reason": reason, **figures})

    def end(self) -> None:
        json_line({"type": "end", "checks": self.verdicts.total(), "findings": len(self.findings), **self.verdicts})


class TextPage(CheckPage):
    """Sentences for people."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        super().__init__(arguments)
        self._console = people()
        self._chapters = {check.name: check.chapter for check in ALL_CHECKS}
        self._chapter = ""

    def listed(self, check: Check) -> None:
        self._head(check.name)
        self._print(2, (check.name, "bold"), f": {check.proves}")

    def begin(self, game: str, about: Mapping[str, Any]) -> None:
        cases = about.get("cases", [])
        players = sorted({players for players, _ in cases})
        said = [about["title"]] if "title" in about else []
        said += [f"from {about['origin']}"] if about.get("origin") else []
        said += [f"{span(players)} players, {counted(len(cases), 'cases')}"] if cases else []
        self._print(0, (game, "bold"), f": {' · '.join([*said, f'seed {self.arguments.seed}'])}")

    def show(self, name: str, proves: str, verdict: str, result: CheckResult) -> None:
        self._head(name)
        mark, style = MARKS[verdict]
        looked = ", ".join(counted(number, what) for what, number in {"cases": result.cases, **result.counts}.items() if number)
        after = result.skipped[0] if verdict == "not tried" else f"{looked}; {result.seconds:.1f} s"
        grid = Grid.grid(padding=(0, 1))
        grid.add_row("", Text(mark, style), Text.assemble(proves, (f" ({after})", "dim")))
        self._console.print(grid)
        for finding in result.findings[:SHOWN]:
            self._finding(finding)
        if len(result.findings) > SHOWN:
            self._print(6, f"and {len(result.findings) - SHOWN} more")

    def end(self) -> None:
        self._console.print()
        said = ", ".join(f"{self.verdicts[verdict]} {words}" for verdict, words in ENDINGS.items() if self.verdicts[verdict])
        self._print(0, (f"{self.verdicts.total()} checks: {said}.", "bold red" if self.findings else "bold green"))

    def _head(self, name: str) -> None:
        chapter = self._chapters.get(name, name)
        if chapter != self._chapter:
            self._chapter = chapter
            self._console.print()
            self._print(0, (chapter, "bold cyan"))

    def _finding(self, finding: Mapping[str, Any]) -> None:
        where = [] if finding["players"] is None else [f"{finding['players']} players"]
        where += [f"{name}={json.dumps(value)}" for name, value in finding["options"].items()]
        if finding["seed"] is not None:
            where.append(f"seed {finding['seed']}")
            where.append(f"after {' '.join(finding['moves'])}" if finding["moves"] else "before the first move")
        where += [] if finding["seat"] is None else [f"seat {finding['seat']}"]
        self._print(4, (f"{finding['check']}: ", "bold"), visible(", ".join(where)))
        self._print(6, ("expected ", "bold"), visible(finding["expected"]))
        self._print(6, ("came     ", "bold"), visible(finding["came"]))
        if finding["check"] != LOADING:
            self._print(6, ("again    ", "bold"), f"machiavel check-game {again(self.arguments, finding)}")

    def _print(self, indent: int, *parts: str | tuple[str, str]) -> None:
        self._console.print(Padding(Text.assemble(*parts), (0, 0, 0, indent)))


def counted(number: int, what: str) -> str:
    """`1 match`, `2,000 matches`."""
    one = what.removesuffix("es") if what.endswith("ches") else what.removesuffix("s")
    return f"{number:,} {one if number == 1 else what}"


def again(arguments: argparse.Namespace, finding: Mapping[str, Any]) -> str:
    """The flags that find it again."""
    words = [finding["game"], "--checks", finding["check"], "--players", str(finding["players"])]
    for name, value in finding["options"].items():
        words += ["--option", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    words += ["--seed", str(finding["trial"])] if finding["trial"] else []
    words += ["--matches", str(arguments.matches)] if arguments.matches != USUAL_MATCHES else []
    return shlex.join(words)
