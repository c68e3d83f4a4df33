"""What `check-game` prints: sentences for people, or lines of JSON."""

import argparse
import json
import shlex
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from typing import Any

from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from machiavel.engines.conformance import Check
from machiavel.server.cli.check_runner import CheckResult
from machiavel.server.cli.games import span
from machiavel.server.cli.output import json_line, people, visible

__all__ = ["LOADING", "USUAL_MATCHES", "CheckPage", "JsonPage", "TextPage"]

USUAL_MATCHES = 20
SHOWN = 5  # findings of a check
LOADING = "loading"
MARKS = {"holds": ("✓", "green"), "found": ("✗", "bold red"), "not tried": ("–", "dim")}
ENDINGS = {"holds": "hold", "not tried": "not tried", "found": "found something"}


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
    def stop(self, left: int) -> None:
        """So many checks are not tried, since the game has faults."""

    @abstractmethod
    def golden(self, path: str, matches: int) -> None:
        """Golden matches were written."""

    @abstractmethod
    def end(self) -> None:
        """All checks have been tried."""


class JsonPage(CheckPage):
    """A line of JSON for each check and each finding."""

    def listed(self, check: Check) -> None:
        json_line({"type": "check", "check": check.name, "chapter": check.chapter, "proves": check.proves})

    def begin(self, game: str, about: Mapping[str, Any]) -> None:
        cases = [{"players": players, "options": options} for players, options in about.get("cases", [])]
        known = {name: about.get(name) for name in ("title", "origin", "rules_version", "modes")}
        json_line({"type": "game", "game": game, **known, "cases": cases, "seed": self.arguments.seed})

    def show(self, name: str, proves: str, verdict: str, result: CheckResult) -> None:
        for finding in result.findings:
            json_line({"type": "finding", **finding, "seed": None if finding["seed"] is None else str(finding["seed"])})
        figures = {"cases": result.cases, "counts": dict(result.counts), "seconds": round(result.seconds, 3)}
        reason = result.skipped[0] if verdict == "not tried" else None
        told = {"verdict": verdict, "reason": reason, "told": result.told}
        json_line({"type": "result", "check": name, "proves": proves, **told, **figures})

    def stop(self, left: int) -> None:
        json_line({"type": "stop", "left": left, "reason": "faults"})

    def golden(self, path: str, matches: int) -> None:
        json_line({"type": "golden", "path": path, "matches": matches})

    def end(self) -> None:
        json_line({"type": "end", "checks": self.verdicts.total(), "findings": len(self.findings), **self.verdicts})


class TextPage(CheckPage):
    """Sentences for people."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        from machiavel.server.cli.check_suite import ALL_CHECKS  # noqa: PLC0415 - other commands have no need of it

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
        said += [f"runs as {' and '.join(about['modes'])}"] if about.get("modes") else []
        self._print(0, (game, "bold"), f": {' · '.join([*said, f'seed {self.arguments.seed}'])}")

    def show(self, name: str, proves: str, verdict: str, result: CheckResult) -> None:
        self._head(name)
        mark, style = MARKS[verdict]
        looked = ", ".join(counted(number, what) for what, number in {"cases": result.cases, **result.counts}.items() if number)
        after = result.skipped[0] if verdict == "not tried" else f"{looked}; {result.seconds:.1f} s"
        grid = Grid.grid(padding=(0, 1))
        grid.add_row("", Text(mark, style), Text.assemble(proves, (f" ({after})", "dim")))
        self._console.print(grid)
        for sentence in result.told:
            self._print(4, (sentence, "dim"))
        for finding in result.findings[:SHOWN]:
            self._finding(finding)
        if len(result.findings) > SHOWN:
            self._print(6, f"and {len(result.findings) - SHOWN} more")

    def stop(self, left: int) -> None:
        self._console.print()
        self._print(
            0, (f"{counted(left, 'checks')} not tried: they would only meet the same faults. --checks NAME tries them.", "dim")
        )

    def golden(self, path: str, matches: int) -> None:
        self._print(0, f"{counted(matches, 'golden matches')} written to {path}")

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
    words = [arguments.game, "--checks", finding["check"], "--players", str(finding["players"])]
    for name, value in finding["options"].items():
        words += ["--option", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    words += ["--seed", str(finding["trial"])] if finding["trial"] else []
    words += ["--matches", str(arguments.matches)] if arguments.matches != USUAL_MATCHES else []
    return shlex.join(words)
