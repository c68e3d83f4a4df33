"""`python -m machiavel.server.cli.check_worker FILE`: tries checks in a process that an engine may take down.

Tasks come on stdin and answers go to stdout, each a line of JSON. FILE tells all the time where it is.
"""

import ctypes
import json
import mmap
import os
import resource
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from machiavel.engines import BadDeck, BadGameFile, BadOption, Game, UnknownGame
from machiavel.engines.conformance import ConformanceCase, NotTried, Trial, usual_cases
from machiavel.engines.distributions import origin
from machiavel.engines.kit.engine import KitEngine
from machiavel.engines.kit.proofs.golden_file import golden_path, played_golden, written_golden
from machiavel.server.cli.arguments import UsageError
from machiavel.server.cli.check_runner import PLACE_BYTES, WRITE_GOLDEN
from machiavel.server.cli.check_suite import check_named
from machiavel.server.cli.game_files import game_named
from machiavel.server.cli.options import game_options, player_range

__all__: list[str] = []

PR_SET_PDEATHSIG = 1
MOST_MEMORY = 8 << 30  # bytes of addresses: a game that wants more meets a MemoryError, not the machine its end
SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")  # which needs all addresses there are


class PlaceFile:
    """Keeps the last place, whatever becomes of the process: the file is memory that outlives it."""

    def __init__(self, path: str) -> None:
        with Path(path).open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), PLACE_BYTES)

    def write(self, text: str) -> None:
        data = text.encode(errors="replace")[: PLACE_BYTES - 1]
        self._memory[: len(data) + 1] = data + b"\x00"


def describe(task: Mapping[str, Any]) -> dict[str, Any]:
    """The cases of a game, with rules made of each; `error` says why there are none, `is_usage` that the command is to blame."""
    try:
        game = game_of(task["game"])
        if task["players"] is not None and task["players"] not in game.players:
            raise UsageError(f"--players {task['players']}: {game.name} is for {player_range(game)}")
        options = options_of(game, task)
        game.make_rules(task["players"] or min(game.players), **options)
    except (UnknownGame, BadOption, BadDeck, UsageError) as error:
        return {"error": str(error), "is_usage": True}
    cases = usual_cases(game, [task["players"]] if task["players"] else game.players, options)
    for case in cases:
        game.make_rules(case.players, **case.options)
    return {
        "title": game.plugin.titles["en"],
        "origin": origin(game.name),
        "rules_version": game.rules_version,
        "cases": [[case.players, dict(case.options)] for case in cases],
        "kit": isinstance(game.plugin, KitEngine),
        "modes": modes_of(cases),
    }


@cache
def game_of(name: str) -> Game:
    """The game, found once; a warning about it is told once, too."""
    return game_named(name)


def modes_of(cases: Sequence[ConformanceCase]) -> list[str]:
    """How a game of the kit runs, which may differ from case to case."""
    return sorted({case.game.plugin.mode(case.rules) for case in cases if isinstance(case.game.plugin, KitEngine)})


def options_of(game: Game, task: Mapping[str, Any]) -> dict[str, Any]:
    return game_options(game, list(task["options"].items()), {})


def try_check(task: Mapping[str, Any], place: PlaceFile) -> dict[str, Any]:
    """What one check found in one case, how much it has looked at, and how long it took."""
    check = check_named(task["check"])
    game = game_of(task["game"])
    case = ConformanceCase(game, task["players"], options_of(game, task))
    trial = Trial(case, check.name, seed=task["seed"], effort=task["effort"], watch=place.write)
    began = time.monotonic()
    found, skipped = [], None
    try:
        found = [vars(finding) for finding in check.findings(trial)]
    except NotTried as reason:
        skipped = str(reason)
    figures = {"counts": dict(trial.counts), "told": trial.told, "seconds": time.monotonic() - began}
    return {"findings": found, "skipped": skipped, **figures}


def new_golden(task: Mapping[str, Any], place: PlaceFile) -> dict[str, Any]:
    """Golden matches of every case, as the text of their file, and where it lies."""
    game = game_of(task["game"])
    if not isinstance(game.plugin, KitEngine):
        return {"error": f"--write-golden: {game.name} is no game in a file of Python", "is_usage": True}
    cases = [ConformanceCase(game, players, options) for players, options in task["cases"]]
    place.write("golden matches")
    matches = [match for case in cases for match in played_golden(case)]
    return {"path": str(golden_path(game.plugin.path)), "text": written_golden(matches), "matches": len(matches)}


def answer_to(task: Mapping[str, Any], place: PlaceFile) -> dict[str, Any]:
    if task["check"] is None:
        return describe(task)
    return new_golden(task, place) if task["check"] == WRITE_GOLDEN else try_check(task, place)


def main() -> int:
    # Linux ends it when who asked dies, however that comes about and whatever an engine does at the time.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for who asked, and ends this process, too
    # What an engine prints is no answer.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    place = PlaceFile(sys.argv[1])
    answers.write("ready\n")
    answers.flush()
    for line in sys.stdin:
        task = json.loads(line)
        place.write("")
        try:
            answer = answer_to(task, place)
        except BadGameFile as error:
            answer = {"error": str(error), "is_usage": False}
        except Exception as error:  # noqa: BLE001 - whatever an engine raises is told
            answer = {"error": f"{type(error).__name__}: {error}", "is_usage": False}
        answers.write(json.dumps(answer, default=str) + "\n")
        answers.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
