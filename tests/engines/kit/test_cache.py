"""Objects are kept in the user's cache folder: made once, whole or not at all, and never an error."""

import multiprocessing
import os
import time
from multiprocessing.pool import AsyncResult
from pathlib import Path

import pytest

from machiavel.engines.kit import cache
from machiavel.engines.kit.cache import cache_folder, cached, key_of

KEY = key_of("some", "program")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MACHIAVEL_KIT_CACHE", str(tmp_path / "kit"))
    return tmp_path / "kit"


def not_again() -> bytes:
    raise AssertionError("it was made before")


def make_slowly(counter: str) -> bytes:
    with Path(counter).open("a", encoding="utf-8") as file:
        file.write("made\n")
    time.sleep(0.3)
    return b"object"


def ask(counter: str) -> tuple[bytes, bool]:
    return cached(KEY, lambda: make_slowly(counter))


def test_what_was_made_once_is_kept() -> None:
    assert cached(KEY, lambda: b"object") == (b"object", False)
    assert cached(KEY, not_again) == (b"object", True)


def test_another_program_is_another_object() -> None:
    cached(KEY, lambda: b"object")

    assert cached(key_of("another", "program"), lambda: b"other") == (b"other", False)


def test_texts_do_not_run_into_each_other() -> None:
    assert len({key_of("ab", "c"), key_of("a", "bc"), key_of("abc"), key_of("abc", "")}) == 4


def test_eight_processes_at_once_make_it_once(tmp_path: Path) -> None:
    counter = tmp_path / "counter"
    with multiprocessing.get_context("spawn").Pool(8) as pool:
        asked: list[AsyncResult[tuple[bytes, bool]]] = [pool.apply_async(ask, (str(counter),)) for _ in range(8)]
        answers = [one.get(60) for one in asked]

    assert counter.read_text(encoding="utf-8") == "made\n"
    assert [image for image, _ in answers] == [b"object"] * 8
    assert sum(was_kept for _, was_kept in answers) == 7


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "longer", "text"])
def test_a_damaged_file_is_made_anew(folder: Path, damage: str) -> None:
    cached(KEY, lambda: b"object")
    path = folder / f"{KEY}.object"
    data = path.read_bytes()
    wrong = {
        "cut": data[:-1],
        "flipped": data[:-1] + bytes([data[-1] ^ 1]),
        "empty": b"",
        "longer": data + b"\0",
        "text": b"no object",
    }
    path.write_bytes(wrong[damage])

    assert cached(KEY, lambda: b"new") == (b"new", False)
    assert cached(KEY, not_again) == (b"new", True)


def test_a_folder_that_may_not_be_written_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACHIAVEL_KIT_CACHE", "/proc")  # there, and not even root may write into it

    assert cached(KEY, lambda: b"object") == (b"object", False)
    assert cached(KEY, lambda: b"object") == (b"object", False)


@pytest.mark.parametrize("place", ["file", "below_a_file", "/proc/nowhere"])
def test_a_folder_that_cannot_be_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    where = {"file": tmp_path / "file", "below_a_file": tmp_path / "file" / "kit"}.get(place, Path(place))
    monkeypatch.setenv("MACHIAVEL_KIT_CACHE", str(where))

    assert cached(KEY, lambda: b"object") == (b"object", False)


def test_a_full_disk_is_no_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_path: Path, _image: bytes) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(cache, "write", full)

    assert cached(KEY, lambda: b"object") == (b"object", False)
    assert not list(folder.glob("*.object"))


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_code_from_a_folder_that_others_may_write_is_not_run(folder: Path, mode: int) -> None:
    folder.mkdir()
    cached(KEY, lambda: b"object")
    folder.chmod(mode)

    assert cached(KEY, lambda: b"own") == (b"own", False)


def test_nobody_else_may_look_into_a_new_folder(folder: Path) -> None:
    cached(KEY, lambda: b"object")

    assert folder.stat().st_mode & 0o777 == 0o700


def test_what_was_not_used_for_longest_goes_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_BYTES", 1000)
    keys = [key_of(str(number)) for number in range(4)]
    for age, key in enumerate(keys[:3]):
        cached(key, lambda: bytes(250))
        os.utime(folder / f"{key}.object", (1000 + age, 1000 + age))
    cached(keys[0], not_again)  # used a moment ago
    cached(keys[3], lambda: bytes(250))

    assert {path.stem for path in folder.glob("*.object")} == {keys[0], keys[2], keys[3]}


def test_what_a_dead_process_left_unfinished_goes(folder: Path) -> None:
    folder.mkdir()
    (folder / "old.part").write_bytes(b"half")
    os.utime(folder / "old.part", (1000, 1000))
    (folder / "new.part").write_bytes(b"half")
    cached(KEY, lambda: b"object")

    assert {path.name for path in folder.glob("*.part")} == {"new.part"}


def test_it_lies_in_the_folder_for_caches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MACHIAVEL_KIT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "machiavel" / "kit"

    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "machiavel" / "kit"
