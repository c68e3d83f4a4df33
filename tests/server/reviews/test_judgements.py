"""A folder keeps what was judged, gives it back, and takes no other review's."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from machiavel.search import Review, SearchParameters, Transcript
from machiavel.server.journal import BadJournal, FileJournal, RowBlock, row_of
from machiavel.server.reviews.judgements import JUDGEMENTS, digest_of, digest_of_seen, header_of, opened
from tests.server.reviews.matches import reviewed

TRANSCRIPT, JUDGED, _ = reviewed("whist")
HEADER = header_of(TRANSCRIPT, Review(TRANSCRIPT, 30, SearchParameters(seed=1)))


def written(folder: Path, count: int) -> Path:
    with opened(folder, HEADER, TRANSCRIPT, resume=False) as kept:
        assert kept.known == []
        for one in JUDGED[:count]:
            kept.add(one)
    return folder / JUDGEMENTS


def test_what_was_kept_comes_back(tmp_path: Path) -> None:
    written(tmp_path / "new" / "folder", 5)
    with opened(tmp_path / "new" / "folder", HEADER, TRANSCRIPT, resume=True) as kept:
        assert kept.known == list(JUDGED[:5])
        kept.add(JUDGED[5])
    with opened(tmp_path / "new" / "folder", HEADER, TRANSCRIPT, resume=True) as kept:
        assert kept.known == list(JUDGED[:6])


def test_the_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, 5)
    read: list[str] = []

    def blocks(journal: FileJournal) -> Iterator[RowBlock]:
        read.append(journal.name)
        yield from whole(journal)

    whole = FileJournal.blocks
    monkeypatch.setattr(FileJournal, "blocks", blocks)
    with opened(tmp_path, HEADER, TRANSCRIPT, resume=True) as kept:
        assert kept.known == list(JUDGED[:5])
    assert read == [str(tmp_path / JUDGEMENTS)]


def test_a_move_that_was_judged_twice_counts_as_it_was_judged_first(tmp_path: Path) -> None:
    path = written(tmp_path, 3)
    path.write_bytes(path.read_bytes() + row_of(JUDGED[1].to_json() | {"loss": 0.0}))
    with opened(tmp_path, HEADER, TRANSCRIPT, resume=True) as kept:
        assert kept.known == list(JUDGED[:3])


@pytest.mark.parametrize("cut", [1, 10, 60])
def test_a_line_that_was_not_written_to_its_end_is_judged_again(tmp_path: Path, cut: int) -> None:
    path = written(tmp_path, 3)
    path.write_bytes(path.read_bytes()[:-cut])
    with opened(tmp_path, HEADER, TRANSCRIPT, resume=True) as kept:
        assert kept.known == list(JUDGED[:2])
        kept.add(JUDGED[2])
    assert len(path.read_text(encoding="utf-8").splitlines()) == 4


def test_even_the_first_line_may_be_cut(tmp_path: Path) -> None:
    path = written(tmp_path, 0)
    path.write_bytes(path.read_bytes()[:20])
    with opened(tmp_path, HEADER, TRANSCRIPT, resume=False) as kept:
        assert kept.known == []


def refused(folder: Path, words: str, **changes: object) -> None:
    before = (folder / JUDGEMENTS).read_bytes()
    with pytest.raises(BadJournal, match=words), opened(folder, HEADER | changes, TRANSCRIPT, resume=True):
        pass
    assert (folder / JUDGEMENTS).read_bytes() == before


def test_another_review_is_refused_by_the_field_that_differs(tmp_path: Path) -> None:
    written(tmp_path, 2)
    for name, value, changed in (
        ("record", "00", "record"),
        ("iterations", 31, "iterations"),
        ("seats", [0], "seats"),
        ("parameters", HEADER["parameters"] | {"exploration": 9.0}, "exploration"),
        ("engine", "machiavel 9", "engine"),
    ):
        refused(tmp_path, f"holds another review: {changed} ", **{name: value})


def test_of_given_seats_it_goes_by_what_they_saw_and_reads_what_went_by_the_whole_record(tmp_path: Path) -> None:
    some = Transcript(TRANSCRIPT.record, [1])
    header = header_of(some, Review(some, 30, SearchParameters(seed=1)))
    assert header["record"] == digest_of_seen(some) != digest_of(some.record)
    judged = [one for one in JUDGED if one.seat == 1][:2]
    for folder, digest in (("new", digest_of_seen(some)), ("old", digest_of(some.record))):
        with opened(tmp_path / folder, header | {"record": digest}, some, resume=False) as kept:
            for one in judged:
                kept.add(one)
        with opened(tmp_path / folder, header, some, resume=True) as kept:
            assert kept.known == judged
    with opened(tmp_path / "other", header | {"record": digest_of_seen(Transcript(some.record, [2]))}, some, resume=False):
        pass
    with pytest.raises(BadJournal, match="holds another review: record "), opened(tmp_path / "other", header, some, resume=True):
        pass


def test_without_resume_what_is_there_is_left_alone(tmp_path: Path) -> None:
    path = written(tmp_path, 2)
    before = path.read_bytes()
    with pytest.raises(BadJournal, match="expected --resume"), opened(tmp_path, HEADER, TRANSCRIPT, resume=False):
        pass
    assert path.read_bytes() == before


def test_one_command_at_a_time(tmp_path: Path) -> None:
    written(tmp_path, 1)
    with (
        opened(tmp_path, HEADER, TRANSCRIPT, resume=True),
        pytest.raises(BadJournal, match="another command"),
        opened(tmp_path, HEADER, TRANSCRIPT, resume=True),
    ):
        pass


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nonsense", "line 4: is no JSON"),
        ("{}", "line 4: "),
        (json.dumps(JUDGED[0].to_json() | {"ply": 10**6}), "line 4: judges another move"),
        (json.dumps(JUDGED[0].to_json() | {"move": "zz"}), "line 4: judges another move"),
        (json.dumps(JUDGED[0].to_json() | {"label": "fine"}), "line 4: .*label"),
    ],
)
def test_what_no_review_wrote_is_refused_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    path = written(tmp_path, 2)
    with path.open("a", encoding="utf-8") as file:
        file.write(text + "\n")
    refused(tmp_path, words)


def test_what_is_no_review_is_refused(tmp_path: Path) -> None:
    (tmp_path / JUDGEMENTS).write_text("a shopping list\n", encoding="utf-8")
    refused(tmp_path, "its first line is no review")
