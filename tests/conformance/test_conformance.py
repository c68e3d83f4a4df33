"""Every check of the suite, on every installed game."""

import pytest

from machiavel.engines.conformance import Check, ConformanceCase, NotTried, Trial
from machiavel.engines.kit.engine import KitEngine
from machiavel.server.cli.check_suite import ALL_CHECKS, FOR_THE_KIT
from tests.conformance.cases import EFFORT, all_cases

CASES = all_cases()
# What a game need not have: these checks, and no others, may find nothing to check.
OPTIONAL = {
    *("plausibility", "plausibility-at-first", "plausibility-later", "private-observations"),
    *("words", "rules-for-players", "event-words", "told-events", "secrecy-of-events", "hint-metrics", "hint-texts"),
    *("field-places", "field-words"),
    *("golden-matches", "places-of-cards", "equal-modes", "equal-searches"),
}
TRIED = [
    (check, case) for check in ALL_CHECKS for case in CASES if check not in FOR_THE_KIT or isinstance(case.game.plugin, KitEngine)
]


@pytest.mark.parametrize(("check", "case"), TRIED, ids=str)
def test_every_game_fulfils(check: Check, case: ConformanceCase) -> None:
    trial = Trial(case, check.name, effort=EFFORT)
    try:
        findings = list(check.findings(trial))
    except NotTried:
        assert check.name in OPTIONAL
    else:
        assert not findings, "\n".join(map(str, findings))
        assert trial.counts or check.name in {"struct", "complete-options", "wrong-options", "bulk-refusals", "measured-speed"}


def test_checks_and_chapters_have_names_of_their_own_and_sentences() -> None:
    names = [check.name for check in ALL_CHECKS] + list({check.chapter for check in ALL_CHECKS})

    assert len(set(names)) == len(names)
    assert all(check.proves.endswith(".") and "\n" not in check.proves for check in ALL_CHECKS)
