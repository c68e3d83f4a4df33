"""What a game of the kit must fulfil besides what every engine must; `check-game` runs it on a file."""

from machiavel.engines.conformance import Check
from machiavel.engines.kit.proofs import (
    card_checks,
    draw_checks,
    fault_checks,
    golden_checks,
    memory_checks,
    peeking_checks,
    sampler_checks,
)
from machiavel.engines.kit.proofs.kit_cases import KitCase

__all__ = ["FAULT_CHECKS", "KIT_CHECKS", "KitCase"]

# Tried first: of a game with faults, the rest would only tell them again.
FAULT_CHECKS: tuple[Check, ...] = (*fault_checks.CHAPTER.checks, *card_checks.CHAPTER.checks)
KIT_CHECKS: tuple[Check, ...] = tuple(
    check
    for module in (draw_checks, peeking_checks, memory_checks, sampler_checks, golden_checks)
    for check in module.CHAPTER.checks
)
