"""The command in a real terminal: what Ctrl-C and Ctrl-D leave behind."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from machiavel.engines import Record
from tests.search.records import record_of
from tests.server.cli.terminal import CTRL_C, CTRL_D, PATIENCE, Terminal


@pytest.fixture
def table() -> Iterator[Terminal]:
    terminal = Terminal("play", "agency", "--seed", "5", "--no-accomplices", "--no-powers")
    terminal.wait_for("> ")
    yield terminal
    terminal.close()


def test_ctrl_c_ends_the_match_with_130_and_a_clean_terminal(table: Terminal) -> None:
    table.send(CTRL_C)

    assert table.end() == 130
    assert table.is_clean()
    assert "Traceback" not in table.text
    assert table.text.endswith("Seed of the match: 5\x1b[0m\r\n")


def test_ctrl_c_tells_the_seed_and_where_the_record_is(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    terminal = Terminal("play", "agency", "--seed", "5", "--record", str(file))
    try:
        terminal.wait_for("> ")
        terminal.send(CTRL_C)

        assert terminal.end() == 130
        assert "Seed of the match: 5" in terminal.text
        assert "Record: " in terminal.text
        assert Record.from_json(file.read_text(encoding="utf-8")).seed == 5
    finally:
        terminal.close()


def test_ctrl_d_ends_the_match_politely(table: Terminal) -> None:
    table.send(CTRL_D)

    assert table.end() == 0
    assert table.is_clean()
    assert "Seed of the match: 5" in table.text


def test_a_card_is_played_after_a_wrong_entry(table: Terminal) -> None:
    table.send(b"frog\r")
    table.wait_for("frog is not a move")
    table.send(b"1\r")
    table.wait_for("You play")
    table.wait_for("> ", after=table.text.index("You play"))
    table.send(b"q\r")

    assert table.end() == 0
    assert table.is_clean()


def test_ctrl_c_stops_a_bench_and_gives_the_cursor_back() -> None:
    terminal = Terminal("bench", "playouts", "--players", "2", "--seconds", "60", "--threads", "2")
    try:
        terminal.wait_for("agency")
        terminal.send(CTRL_C)

        assert terminal.end() == 130
        assert terminal.is_clean()
        assert "Traceback" not in terminal.text
    finally:
        terminal.close()


def test_a_view_is_typed_in_taken_back_and_corrected_and_gets_a_hint() -> None:
    terminal = Terminal("hint", "agency", "--iterations", "300", "--lang", "en")
    try:
        told = ("3", "", "martha wxt jean", "0 1 0", "4", "G8 Y12", "G8 Y12 M4", "<", "G8 Y12 M3", "?", "4", "Y12", "B7")
        for keys in told:
            terminal.answer(keys)
        terminal.wait_for("Y12 is in your hand already")
        for keys in ("", "", "4 3 6", "1 0 2", "0 3 0", "", ""):
            terminal.answer(keys)
        terminal.wait_for("Is this correct?")
        terminal.answer("4")
        terminal.answer("0 0 1")
        terminal.answer("")

        assert terminal.end() == 0
        assert terminal.is_clean()
        assert "win chance" in terminal.text
        assert "Traceback" not in terminal.text
    finally:
        terminal.close()


def test_ctrl_c_ends_the_questions_with_130_and_a_clean_terminal() -> None:
    terminal = Terminal("hint", "bond")
    try:
        terminal.answer("3")
        terminal.wait_for("foil?")
        terminal.wait_for("> ", after=terminal.text.index("foil?"))
        terminal.send(CTRL_C)

        assert terminal.end() == 130
        assert terminal.is_clean()
        assert "Traceback" not in terminal.text
    finally:
        terminal.close()


def test_at_the_table_a_move_is_asked_about_and_none_is_played(table: Terminal) -> None:
    table.send(b"? 2\r")
    table.wait_for("Which card do you play?", after=table.text.rindex("> "))
    table.send(b"hint\r")
    table.wait_for("Which card do you play?", after=table.text.rindex("hint"))
    table.send(b"q\r")

    assert table.end() == 0
    assert "You play" not in table.text
    assert table.is_clean()


def test_ctrl_c_stops_a_review_which_goes_on_later(tmp_path: Path) -> None:
    record, folder = tmp_path / "match.json", tmp_path / "kept"
    record.write_text(json.dumps(record_of("agency").to_json()), encoding="utf-8")
    arguments = ("review", str(record), "--output", str(folder), "--iterations")
    terminal = Terminal(*arguments, "20000")
    try:
        terminal.wait_for("/")
        deadline = time.monotonic() + PATIENCE
        while len(kept_lines(folder)) < 3:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        terminal.send(CTRL_C)
        assert terminal.end() == 130
        assert terminal.is_clean()
        assert "Traceback" not in terminal.text
    finally:
        terminal.close()
    kept = kept_lines(folder)
    assert len(kept) >= 3
    again = Terminal(*arguments, "20000", "--resume")
    try:
        again.wait_for("/")
        again.send(CTRL_C)
        assert again.end() == 130
    finally:
        again.close()
    assert kept_lines(folder)[: len(kept)] == kept


def kept_lines(folder: Path) -> list[str]:
    path = folder / "judgements.jsonl"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return text[: text.rfind("\n") + 1].splitlines()
