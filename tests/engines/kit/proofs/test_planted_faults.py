"""Each check of games of the kit finds a fault that is planted for it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from machiavel.engines.conformance import ConformanceCase, Finding, Trial
from machiavel.engines.kit.loading import load_file
from machiavel.engines.kit.proofs import KitCase
from machiavel.server.cli.check_suite import FOR_THE_KIT, check_named
from tests.engines.kit.planted import FAULTS, FOLDER, SOUND
from tests.packaging.project import ROOT

OF_MODES = {"equal-modes", "equal-searches"}
TOLD = {"exact-samplers", "measured-speed"}  # these judge nothing
GOLDEN = {"golden-matches"}  # tests/server/cli/test_check_game_files.py


def findings_of(path: Path, check: str) -> Iterator[Finding]:
    return check_named(check).findings(Trial(ConformanceCase(load_file(path), 2), check))


def test_every_check_has_its_fault_planted() -> None:
    assert {fault.check for fault in FAULTS.values()} | OF_MODES | TOLD | GOLDEN == {check.name for check in FOR_THE_KIT}


@pytest.mark.parametrize("check", sorted(OF_MODES))
def test_modes_that_are_not_the_same_game_are_found(check: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "sound.py"
    text = SOUND.read_text(encoding="utf-8")
    other.write_text(text.replace("DECK.rank_of(card)", "7 - DECK.rank_of(card)"), encoding="utf-8")
    assert not list(findings_of(SOUND, check))

    monkeypatch.setattr(KitCase, "interpreted_game", lambda _: load_file(other, mode="interpreted"))

    found = next(findings_of(SOUND, check))
    assert found.expected.split(":")[0] in {"the state, as interpreted", "the recommendation, as interpreted"}


def test_a_rule_that_peeks_is_told_once_for_each_place_and_seat() -> None:
    found = [finding.came for finding in findings_of(FAULTS["peeking_legal"].path, "peeking-rules")]
    assert len(found) == len(set(found)) == 2


@pytest.mark.parametrize(("file", "players"), [("whist.py", 2), ("whist.py", 4), ("games/hearts.py", 4)])
def test_a_hand_that_does_not_say_what_it_can_still_hold_is_found(file: str, players: int, tmp_path: Path) -> None:
    source = (ROOT / "engines/kit" if "/" in file else FOLDER.parent) / file
    text = source.read_text(encoding="utf-8")
    assert ', within="may"' in text
    other = tmp_path / source.name
    other.write_text(text.replace(', within="may"', ""), encoding="utf-8")

    case = ConformanceCase(load_file(other), players)
    found = next(check_named("earlier-views").findings(Trial(case, "earlier-views")))

    assert "mask for within=" in found.came
