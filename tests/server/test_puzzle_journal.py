"""The journal of a search for puzzles: what is kept, gone on with, and refused."""

import json
from pathlib import Path

import pytest

from machiavel.engines import load
from machiavel.search.puzzle_finder import MatchFinding, PuzzleFinder
from machiavel.server.journal import BadJournal
from machiavel.server.puzzle_journal import PuzzleJournal, journal_path, search_header
from tests.search.puzzle_sets import EASY, found

KUHN = load("kuhn")
HEADER = search_header(KUHN, EASY)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return journal_path(tmp_path / "kuhn.json")


def written(path: Path) -> list[MatchFinding]:
    """Six matches, as the finder gives them."""
    findings = [PuzzleFinder(KUHN, EASY).finding(number) for number in range(6)]
    with PuzzleJournal.opened(path, HEADER, resume=False) as journal:
        for one in findings:
            journal.add(one)
    return findings


def test_what_was_found_is_there_again_and_matches_count_once(path: Path) -> None:
    findings = written(path)
    puzzles = [puzzle.to_json() for one in findings for puzzle in one.puzzles]
    assert puzzles
    with PuzzleJournal.opened(path, HEADER, resume=True) as journal:
        journal.add(findings[0])
        assert journal.matches == set(range(6))
        assert [one.to_json() for one in journal.puzzles] == puzzles
        assert journal.distinct() == len({one["best"] for one in puzzles})  # kuhn has but two moves, legal together


def test_a_row_that_was_broken_off_is_cut_off_and_told(path: Path) -> None:
    findings = written(path)
    text = path.read_bytes()
    path.write_bytes(text[:-20])
    told: list[str] = []
    with PuzzleJournal.opened(path, HEADER, resume=True, tell=told.append) as journal:
        assert journal.matches == set(range(5))
        journal.add(findings[5])
    assert path.read_bytes() == text
    assert len(told) == 1 and "its end was not written whole" in told[0]


def test_a_journal_is_not_written_over_nor_gone_on_with_for_another_search(path: Path) -> None:
    written(path)
    with pytest.raises(BadJournal, match="is there already; expected --resume"), PuzzleJournal.opened(path, HEADER, resume=False):
        pass
    other = {**HEADER, "rules_version": 9}
    with pytest.raises(BadJournal, match="rules_version 1, not 9"), PuzzleJournal.opened(path, other, resume=True):
        pass


@pytest.mark.parametrize("row", ['{"match":7}', '{"match":"x","puzzles":[]}', '{"match":7,"puzzles":[{"id":3}]}', "[]"])
def test_a_row_that_was_changed_by_hand_is_named(path: Path, row: str) -> None:
    written(path)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{row}\n")
    with pytest.raises(BadJournal, match=f"{path.name}: line 8: "), PuzzleJournal.opened(path, HEADER, resume=True):
        pass


def test_the_header_holds_all_that_findings_depend_on() -> None:
    assert {"game", "rules_version", "digests", "settings", "engine"} <= HEADER.keys()
    settings = json.loads(json.dumps(HEADER["settings"]))
    assert (settings["players"], settings["seed"], settings["bots"]) == ([2], 5, ["random"])
    assert settings["checks"] == {
        "iterations": 60,
        "times": 10,
        "seeds": [1, 2, 3],
        "lead": 0.1,
        "levels": [],
        "tries": 30,
    }
    assert found()[0].source.bots == ("random", "random")
