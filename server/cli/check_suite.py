"""All checks that a game must pass, from its options to its table."""

from machiavel.engines.conformance import ENGINE_CHECKS, Check
from machiavel.search.search_checks import CHAPTER as SEARCH
from machiavel.server.cli.part_checks import CHAPTER as PARTS

__all__ = ["ALL_CHECKS", "check_named", "checks_named"]

ALL_CHECKS: tuple[Check, ...] = (*ENGINE_CHECKS, *SEARCH.checks, *PARTS.checks)


def checks_named(names: list[str]) -> list[Check]:
    """The checks of these names or chapters, in the suite's order; raises KeyError for a name there is not."""
    known = {check.name for check in ALL_CHECKS} | {check.chapter for check in ALL_CHECKS}
    for name in names:
        if name not in known:
            raise KeyError(name)
    return [check for check in ALL_CHECKS if check.name in names or check.chapter in names]


def check_named(name: str) -> Check:
    return next(check for check in ALL_CHECKS if check.name == name)
