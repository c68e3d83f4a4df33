"""What every storage must do, over each of them."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from machiavel.server.storage import Conflict, Event, LastActivity, MemoryStorage, SqliteStorage, Storage, StoredMatch, Write
from machiavel.server.storage.soundness import damage_in
from tests.server.storage.entries import answer, event, header

Opened = Callable[[], Storage]


@pytest.fixture(params=["memory", "sqlite"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    result: Storage = MemoryStorage() if request.param == "memory" else SqliteStorage(tmp_path / "matches.sqlite3")
    yield result
    result.close()


def test_what_was_written_is_read_again_in_order(storage: Storage) -> None:
    storage.write([Write("a", header("a"), [event(1), event(2)], answer("seat 0"))])
    storage.write([Write("a", events=[event(3)], answer=answer("seat 1"), phase="playing", summary='{"x": 1}')])
    stored = storage.load("a")
    assert stored is not None
    assert stored.header == header("a", phase="playing", summary='{"x": 1}')
    assert list(stored.events) == [event(1), event(2), event(3)]
    assert {one.actor for one in stored.answers} == {"seat 0", "seat 1"}
    assert not stored.deleted
    assert storage.load("b") is None


@pytest.mark.parametrize(
    "second",
    [
        Write("a", header("a")),
        Write("a", events=[event(2), event(1)]),
        Write("a", events=[event(2)], answer=answer("seat 0")),
        Write("a", creation=answer("seat 0")),
        Write("b", header("b", code=b"code of a")),
        Write("b", events=[event(1)]),
        Write("b", answer=answer("seat 0")),
        Write("b", header("b"), creation=answer("account", b"known")),
    ],
    ids=["match", "event", "answer", "creation", "code", "events of none", "answers of none", "account's request"],
)
def test_what_is_there_already_is_refused_and_nothing_else_of_the_batch_is_kept(storage: Storage, second: Write) -> None:
    storage.write([Write("a", header("a"), [event(1)], answer("seat 0"), answer("account", b"known"))])
    before = storage.load("a")
    with pytest.raises(Conflict):
        storage.write([Write("c", header("c"), [event(1)]), second])
    assert storage.load("a") == before
    assert storage.load("b") is None
    assert storage.load("c") is None
    storage.write([Write("c", header("c"), [event(1)])])


def test_two_writes_of_one_match_stand_in_one_batch(storage: Storage) -> None:
    storage.write([Write("a", header("a"), [event(1)]), Write("a", events=[event(2)]), Write("b", header("b"))])
    stored = storage.load("a")
    assert stored is not None
    assert [one.seq for one in stored.events] == [1, 2]


def test_the_same_request_of_another_actor_or_match_is_another(storage: Storage) -> None:
    storage.write([Write("a", header("a"), answer=answer("seat 0")), Write("b", header("b"), answer=answer("seat 0"))])
    storage.write([Write("a", answer=answer("seat 1")), Write("a", answer=answer("seat 0", b"other"))])
    stored = storage.load("a")
    assert stored is not None
    assert len(stored.answers) == 3


def test_a_match_is_found_by_its_code_and_by_what_created_it(storage: Storage) -> None:
    storage.write([Write("a", header("a"), creation=answer("account", b"r"))])
    assert storage.by_code(b"code of a") == "a"
    assert storage.by_code(b"code of b") is None
    assert storage.by_creation("anna", b"r") == "a"
    assert storage.by_creation("bert", b"r") is None
    stored = storage.load("a")
    assert stored is not None
    assert list(stored.answers) == [answer("account", b"r")]


def test_lists_are_the_accounts_newest_first_page_by_page(storage: Storage) -> None:
    created = [(f"m{number}", number // 2) for number in range(10)]
    storage.write([Write(name, header(name, at, "anna" if name != "m4" else "bert")) for name, at in created])
    storage.write([Write("m6", phase="over")])
    pages, before = list[list[str]](), None
    while rows := storage.listed("anna", None, before, 4):
        pages.append([one.match for one in rows])
        before = rows[-1].created, rows[-1].match
    assert pages == [["m9", "m8", "m7", "m6"], ["m5", "m3", "m2", "m1"], ["m0"]]
    assert [one.match for one in storage.listed("anna", "over", None, 9)] == ["m6"]
    assert [one.match for one in storage.listed(None, "waiting", None, 2)] == ["m9", "m8"]
    assert [one.match for one in storage.listed("bert", None, None, 9)] == ["m4"]
    assert list(storage.names()) == [name for name, _ in created]


def test_when_something_last_happened_is_told_oldest_first_step_by_step(storage: Storage) -> None:
    names = [f"m{number}" for number in range(9)]
    storage.write([Write(name, header(name, number // 2), [event(number)] * (number > 1)) for number, name in enumerate(names)])
    storage.write([Write("m2", events=[event(7)]), Write("m3", delete=True), Write("m4", phase="over")])
    steps, after = list[list[LastActivity]](), None
    while step := storage.lasts("waiting", 4, after, 2):
        steps.append(step)
        after = step[-1].created, step[-1].match
    assert steps == [
        [LastActivity("m0", 0, 0), LastActivity("m1", 0, 0)],
        [LastActivity("m2", 1, 1007), LastActivity("m5", 2, 1005)],
        [LastActivity("m6", 3, 1006), LastActivity("m7", 3, 1007)],
    ]
    assert storage.lasts("over", 9, None, 9) == [LastActivity("m4", 2, 1004)]
    assert storage.lasts("over", 2, None, 9) == []


def test_of_what_is_deleted_its_hosts_token_is_left_and_nothing_can_be_added(storage: Storage) -> None:
    storage.write([Write("a", header("a"), [event(1)], creation=answer("account", b"r")), Write("b", header("b"))])
    storage.write([Write("a", delete=True)])
    stored = storage.load("a")
    assert stored == StoredMatch(header("a", setup="{}", code=None, phase="over"), stored.events, stored.answers, deleted=True)  # type: ignore[union-attr]
    assert not list(stored.events)
    assert not list(stored.answers)
    assert storage.by_code(b"code of a") is None
    assert [one.match for one in storage.listed("anna", None, None, 9)] == ["b"]
    assert list(storage.names()) == ["b"]
    assert storage.by_creation("anna", b"r") == "a"
    for write in (Write("a", events=[event(1)]), Write("a", header("a")), Write("a", delete=True)):
        with pytest.raises(Conflict):
            storage.write([write])


def test_the_steps_of_a_write_are_told_in_order(tmp_path: Path) -> None:
    for make in (MemoryStorage, lambda step: SqliteStorage(tmp_path / "steps.sqlite3", step)):
        told: list[str] = []
        storage = make(told.append)
        storage.write([Write("a", header("a"))])
        assert told == ["written", "committed"]
        with pytest.raises(Conflict):
            storage.write([Write("a", header("a"))])
        assert told == ["written", "committed"]
        storage.close()


def test_of_what_is_purged_nothing_is_left_and_its_name_may_be_had_again(storage: Storage) -> None:
    storage.write([Write("a", header("a"), [event(1)], creation=answer("account", b"r"))])
    storage.write([Write("b", header("b", account="bert")), Write("c", header("c"), [event(1)])])
    storage.write([Write("c", delete=True)])
    assert storage.belonging("anna") == ["a", "c"]
    storage.write([Write("a", purge=True), Write("c", purge=True), Write("never", purge=True)])
    assert storage.belonging("anna") == []
    assert storage.load("a") is None
    assert storage.by_creation("anna", b"r") is None
    assert storage.by_code(b"code of a") is None
    assert list(storage.names()) == ["b"]
    storage.write([Write("a", header("a"), [event(1)], creation=answer("account", b"r"))])
    assert storage.by_creation("anna", b"r") == "a"


def test_a_match_is_rewritten_as_a_whole(storage: Storage) -> None:
    storage.write([Write("a", header("a"), [event(1), event(2)], answer("seat 0"), answer("account", b"r"))])
    stored = storage.load("a")
    assert stored is not None
    other = [replace(one, data="{}") for one in stored.events]
    answers = [replace(one, response=b"other") for one in stored.answers]
    new = StoredMatch(replace(stored.header, setup="[]", summary="[1]"), other, answers)
    storage.write([Write("a", rewritten=new)])
    storage.write([Write("a", events=[event(3)])])
    again = storage.load("a")
    assert again is not None
    assert again.header == new.header
    assert list(again.events) == [*other, event(3)]
    assert {one.actor: one.response for one in again.answers} == {"seat 0": b"other", "account": b"other"}
    assert storage.by_creation("anna", b"r") == "a"
    storage.write([Write("a", purge=True)])
    assert not any(storage.kept().values())
    with pytest.raises(Conflict):
        storage.write([Write("b", rewritten=StoredMatch(header("b")))])


def test_purged_and_rewritten_matches_leave_no_hole_and_no_trace_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite3"
    storage = SqliteStorage(path)
    name = "Wilhelmine"
    many = [Event(number, 1, f'{{"what": "{name} {"x" * 500}"}}') for number in range(1, 41)]
    storage.write([Write("a", header("a"), many), Write("b", header("b"), many)])
    storage.write([Write("a", purge=True)])
    storage.write([Write("b", rewritten=StoredMatch(header("b"), [replace(one, data="{}") for one in many]))])
    storage.close()
    assert name.encode() not in path.read_bytes()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert not damage_in(connection)


def test_bytes_are_counted_for_the_account_as_matches_come_grow_and_go(storage: Storage) -> None:
    assert sum(storage.kept().values()) == 0
    storage.write([Write("a", header("a", account="ann"), [event(1)]), Write("b", header("b", account="ben"))])
    before = dict(storage.kept())
    storage.write([Write("a", events=[event(number) for number in range(2, 100)], answer=answer("seat 0"))])
    grown = dict(storage.kept())
    assert (grown["ann"] > before["ann"] + 98 * 80, grown["ben"]) == (True, before["ben"])
    with pytest.raises(Conflict):
        storage.write([Write("a", events=[event(7)])])
    assert storage.kept() == grown
    storage.write([Write("a", delete=True), Write("b", purge=True)])
    assert sum(storage.kept().values()) == 0


def test_bytes_are_counted_again_when_a_file_is_opened(tmp_path: Path) -> None:
    first = SqliteStorage(tmp_path / "matches.sqlite3")
    first.write([Write("a", header("a", account="ann"), [event(1), event(2)], answer("seat 0"))])
    first.write([Write("b", header("b", account="ann"), [event(1)], creation=answer("account"))])
    first.write([Write("a", delete=True)])
    kept = {account: size for account, size in first.kept().items() if size}
    first.close()
    second = SqliteStorage(tmp_path / "matches.sqlite3")
    assert second.kept() == kept
    second.close()
