"""Journals: rows in order, each once, of one run; what a sudden end leaves is gone on with."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from machiavel.server import journal
from machiavel.server.journal import BadJournal, FileJournal, Journal, JournalKind, MemoryJournal, Rows, lines, row_of, rows_of

KIND = JournalKind("trial", key=lambda row: row["number"])
HEADER = {"trial": {"seed": 7, "options": {"players": 3, "deck": "house"}, "digest": "aa"}}
RUNS = [{"number": number, "name": "é" * number} for number in range(20)]


@pytest.fixture(params=["file", "memory"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[JournalKind], Journal]:
    def made(kind: JournalKind) -> Journal:
        return FileJournal(tmp_path / "new" / "trial.jsonl", kind) if request.param == "file" else MemoryJournal(kind)

    return made


def at(folder: Path, kind: JournalKind = KIND, count: int = 20) -> FileJournal:
    """A journal with some rows."""
    result = FileJournal(folder / "trial.jsonl", kind)
    with result.open(HEADER):
        result.append(b"".join(row_of(row) for row in RUNS[:count]))
    return result


def changed(**fields: Any) -> dict[str, Any]:
    return {"trial": HEADER["trial"] | fields}


def test_rows_come_back_as_they_were_added(make: Callable[[JournalKind], Journal], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "READ", 64)  # so that rows lie across the borders of what is read at a time
    result = make(KIND)
    with result.open(HEADER):
        for row in RUNS[:5]:
            result.append(row_of(row))
        result.append(b"".join(row_of(row) for row in RUNS[5:]))
    assert result.header() == HEADER["trial"]
    assert [(line, json.loads(text)) for line, text in lines(result)] == list(enumerate(RUNS, start=2))
    assert rows_of(result, HEADER).values == RUNS


def test_a_row_that_is_repeated_changes_nothing(make: Callable[[JournalKind], Journal]) -> None:
    result = make(KIND)
    rows = rows_of(result, HEADER)
    assert rows.add(RUNS[3])
    assert not rows.add({"number": 3, "name": "other"})
    assert rows.get(3) == RUNS[3]
    result.append(row_of({"number": 3, "name": "by another process"}))
    assert rows_of(result, HEADER).values == rows.values == [RUNS[3]]


def test_rows_without_a_key_all_count(make: Callable[[JournalKind], Journal]) -> None:
    rows = rows_of(make(JournalKind("trial")), HEADER)
    assert rows.add([1]) and rows.add([1])
    assert rows.values == [[1], [1]]


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (changed(seed=8), "holds another trial: seed 7, not 8"),
        (changed(options={"players": 4, "deck": "house"}), "holds another trial: players 3, not 4"),
        (changed(options=None), 'options {"players": 3, "deck": "house"}, not null'),
        (changed(digest="bb", seed=9), "seed 7, not 9"),
        (changed(digest="bb"), 'digest "aa", not "bb"'),
        (changed(style="plain"), 'style null, not "plain"'),
    ],
)
def test_another_run_is_refused_by_differences(make: Callable[[JournalKind], Journal], other: dict[str, Any], words: str) -> None:
    result = make(KIND)
    rows_of(result, HEADER).add(RUNS[0])
    with pytest.raises(BadJournal) as caught, result.open(other):
        pass
    assert words in str(caught.value)
    assert rows_of(result, HEADER).values == RUNS[:1]


def test_rows_are_kept_in_another_order_and_added_to(make: Callable[[JournalKind], Journal]) -> None:
    result = make(KIND)
    with result.open(HEADER):
        result.append(b"".join(row_of(row) for row in RUNS[:6]))
        result.keep(np.array([4, 5, 0, 2]))
        result.append(row_of(RUNS[7]))
    kept = [RUNS[number] for number in (4, 5, 0, 2, 7)]
    assert rows_of(result, HEADER).values == kept
    with result.open(HEADER):
        result.keep(np.zeros(0, np.int64))
        result.append(row_of(RUNS[1]))
    assert rows_of(result, HEADER).values == RUNS[1:2]


@pytest.mark.parametrize("cut", [1, 5, 30])
def test_a_broken_end_is_cut_off_and_told(cut: int, tmp_path: Path) -> None:
    result, told = at(tmp_path, count=5), []  # type: ignore[var-annotated]
    result.path.write_bytes(result.path.read_bytes()[:-cut])
    before = [json.loads(text) for _, text in lines(result)]
    assert before == RUNS[: len(before)] and 0 < len(before) < 5
    with result.open(HEADER, told.append):
        pass
    assert len(told) == 1 and "trial.jsonl: its end was not written whole" in told[0]
    with result.open(HEADER, told.append):
        result.append(row_of(RUNS[9]))
    assert len(told) == 1
    assert rows_of(result).values == [*before, RUNS[9]]


def test_rows_that_are_not_whole_are_cut_off_one_by_one(tmp_path: Path) -> None:
    kind = JournalKind("trial", is_whole=lambda row: row.endswith(b"}\n"))
    result = at(tmp_path, kind, count=2)
    whole = result.path.read_bytes()
    result.path.write_bytes(whole + b'{"number"\n\n\0\0\0')
    with result.open(HEADER):
        pass
    assert result.path.read_bytes() == whole


def test_a_header_that_was_broken_off_is_written_anew(tmp_path: Path) -> None:
    result = at(tmp_path, count=0)
    result.path.write_bytes(result.path.read_bytes()[:12])
    assert not result.is_begun
    with result.open(changed(seed=8)):
        pass
    assert result.header()["seed"] == 8


def test_what_is_refused_is_left_as_it_is(tmp_path: Path) -> None:
    result = at(tmp_path, count=3)
    result.path.write_bytes(result.path.read_bytes() + b"half a row")
    for text in (result.path.read_bytes(), b"a shopping list\n", b"{}\n", b'{"trial": 7}\n', b"\n"):
        result.path.write_bytes(text)
        with pytest.raises(BadJournal, match=r"holds another trial|its first line is no trial"), result.open(changed(seed=8)):
            pass
        assert result.path.read_bytes() == text


@pytest.mark.parametrize(
    ("is_headed", "text"),
    [
        (True, b"a shopping list"),  # of one line without an end
        (True, b"a shopping list\nof two lines"),
        (True, b'{"other":{"se'),
        (True, row_of({"other": {"seed": 7}}) + b'{"number"'),
        (True, row_of(changed(seed=8))[:-1]),  # of another run, and only its end is missing
        (True, row_of(HEADER)[:12] + b"\0"),
        (False, b"a shopping list"),
        (False, b"line one\nline two"),
        (False, b'{"number"\n{"number":1}\n{"num'),
        (False, b"\n{"),
        (False, b"\xff\xfe"),
    ],
)
def test_a_file_that_is_no_journal_of_its_kind_is_left_as_it_is(is_headed: bool, text: bytes, tmp_path: Path) -> None:
    result = FileJournal(tmp_path / "trial.jsonl", JournalKind("trial", is_headed=is_headed))
    told: list[str] = []
    result.path.write_bytes(text)
    for header in [HEADER] if is_headed and not result.is_begun else [HEADER, None]:
        with pytest.raises(BadJournal, match=r"trial\.jsonl: its first line is no (trial|row of JSON)"):
            rows_of(result, header, told.append)
        assert result.path.read_bytes() == text
    assert told == []


@pytest.mark.parametrize("header", [HEADER, None])
@pytest.mark.parametrize("row", [b'{"number":1', b"[[1", b"{", b"["])
def test_a_first_row_that_was_broken_off_is_cut_off_where_no_header_is_asked_for(
    row: bytes, header: dict[str, Any] | None, tmp_path: Path
) -> None:
    result = FileJournal(tmp_path / "trial.jsonl", JournalKind("trial", is_headed=False))
    told: list[str] = []
    result.path.write_bytes(row)
    rows_of(result, header, told.append).add([2])
    assert len(told) == 1
    assert rows_of(result, header).values == [[2]]


def test_a_new_journal_that_has_a_header_is_not_begun_without_one(make: Callable[[JournalKind], Journal], tmp_path: Path) -> None:
    result = make(KIND)
    with pytest.raises(ValueError, match="expected a header, with which a trial begins"):
        result.append(row_of(RUNS[0]))
    with pytest.raises(ValueError, match="expected a header"), result.open():
        pass
    assert not list(tmp_path.iterdir())
    assert rows_of(result, HEADER).add(RUNS[0])
    result.append(row_of(RUNS[1]))
    with result.open():
        result.append(row_of(RUNS[2]))
    assert rows_of(result, HEADER).values == RUNS[:3]


def test_a_header_that_was_broken_off_is_not_gone_on_with_without_one(tmp_path: Path) -> None:
    result = FileJournal(tmp_path / "trial.jsonl", KIND)
    result.path.write_bytes(row_of(HEADER)[:12])
    with pytest.raises(ValueError, match="expected a header"), result.open():
        pass
    assert result.path.read_bytes() == row_of(HEADER)[:12]


def test_a_header_may_be_flat(tmp_path: Path) -> None:
    result = FileJournal(tmp_path / "trial.jsonl", KIND)
    with result.open({"type": "trial", "seed": 7}):
        pass
    assert result.header() == {"type": "trial", "seed": 7}
    with pytest.raises(BadJournal, match="seed 7, not 8"), result.open({"type": "trial", "seed": 8}):
        pass


def test_journals_of_old_without_a_header_are_taken_as_they_are(tmp_path: Path) -> None:
    kind = JournalKind("trial", key=KIND.key, is_headed=False)
    result = FileJournal(tmp_path / "trial.jsonl", kind)
    result.path.write_bytes(b"".join(row_of(row) for row in RUNS[:3]))
    rows = rows_of(result, HEADER)
    assert rows.values == RUNS[:3]
    rows.add(RUNS[3])
    assert [line for line, _ in lines(result)] == [1, 2, 3, 4]
    new = FileJournal(tmp_path / "another.jsonl", kind)
    assert rows_of(new, HEADER).add(RUNS[0])
    with pytest.raises(BadJournal, match="seed 7, not 8"):
        rows_of(new, changed(seed=8))


def test_fields_that_an_old_header_lacks_are_made_up_for(tmp_path: Path) -> None:
    at(tmp_path, count=1)
    kind = JournalKind("trial", complete=lambda fields: {"style": "plain", **fields})
    with FileJournal(tmp_path / "trial.jsonl", kind).open(changed(style="plain")):
        pass


def test_one_at_a_time_adds_and_any_number_reads(tmp_path: Path) -> None:
    result, other = at(tmp_path, count=2), FileJournal(tmp_path / "trial.jsonl", KIND)
    with result.open(HEADER):
        for _ in range(2):  # the file that `keep` has made is closed to others, too
            with pytest.raises(BadJournal, match="another command"), other.open(HEADER):
                pass
            assert len(Rows(other).values) == 2
            result.keep(np.array([1, 0]))
    with other.open(HEADER):
        pass


def test_damage_is_told_by_its_line(tmp_path: Path) -> None:
    result = at(tmp_path, count=3)
    result.path.write_bytes(result.path.read_bytes().replace(b'{"number":1,', b"?"))
    with pytest.raises(BadJournal, match="line 3: is no JSON"):
        rows_of(result, HEADER)


@pytest.mark.parametrize("is_synced", [True, False])
def test_rows_are_on_disk_where_the_kind_asks_for_it(is_synced: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    result = at(tmp_path, JournalKind("trial", is_synced=is_synced), count=1)
    monkeypatch.setattr(os, "fsync", synced.append)
    with result.open(HEADER):
        result.append(row_of(RUNS[1]))
        assert len(synced) == is_synced
        assert len(list(lines(result))) == 2  # and with the system in any case


def test_a_row_that_cannot_be_written_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of(at(tmp_path, count=1), HEADER)
    with monkeypatch.context() as patched:
        patched.setattr(rows.journal, "append", full)
        with pytest.raises(OSError, match="full"):
            rows.add(RUNS[1])
    assert rows.get(1) is None
    assert rows.add(RUNS[1])


def full(_: bytes) -> None:
    raise OSError("the disk is full")
