"""A check: a function that yields what it finds, its name, and in one sentence what it proves."""

import traceback
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import PurePath

from machiavel.engines.conformance.trial import Finding, NotTried, Trial, told
from machiavel.engines.errors import GameFault

__all__ = ["Chapter", "Check"]

CheckFunction = Callable[[Trial], Iterable[Finding]]
MOST = 5  # findings of one check on one case: more tell nothing new


class Check:
    """One thing that must hold of every game. `proves` says what, in a sentence."""

    def __init__(self, chapter: str, function: CheckFunction, needs: str) -> None:
        self.name = function.__name__.replace("_", "-")
        self.chapter = chapter
        self.proves = (function.__doc__ or "").split("\n\n")[0].strip()
        self._function = function
        self._needs = needs

    def __str__(self) -> str:
        return self.name

    def findings(self, trial: Trial) -> Iterator[Finding]:
        """What it finds, an error in the engine or its texts included; raises NotTried where there is nothing to check."""
        if self._needs and not getattr(trial.case.contract, self._needs):
            raise NotTried(f"the engine has no {self._needs}")
        try:
            yield from islice(self._function(trial), MOST)
        except NotTried:
            raise
        except GameFault as fault:  # it names the place itself
            yield trial.finding("no fault", fault.what)
        except Exception as error:  # noqa: BLE001 - whatever an engine raises is found here
            place = traceback.extract_tb(error.__traceback__)[-1]
            yield trial.finding(
                "no error", f"{told(error)} ({PurePath(place.filename).name}, line {place.lineno}, in {place.name})"
            )


class Chapter:
    """Checks of one subject, in the order in which they are tried."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.checks: list[Check] = []

    def check(self, *, needs: str = "") -> Callable[[CheckFunction], Check]:
        """Adds a function. It is for engines alone that have the optional function that it `needs`."""

        def add(function: CheckFunction) -> Check:
            self.checks.append(Check(self.name, function, needs))
            return self.checks[-1]

        return add
