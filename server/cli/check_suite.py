"""All checks that a game must pass, from its options to its table."""

from collections.abc import Sequence

from machiavel.engines.conformance import ENGINE_CHECKS, Check
from machiavel.engines.kit.proofs import FAULT_CHECKS, KIT_CHECKS
from machiavel.search.kit_search_checks import CHAPTERS as KIT_SEARCH
from machiavel.search.search_checks import CHAPTER as SEARCH
from machiavel.server.cli.part_checks import CHAPTER as PARTS

__all__ = ["ALL_CHECKS", "FAULT_CHECKS", "FOR_EVERY_GAME", "FOR_THE_KIT", "check_named", "checks_named"]

# What is checked of games that are written in Python with the kit alone.
FOR_THE_KIT: tuple[Check, ...] = (*FAULT_CHECKS, *KIT_CHECKS, *(check for chapter in KIT_SEARCH for check in chapter.checks))
FOR_EVERY_GAME: tuple[Check, ...] = (*ENGINE_CHECKS, *SEARCH.checks, *PARTS.checks)
# Faults come first: of a game that has some, the others would only tell them again.
ALL_CHECKS: tuple[Check, ...] = (
    *FAULT_CHECKS,
    *FOR_EVERY_GAME,
    *(check for check in FOR_THE_KIT if check not in FAULT_CHECKS),
)


def checks_named(names: Sequence[str]) -> list[Check]:
    """The checks of these names or chapters, in the suite's order; raises KeyError for a name there is not."""
    known = {check.name for check in ALL_CHECKS} | {check.chapter for check in ALL_CHECKS}
    for name in names:
        if name not in known:
            raise KeyError(name)
    return [check for check in ALL_CHECKS if check.name in names or check.chapter in names]


def check_named(name: str) -> Check:
    return next(check for check in ALL_CHECKS if check.name == name)
