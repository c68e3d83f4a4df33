"""`machiavel check-game ./mygame.py`: sound games hold, and every planted fault is found and placed."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from machiavel.server.cli.check_suite import FAULT_CHECKS, FOR_THE_KIT
from tests.engines.kit.planted import FAULTS, SOUND, PlantedFault
from tests.server.cli.command import Ran, Runner

CHECKS = ("faults", "draws", "peeking", "cards", "memory", "samplers")


def findings(ran: Ran) -> list[dict[str, Any]]:
    return [one for one in ran.objects if one["type"] == "finding"]


@pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))
def test_a_planted_fault_is_found_and_said_what_and_where(run: Runner, fault: PlantedFault) -> None:
    checks = [] if fault.check in {check.name for check in FAULT_CHECKS} else ["--checks", *CHECKS]
    ran = run("check-game", str(fault.path), *checks, "--json")

    assert ran.code == 1
    said = [str(found["came"]) for found in findings(ran) if found["check"] == fault.check]
    assert said, findings(ran)
    assert any(fault.says in text and fault.where in text for text in said), said


def test_of_a_game_with_a_fault_nothing_else_is_tried(run: Runner) -> None:
    ran = run("check-game", str(FAULTS["division"].path))

    assert ran.code == 1
    flat = " ".join(ran.out.split())
    assert "✗ Matches are dealt and played to their end without a fault" in flat
    assert "checks not tried: they would only meet the same faults. --checks NAME tries them." in flat
    assert f"again machiavel check-game {FAULTS['division'].path} --checks whole-matches --players 2" in flat


def test_the_game_without_a_fault_holds(run: Runner) -> None:
    ran = run("check-game", str(SOUND))

    assert ran.code == 0, ran.out
    flat = " ".join(ran.out.split())
    assert all(check.proves in flat for check in FOR_THE_KIT)
    assert "iterations and" in flat
    assert "playouts a second" in flat


def test_checks_of_the_kit_are_no_matter_for_other_games(run: Runner) -> None:
    ran = run("check-game whist --players 2 --matches 1 --checks struct faults --json")

    assert [one["verdict"] for one in ran.objects if one["type"] == "result"][1:] == ["not tried", "holds"]
    assert not {check.name for check in FAULT_CHECKS} & {
        one["check"] for one in run("check-game whist --players 2 --matches 1 --json").objects if one["type"] == "result"
    }


# ---- Golden matches ----


@pytest.fixture
def mygame(tmp_path: Path) -> Path:
    return Path(shutil.copy(SOUND, tmp_path / "mygame.py"))


def golden(run: Runner, path: Path, *more: str) -> list[dict[str, Any]]:
    return run("check-game", str(path), "--checks golden --json", *more).objects


def changed(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_golden_matches_are_written_beside_the_file_and_hold_as_long_as_the_rules_do(run: Runner, mygame: Path) -> None:
    (result,) = [one for one in golden(run, mygame) if one.get("check") == "golden-matches"]
    assert (result["verdict"], result["reason"]) == (
        "not tried",
        "there is no mygame.golden.jsonl beside the file; --write-golden writes it",
    )

    *_, written = golden(run, mygame, "--write-golden")
    assert written == {"type": "golden", "path": str(mygame.with_suffix(".golden.jsonl")), "matches": 3}
    assert sorted(path.name for path in mygame.parent.iterdir() if path.name != "__pycache__") == [
        "mygame.golden.jsonl",
        "mygame.py",
    ]

    changed(mygame, '"""A small game', '"""Another comment: a small game')
    *_, result, end = golden(run, mygame)
    assert (result["verdict"], result["counts"], end["findings"]) == ("holds", {"matches": 3}, 0)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("DECK.rank_of(card)\n", "DECK.rank_of(card) + 1\n", "the same moves lead to something else"),
        ("return self.hands[seat]", "return self.hands[seat] & DECK.suit(0) or self.hands[seat]", "is not legal there any more"),
        ("most=60", "most=61", "fields, moves, decks, options or luck are declared otherwise now"),
    ],
)
def test_rules_that_change_without_their_version_are_found(run: Runner, mygame: Path, before: str, after: str, said: str) -> None:
    golden(run, mygame, "--write-golden")

    changed(mygame, before, after)
    (found,) = [one for one in golden(run, mygame) if one["type"] == "finding"]
    assert said in str(found["came"])
    assert "raise `version`, and write them anew with --write-golden" in str(found["came"])

    changed(mygame, 'name, version = "sound", 1', 'name, version = "sound", 2')
    (result,) = [one for one in golden(run, mygame) if one.get("check") == "golden-matches"]
    assert result["reason"] == "mygame.golden.jsonl is of version 1, the rules are version 2; --write-golden"


# ---- What is no game ----


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import", "mygame.py:1: is no Python: "),
        ("x = 1", "mygame.py: has no class of machiavel.kit.Game"),
        ("1 / 0", "mygame.py:1: "),
    ],
)
def test_a_file_that_cannot_be_loaded_is_a_finding_with_its_line(run: Runner, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "mygame.py").write_text(text, encoding="utf-8")

    ran = run("check-game", str(tmp_path / "mygame.py"), "--json")

    assert ran.code == 1
    (found,) = findings(ran)
    assert (found["check"], said in str(found["came"])) == ("loading", True), found


def test_a_file_that_is_never_loaded_is_a_finding(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "mygame.py").write_text("while True:\n    pass\n", encoding="utf-8")

    ran = run("check-game", str(tmp_path / "mygame.py"), "--limit 3", "--json")

    assert ran.code == 1
    assert [str(found["came"]) for found in findings(ran)] == ["no answer within 3 s, so it was stopped"]


def test_a_file_that_wants_too_much_memory_is_a_finding(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "mygame.py").write_text("LARGE = bytearray(1 << 40)\n", encoding="utf-8")

    ran = run("check-game", str(tmp_path / "mygame.py"), "--json")

    assert ran.code == 1
    assert ["MemoryError" in str(found["came"]) for found in findings(ran)] == [True]


def test_a_file_that_is_not_there_is_one_line(run: Runner) -> None:
    ran = run("check-game ./nowhere.py")

    assert (ran.code, ran.out, ran.err) == (2, "", "machiavel: error: ./nowhere.py: there is no such file\n")
