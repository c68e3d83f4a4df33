"""What every engine must fulfil, as functions that yield what they find; docs/engines.md tells how to run them."""

from machiavel.engines.conformance import (
    bulk_checks,
    event_checks,
    hint_checks,
    key_checks,
    luck_checks,
    move_checks,
    option_checks,
    record_checks,
    schema_checks,
    secrecy_checks,
    text_checks,
    view_checks,
    world_checks,
)
from machiavel.engines.conformance.cases import ConformanceCase, usual_cases
from machiavel.engines.conformance.checks import Chapter, Check
from machiavel.engines.conformance.trial import Finding, NotTried, Trial, walk

__all__ = ["ENGINE_CHECKS", "Chapter", "Check", "ConformanceCase", "Finding", "NotTried", "Trial", "usual_cases", "walk"]

# A new subject is a module with a chapter of its own, and its line here.
ENGINE_CHECKS: tuple[Check, ...] = tuple(
    check
    for module in (
        option_checks,
        move_checks,
        luck_checks,
        record_checks,
        view_checks,
        schema_checks,
        world_checks,
        key_checks,
        secrecy_checks,
        text_checks,
        event_checks,
        hint_checks,
        bulk_checks,
    )
    for check in module.CHAPTER.checks
)
